"""Measures of hand estimation against counts by hand and by loops."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from daifugo_helpers import hand, random_position
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.daifugo import numbers, world_measures
from engines.daifugo.rules import JOKER, PLAYERS, Card, Hand
from engines.daifugo.world_measures import CardClass


def sets(*rows: tuple[str, ...]) -> np.ndarray:
    """Hands by seat, of one position or world a row."""
    return np.array([[numbers.set_of(hand(names)) for names in row] for row in rows], np.uint64)


def both(tally: world_measures.Tally) -> tuple[int, int]:
    """A tally of one number."""
    return int(tally.right.item()), int(tally.total.item())


TRUTH = sets(("S3 S4", "C3 C8", "CK JK", "D9", ""))
WORLDS = np.stack(
    [
        sets(
            ("S3 S4", "C3 C8", "CK JK", "D9", ""),
            ("S3 S4", "C3 C8", "D9 JK", "CK", ""),
            ("S3 S4", "C3 JK", "CK D9", "C8", ""),
        )
    ]
)
OWN = np.array([0])


def random_worlds(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some positions, and worlds in which the cards of the others are shuffled."""
    chance = random.Random(seed)
    positions = [random_position(chance) for _ in range(chance.randint(1, 4))]
    worlds_count = chance.randint(1, 5)
    truth, worlds = [], []
    for position in positions:
        truth.append([numbers.set_of(held) for held in position.hands])
        for _ in range(worlds_count):
            cards = [
                c for seat, held in enumerate(position.hands) if seat != position.turn for c in sorted(held)
            ]
            # Not all of them, so that some hands are right.
            if chance.random() < 0.7:
                chance.shuffle(cards)
            world = []
            for seat, held in enumerate(position.hands):
                taken = held if seat == position.turn else frozenset(cards[: len(held)])
                if seat != position.turn:
                    del cards[: len(held)]
                world.append(numbers.set_of(taken))
            worlds.append(world)
    shape = (len(positions), worlds_count, PLAYERS)
    return (
        np.array(truth, np.uint64),
        np.array(worlds, np.uint64).reshape(shape),
        np.array([position.turn for position in positions]),
    )


def class_of(card: Card) -> CardClass:
    """As the paper tells it: 3 to 7, 8, 9 to Q, K to 2."""
    if card == JOKER:
        return CardClass.joker
    rank = "?34567890JQKA2"[card.column]
    classes = {"34567": CardClass.low, "8": CardClass.eight, "90JQ": CardClass.middle, "KA2": CardClass.high}
    return next(found for ranks, found in classes.items() if rank in ranks)


def test_classes_of_cards() -> None:
    assert [CardClass(world_measures.CLASSES[bit]) for bit in range(numbers.CARDS)] == [
        class_of(numbers.card_of(bit)) for bit in range(numbers.CARDS)
    ]


def test_holders_of_cards() -> None:
    seats = world_measures.holders(TRUTH)[0]
    assert seats.shape == (numbers.CARDS,)
    found = {numbers.card_of(bit): int(seat) for bit, seat in enumerate(seats) if seat >= 0}
    expected = {
        card: seat for seat, names in enumerate(["S3 S4", "C3 C8", "CK JK", "D9"]) for card in hand(names)
    }
    assert found == expected


def test_exact_hands_counted_by_hand() -> None:
    right, total = world_measures.exact_hands(TRUTH, WORLDS, OWN)
    # Seats 1 and 2 have two cards, seat 3 one; the own hand and the empty one do not count.
    assert (total[1], total[2], total.sum()) == (3, 6, 9)
    assert (right[1], right[2], right.sum()) == (1, 3, 4)
    assert both(world_measures.exact_worlds(TRUTH, WORLDS)) == (1, 3)


