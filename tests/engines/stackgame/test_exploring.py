"""States explored: values are the referee's, and every state that a cell leads to is the one that it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_helpers import run_of

from engines.contract.exploring import Explored
from engines.stackgame import rules
from engines.stackgame.exploring import StackgameExplorer, Start
from engines.stackgame.positions import StackgamePositions
from engines.stackgame.rules import State
from storage.errors import UserError
from storage.place import place_at

EXPLORER = StackgameExplorer()


def state_of(text: str) -> State:
    (form,) = StackgamePositions().read(text, "state")
    return form.state


def explored(text: str, tables: Path = Path("/nowhere"), editing: bool = True) -> Explored:
    found = EXPLORER.explore(text, place_at(str(tables)), computing=True, editing=editing)
    assert found is not None
    return found


@st.composite
def texts(draw: st.DrawFn) -> str:
    """States of up to 6 cards on 1 to 3 stacks."""
    stacks = draw(st.integers(1, 3))
    text = EXPLORER.start(Start(stacks, draw(st.integers(1, 2)), draw(st.integers(1, 3))))
    for _ in range(draw(st.integers(0, 4))):
        found = explored(text)
        ways = [cell.changed for row in found.rows for cell in row.cells]
        ways += [cell.after for row in found.rows for cell in row.cells if cell.after]
        ways += [change.after for change in found.changes]
        text = draw(st.sampled_from(ways)) if ways else text
        if len(explored(text).rows) > 6:
            break
    return text


@settings(max_examples=40)
@given(texts())
def test_values_and_what_follows_are_the_referees(text: str) -> None:
    found, state = explored(text), state_of(text)
    assert explored(found.text).text == found.text
    assert found.value == pytest.approx(float(rules.probability(state)), abs=1e-6)
    assert found.ending == ("won" if not state.cards_count else "lost" if rules.is_dead(state) else "")
    assert len(found.rows) == state.cards_count
    cards = {row.name: card for card, row in enumerate(found.rows)}  # chain by chain, as a text numbers them
    for row in found.rows:
        for stack, cell in enumerate(row.cells):
            card = cards[row.name]
            after = rules.place(state, card, stack)
            assert cell.is_allowed == (not state.forbidden[card] >> stack & 1)
            assert (cell.after == "") == (after is None)
            if after is not None:
                assert rules.same(state_of(cell.after), after)
                assert cell.value == pytest.approx(float(rules.probability(after)), abs=1e-6)
            changed = state_of(cell.changed)
            assert changed.forbidden[card] >> stack & 1 == cell.is_allowed
            assert changed.before == state.before
        values = [cell.value for cell in row.cells if cell.value]
        assert row.value == pytest.approx(max(values, default=0))
    for change in found.changes:
        near = state_of(change.after)
        assert abs(near.cards_count - state.cards_count) + abs(near.stacks - state.stacks) == 1


def test_a_table_is_told_from_what_is_computed(workspace: Path) -> None:
    run = run_of("stackgame_table", "cards=3")
    tables = place_at(str(workspace / "results"))
    begin = EXPLORER.start_of({"stacks": "3", "cards": 3})
    assert EXPLORER.stored_starts(tables) == [("3 stacks, 2 boards of 3 cards", begin)]
    stored = EXPLORER.explore(begin, tables, computing=False, editing=False)
    assert stored is not None
    assert stored.stored == run.name
    assert not stored.changes
    other = EXPLORER.start_of({"stacks": "3", "cards": 4})
    assert EXPLORER.explore(other, tables, computing=False, editing=False) is None
    assert explored(other, workspace / "results").stored == ""


def test_what_is_too_large_is_told_without_values() -> None:
    found = explored(EXPLORER.start_of({"stacks": 4, "cards": 12}), editing=False)
    assert found.value is None
    assert "job.stacks=4 job.boards=2 job.cards=12" in found.problem
    assert {cell.value for row in found.rows for cell in row.cells} == {None}
    assert all(cell.after for row in found.rows for cell in row.cells)


@pytest.mark.parametrize(
    ("values", "place"),
    [({"stacks": 9}, "stacks"), ({"cards": "x"}, "--cards"), ({"boards": 3, "cards": 9}, "cards")],
)
def test_beginnings_that_there_cannot_be(values: dict[str, object], place: str) -> None:
    with pytest.raises(UserError) as caught:
        EXPLORER.start_of(values)
    assert caught.value.field == place
