"""The probability of one state and the best placement of every card: from a built table, or computed here.

Starts quickly: nothing but numpy, LMDB and the core is imported, and only the shards asked for are read.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.contract.job import LayerPlan
from engines.stackgame import rules, text
from engines.stackgame.rules import State
from engines.stackgame.table import StackgameTable, make_game
from engines.tables.keyed_files import naming_files, shard_starts
from storage.errors import UserError
from storage.layout import RunLayout, run_folders
from storage.manifest import read_manifest
from storage.record import verify_file
from storage.shardfile import open_shard

JOB = "stackgame_table"
STACKS_MAX = 8
STACKS_MAX_TWO_BOARDS = 5
"""With more stacks, one and two boards also take the general canonical form."""
BOARDS_MAX = 4
STATES_MAX = 300_000
"""Where more states follow, a table has to be built: they would take longer than a second or two."""

_PIECE = 4096

Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Placement:
    """A card that may be drawn next and what to do with it."""

    chain: int
    """Number of the card's chain, as typed, from 0."""
    index: int
    """Place of the card in its chain, from 0."""
    stack: int | None
    """The best stack, the lowest number of several; None when every stack loses."""
    probability: float
    """Of success after this placement."""


@dataclass(frozen=True)
class Answer:
    """What is known of a state; the fields of ``yamafuda prob --json``."""

    stacks: int
    state: str
    """As typed, on one line."""
    canonical: str | None
    """One spelling for all states that are the same; None for a dead state, which no table has."""
    probability: float
    source: str
    """``table RUNID``, ``computed``, or ``dead``."""
    placements: list[Placement]


class Evaluator(Protocol):
    """Something that knows values of states."""

    @property
    def source(self) -> str:
        """For ``Answer.source``."""

    @property
    def game(self) -> _native.Game:
        """The core's game, for canonical forms."""

    def values(self, states: list[State]) -> list[float] | None:
        """Success probabilities of live states with one number of cards; None when one isn't known here."""


def answer(typed: str, stacks: int, tables_dir: Path) -> Answer:
    """Everything about the state ``typed`` (grammar: engines/stackgame/text.py).

    The first finished table below ``tables_dir`` that has the state answers, else it is computed if that is
    quick. UserError for bad text, numbers out of range, and when a table has to be built first (and which).
    """
    if not 1 <= stacks <= STACKS_MAX:
        raise UserError("--stacks", f"must be 1 to {STACKS_MAX}; got {stacks}")
    form = text.read(typed, stacks)
    state = form.state
    names = [form.name(card) for card in range(state.cards_count)]
    if rules.is_dead(state):
        return Answer(stacks, form.text, None, 0.0, "dead", [Placement(*name, None, 0.0) for name in names])
    for evaluator in _evaluators(state, tables_dir):
        values = evaluator.values([state])
        if values is not None:
            placements = [Placement(*names[card], *best) for card, best in enumerate(_best(state, evaluator))]
            return Answer(
                stacks,
                form.text,
                canonical_text(evaluator.game, state),
                values[0],
                evaluator.source,
                placements,
            )
    raise _too_large(state)


def compute(state: State) -> float:
    """Success probability of a state, without a table; UserError when that takes too many states."""
    values = [0.0] if rules.is_dead(state) else ComputedTable(state).values([state])
    if values is None:
        raise _too_large(state)
    return values[0]


def canonical_text(game: _native.Game, state: State) -> str:
    """The text form of the core's representative of all states that are the same as ``state``."""
    before, forbidden = game.decode(state.cards_count, _keys(game, [state]))
    return text.format(State(state.stacks, tuple(before), tuple(forbidden)))


