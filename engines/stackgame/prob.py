"""The probability of one state and the best placement of every card: from a built table, or computed here.

Starts quickly: only numpy, LMDB and the core are imported, and only the shards that are needed are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from engines import _native
from engines.stackgame import rules, text
from engines.stackgame.chains import fewest_chains
from engines.stackgame.computed import ComputedTable, keys_of, too_large
from engines.stackgame.rules import State
from engines.stackgame.sharded import built_tables
from storage.errors import UserError
from storage.place import Place

TABLE = "table "
"""Beginning of the source of a value from a table."""
BOARDS_MAX = 4


@dataclass(frozen=True)
class Placement:
    """A card that may be drawn next, and its best placement."""

    chain: int
    """Number of the card's chain, as typed, from 0."""
    index: int
    """Place of the card in its chain, from 0."""
    stack: int | None
    """The best stack, the lowest number of several; None when every stack loses."""
    probability: float
    """Probability of success after this placement."""


@dataclass(frozen=True)
class Play:
    """A stack where a card that may be drawn next can go."""

    chain: int
    index: int
    stack: int
    probability: float
    """Probability of success after this play."""


@dataclass(frozen=True)
class Known:
    """The answer about a state; the fields of ``yamafuda prob --json``."""

    stacks: int
    state: str
    """As typed, on one line."""
    canonical: str | None
    """One text for all equivalent states; None for a dead state, which no table has."""
    probability: float
    source: str
    """``table RUNID``, ``computed``, or ``dead``."""
    placements: list[Placement]

    @property
    def stored(self) -> str:
        """The table that it was read from; empty when it was computed now."""
        return self.source if self.source.startswith(TABLE) else ""


class Evaluator(Protocol):
    """Something that knows values of states."""

    @property
    def source(self) -> str:
        """For ``Known.source``."""

    @property
    def game(self) -> _native.Game:
        """The core's game, for canonical forms."""

    def values(self, states: list[State]) -> list[float] | None:
        """Success probabilities of live states with the same number of cards; None when one is not known here."""


def answer(typed: str, stacks: int, tables_dir: Place) -> Known:
    """Everything about the state ``typed`` (grammar: engines/stackgame/text.py).

    The first finished table below ``tables_dir`` that has the state answers, else it is computed if that is
    quick. UserError for bad text, numbers out of range, and when a table has to be built first (and which).
    """
    return advice(typed, stacks, tables_dir)[0]


def advice(typed: str, stacks: int, tables_dir: Place) -> tuple[Known, list[Play]]:
    """As ``answer``, with the probability for every card that may be drawn next on every stack where it can go."""
    if not 1 <= stacks <= text.STACKS_MAX:
        raise UserError("--stacks", f"must be 1 to {text.STACKS_MAX}; got {stacks}")
    form = text.read(typed, stacks)
    found = known_of(form, tables_dir, computing=True)
    if found is None:
        raise too_large(form.state)
    return found


def known_of(form: text.Form, tables_dir: Place, computing: bool) -> tuple[Known, list[Play]] | None:
    """As ``advice``; None when no finished table has the state and, of ``computing``, it has too many to follow."""
    state, stacks = form.state, form.state.stacks
    names = [form.name(card) for card in range(state.cards_count)]
    if rules.is_dead(state):
        return Known(
            stacks, form.text, None, 0.0, "dead", [Placement(*name, None, 0.0) for name in names]
        ), []
    for evaluator in _evaluators(state, tables_dir, computing):
        values = evaluator.values([state])
        if values is not None:
            plays = _plays(state, evaluator)
            found = Known(
                stacks,
                form.text,
                canonical_text(evaluator.game, state),
                values[0],
                evaluator.source,
                [Placement(*names[card], *best) for card, best in enumerate(_best(state, plays))],
            )
            return found, [Play(*names[card], stack, value) for card, stack, value in plays]
    return None


def canonical_text(game: _native.Game, state: State) -> str:
    """The text of the core's representative of all states equivalent to ``state``."""
    before, forbidden = game.decode(state.cards_count, keys_of(game, [state]))
    return text.format(State(state.stacks, tuple(before), tuple(forbidden)))


def _evaluators(state: State, tables_dir: Place, computing: bool) -> Iterator[Evaluator]:
    boards = len(fewest_chains(state))
    if boards > BOARDS_MAX:
        raise UserError("state", f"takes {boards} chains at least; a game has at most {BOARDS_MAX} boards")
    yield from built_tables(tables_dir, state)
    if computing:
        yield ComputedTable(state)


def _plays(state: State, evaluator: Evaluator) -> list[tuple[int, int, float]]:
    """Card, stack, and the probability after that placement."""
    moves = [
        (card, stack, after)
        for card in range(state.cards_count)
        for stack in range(state.stacks)
        if (after := rules.place(state, card, stack)) is not None
    ]
    values = evaluator.values([after for _, _, after in moves]) if moves else []
    assert values is not None, "who knows a state knows what follows from it"
    return [(card, stack, value) for (card, stack, _), value in zip(moves, values, strict=True)]


def _best(state: State, plays: list[tuple[int, int, float]]) -> list[tuple[int | None, float]]:
    """For each card the best stack and its probability."""
    best: list[tuple[int | None, float]] = [(None, 0.0)] * state.cards_count
    for card, stack, value in plays:
        if value > best[card][1]:
            best[card] = (stack, value)
    return best
