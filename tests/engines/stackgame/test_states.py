"""The core against the referee: the same states, the same canonical form, the same probabilities."""

from __future__ import annotations

import functools
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import _native
from engines.stackgame import rules
from engines.stackgame.rules import State
from engines.stackgame.table import make_game

FORMS = ["auto", "general", "indexed"]


def key_of(game: _native.Game, state: State) -> tuple[int, ...]:
    """The core's key of a state, as words."""
    return tuple(game.encode(list(state.before), list(state.forbidden)).ravel().tolist())


def decoded(game: _native.Game, layer: int, key: Any) -> State:
    before, forbidden = game.decode(layer, key)
    return State(game.stacks, tuple(before), tuple(forbidden))


def labelled_layers(stacks: int, boards: int, cards: int) -> list[set[State]]:
    """All states that can be reached, not in canonical form: every numbering that play leads to."""
    layers = [{rules.start(stacks, boards, cards)}]
    for layer in range(boards * cards, 1, -1):
        layers.append(
            {
                after
                for state in layers[-1]
                for card in range(layer)
                for stack in range(stacks)
                if (after := rules.place(state, card, stack)) is not None
            }
        )
    return layers


@functools.cache
def exact_layers(stacks: int, boards: int, cards: int) -> list[dict[State, float]]:
    """The referee's states of each layer with their probabilities."""
    known: dict[State, Fraction] = {}
    return [
        {state: float(rules.probability(state, known)) for state in layer}
        for layer in rules.enumerate_layers(stacks, boards, cards)
    ]


@st.composite
def played(draw: st.DrawFn, boards: st.SearchStrategy[int]) -> tuple[State, int, int]:
    """A state that random placements lead to; boards and cards of its game."""
    boards_count = draw(boards)
    stacks = draw(st.integers(1, 5))
    cards = draw(st.integers(1, {1: 12, 2: 8, 3: 4, 4: 3}[boards_count]))
    state = rules.start(stacks, boards_count, cards)
    for _ in range(draw(st.integers(0, boards_count * cards - 1))):
        card = draw(st.integers(0, state.cards_count - 1))
        after = rules.place(state, card, draw(st.integers(0, stacks - 1)))
        if after is None:
            break
        state = after
    return state, boards_count, cards


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data())
def test_names_do_not_change_the_key(form: str, data: st.DataObject) -> None:
    """Whatever cards, boards and stacks are called."""
    state, boards, cards = data.draw(played(st.integers(1, 4 if form == "general" else 2)))
    game = make_game(state.stacks, boards, cards, form)
    numbering = data.draw(st.permutations(range(state.cards_count)))
    stacks = data.draw(st.permutations(range(state.stacks)))
    renamed = rules.rename(rules.keep(state, list(numbering)), tuple(stacks))
    assert key_of(game, renamed) == key_of(game, state)


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data())
def test_swapped_boards_do_not_change_the_key(form: str, data: st.DataObject) -> None:
    """The same play on other boards and stacks."""
    boards = data.draw(st.integers(2, 4 if form == "general" else 2))
    stacks = data.draw(st.integers(2, 5))
    cards = data.draw(st.integers(1, 3))
    game = make_game(stacks, boards, cards, form)
    board_names = data.draw(st.permutations(range(boards)))
    stack_names = data.draw(st.permutations(range(stacks)))
    here, there = (rules.start(stacks, boards, cards) for _ in range(2))
    # The cards of each of the two states as (board, place), by number.
    cards_here = [(board, place) for board in range(boards) for place in range(cards)]
    cards_there = list(cards_here)
    for _ in range(data.draw(st.integers(0, boards * cards - 1))):
        card = data.draw(st.integers(0, here.cards_count - 1))
        stack = data.draw(st.integers(0, stacks - 1))
        board, place = cards_here[card]
        other = cards_there.index((board_names[board], place))
        after, after_there = rules.place(here, card, stack), rules.place(there, other, stack_names[stack])
        if after is None or after_there is None:
            assert after is after_there
            break
        here, there = after, after_there
        del cards_here[card], cards_there[other]
    assert key_of(game, here) == key_of(game, there)


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data())
def test_decoding_gives_the_same_state(form: str, data: st.DataObject) -> None:
    state, boards, cards = data.draw(played(st.integers(1, 4 if form == "general" else 2)))
    game = make_game(state.stacks, boards, cards, form)
    key = game.encode(list(state.before), list(state.forbidden))
    again = decoded(game, state.cards_count, key)
    assert rules.same(again, state)
    assert rules.close(again.stacks, again.before, again.forbidden) == again
    assert key_of(game, again) == key_of(game, state)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("stacks", "cards"), [(2, 4), (3, 2), (3, 3), (3, 4), (4, 2), (4, 3), (4, 4), (5, 3)]
)
def test_keys_separate_what_the_referee_separates(form: str, stacks: int, cards: int) -> None:
    """Every state under every numbering that play leads to: equal keys exactly for equal canonical states."""
    game = make_game(stacks, 2, cards, form)
    for layer in labelled_layers(stacks, 2, cards):
        pairs = {(key_of(game, state), rules.canonical(state)) for state in layer}
        assert len({key for key, _ in pairs}) == len(pairs) == len({state for _, state in pairs})


