"""The referee against the published counts and probabilities, and its canonical form against plain search."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from engines.stackgame import rules
from engines.stackgame.rules import State

# (stacks, boards) -> states for 1, 2, ... cards a board (tables 1 and 2 of the paper)
PAPER = {
    (3, 1): [1, 3, 7, 14, 25, 41, 63, 92],
    (3, 2): [2, 12, 65, 339, 1665],
    (3, 3): [3, 38, 622],
    (3, 4): [4, 114],
    (4, 1): [1, 3, 7, 15, 30, 56, 98, 162],
    (4, 2): [2, 12, 71, 459],
    (4, 3): [3, 39, 807],
    (4, 4): [4, 125],
}
SIZES = [(*key, cards, count) for key, counts in PAPER.items() for cards, count in enumerate(counts, start=1)]


def chain(*nodes: tuple[int, int], stacks: int = 3) -> State:
    """One chain of (cards, forbidden mask) nodes."""
    forbidden = tuple(mask for count, mask in nodes for _ in range(count))
    return State(stacks, tuple((1 << card) - 1 for card in range(len(forbidden))), forbidden)


def states_of(stacks: int, boards: int, cards: int) -> list[State]:
    layers = rules.enumerate_layers(stacks, boards, cards)
    return [state for layer in layers for state in sorted(layer, key=lambda s: (s.before, s.forbidden))]


def shuffled(state: State, seed: int) -> State:
    rng = random.Random(seed)
    cards = rng.sample(range(state.cards_count), state.cards_count)
    stacks = rng.sample(range(state.stacks), state.stacks)
    return rules.rename(rules.keep(state, cards), tuple(stacks))


@pytest.mark.parametrize(("stacks", "boards", "cards", "count"), SIZES)
def test_counts_of_the_paper(stacks: int, boards: int, cards: int, count: int) -> None:
    layers = rules.enumerate_layers(stacks, boards, cards)
    assert len(layers) == boards * cards
    assert all(
        state.cards_count == boards * cards - depth for depth, layer in enumerate(layers) for state in layer
    )
    assert sum(map(len, layers)) == count


@pytest.mark.parametrize("stacks", [1, 2, 3, 4, 5])
def test_count_of_one_board_is_a_sum_of_binomials(stacks: int) -> None:
    for cards in range(1, 9):
        expected = sum(comb(cards, i) for i in range(1, stacks + 1))
        assert sum(map(len, rules.enumerate_layers(stacks, 1, cards))) == expected


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (chain((7, 0b000), (1, 0b010)), 0.391046626984),
        (chain((3, 0b000), (1, 0b010)), 0.958333333333),
        (chain((1, 0b000), (3, 0b001)), 0.833333333333),
        (chain((2, 0b000), (1, 0b001), (6, 0b001)), 0.068568121693),
        (rules.start(3, 2, 4), 0.918402777778),
    ],
)
def test_checked_probabilities(state: State, expected: float) -> None:
    assert float(rules.probability(state)) == pytest.approx(expected, abs=6e-13)


def test_one_stack_is_won_by_the_one_sequence_in_which_the_last_comes_first() -> None:
    assert rules.probability(rules.start(1, 1, 4)) == Fraction(1, 24)
    assert rules.probability(rules.start(4, 1, 4)) == 1


def test_value_is_the_mean_of_the_best_placements() -> None:
    known: dict[State, Fraction] = {}
    for state in states_of(3, 2, 3):
        placements = rules.best_placements(state, known)
        assert rules.probability(state) == sum(each.probability for each in placements) / state.cards_count
        for each in placements:
            after = [rules.place(state, each.card, stack) for stack in range(3)]
            values = [Fraction(0) if live is None else rules.probability(live, known) for live in after]
            assert each.probability == max(values)
            assert each.stack == (values.index(max(values)) if any(values) else None)


def test_a_dead_state_is_worth_nothing_and_an_empty_one_everything() -> None:
    assert rules.is_dead(chain((1, 0b111)))
    assert rules.probability(chain((2, 0), (1, 0b111))) == 0
    assert rules.probability(State(3, (), ())) == 1


def test_placing_below_a_waiting_card_orders_the_pile() -> None:
    """Two boards of two: first card of board 0 on stack 0, then the first of board 1 on top of it."""
    state = rules.start(3, 2, 2)
    state = rules.place(state, 0, 0) or pytest.fail("allowed")
    assert state.before == (0, 0, 0b010)
    assert state.forbidden == (0b001, 0, 0)
    state = rules.place(state, 1, 0) or pytest.fail("allowed")
    assert state.before == (0, 0)  # only the card above had to leave first, and it is in no pile any more
    assert state.forbidden == (0b001, 0b001)
    assert rules.place(state, 0, 0) is None  # it waits for a card of that stack


def test_same_and_canonical_agree_on_all_small_states() -> None:
    """Canonical states are pairwise different, and every relabelling goes back to its own."""
    for stacks, boards, cards in [(2, 2, 3), (3, 2, 3), (4, 2, 3), (3, 3, 2), (3, 4, 2)]:
        states = states_of(stacks, boards, cards)
        for a, b in combinations(states, 2):
            assert not rules.same(a, b)
        for seed, state in enumerate(states):
            other = shuffled(state, seed)
            assert rules.same(state, other)
            assert rules.canonical(other) == state


def test_renaming_changes_no_probability() -> None:
    known: dict[State, Fraction] = {}
    for seed, state in enumerate(states_of(3, 2, 3)):
        assert rules.probability(shuffled(state, seed)) == rules.probability(state, known)


def test_a_cyclic_order_is_no_state() -> None:
    assert rules.close(3, (0b10, 0b01), (0, 0)) is None
    closed = rules.close(3, (0, 0b001, 0b010), (0b100, 0, 0b001))
    assert closed == State(3, (0, 0b001, 0b011), (0b100, 0b100, 0b101))
