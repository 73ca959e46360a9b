"""A game as a client saw it, for its own record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.daifugo.numbers import hand_of, play_of
from engines.daifugo.record import format_record
from engines.daifugo.replay import Record, Turn, replay
from engines.daifugo.rules import PASS, PLAYERS
from engines.daifugo.text import format_hand

if TYPE_CHECKING:
    from engines._native import DaifugoUecdaGame


def rank_of(game: DaifugoUecdaGame) -> int | None:
    """The player's own rank, 0 for the first; None where the lot decided it, which a client never learns."""
    return None if game.finished is None else game.finished.index(game.seat)


def told(game: DaifugoUecdaGame) -> dict[str, Any]:
    """A line of the record.

    ``record``: the game from its first turn on, as ``yamafuda check daifugo`` reads it; the hands are those after the
    exchange, of which a client sees its own gifts only. None where not all hands can be known.
    """
    rank = rank_of(game)
    return {
        "game": game.index,
        "seat": game.seat,
        "player": game.seats[game.seat],
        "seats": list(game.seats),
        "rank": rank,
        "points": None if rank is None else PLAYERS - rank,
        "ranks_before": None if game.before is None else list(game.before),
        "dealt": format_hand(hand_of(game.dealt)),
        "gave": format_hand(hand_of(game.gave)),
        "turns_count": len(game.turns),
        "breaks_count": game.breaks_count,
        "record": _record(game),
    }


def _record(game: DaifugoUecdaGame) -> str | None:
    if game.hands is None or game.finished is None:
        return None
    record = Record(
        deal=tuple(map(hand_of, game.hands)),
        turns=tuple(
            Turn(seat, PASS if not cards else play_of(cards, stands)) for seat, cards, stands in game.turns
        ),
        result=tuple(game.finished),
    )
    return format_record(record) if replay(record).problem is None else None
