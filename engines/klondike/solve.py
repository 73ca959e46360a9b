"""The command ``yamafuda solve klondike``. What takes time to import is imported when the command runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from engines.text.textfile import read_text
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.klondike.core import Found
    from engines.klondike.rules import Position, Rules

FILE_BYTES = 1 << 26
"""No file of deals or solutions is longer: room for 100,000 deals with their solutions."""


@example(
    "Example: yamafuda solve klondike deals.txt --redeals 2. A deal is a line of 52 cards like S3 or 0H "
    "(ten of hearts): columns left to right, bottom first, then the stock, first dealt first. Figures of the "
    "report, Solvitaire's JSON and positions within a game (stock:, waste:, foundations:, 0: C4 | H3) are read "
    "too."
)
def solve(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Deals; - is standard input.")],
    draw: Draw = 3,
    redeals: Redeals = UNLIMITED,
    redeal_rule: RedealRuleName = "carry",
    deal_last: DealLast = True,
    foundation_back: FoundationBack = False,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="Find a solution of the fewest moves, with proof.")
    ] = False,
    time_s: Annotated[
        float | None, typer.Option(help="Limit for each deal, in seconds of processor time.")
    ] = None,
    states: Annotated[int | None, typer.Option(help="Limit for each deal, in states.")] = None,
    memory_bytes: Annotated[int, typer.Option(help="Limit for each deal, in bytes.")] = 2 << 30,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deal and line.")] = False,
) -> None:
    """Decide deals of Klondike, all cards known: outcome, states, and a solution, first move first.

    The rules are those of the report unless told otherwise. What hits a limit is undecided. Every solution was
    replayed by the referee.
    """
    from engines.klondike.core import Mode, search
    from engines.klondike.text import read_deals
    from engines.solitaire.limits import bounds_of_options

    rules = rules_of_options(draw, redeals, redeal_rule, deal_last, foundation_back)
    bounds = bounds_of_options(time_s, states, memory_bytes)
    mode = Mode.shortest if shortest else Mode.decide
    deals = read_deals(read_text(file, FILE_BYTES), str(file))
    if not deals:
        raise UserError(str(file), "there is no deal in it")
    for number, deal in enumerate(deals, start=1):
        found = search(deal, rules, mode, bounds)
        if as_json:
            print(json.dumps(_values(deal, rules, found)), flush=True)
        else:
            print(("\n" if number > 1 else "") + _text(number, deal, rules, found), flush=True)


def _values(deal: Position, rules: Rules, found: Found) -> dict[str, Any]:
    from engines.klondike.solution import format_moves

    values: dict[str, Any] = {
        "outcome": found.outcome,
        "states_count": found.states_count,
        "moves_count": found.moves_count,
        "redeals_count": found.redeals_count,
        "elapsed_s": found.elapsed_s,
        "moves": None if found.moves is None else format_moves(deal, found.moves, rules),
    }
    return values | ({} if found.limit is None else {"limit": found.limit})


def _text(number: int, deal: Position, rules: Rules, found: Found) -> str:
    """As ``yamafuda check`` reads it too."""
    from engines.klondike.solution import format_moves, join_written

    outcome = found.outcome if found.limit is None else f"{found.outcome} (limit: {found.limit})"
    parts = [outcome, f"{found.states_count} states"]
    if found.moves is not None:
        parts += [f"{len(found.moves)} moves", f"{found.redeals_count} redeals"]
    lines = [f"deal {number}: {', '.join(parts)}, {found.elapsed_s:.2f} s"]
    if found.moves is not None:
        lines.append(join_written(format_moves(deal, found.moves, rules)))
    return "\n".join(lines)
