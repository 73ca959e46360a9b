"""The only way to the Rust core of Daihinmin: players, tournaments, evaluations and worlds, in the referee's terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.daifugo import rules
from engines.daifugo.dealing import RANK_PERIOD, SEAT_PERIOD, Gift
from engines.daifugo.numbers import hand_of, play_numbers, play_of, set_of
from engines.daifugo.replay import Record, Turn, replay, seen
from engines.daifugo.rules import PASS, PLAYERS, Field, Hand, Play
from engines.daifugo.view import View

Player = _native.DaifugoPlayer
"""A kind of player with its options."""
Generator = _native.DaifugoGenerator
"""A way to make worlds."""
Knowledge = _native.DaifugoKnowledge
"""The knowledge of one player."""


class Evaluated(NamedTuple):
    """The result of playouts for a legal play."""

    play: Play
    visits_count: int
    mean: float
    """Mean score, NaN without a visit."""
    error: float
    """Its standard error, NaN with fewer than two."""


@dataclass(frozen=True)
class Range:
    """Games ``first`` to ``first + count - 1`` of a tournament."""

    seed: int
    first: int
    """A multiple of ``rank_period``: without it the ranks would be unknown."""
    count: int
    seat_period: int = SEAT_PERIOD
    """Games after which seats are drawn anew."""
    rank_period: int = RANK_PERIOD
    """Games after which ranks are forgotten."""

    def arguments(self) -> dict[str, int]:
        """The settings as the core's functions take them."""
        return asdict(self)


@dataclass(frozen=True)
class HeCounts:
    """The counts that HE learns from games; tables of several players or games are merged by addition."""

    seen: npt.NDArray[np.uint64]
    """Hands by player and class, shape (5, 256)."""
    held: npt.NDArray[np.uint64]
    """Those of them that held an item (the ranks 3 to 2, a group, a sequence), shape (5, 256, 15)."""


def legal_plays(hand: Hand, field: Field) -> list[Play]:
    """All legal plays of a hand, each once; no pass."""
    found = _native.daifugo_legal_plays(set_of(hand), *_field_numbers(field))
    return [play_of(*numbers) for numbers in zip(*(part.tolist() for part in found), strict=True)]


def play_games(
    players: Sequence[Player],
    games: Range,
    records: bool = False,
    base: _native.DaifugoGames | None = None,
    changed: int = 0,
) -> _native.DaifugoGames:
    """Play some games; ValueError when there are not five players or the range does not begin a period of ranks.

    ``base``: the same games, played with records, with another player in the place of ``changed``. Each game begins
    with the ranks that it had there. The other players repeat their plays as long as they know the same as there: the
    result is the same, with fewer playouts.
    """
    return _native.daifugo_games(
        list(players),
        **games.arguments(),
        records=records,
        base=base,
        changed=changed,
    )


def records_of(games: _native.DaifugoGames, names: Sequence[str] | None = None) -> Iterator[Record]:
    """The games that were played with records; ``names`` of the players, by player."""
    begin = 0
    turns = list(
        zip(
            games.record_seats.tolist(),
            games.record_cards.tolist(),
            games.record_stands.tolist(),
            strict=True,
        )
    )
    for game, end in enumerate(games.record_ends.tolist()):
        before = tuple(games.before[game].tolist()) if games.before[game, 0] >= 0 else None
        seats = games.seats[game].tolist()
        by_rank = sorted(range(PLAYERS), key=games.ranks[game].tolist().__getitem__)
        yield Record(
            deal=tuple(map(hand_of, games.dealt[game].tolist())),
            turns=tuple(
                Turn(seat, PASS if not cards else play_of(cards, stands))
                for seat, cards, stands in turns[begin:end]
            ),
            result=tuple(seats[player] for player in by_rank),
            before=before,
            gifts=() if before is None else _gifts(before, games.gave[game].tolist()),
            players=None if names is None else tuple(names[seats.index(seat)] for seat in range(PLAYERS)),
        )
        begin = end


def learn(players: Sequence[Player], games: Range) -> HeCounts:
    """Play some games and count what hands of each class held."""
    return HeCounts(
        *_native.daifugo_he_counts(
            list(players),
            **games.arguments(),
        )
    )