@pytest.mark.parametrize(("stacks", "boards", "cards"), [(3, 3, 2), (4, 3, 2), (3, 4, 1), (3, 4, 2)])
def test_keys_of_more_boards_separate_what_the_referee_separates(
    stacks: int, boards: int, cards: int
) -> None:
    game = make_game(stacks, boards, cards)
    for layer in labelled_layers(stacks, boards, cards):
        pairs = {(key_of(game, state), rules.canonical(state)) for state in layer}
        assert len({key for key, _ in pairs}) == len(pairs) == len({state for _, state in pairs})


@pytest.mark.parametrize("stacks", [3, 4])
def test_different_keys_mean_that_no_renaming_helps(stacks: int) -> None:
    """By plain search over all renamings, for all pairs of states of two boards of three cards."""
    game = make_game(stacks, 2, 3)
    for layer in rules.enumerate_layers(stacks, 2, 3):
        for a, b in combinations(layer, 2):
            assert not rules.same(a, b)
            assert key_of(game, a) != key_of(game, b)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("stacks", "boards", "cards"), [(2, 2, 5), (3, 2, 5), (4, 2, 5), (5, 2, 4), (3, 1, 8)]
)
def test_a_table_holds_what_the_referee_enumerates(
    build: Any, stacks: int, boards: int, cards: int, form: str
) -> None:
    """The same keys, and each value the exact one of the referee."""
    run = build.table(stacks, boards, cards, "job.value_type=float64", f"job.form={form}")
    game = run.table.kernel
    for (_, keys, values), states in zip(run.layers(), exact_layers(stacks, boards, cards), strict=True):
        stored = dict(zip(map(tuple, keys.reshape(len(keys), -1).tolist()), values, strict=True))
        exact = {key_of(game, state): value for state, value in states.items()}
        assert stored.keys() == exact.keys()
        for key, value in stored.items():
            assert value == pytest.approx(exact[key], abs=1e-14)


@pytest.mark.parametrize(
    ("stacks", "cards"), [*((3, n) for n in range(1, 6)), *((4, n) for n in range(1, 6))]
)
def test_the_referee_derives_every_value_anew(build: Any, stacks: int, cards: int) -> None:
    """Each stored state is decoded, placed by the referee's rules, and its successors are looked up."""
    run = build.table(stacks, 2, cards, "job.value_type=float64")
    game = run.table.kernel
    below: dict[int, float] = {}
    for layer, keys, values in reversed(list(run.layers())):
        for key, value in zip(keys, values, strict=True):
            state = decoded(game, layer, key.reshape(1))
            best = [0.0] * layer
            for card in range(layer):
                for stack in range(stacks):
                    after = rules.place(state, card, stack)
                    if after is not None:
                        p = below[key_of(game, after)[0]] if layer > 1 else 1.0
                        best[card] = max(best[card], p)
            assert value == pytest.approx(sum(best) / layer, abs=1e-14)
        below = dict(zip(keys.tolist(), values.tolist(), strict=True))