def test_cards_placed_counted_by_hand() -> None:
    right, total = world_measures.cards_placed(TRUTH, WORLDS, OWN)
    assert total.sum() == 15
    assert total.sum(axis=1).tolist() == [3, 3, 3, 3, 3]
    assert total.sum(axis=0).tolist() == [0, 3, 12, *[0] * 9]
    # C3 is right in all, C8 in two, D9 in one, CK in two, JK in two.
    assert right.sum(axis=1).tolist() == [3, 2, 1, 2, 2]
    assert right[:, 1].tolist() == [0, 0, 1, 0, 0]


def test_diversity_counted_by_hand() -> None:
    # Three pairs of worlds and five cards: C3 never differs, C8, CK and JK in two pairs, D9 in two.
    assert both(world_measures.diversity(TRUTH, WORLDS, OWN)) == (8, 15)
    alike = np.repeat(WORLDS[:, :1], 4, axis=1)
    assert both(world_measures.diversity(TRUTH, alike, OWN)) == (0, 30)
    assert both(world_measures.diversity(TRUTH, alike[:, :1], OWN)) == (0, 0)


def test_the_true_hands_themselves_are_all_right() -> None:
    truth, _, own = random_worlds(1)
    worlds = np.repeat(truth[:, None, :], 2, axis=1)
    for right, total in (
        world_measures.exact_hands(truth, worlds, own),
        world_measures.exact_worlds(truth, worlds),
        world_measures.cards_placed(truth, worlds, own),
    ):
        assert np.array_equal(right, total)
        assert np.sum(total) > 0


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_measures_against_loops(seed: int) -> None:
    truth, worlds, own = random_worlds(seed)
    world_measures.check_worlds(truth, worlds, own)
    exact: dict[int, list[int]] = {}
    placed: dict[tuple[int, int], list[int]] = {}
    differ, pairs = 0, 0
    for at, seat_of_view in enumerate(own):
        made = [[numbers.hand_of(int(number)) for number in world] for world in worlds[at]]
        for seat in set(range(PLAYERS)) - {int(seat_of_view)}:
            held: Hand = numbers.hand_of(int(truth[at, seat]))
            for world in made:
                if held:
                    exact.setdefault(len(held), []).append(world[seat] == held)
                for card in held:
                    placed.setdefault((class_of(card), len(held)), []).append(card in world[seat])
            for card in held:
                for one, other in combinations(made, 2):
                    pairs += 1
                    differ += [card in each for each in one] != [card in each for each in other]
    right, total = world_measures.exact_hands(truth, worlds, own)
    for left in range(world_measures.LEFT_MAX + 1):
        assert (right[left], total[left]) == (sum(exact.get(left, [])), len(exact.get(left, [])))
    right, total = world_measures.cards_placed(truth, worlds, own)
    for kind in CardClass:
        for left in range(world_measures.LEFT_MAX + 1):
            counted = placed.get((kind, left), [])
            assert (right[kind, left], total[kind, left]) == (sum(counted), len(counted))
    assert both(world_measures.diversity(truth, worlds, own)) == (differ, pairs)


@pytest.mark.parametrize(
    ("truth", "worlds", "own", "message"),
    [
        (TRUTH.astype(np.int64), WORLDS, OWN, "truth: must be uint64"),
        (TRUTH[0], WORLDS, OWN, "truth: must be uint64"),
        (TRUTH, WORLDS[0], OWN, "worlds: must be uint64"),
        (TRUTH, WORLDS[:, :, :4], OWN, "worlds: must be uint64"),
        (TRUTH, WORLDS, np.array([5]), "own: must be 1 seats"),
        (TRUTH, WORLDS, np.array([0, 0]), "own: must be 1 seats"),
        (TRUTH, WORLDS, np.array([1]), "worlds: not the own hand of position 0"),
        (TRUTH, sets(("S3 S4", "C3 C8 CK", "JK", "D9", ""))[None], OWN, "worlds: not the number of cards of"),
        (
            TRUTH,
            sets(("S3 S4", "C3 C9", "CK JK", "D9", ""))[None],
            OWN,
            "worlds: not the cards of position 0",
        ),
    ],
)
def test_worlds_that_cannot_be(truth: np.ndarray, worlds: np.ndarray, own: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        world_measures.check_worlds(truth, worlds, own)
