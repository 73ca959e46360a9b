"""The Rust core against the referee: the same plays in every position, the same course of every game."""

from __future__ import annotations

import os
import random
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from daifugo_helpers import hand, play, random_case, random_order, random_position, random_record

from engines import _native
from engines.daifugo import core, dealing, rules
from engines.daifugo.core import Generator, Player, Range
from engines.daifugo.numbers import play_numbers, set_of
from engines.daifugo.replay import replay, seen
from engines.daifugo.rules import PACK, PASS, PLAYERS, Card, Field, Play
from engines.daifugo.view import view_of, without_hidden

CASES = 4000
"""Random hands and fields; ``make check-daifugo`` has 100,000."""
NOTHING: frozenset[Card] = frozenset()
RULE, RANDOM = Player("rule"), Player("random")
ALL_GENERATORS = [
    "rand",
    "rand_d",
    "rand_dr",
    "he",
    "exchange",
    "reject",
    "chain",
    "chain_uniform",
    "reject_learnt",
    "chain_learnt",
]


def mc(name: str = "rand", playouts: int = 50) -> Player:
    """A Monte-Carlo player with few playouts."""
    return Player("mc", generator=generator(name), playouts=playouts, exchange_playouts=5)


def generator(name: str) -> Generator:
    """A way to make worlds; HE's table and a learnt policy are of nothing in particular."""
    if name.endswith("_learnt"):
        size = sum(size for _, size in _native.daifugo_policy_groups())
        weights = np.random.default_rng(1).normal(0, 0.5, size).astype(np.float32)
        return Generator(name, policy_weights=weights)
    if name != "he":
        return Generator(name)
    chance = np.random.default_rng(1)
    seen_count = chance.integers(0, 40, 256).astype(np.uint64)
    held_count = chance.integers(0, seen_count[:, np.newaxis] + 1, (256, 15)).astype(np.uint64)
    return core.he_generator(seen_count, held_count)


def ordered(plays: Iterable[Play]) -> list[tuple[int, int]]:
    """Plays in an order of their own."""
    return sorted(map(play_numbers, plays))


def test_legal_plays_are_the_referee_s() -> None:
    chance = random.Random(1)
    kinds: Counter[str] = Counter()
    for _ in range(CASES):
        cards, field = random_case(chance)
        found = core.legal_plays(cards, field)
        assert ordered(found) == ordered(rules.legal_plays(cards, field)), (cards, field)
        kinds.update(str(rules.kind(each)) for each in found)
    assert min(kinds[name] for name in ("single", "group", "sequence")) > CASES / 4


@pytest.mark.parametrize("players", [[RULE] * 5, [RANDOM] * 5, [RANDOM, RULE, RANDOM, mc(), RULE]])
def test_the_referee_accepts_whole_games(players: list[Player]) -> None:
    count = 30
    games = core.play_games(players, Range(3, 0, count, rank_period=10), records=True)
    records = list(core.records_of(games, names=list("abcde")))
    assert len(records) == count
    for number, record in enumerate(records):
        assert replay(record).problem is None
        assert (record.before is None) == (number % 10 == 0)
        for player in range(PLAYERS):
            seat = games.seats[number, player]
            assert record.result[games.ranks[number, player]] == seat
            assert games.turns_count[number, player] == sum(turn.seat == seat for turn in record.turns)
            assert record.players is not None
            assert record.players[seat] == "abcde"[player]
    for record, following in pairwise(records):
        if following.before is not None:
            names, later = record.players or (), following.players or ()
            assert [later[seat] for seat in following.before] == [names[seat] for seat in record.result]


def test_games_do_not_depend_on_how_they_are_split_or_on_who_plays() -> None:
    def play_some(first: int, count: int, players: list[Player]) -> list[tuple[object, ...]]:
        games = core.play_games(players, Range(5, first, count, rank_period=4), records=True)
        return [(record.deal, record.turns, record.result) for record in core.records_of(games)]

    whole = play_some(0, 12, [RULE, RULE, mc(), RANDOM, RULE])
    assert play_some(4, 8, [RULE, RULE, mc(), RANDOM, RULE]) == whole[4:]
    # Without ranks the deal goes round from a seat that is drawn, whoever plays.
    other = play_some(0, 12, [RANDOM, RULE, mc("rand_d"), RULE, RULE])
    assert [other[game][0] for game in (0, 4, 8)] == [whole[game][0] for game in (0, 4, 8)]
    assert other != whole


