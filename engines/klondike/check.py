"""The command ``yamafuda check klondike``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engines.contract.game import example
from engines.klondike.options import (
    UNLIMITED,
    DealLast,
    Draw,
    FoundationBack,
    RedealRuleName,
    Redeals,
    rules_of_options,
)
from engines.klondike.solve import FILE_BYTES
from engines.solitaire.checking import deals_with_solutions

if TYPE_CHECKING:
    from engines.klondike.solution import Replay


@example(
    "Example: yamafuda check klondike k00198.deal k00198.solution. A solution is written like "
    "S04T00 -> C15W02, or with <- last move first."
)
def check(
    deal: Annotated[Path, typer.Argument(metavar="DEAL", help="Deals; - is standard input.")],
    solution: Annotated[
        Path,
        typer.Argument(
            metavar="SOLUTION", help="Solutions in the deals' order; what solve prints, for example."
        ),
    ],
    draw: Draw = 3,
    redeals: Redeals = UNLIMITED,
    redeal_rule: RedealRuleName = "carry",
    deal_last: DealLast = True,
    foundation_back: FoundationBack = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deal and line.")] = False,
) -> None:
    """Replay solutions of Klondike; exit status 1 when one does not win.

    Won is also a position that is surely won: no card face down, and at most one in stock and waste together.
    """
    from engines.klondike.solution import read_solutions, replay
    from engines.klondike.text import read_deals

    rules = rules_of_options(draw, redeals, redeal_rule, deal_last, foundation_back)
    pairs = deals_with_solutions(deal, solution, FILE_BYTES, read_deals, read_solutions)
    right = True
    for number, (each, written) in enumerate(pairs, start=1):
        found = None if written is None else replay(each, written, rules)
        right &= found is None or found.problem is None
        print(_json(found) if as_json else f"deal {number}: {_line(found)}", flush=True)
    raise typer.Exit(0 if right else 1)


def _json(found: Replay | None) -> str:
    if found is None:
        return json.dumps({"won": None, "moves_count": None, "redeals_count": None, "problem": None})
    return json.dumps(
        {
            "won": found.problem is None,
            "moves_count": len(found.moves),
            "redeals_count": found.redeals_count,
            "problem": found.problem,
        }
    )


def _line(found: Replay | None) -> str:
    if found is None:
        return "no solution is given"
    if found.problem is not None:
        return f"wrong: {found.problem}"
    return f"won after {len(found.moves)} moves, {found.redeals_count} redeals"