class ComputedTable:
    """A state and all that can follow it, computed by the core and held in memory."""

    source = "computed"

    def __init__(self, state: State) -> None:
        boards = len(text.chains(state)) or 1
        form = "auto" if state.stacks <= STACKS_MAX_TWO_BOARDS else "general"
        self.game = make_game(state.stacks, boards, -(-state.cards_count // boards) or 1, form)
        self._readers: dict[int, _native.LayerReader] = {}
        layers = self._enumerate(state) if state.cards_count else []
        for layer, keys in enumerate(reversed(layers), start=1):
            values = self.game.evaluate(layer, keys, self._readers.get(layer - 1))
            size, bits = self.game.block_states, self.game.key_bits(layer)
            blocks = [
                np.frombuffer(
                    _native.encode_block(keys[i : i + size], values[i : i + size], "float64", bits), np.uint8
                )
                for i in range(0, len(keys), size)
            ]
            self._readers[layer] = _native.LayerReader(self.game, layer, blocks)

    def _enumerate(self, state: State) -> list[Keys]:
        """The keys of each layer, the state first; nothing when there are more than STATES_MAX."""
        layers = [_keys(self.game, [state])]
        for layer in range(state.cards_count, 1, -1):
            successors = _native.Successors(self.game, layer, STATES_MAX)
            states, found = layers[-1], layers[-1][:0]
            # Piece by piece, so that it is soon seen when there are too many.
            for i in range(0, len(states), _PIECE):
                successors.push(states[i : i + _PIECE])
                found = _native.merge([found, successors.take()], self.game.key_bits(layer - 1))
                if sum(map(len, layers)) + len(found) > STATES_MAX:
                    return []
            layers.append(found)
        return layers

    def values(self, states: list[State]) -> list[float] | None:
        """As for ``Evaluator``; None when there were too many states to compute."""
        layer = states[0].cards_count
        if layer == 0:
            return [1.0] * len(states)
        if layer not in self._readers:
            return None
        values, codes = self._readers[layer].lookup(_keys(self.game, states))
        return None if codes.any() else [float(value) for value in values]


class BuiltTable:
    """The shard files of a finished table run, opened as they are asked for."""

    def __init__(self, run_dir: Path, plan: dict[str, Any]) -> None:
        self._layout = RunLayout(run_dir)
        self._manifest = read_manifest(run_dir)
        # The plan says which game it is and where keys are: a wrong one would lead to wrong answers.
        verify_file(self._layout.plan, self._manifest.record(run_dir, self._layout.plan))
        job = plan["job"]
        self.game = make_game(job["stacks"], job["boards"], job["cards"], job["form"])
        self.source = f"table {run_dir.name}"
        self._value_type: str = plan["value_type"]
        self._layers = {layer["layer"]: LayerPlan(**layer) for layer in plan["layers"]}

    def values(self, states: list[State]) -> list[float] | None:
        """As for ``Evaluator``; DamagedFileError names a file that is not as it was written."""
        layer = states[0].cards_count
        if layer == 0:
            return [1.0] * len(states)
        keys = _keys(self.game, states)
        blocks, paths = self._blocks(self._layers[layer], keys)
        with naming_files(paths):
            values, codes = _native.LayerReader(self.game, layer, blocks).lookup(keys)
        if codes.any():
            return None
        if self._value_type == "float32":
            # Shows the digits that were stored, not those that widening makes up.
            return [float(str(np.float32(value))) for value in values]
        return [float(value) for value in values]

    def _blocks(self, layer: LayerPlan, keys: Keys) -> tuple[list[npt.NDArray[np.uint8]], list[Path]]:
        """The blocks of the shards where ``keys`` are, and the file of each."""
        starts = shard_starts(layer)
        blocks: list[npt.NDArray[np.uint8]] = []
        paths: list[Path] = []
        for number in sorted({bisect_right(starts, key) - 1 for key in integers(keys)}):
            path = self._layout.shard(layer.layer, number)
            with open_shard(path, self._manifest.record(self._layout.run_dir, path)) as shard:
                blocks += [block for _, block in shard.blocks()]
            paths += [path] * (len(blocks) - len(paths))
        return blocks, paths


def built_tables(tables_dir: Path, state: State) -> Iterator[BuiltTable]:
    """Finished tables that may have a state: exact values first, then the smaller tables."""
    boards = len(text.chains(state))
    found = []
    for run_dir in run_folders([tables_dir]):
        layout = RunLayout(run_dir)
        plan = _plan(layout)
        if plan is None or not layout.manifest.is_file():
            continue
        job = plan["job"]
        if (
            job["stacks"] == state.stacks
            and job["boards"] >= boards
            and job["boards"] * job["cards"] >= state.cards_count
        ):
            found.append((plan["value_type"] != "float64", job["boards"] * job["cards"], run_dir, plan))
    for *_, run_dir, plan in sorted(found, key=lambda each: each[:3]):
        yield BuiltTable(run_dir, plan)


def _plan(layout: RunLayout) -> dict[str, Any] | None:
    """The plan of a run; None when it isn't a table whose keys this version makes."""
    try:
        plan: dict[str, Any] = json.loads(layout.plan.read_bytes())
        ours = plan["job"]["name"] == JOB and plan["engine_version"] == StackgameTable.version
        numbers = plan["value_type"], *(plan["job"][name] for name in ("stacks", "boards", "cards"))
        ours = ours and [type(number) for number in numbers] == [str, int, int, int]
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a run of another kind, or being removed, is no reason to give no answer
    return plan if ours else None


def integers(keys: Keys) -> list[int]:
    """Keys as integers: of shape (N,), or (N, 4) with the most significant word first."""
    rows = keys.reshape(len(keys), -1).astype(">u8")
    return [int.from_bytes(row.tobytes(), "big") for row in rows]


def _evaluators(state: State, tables_dir: Path) -> Iterator[Evaluator]:
    boards = len(text.chains(state))
    if boards > BOARDS_MAX:
        raise UserError("state", f"takes {boards} chains at least; a game has at most {BOARDS_MAX} boards")
    yield from built_tables(tables_dir, state)
    yield ComputedTable(state)


def _best(state: State, evaluator: Evaluator) -> list[tuple[int | None, float]]:
    """For each card the best stack and what it is worth."""
    moves = [
        (card, stack, after)
        for card in range(state.cards_count)
        for stack in range(state.stacks)
        if (after := rules.place(state, card, stack)) is not None
    ]
    best: list[tuple[int | None, float]] = [(None, 0.0)] * state.cards_count
    values = evaluator.values([after for _, _, after in moves]) if moves else []
    assert values is not None, "who knows a state knows what follows from it"
    for (card, stack, _), value in zip(moves, values, strict=True):
        if value > best[card][1]:
            best[card] = (stack, value)
    return best


def _keys(game: _native.Game, states: list[State]) -> Keys:
    return np.concatenate([game.encode(list(s.before), list(s.forbidden)) for s in states])


def _too_large(state: State) -> UserError:
    """Says which table to build for a state."""
    chains = text.chains(state)
    # Where the forbidden stacks grow along a chain, a card that has left the pile was in between.
    cards = max(len(chain) + len({state.forbidden[card] for card in chain} - {0}) for chain in chains)
    if cards * len(chains) > text.CARDS_MAX:
        way_out = f"no table is large enough (all boards together have at most {text.CARDS_MAX} cards)"
    else:
        words = f"job.stacks={state.stacks} job.boards={len(chains)} job.cards={cards}"
        if state.stacks > STACKS_MAX_TWO_BOARDS and len(chains) <= 2:
            words += " job.form=general"
        way_out = f"build a table: yamafuda run job={JOB} {words}"
    return UserError("state", f"takes more than {STATES_MAX} states to compute here; {way_out}")