def test_seats_are_drawn_every_period() -> None:
    seats = core.play_games([RANDOM] * 5, Range(1, 0, 60)).seats
    assert (seats[::3] == seats[1::3]).all()
    assert (seats[::3] == seats[2::3]).all()
    assert (np.sort(seats, axis=1) == np.arange(5)).all()
    assert len({tuple(row) for row in seats[::3].tolist()}) > 15
    every = core.play_games([RANDOM] * 5, Range(1, 0, 60, seat_period=1)).seats
    assert (every[1:] != every[:-1]).any(axis=1).sum() > 50


def test_the_deal_without_ranks_begins_at_any_seat() -> None:
    games = core.play_games([RANDOM] * 5, Range(1, 0, 200, rank_period=1), records=True)
    begins = Counter(tuple(map(len, record.deal)) for record in core.records_of(games))
    assert set(begins) == {tuple(dealing.deal_counts(first)) for first in range(PLAYERS)}
    assert min(begins.values()) > 20


@pytest.mark.parametrize("name", ALL_GENERATORS)
def test_worlds_are_possible_and_blind(name: str) -> None:
    chance = random.Random(name)
    for _ in range(30):
        record = random_record(chance)
        number = chance.randrange(len(record.turns))
        view = seen(record, number)
        for known in (core.known_of(view), core.known_at(record, number)):
            for world in core.worlds(known, generator(name), 1, 5):
                assert [len(cards) for cards in world] == [
                    0 if seat == view.turn else count for seat, count in enumerate(view.counts)
                ]
                assert NOTHING.union(*world) == view.hidden
        position = replay(record).positions[number]
        assert core.worlds(
            core.known_of(without_hidden(view_of(position))), generator(name), 1, 5
        ) == core.worlds(core.known_of(view_of(position)), generator(name), 1, 5)


def test_worlds_honour_the_exchange() -> None:
    chance = random.Random(3)
    seen_count = 0
    while seen_count < 40:
        record = random_record(chance)
        if record.before is None:
            continue
        number = chance.randrange(len(record.turns))
        seat, played = (
            record.turns[number].seat,
            frozenset().union(*(turn.play.cards for turn in record.turns[:number])),
        )
        rank = record.before.index(seat)
        partner = record.before[4 - rank]
        gave = next((gift.cards for gift in record.gifts if gift.giver == seat), NOTHING)
        got = next((gift.cards for gift in record.gifts if gift.taker == seat), NOTHING)
        for world in core.worlds(core.known_at(record, number), Generator("exchange"), 1, 10):
            assert rank == 2 or gave - played - got <= world[partner]
            if rank < 2:
                assert all(card < min(got) for card in world[partner] - gave)
                seen_count += 1


def test_evaluations_list_each_legal_play() -> None:
    chance = random.Random(4)
    for _ in range(40):
        position = random_position(chance)
        known = core.known_of(view_of(position))
        found = core.evaluate(known, mc(playouts=60), 7)
        legal = rules.legal_plays(position.hands[position.turn], position.field)
        passes = [] if position.field.play == PASS else [PASS]
        assert ordered(each.play for each in found) == ordered([*legal, *passes])
        assert sum(each.visits_count for each in found) == 60
        for each in found:
            assert each.visits_count == 0 or 1 <= each.mean <= 5
            assert each.visits_count < 2 or 0 <= each.error <= 2
        assert core.choose(known, mc(playouts=60), 7) in [each.play for each in found]


def test_forced_and_winning_plays_are_made_at_once() -> None:
    rest = sorted(frozenset(PACK) - hand("C4 H9 H2 S2"))
    hands = [hand("C4 H9"), *(frozenset(rest[seat::4]) for seat in range(4))]
    position = rules.Position(tuple(hands), 0, 1, Field(play("S2")))
    slow = Player("mc", playouts=10**9, exchange_playouts=1)
    assert core.choose(core.known_of(view_of(position)), slow, 1) == PASS
    position = replace(position, hands=(hand("H9"), *hands[1:]), field=Field(play("H7")))
    assert core.choose(core.known_of(view_of(position)), slow, 1) == play("H9")


def test_the_exact_search_finds_the_win_of_two() -> None:
    # The 8 first, then the 3; any other order loses to the 9.
    hands = (hand("C8 C3 D3"), hand("H9 S9"), hand(""), hand(""), hand(""))
    position = rules.Position(hands, 0, 0, finished=(4, 3, 2))
    exact = Player("mc", playouts=1, exchange_playouts=1, endgame_positions=1000)
    assert core.choose(core.known_of(view_of(position)), exact, 1) == play("C8")


