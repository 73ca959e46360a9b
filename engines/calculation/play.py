"""Decks played without the pile: ``play calculation``. What takes time to import is imported when it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.calculation.game import Calculation
from engines.calculation.player import Options, Playing
from engines.contract.answer import Answer, Door
from engines.contract.asking import answers_each
from engines.contract.game import example
from engines.contract.limit import TIME, LimitHitError, check_time, undecided, within
from engines.contract.parameters import with_options
from engines.contract.source import Source
from engines.solitaire.game import FILE_BYTES
from engines.stackgame.table_option import TABLES, table_runs
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.calculation.player import Played


@example(
    "Example: yamafuda play calculation decks.txt --stacks 3 --keep 200 --look-ahead 1. "
    f"{Calculation.forms['deal']} Printed is the board after each turn: what the foundations wait for, and the stacks, "
    "with the foundation that each card is meant for."
)
@answers_each("a deck")
@with_options(Playing)
def play(
    door: Door,
    file: Annotated[Source, typer.Argument(metavar="DECKFILE", help="Decks; - is standard input.")],
    options: Playing,
    moves: Annotated[bool, typer.Option("--moves", help="Print the moves alone, on one line.")] = False,
    tables: TABLES = "results",
    time_s: TIME = None,
) -> Iterator[Answer]:
    """Play decks without looking at the pile.

    The player uses a table of the stack game. That table must exist: two boards with one card fewer than there are
    ranks (job=stackgame_table). Every game has been replayed by the referee.
    """
    from engines.calculation.core import open_player
    from engines.calculation.laid import laid_count
    from engines.calculation.text import ranks_of, read_decks

    check_time(time_s)
    decks = read_decks(file.read(FILE_BYTES), file.name)
    if not decks:
        raise UserError(file.name, "there is no deck in it")
    if any(map(laid_count, decks)):
        raise UserError(file.name, "players cannot begin with cards on the foundations; solve can")
    runs = table_runs(tables)
    players = {
        ranks: open_player(Options(**vars(options), ranks=ranks), runs)
        for ranks in sorted(set(map(ranks_of, decks)))
    }
    at = door.waiting("deal", len(decks))
    for number, deck in enumerate(decks, start=1):
        player = players[ranks_of(deck)]
        with at(number):
            games = within(time_s, partial(player.play, [deck], assignments=not moves))
        if isinstance(games, LimitHitError):
            yield undecided(f"deal {number}", games)
            continue
        (played,) = games
        text = _text(number, deck, played, player.options, moves)
        yield Answer(_values(deck, played), (text,), apart=not moves)


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
