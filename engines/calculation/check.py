"""The command ``yamafuda check calculation``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engines.calculation.options import FILE_BYTES
from engines.contract.game import example
from engines.solitaire.checking import deals_with_solutions
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.calculation.rules import Replay


@example(
    "Example: yamafuda check calculation decks.txt games.txt. A game is what solve prints: the board after "
    "each turn, or a line of moves like 7S0 (the drawn 7 to stack 0), AF0 (to foundation 0), S0F2 (from stack 0)."
)
def check(
    deck: Annotated[Path, typer.Argument(metavar="DECK", help="Decks; - is standard input.")],
    game: Annotated[
        Path,
        typer.Argument(metavar="GAME", help="Games in the decks' order; what solve prints, for example."),
    ],
    stacks: Annotated[
        int | None,
        typer.Option(help="Number of stacks; without it what the boards show, 3 for a line of moves."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deck and line.")] = False,
) -> None:
    """Replay games of Calculation, won or lost; exit status 1 when one breaks the rules."""
    from engines.calculation.record import STACKS, check_game, read_games
    from engines.calculation.rules import STACKS_MAX
    from engines.calculation.text import ranks_of, read_decks

    if stacks is not None and not 1 <= stacks <= STACKS_MAX:
        raise UserError("--stacks", f"must be 1 to {STACKS_MAX}; got {stacks}")
    right = True
    pairs = deals_with_solutions(deck, game, FILE_BYTES, read_decks, read_games)
    for number, (cards, played) in enumerate(pairs, start=1):
        found = check_game(cards, played, ranks_of(cards), stacks or played.stacks() or STACKS)
        right &= found.problem is None
        print(_json(found) if as_json else f"deck {number}: {_line(found)}", flush=True)
    raise typer.Exit(0 if right else 1)


def _json(found: Replay) -> str:
    return json.dumps(
        {
            "outcome": found.outcome,
            "draws_count": found.draws_count,
            "left_count": found.left_count,
            "problem": found.problem,
        }
    )


def _line(found: Replay) -> str:
    if found.problem is not None:
        return f"wrong: {found.problem}"
    if found.outcome == "won":
        return f"won after {found.draws_count} draws"
    ending = "lost" if found.outcome == "lost" else "not finished"
    return f"{ending} after {found.draws_count} draws, {found.left_count} cards left"
