"""The text form: what it says, what it refuses and how, and that it comes back as it was written."""

from __future__ import annotations

import random
from importlib import resources
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import attempt, complaint

from engines.stackgame import rules, text
from engines.stackgame.chains import fewest_chains
from engines.stackgame.rules import State

EXAMPLES = resources.files("engines.stackgame") / "examples"


PIECES = [
    "[1{}]",
    "[2{0}]",
    "[7{0,2}]",
    "->",
    "-->",
    ";",
    "0.0",
    "0.1",
    "1.0",
    "2.1",
    "<",
    "[",
    "3",
    "{",
    "}",
    "#",
]


def example(name: str) -> State:
    return text.parse((EXAMPLES / name).read_text(), 3)


def relabelled(state: State) -> State:
    """The state with its cards numbered as ``text.format`` writes them."""
    return rules.keep(state, [card for chain in fewest_chains(state) for card in chain])


@st.composite
def reachable_states(draw: st.DrawFn) -> State:
    """A state some random placements after a start of one to four boards."""
    state = rules.start(draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(1, 5)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, state.cards_count - 1))):
        card, stack = rng.randrange(state.cards_count), rng.randrange(state.stacks)
        state = rules.place(state, card, stack) or state
    return state


@st.composite
def any_states(draw: st.DrawFn) -> State:
    """A state with any order and any forbidden stacks, reachable or not."""
    stacks, size = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    before = [draw(st.integers(0, (1 << card) - 1)) for card in range(size)]
    forbidden = [draw(st.integers(0, (1 << stacks) - 1)) for _ in range(size)]
    state = rules.close(stacks, before, forbidden)
    assert state is not None
    return rules.keep(state, draw(st.permutations(range(size))))


def test_a_chain() -> None:
    state = text.parse("[2{}] -> [1{0}] -> [1{0,2}]", 3)
    assert state == State(3, (0, 0b1, 0b11, 0b111), (0, 0, 0b001, 0b101))


def test_relations_and_what_follows_from_them() -> None:
    state = text.parse("[2{}] ; [1{1}] -> [1{}] ; 0.0 < 1.0 ; 1.1 < 0.1", 2)
    assert state.before == (0, 0b1101, 0b0001, 0b0101)
    assert state.forbidden == (0, 0b10, 0b10, 0b10)


def test_spelling_is_free() -> None:
    plain = text.parse("[7{}] -> [1{0,1}]; [1{}]; 1.0 < 0.7", 3)
    free = "# a state\n1 . 0 <0.7 # ahead of its chain\n\n [ 7 { } ]---> \n [1{ 1 , 0 }] ;; [1{}]\r\n"
    assert text.parse(free, 3) == plain
    assert text.read(free, 3).text == "1 . 0 <0.7; [ 7 { } ]--->; [1{ 1 , 0 }]; [1{}]"


def test_cards_are_named_as_typed() -> None:
    form = text.read("[1{}]; [2{}]", 3)
    assert [form.name(card) for card in range(3)] == [(0, 0), (1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("", "state: there is no chain in it; a chain looks like [7{}] -> [1{1}]"),
        ("0.0 < 0.1", "state: there is no chain in it; a chain looks like [7{}] -> [1{1}]"),
        ("->", "state, column 1: expected '[' or the number of a chain, found '->'"),
        ("[x{}]", "state, column 2: expected the number of cards, found 'x'"),
        ("[2]", "state, column 3: expected '{', found ']'"),
        ("[2{a}]", "state, column 4: expected a stack number or '}', found 'a'"),
        ("[2{0,}]", "state, column 6: expected a stack number, found '}'"),
        ("[2{0 1}]", "state, column 6: expected ',' or '}', found '1'"),
        ("[2{}", "state, column 5: expected ']', found the end"),
        ("[1{}] ->", "state, column 9: expected '[', found the end"),
        ("[1{}] [1{}]", "state, column 7: expected ';' or '->', found '['"),
        ("[1{}] \n [1{}\n]", "state, line 2, column 6: expected ']', found the end of the line"),
        ("[1{}]; 0 < 0", "state, column 10: expected '.' and the index of a card, found '<'"),
        ("[1{}]; 0.0 > 0.0", "state, column 12: expected '<', found '>'"),
        ("[1{}]; 0.0 < 0.0 < 0.0", "state, column 18: expected ';', found '<'"),
        ("[0{}]", "state, column 2: a node has at least one card"),
        ("[12{}]; [13{}]", "state, column 10: more than 24 cards"),
        ("[" + "9" * 5000 + "{}]", "state, column 2: more than 24 cards"),
        ("[1{3}]", "state, column 4: stack 3 is not one of 0 to 2"),
        ("[1{1,1}]", "state, column 6: stack 1 is named twice"),
        ("[1{}]; 0.0 < 1.0", "state, column 8: there is no card 1.0 (both count from 0)"),
        ("[2{}]; 0.2 < 0.0", "state, column 8: there is no card 0.2 (both count from 0)"),
        ("[2{}]; 0.1 < 0.0", "state, column 8: 0.1 < 0.0 makes the order cyclic"),
        ("[1{}]; 0.0 < 0.0", "state, column 8: 0.0 < 0.0 makes the order cyclic"),
        ("[1{}]; [2{}]; 0.0 < 1.0; 1.1 < 0.0", "state, column 26: 1.1 < 0.0 makes the order cyclic"),
        ("[1{}]; [1{}]; 0.0<1.0; 0.0<1.0", "state, column 24: this relation is there twice: 0.0 < 1.0"),
    ],
)
def test_errors_name_the_place_and_what_belongs_there(bad: str, message: str) -> None:
    assert complaint(lambda: text.parse(bad, 3)) == message


