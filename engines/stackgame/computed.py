"""The probability of a state without a table: the core computes it from all states that can follow."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.stackgame import rules, text
from engines.stackgame.chains import fewest_chains
from engines.stackgame.rules import State
from engines.stackgame.table import make_game
from storage.errors import UserError

STACKS_MAX_TWO_BOARDS = 5
"""With more stacks, one and two boards also take the general canonical form."""
STATES_MAX = 300_000
"""Most states that are computed here; more would take longer than a second or two, and need a table."""

_PIECE = 4096

Keys = npt.NDArray[np.uint64]


def compute(state: State) -> float:
    """Success probability of a state, without a table; UserError when that takes too many states."""
    values = [0.0] if rules.is_dead(state) else ComputedTable(state).values([state])
    if values is None:
        raise too_large(state)
    return values[0]


class ComputedTable:
    """A state and all that can follow it, computed by the core and held in memory."""

    source = "computed"

    def __init__(self, state: State) -> None:
        boards = len(fewest_chains(state)) or 1
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
        layers = [keys_of(self.game, [state])]
        for layer in range(state.cards_count, 1, -1):
            successors = _native.Successors(self.game, layer, STATES_MAX)
            states, found = layers[-1], layers[-1][:0]
            # In pieces, to notice soon when there are too many.
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
        values, codes = self._readers[layer].lookup(keys_of(self.game, states))
        return None if codes.any() else [float(value) for value in values]


def keys_of(game: _native.Game, states: list[State]) -> Keys:
    """The core's keys of states with one number of cards."""
    return np.concatenate([game.encode(list(s.before), list(s.forbidden)) for s in states])


def too_large(state: State) -> UserError:
    """The error that says which table to build for a state."""
    chains = fewest_chains(state)
    # Where the forbidden stacks grow along a chain, a card that has left the pile was in between.
    cards = max(len(chain) + len({state.forbidden[card] for card in chain} - {0}) for chain in chains)
    if cards * len(chains) > text.CARDS_MAX:
        way_out = f"no table is large enough (all boards together have at most {text.CARDS_MAX} cards)"
    else:
        words = f"job.stacks={state.stacks} job.boards={len(chains)} job.cards={cards}"
        if state.stacks > STACKS_MAX_TWO_BOARDS and len(chains) <= 2:
            words += " job.form=general"
        way_out = f"build a table: yamafuda run job=stackgame_table {words}"
    return UserError("state", f"takes more than {STATES_MAX} states to compute here; {way_out}")