def he_generator(seen_count: npt.NDArray[np.uint64], held_count: npt.NDArray[np.uint64]) -> Generator:
    """HE with a table of one player, or merged: shapes (256,) and (256, 15). ValueError when it is of another shape."""
    probabilities = held_count / np.maximum(seen_count, 1)[:, np.newaxis]
    return Generator("he", probabilities=probabilities, seen=seen_count)


def known_of(view: View) -> Knowledge:
    """What the player whose turn it is knows of a position; hands of others are ignored even if given.

    The order of turns of different seats is not in a view, so that worlds do not depend on it. ValueError when that
    hand is not known or the position cannot be.
    """
    turns = [(seat, *play_numbers(play)) for seat, plays in enumerate(view.plays) for play in plays]
    return knowledge_of(view, turns, None)


def known_at(record: Record, number: int) -> Knowledge:
    """What the player of turn ``number`` (from 0) of a legal record knew before it, all turns included."""
    turns = [(turn.seat, *play_numbers(turn.play)) for turn in record.turns[:number]]
    return knowledge_of(seen(record, number), turns, replay(record).positions[0].turn)


def evaluate(known: Knowledge, player: Player, seed: int) -> list[Evaluated]:
    """All legal plays, with a pass unless the field is empty, after the playouts of a Monte-Carlo player."""
    columns = _native.daifugo_evaluate(known, player, seed=seed)
    return [
        Evaluated(play_of(cards, stands), visits_count, mean, error)
        for cards, stands, visits_count, mean, error in zip(*(part.tolist() for part in columns), strict=True)
    ]


def choose(known: Knowledge, player: Player, seed: int) -> Play:
    """The play that a player makes."""
    return play_of(*_native.daifugo_choose(known, player, seed=seed))


def worlds(known: Knowledge, generator: Generator, seed: int, count: int) -> list[tuple[Hand, ...]]:
    """Hands by seat in some worlds; the own hand is left out (empty)."""
    rows = world_sets(known, generator, seed, count).tolist()
    return [tuple(map(hand_of, hands)) for hands in rows]


def world_sets(known: Knowledge, generator: Generator, seed: int, count: int) -> npt.NDArray[np.uint64]:
    """The same as sets of cards (``numbers``), shape (count, 5)."""
    return _native.daifugo_worlds(known, generator, seed=seed, count=count)


def choose_gift(
    hand: Hand, got: Hand, counts: Sequence[int], seat: int, before: Sequence[int], player: Player, seed: int
) -> Hand:
    """The cards that a player at ``seat``, the first or second of the game before, gives away.

    ``hand`` has what it got; ``counts``: the cards in each hand now, those of the two others being as dealt.
    """
    known = _native.DaifugoKnowledge(
        seat=seat,
        hand=set_of(hand),
        counts=list(counts),
        gone=0,
        turn=seat,
        last=seat,
        before=list(before),
        got=set_of(got),
    )
    return hand_of(_native.daifugo_give(known, player, seed=seed))


def knowledge_of(view: View, turns: list[tuple[int, int, int]], leader: int | None) -> Knowledge:
    """What the player whose turn it is knows, with turns as seat and the numbers of the play.

    All turns in order are told together with ``leader``, who had the first; without it the order does not count.
    ValueError when the position cannot be.
    """
    hand = view.hands[view.turn]
    if hand is None:
        raise ValueError("hands: that of the player whose turn it is must be known")
    top, revolution, lock = _field_numbers(view.field)
    return _native.DaifugoKnowledge(
        seat=view.turn,
        hand=set_of(hand),
        counts=list(view.counts),
        gone=set_of(view.gone),
        top=top,
        revolution=revolution,
        lock=lock,
        turn=view.turn,
        last=view.last,
        passed=sorted(view.passed),
        passes=view.passes_count,
        finished=list(view.finished),
        turns=turns,
        leader=leader,
        before=None if view.before is None else list(view.before),
        gave=set_of(view.gave),
        got=set_of(view.got),
    )


def _field_numbers(field: Field) -> tuple[tuple[int, int], bool, int]:
    lock = sum(1 << suit for suit in field.lock if suit != rules.FIFTH)
    return play_numbers(field.play), field.revolution, lock


def _gifts(before: Sequence[int], gave: Sequence[int]) -> tuple[Gift, ...]:
    """The exchange; the tributes first."""
    givers = ((4, 0), (3, 1), (0, 4), (1, 3))
    return tuple(Gift(before[giver], before[taker], hand_of(gave[before[giver]])) for giver, taker in givers)
