"""The command ``yamafuda play calculation``. What takes time to import is imported when the command runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.calculation.game import Calculation
from engines.calculation.player import Options, Playing
from engines.contract.game import example
from engines.contract.parameters import with_options
from engines.solitaire.game import FILE_BYTES
from engines.stackgame.table_option import TABLES, table_runs
from engines.text.textfile import read_text
from engines.text.waiting import Waiting
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.calculation.player import Played


@example(
    "Example: yamafuda play calculation decks.txt --stacks 3 --keep 200 --look-ahead 1. "
    f"{Calculation.forms['deal']} Printed is the board after each turn: what the foundations wait for, and the stacks, "
    "with the foundation that each card is meant for."
)
@with_options(Playing)
def play(
    file: Annotated[Path, typer.Argument(metavar="DECKFILE", help="Decks; - is standard input.")],
    options: Playing,
    moves: Annotated[bool, typer.Option("--moves", help="Print the moves alone, on one line.")] = False,
    tables: TABLES = "results",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deck and line.")] = False,
) -> None:
    """Play decks without looking at the pile.

    The player goes by a table of the stack game. The table for two boards of one card less than there are ranks must
    be there: job=stackgame_table. Every game was replayed by the referee.
    """
    from engines.calculation.core import open_player
    from engines.calculation.laid import laid_count
    from engines.calculation.text import ranks_of, read_decks

    decks = read_decks(read_text(file, FILE_BYTES), str(file))
    if not decks:
        raise UserError(str(file), "there is no deck in it")
    if any(map(laid_count, decks)):
        raise UserError(str(file), "players do not begin with cards on the foundations; solve does")
    players = {
        ranks: open_player(Options(**vars(options), ranks=ranks), table_runs(tables))
        for ranks in sorted(set(map(ranks_of, decks)))
    }
    waiting = Waiting("deal", len(decks))
    for number, deck in enumerate(decks, start=1):
        player = players[ranks_of(deck)]
        with waiting.at(number):
            (played,) = player.play([deck], assignments=not moves)
        if as_json:
            print(json.dumps(_values(deck, played)), flush=True)
        else:
            text = _text(number, deck, played, player.options, moves)
            print(("\n" if number > 1 and not moves else "") + text, flush=True)


def _values(deck: Sequence[int], played: Played) -> dict[str, Any]:
    from engines.calculation.record import written_moves
    from engines.calculation.text import format_deck

    return {
        "outcome": played.outcome,
        "deal": format_deck(deck),
        "left_count": played.left_count,
        "draws_count": played.draws_count,
        "evaluations_count": played.evaluations_count,
        "lookups_count": played.lookups_count,
        "missing_count": played.missing_count,
        "cpu_s": played.elapsed_s,
        "moves": written_moves(deck, played.moves),
        "assignments": played.assignments,
    }


def _text(number: int, deck: Sequence[int], played: Played, options: Options, moves: bool) -> str:
    """As ``yamafuda check`` reads it too."""
    from engines.calculation.record import format_game, format_moves

    parts = [
        played.outcome,
        f"{played.draws_count} draws",
        f"{played.left_count} cards left",
        f"{played.evaluations_count} evaluations",
        f"{played.elapsed_s:.2f} s of processor time",
    ]
    head = f"deal {number}: {', '.join(parts)}"
    if moves:
        return f"{head}\n{format_moves(deck, played.moves)}"
    return f"{head}\n{format_game(deck, played.moves, options.ranks, options.stacks, played.assignments)}"
