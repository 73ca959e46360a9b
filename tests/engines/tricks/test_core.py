"""The core against the referee: all small deals, random larger ones, whole layers, refusals."""

from __future__ import annotations

import _thread
import math
import signal
import time
from threading import Timer

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricks_helpers import every_choice, patterns, played

from engines import _native
from engines.tricks.choices import choices
from engines.tricks.job import AIMS, POINTS
from storage.block import encode_block
from storage.digest import table_digest

STATES = 10_000_000


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_every_small_deal(cards: int, aim: str) -> None:
    solver = _native.TricksSolver(aim, STATES)
    for above, count in every_choice(cards):
        for pattern in patterns(cards):
            for left_leads in (True, False):
                found = solver.value(cards, pattern, above, count, left_leads)
                assert found == played(cards, pattern, above, count, left_leads, aim)


def test_every_deal_of_five_cards() -> None:
    solver = _native.TricksSolver("most", STATES)
    for count in range(11):
        for pattern in patterns(5):
            for left_leads in (True, False):
                found = solver.value(5, pattern, 0, count, left_leads)
                assert found == played(5, pattern, 0, count, left_leads)


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_random_larger_deals(data: st.DataObject) -> None:
    cards = data.draw(st.integers(5, 6))
    whole = 2 * cards
    pattern = sum(1 << bit for bit in data.draw(st.permutations(range(whole)))[:cards])
    above = data.draw(st.integers(0, whole))
    count = data.draw(st.integers(0, whole - above))
    aim = data.draw(st.sampled_from(AIMS))
    left_leads = data.draw(st.booleans())
    solver = _native.TricksSolver(aim, STATES)
    found = solver.value(cards, pattern, above, count, left_leads)
    assert found == played(cards, pattern, above, count, left_leads, aim)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(20)), st.integers(0, 20), st.booleans(), st.sampled_from(AIMS))
def test_exchanging_hands_exchanges_points(order: list[int], count: int, left_leads: bool, aim: str) -> None:
    pattern = sum(1 << bit for bit in order[:10])
    solver = _native.TricksSolver(aim, STATES)
    mine = solver.value(10, pattern, 0, count, left_leads)
    theirs = solver.value(10, pattern ^ 0xFFFFF, 0, count, not left_leads)
    assert mine + theirs == count


def layers(points: str, aim: str, cards_max: int) -> list[np.ndarray]:
    """Whole layers, each in two blocks or more where there are as many hands."""
    found, below = [], None
    for cards in range(1, cards_max + 1):
        hands = math.comb(2 * cards, cards)
        values = _native.tricks_evaluate(points, aim, cards, 0, hands, below)
        log2 = max(0, hands.bit_length() - 2)
        size = _native.tricks_stride(points, cards) << log2
        blocks = [
            np.frombuffer(encode_block(None, values[begin : begin + size], 64, begin), np.uint8)
            for begin in range(0, len(values), size)
        ]
        below = _native.TricksLayer(points, cards, log2, blocks)
        for place, (above, count) in enumerate(choices(points, cards)):
            column = values.reshape(hands, -1)[:, place]
            assert np.array_equal(below.column(above, count), column)
        found.append(values.reshape(hands, -1))
    return found


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("points", POINTS)
def test_layers_against_the_referee(points: str, aim: str) -> None:
    for cards, values in enumerate(layers(points, aim, 4), start=1):
        for row, pattern in zip(values, patterns(cards), strict=True):
            expected = [played(cards, pattern, *choice, True, aim) for choice in choices(points, cards)]
            assert row.tolist() == expected


@pytest.mark.parametrize("aim", AIMS)
def test_point_cards_anywhere_are_also_the_highest_and_the_lowest(aim: str) -> None:
    for cards, values in enumerate(layers("anywhere", aim, 7), start=1):
        place = {choice: number for number, choice in enumerate(choices("anywhere", cards))}
        for points in ("highest", "lowest"):
            columns = [place[choice] for choice in choices(points, cards)]
            assert np.array_equal(values[:, columns], layers(points, aim, cards)[-1])