@given(
    st.text() | st.text("[]{},;<.->0123 \n#") | st.lists(st.sampled_from([*PIECES, "\n"])).map("".join),
    st.integers(1, 5),
)
def test_any_text_is_read_or_refused_in_one_line(anything: str, stacks: int) -> None:
    state = attempt(lambda: text.parse(anything, stacks))
    if state is not None:
        line = text.format(state)
        assert text.parse(line, stacks) == relabelled(state)
        assert len(line.splitlines()) == 1


@given(reachable_states() | any_states())
def test_what_is_written_is_read_back(state: State) -> None:
    assert text.parse(text.format(state), state.stacks) == relabelled(state)


@given(any_states(), st.randoms(use_true_random=False))
def test_relations_are_as_few_whatever_the_labels(state: State, rng: random.Random) -> None:
    other = rules.keep(state, rng.sample(range(state.cards_count), state.cards_count))
    assert text.format(other).count("<") == text.format(state).count("<")


@settings(max_examples=40)
@given(reachable_states() | any_states())
def test_chains_are_as_few_as_the_order_is_wide(state: State) -> None:
    cards = range(state.cards_count)
    related = [
        sum(1 << b for b in cards if b == a or state.before[a] >> b & 1 or state.before[b] >> a & 1)
        for a in cards
    ]

    def widest(candidates: int) -> int:
        """Size of the largest set of cards of which none is before another."""
        if not candidates:
            return 0
        card = candidates.bit_length() - 1
        return max(1 + widest(candidates & ~related[card]), widest(candidates & ~(1 << card)))

    found = fewest_chains(state)
    assert sorted(card for chain in found for card in chain) == list(cards)
    assert all(state.before[b] >> a & 1 for chain in found for a, b in pairwise(chain))
    assert len(found) == widest((1 << state.cards_count) - 1)


@given(reachable_states() | any_states())
def test_no_relation_can_be_left_out(state: State) -> None:
    parts = text.format(state).split("; ")
    for number, part in enumerate(parts):
        if "<" in part:
            without = text.parse("; ".join(parts[:number] + parts[number + 1 :]), state.stacks)
            assert without.before != relabelled(state).before


def test_the_state_of_section_3_1_and_its_three_successors() -> None:
    state = example("section-3.1.state")
    assert text.format(state) == "[7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7"
    second_of_c = text.read((EXAMPLES / "section-3.1.state").read_text(), 3).chains[1][1]
    for stack in range(3):
        after = rules.place(state, second_of_c, stack)
        assert after is not None
        assert rules.canonical(after) == rules.canonical(example(f"section-3.1-on-stack-{stack}.state"))


def test_every_example_is_read() -> None:
    names = [entry.name for entry in EXAMPLES.iterdir() if entry.name.endswith(".state")]
    assert len(names) >= 4
    for name in names:
        assert example(name).cards_count > 0
