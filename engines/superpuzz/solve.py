"""The command ``yamafuda solve superpuzz``. What takes time to import is imported when the command runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.contract.game import example
from engines.text.textfile import read_text
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.superpuzz.core import Found
    from engines.superpuzz.deal import Deal

FILE_BYTES = 1 << 24
"""No file of deals or solutions is longer: room for 100,000 deals."""
DEPTH, BREADTH = "depth", "breadth"


@example(
    "Example: yamafuda solve superpuzz deals.txt --time-s 60. A deal is four rows of cards like S3 or "
    "0H (ten of hearts); -- or a king is a hole; a blank line stands between deals."
)
def solve(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Deals; - is standard input.")],
    census: Annotated[
        bool, typer.Option("--census", help="Count all reachable states and all wins.")
    ] = False,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="Find a solution of the fewest moves, with proof.")
    ] = False,
    order: Annotated[
        str | None, typer.Option(metavar="depth|breadth", help="Of a census; depth if not given.")
    ] = None,
    time_s: Annotated[
        float | None, typer.Option(help="Limit for each deal, in seconds of processor time.")
    ] = None,
    states: Annotated[int | None, typer.Option(help="Limit for each deal, in states.")] = None,
    memory_bytes: Annotated[int, typer.Option(help="Limit for each deal, in bytes.")] = 4 << 30,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deal and line.")] = False,
) -> None:
    """Decide deals of Superpuzz: outcome, states, and a solution, first move first.

    What hits a limit is undecided. Every solution was replayed by the referee.
    """
    from engines.solitaire.limits import bounds_of_options
    from engines.superpuzz.core import Mode, Order, search
    from engines.superpuzz.text import read_deals

    _check(census, shortest, order)
    bounds = bounds_of_options(time_s, states, memory_bytes)
    mode = Mode.census if census else Mode.shortest if shortest else Mode.decide
    deals = read_deals(read_text(file, FILE_BYTES), str(file))
    if not deals:
        raise UserError(str(file), "there is no deal in it")
    for number, deal in enumerate(deals, start=1):
        found = search(deal, mode, bounds, Order(order or DEPTH))
        if as_json:
            print(json.dumps(_values(deal, found)), flush=True)
        else:
            print(("\n" if number > 1 else "") + _text(number, deal, found), flush=True)


def _check(census: bool, shortest: bool, order: str | None) -> None:
    if census and shortest:
        raise UserError("--shortest", "cannot go with --census; a census finds all wins, not the nearest")
    if order is not None and not census:
        raise UserError("--order", "is that of a census; give --census too")
    if order not in (None, DEPTH, BREADTH):
        raise UserError("--order", f"{order!r} is neither {DEPTH} nor {BREADTH}")


def _values(deal: Deal, found: Found) -> dict[str, Any]:
    from engines.superpuzz.solution import format_pairs

    values: dict[str, Any] = {
        "outcome": found.outcome,
        "states_count": found.states_count,
        "wins_count": found.wins_count,
        "moves_count": found.moves_count,
        "elapsed_s": found.elapsed_s,
        "moves": None if found.moves is None else format_pairs(deal, found.moves),
    }
    return values | ({} if found.limit is None else {"limit": found.limit})


def _text(number: int, deal: Deal, found: Found) -> str:
    """As ``yamafuda check`` reads it too."""
    from engines.superpuzz.solution import format_pairs, join_pairs

    outcome = found.outcome if found.limit is None else f"{found.outcome} (limit: {found.limit})"
    parts = [outcome, f"{found.states_count} states"]
    if found.wins_count is not None:
        parts.append(f"{found.wins_count} wins")
    if found.moves is not None:
        parts.append(f"{len(found.moves)} moves")
    lines = [f"deal {number}: {', '.join(parts)}, {found.elapsed_s:.2f} s"]
    if found.moves is not None:
        lines.append(join_pairs(format_pairs(deal, found.moves)))
    return "\n".join(lines)