def test_gifts() -> None:
    cards = hand("C3 C4 D4 C5 D5 C6 D6 C7 D7 S8 S2 H2 JK")
    counts, before = [13, 10, 11, 10, 9], [0, 1, 2, 3, 4]
    for player in (RULE, RANDOM, mc("exchange", 20)):
        given = core.choose_gift(cards, hand("S2 JK"), counts, 0, before, player, 1)
        assert len(given) == 2
        assert given <= cards


def test_what_he_learns_is_what_records_show() -> None:
    games = Range(2, 0, 40, rank_period=20)
    counts = core.learn([RULE] * 5, games)
    seen_count = np.zeros(256, np.int64)
    pairs = 0
    for record in core.records_of(core.play_games([RULE] * 5, games, records=True)):
        hands = [set(cards) for cards in replay(record).positions[0].hands]
        for number, turn in enumerate(record.turns):
            hands[turn.seat] -= turn.play.cards
            left = hands[turn.seat]
            if turn.play == PASS or len(left) not in (2, 3, 4, 5):
                continue
            plays = [each.play for each in record.turns[: number + 1] if each.seat == turn.seat]
            ranks = Counter(card.column for each in plays for card in each.cards)
            kinds = {rules.kind(each) for each in plays}
            marks = (
                sum(ranks[column] for column in range(1, 6)) >= 2,
                ranks[6] >= 1,
                sum(ranks[column] for column in range(7, 11)) >= 2,
                sum(ranks[column] for column in range(11, 14)) >= 2,
                rules.Kind.group in kinds,
                rules.Kind.sequence in kinds,
            )
            seen_count[64 * (len(left) - 2) + sum(mark << bit for bit, mark in enumerate(marks))] += 1
            pairs += max(Counter(card.column for card in left).values()) >= 2
    assert (counts.seen.sum(axis=0) == seen_count).all()
    assert counts.held[:, :, 13].sum() == pairs
    assert counts.held.shape == (5, 256, 15)
    assert (counts.held <= counts.seen[:, :, np.newaxis]).all()


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Player("best"), "kind"),
        (lambda: Player("mc"), "playouts"),
        (lambda: Player("mc", playouts=10), "exchange_playouts"),
        (lambda: Player("mc", playouts=10, exchange_playouts=1, c=-1.0), "c"),
        (lambda: Player("mc", playouts=10, exchange_playouts=1, policy="greedy"), "policy"),
        (lambda: Player("mc", time_s=-1.0), "time_s"),
        (lambda: Generator("luck"), "generator"),
        (lambda: Generator("he"), "probabilities"),
        (lambda: Generator("reject", tries=0), "tries"),
        (lambda: Generator("chain", swaps=0), "swaps"),
        (lambda: core.he_generator(np.ones(255, np.uint64), np.ones((255, 15), np.uint64)), "he"),
        (lambda: core.he_generator(np.ones(256, np.uint64), np.ones((256, 14), np.uint64)), "probabilities"),
        (lambda: core.he_generator(np.zeros(256, np.uint64), np.zeros((256, 15), np.uint64)), "he"),
        (lambda: core.play_games([RULE] * 4, Range(1, 0, 1)), "players"),
        (lambda: core.play_games([RULE] * 5, Range(1, 1, 1)), "first"),
        (lambda: core.play_games([RULE] * 5, Range(1, 0, 1, seat_period=0)), "seat_period"),
        (lambda: _native.daifugo_legal_plays(1 << 53, (0, -1), False, 0), "hand"),
        (lambda: _native.daifugo_legal_plays(1, (3 << 8 | 1, -1), False, 0), "top"),
        (lambda: _native.daifugo_legal_plays(1, (1, 127), False, 0), "top"),
        (lambda: _native.daifugo_legal_plays(1, (1, -1), False, 2), "lock"),
    ],
)
def test_bad_input_is_named(call: Callable[[], object], name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name}: "):
        call()


