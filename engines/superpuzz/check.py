"""The command ``yamafuda check superpuzz``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engines.contract.game import example
from engines.solitaire.checking import deals_with_solutions
from engines.superpuzz.solve import FILE_BYTES

if TYPE_CHECKING:
    from engines.superpuzz.replay import Replay


@example(
    "Example: yamafuda check superpuzz figure-1.deal figure-2.solution. A solution is written like "
    "(D5, H6) -> (DA, D6), or with <- last move first."
)
def check(
    deal: Annotated[Path, typer.Argument(metavar="DEAL", help="Deals; - is standard input.")],
    solution: Annotated[
        Path,
        typer.Argument(
            metavar="SOLUTION", help="Solutions in the deals' order; what solve prints, for example."
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deal and line.")] = False,
) -> None:
    """Replay solutions of Superpuzz; exit status 1 when one does not win.

    Wrong names of kings are told and passed over, since only where cards go matters.
    """
    from engines.superpuzz.replay import replay
    from engines.superpuzz.solution import read_solutions
    from engines.superpuzz.text import read_deals

    pairs = deals_with_solutions(deal, solution, FILE_BYTES, read_deals, read_solutions)
    right = True
    for number, (each, written) in enumerate(pairs, start=1):
        found = None if written is None else replay(each, written, str(solution))
        right &= found is None or found.problem is None
        print(_json(found) if as_json else f"deal {number}: {_line(found)}", flush=True)
    raise typer.Exit(0 if right else 1)


def _json(found: Replay | None) -> str:
    if found is None:
        return json.dumps({"won": None, "moves_count": None, "wrong_kings": [], "problem": None})
    return json.dumps(
        {
            "won": found.problem is None,
            "moves_count": len(found.moves),
            "wrong_kings": found.wrong_kings,
            "problem": found.problem,
        }
    )


def _line(found: Replay | None) -> str:
    if found is None:
        return "no solution is given"
    if found.problem is not None:
        return f"wrong: {found.problem}"
    names = ", ".join(map(str, found.wrong_kings))
    return f"won after {len(found.moves)} moves" + (
        f"; the king is another one in moves {names}" if names else ""
    )