def test_parts_of_a_layer() -> None:
    below = None
    whole = _native.tricks_evaluate("highest", "most", 1, 0, 2, below)
    parts = [_native.tricks_evaluate("highest", "most", 1, first, 1, below) for first in (0, 1)]
    assert whole.tolist() == [0, 0, 0, 0, 1, 2]
    assert np.array_equal(np.concatenate(parts), whole)


def test_digest_is_that_of_the_reference() -> None:
    values = np.random.default_rng(1).integers(0, 25, 1000, np.uint8)
    indices = np.arange(70_000, 71_000, dtype=np.uint64)
    expected = table_digest(7, indices, values)
    assert _native.indexed_digest(7, 70_000, values) == (expected.lane_0, expected.lane_1)


def test_patterns_ascend() -> None:
    for cards in (1, 3, 8):
        found = patterns(cards)
        assert found == sorted(n for n in range(1 << 2 * cards) if n.bit_count() == cards)
    last = math.comb(32, 16) - 1
    assert _native.tricks_patterns(16, last, 1).tolist() == [0xFFFF0000]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: _native.tricks_stride("middle", 3), 'points: "middle" is not'),
        (lambda: _native.tricks_stride("highest", 0), "cards: 0 is not 1 to 16"),
        (lambda: _native.tricks_stride("highest", 17), "cards: 17 is not 1 to 16"),
        (lambda: _native.tricks_evaluate("highest", "all", 1, 0, 1, None), 'aim: "all" is neither'),
        (
            lambda: _native.tricks_evaluate("highest", "most", 2, 0, 1, None),
            "below: is not the layer of 1 cards",
        ),
        (lambda: _native.tricks_evaluate("highest", "most", 1, 2, 1, None), "first: there are no 1 patterns"),
        (lambda: _native.tricks_evaluate("highest", "most", 1, 2**64 - 1, 1, None), "first: there are no"),
        (lambda: _native.tricks_patterns(2, 0, 7), "first: there are no 7 patterns from 0 on"),
        (lambda: _native.TricksSolver("few", 10), 'aim: "few" is neither'),
        (lambda: _native.TricksSolver("most", 10).value(2, 1, 0, 1, True), "pattern: 0b1 does not give 2"),
        (
            lambda: _native.TricksSolver("most", 10).value(2, 0b110000, 0, 1, True),
            "pattern: 0b110000 does not",
        ),
        (
            lambda: _native.TricksSolver("most", 10).value(2, 3, 1, 4, True),
            "count: 1 and 4 cards are more than 4",
        ),
        (lambda: _native.TricksSolver("most", 10).value(40, 3, 1, 4, True), "cards: 40 is not 1 to 16"),
        (lambda: _native.TricksLayer("highest", 2, 3, []), "block 0: there are 0 blocks of 1"),
        (
            lambda: _native.tricks_census(2, 0, 1, "most", np.zeros(5, np.uint8), None),
            "values: are not the values of all deals of 2 cards",
        ),
        (
            lambda: _native.tricks_census(2, 0, 1, "most", np.full(6, 2, np.uint8), None),
            "values: are not the values of all deals of 2 cards",
        ),
        (
            lambda: _native.tricks_census(2, 2, 3, "most", np.zeros(6, np.uint8), None),
            "count: 2 and 3 cards are more than 4",
        ),
    ],
)
def test_refusals_name_the_field(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the message is compared below)
        call()
    assert str(caught.value).startswith(message)


def test_too_many_states() -> None:
    with pytest.raises(MemoryError):
        _native.TricksSolver("most", 10).value(8, 0b1010101010101010, 0, 8, True)


def test_ctrl_c_ends_a_long_search() -> None:
    solver = _native.TricksSolver("most", 1 << 40)
    # A shell's jobs in the background are started with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = Timer(0.3, _thread.interrupt_main)
    try:
        timer.start()
        begin_s = time.thread_time()
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 (one of many deals is interrupted)
            for seed in range(1000):
                order = np.random.default_rng(seed).permutation(32)
                solver.value(16, int(sum(1 << int(bit) for bit in order[:16])), 8, 16, True)
        # In processor time of the thread: what else the machine does is not the core's.
        assert time.thread_time() - begin_s < 2
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