def test_positions_that_cannot_be_are_named() -> None:
    start: dict[str, Any] = {"seat": 0, "hand": set_of(hand("C3 C4")), "turn": 0, "last": 0, "gone": 0}
    start |= {"counts": [2, 13, 13, 13, 12], "leader": None}
    _native.DaifugoKnowledge(**start)
    for change, name in (
        ({"counts": [2, 13, 13, 13, 11]}, "counts"),
        ({"counts": [2, 0, 26, 13, 12]}, "finished"),
        ({"hand": 1 << 60}, "hand"),
        ({"gone": 1}, "gone"),
        ({"turn": 7}, "turn"),
        ({"passed": [0]}, "turn"),
        ({"passed": [9]}, "passed"),
        ({"leader": 9}, "leader"),
        ({"before": [0, 1, 2, 3, 3]}, "before"),
        ({"turns": [(0, 1 << 20, -1)]}, "turns"),
        ({"leader": 1}, "turns"),
        ({"before": [0, 1, 2, 3, 4], "got": 3 << 8}, "gave"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: "):
            _native.DaifugoKnowledge(**(start | change))


@pytest.mark.parametrize("name", ["evaluate", "endgame", "games", "learn", "worlds"])
def test_interrupts_are_seen_within_a_second(name: str) -> None:
    position = random_position(random.Random(1))
    known, endless = core.known_of(view_of(position)), Player("mc", playouts=2**32 - 1, exchange_playouts=1)
    two = rules.Position(
        (frozenset(PACK[::2]), frozenset(PACK[1::2]), NOTHING, NOTHING, NOTHING), 0, 0, finished=(4, 3, 2)
    )
    exact = Player("mc", playouts=1, exchange_playouts=1, endgame_positions=2**60)
    calls: dict[str, Callable[[], object]] = {
        "evaluate": lambda: core.evaluate(known, endless, 1),
        "endgame": lambda: core.choose(core.known_of(view_of(two)), exact, 1),
        "games": lambda: core.play_games([endless, RULE, RULE, RULE, RULE], Range(1, 0, 10**9)),
        "learn": lambda: core.learn([RULE] * 5, Range(1, 0, 10**9)),
        "worlds": lambda: core.worlds(known, generator("he"), 1, 10**9),
    }
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    # A shell that starts the tests in the background may have it ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    begin_s = time.thread_time()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            calls[name]()
    finally:
        signal.signal(signal.SIGINT, before)
    # In processor time of the thread: what else the machine does is not the core's.
    assert time.thread_time() - begin_s < 1.2


def test_what_cannot_be_is_refused_and_no_more() -> None:
    """Any change to what a player knows: one error that names an argument, or worlds and playouts as usual."""
    chance = random.Random(6)
    generators, accepted, refusals = [generator(name) for name in ALL_GENERATORS], 0, []
    records = [random_record(chance) for _ in range(30)]
    views = [
        (record, number, seen(record, number)) for record in records for number in (5, len(record.turns) - 5)
    ]
    for _ in range(1500):
        record, number, view = chance.choice(views)
        cards = set_of(view.hidden | (view.hands[view.turn] or NOTHING))
        told: dict[str, Any] = {
            "seat": view.turn,
            "hand": set_of(view.hands[view.turn] or NOTHING),
            "counts": list(view.counts),
            "gone": set_of(view.gone),
            "turn": view.turn,
            "last": view.last,
            "finished": list(view.finished),
            "before": chance.choice([None, random_order(chance)]),
            "gave": chance.getrandbits(53) & chance.getrandbits(53) & chance.getrandbits(53) & cards,
            "got": chance.getrandbits(53) & chance.getrandbits(53) & chance.getrandbits(53),
            "passed": [seat for seat in range(PLAYERS) if chance.random() < 0.2],
            "passes": chance.choice([0, 3, 19, 20]),
            "lock": chance.choice([0, 0, 0, 1, 15, 200]),
            "leader": chance.choice([None, None, *range(6)]),
            "turns": [(turn.seat, *play_numbers(turn.play)) for turn in record.turns[:number]],
        }
        if chance.random() < 0.2:
            name = chance.choice(["seat", "hand", "gone", "turn", "last"])
            told[name] = chance.choice([0, 1, 4, 5, 255, told[name]])
        try:
            known = core.Knowledge(**told)
        except ValueError as error:
            refusals.append(str(error))
            continue
        accepted += 1
        for made in generators:
            assert len(core.worlds(known, made, 1, 2)) == 2
        if told["turn"] == told["seat"]:
            core.evaluate(known, mc("exchange", 5), 1)
    assert accepted > 50
    assert all(re.match("[a-z]+: .", text) for text in refusals)
    assert len({text.partition(":")[0] for text in refusals}) > 8
