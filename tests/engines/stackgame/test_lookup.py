"""Look-ups in a whole table: values of states of mixed layers, and why a state has none."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from engines import _native
from engines.stackgame import rules
from engines.tables.keyed_files import open_layer
from storage.layout import RunLayout

FOUND, DEAD, TOO_LARGE, NOT_REACHABLE = range(4)


@pytest.fixture(params=["auto", "general", "indexed"])
def table(request: Any, build: Any) -> Any:
    """A finished table of two boards of four cards on three stacks, in any form."""
    return build.table(3, 2, 4, f"job.form={request.param}")


def open_table(table: Any) -> _native.TableReader:
    game, layout = table.table.kernel, RunLayout(table.folder)
    return _native.TableReader(
        game, [open_layer(game, layout, layer).native for layer in table.table.layers()]
    )


def test_every_state_in_random_order(table: Any) -> None:
    game = table.table.kernel
    rows = [
        (layer, key, value)
        for layer, keys, values in table.layers()
        for key, value in zip(keys, values, strict=True)
    ]
    random.Random(1).shuffle(rows)
    reader = open_table(table)
    layers = np.array([row[0] for row in rows], np.uint8)
    keys = np.array([row[1] for row in rows], np.uint64)
    values, codes = reader.lookup(layers, keys)
    assert (codes == FOUND).all()
    assert values.tolist() == [row[2] for row in rows]
    shape = (1,) if game.words == 1 else (1, 4)
    states = [game.decode(layer, np.asarray(key).reshape(shape)) for layer, key, _ in rows]
    again, codes = reader.lookup_states(states)
    assert (codes == FOUND).all()
    assert again.tolist() == values.tolist()


def test_states_without_a_value(table: Any) -> None:
    reader = open_table(table)
    start = rules.start(3, 2, 4)
    larger = rules.start(3, 2, 5)
    wider = rules.start(3, 3, 2)
    dead = ([0, 1], [0, 0b111])
    # Relations with every card still in the pile: no play leads there.
    unreachable = ([0, 1, 3, 7, 1, 16 | 1, 48 | 1, 112 | 1], [0] * 8)
    # Nothing is said of more cards than the table has, though they are dead as well.
    larger_and_dead = ([(1 << card) - 1 for card in range(9)], [0] * 8 + [0b111])
    asked = [(list(s.before), list(s.forbidden)) for s in (start, larger, wider)]
    values, codes = reader.lookup_states([*asked, dead, unreachable, larger_and_dead])
    assert codes.tolist() == [FOUND, TOO_LARGE, TOO_LARGE, DEAD, NOT_REACHABLE, TOO_LARGE]
    assert values[0] == pytest.approx(0.918402777778, abs=1e-6)
    assert values[3] == 0
    assert np.isnan(values[[1, 2, 4, 5]]).all()


def test_arguments_are_checked(table: Any) -> None:
    reader = open_table(table)
    key = table.table.kernel.start()
    values, codes = reader.lookup(np.array([200], np.uint8), key)
    assert codes.tolist() == [TOO_LARGE]
    assert np.isnan(values).all()
    with pytest.raises(ValueError, match="keys"):
        reader.lookup(np.array([1, 2], np.uint8), key)
    with pytest.raises(ValueError, match="states"):
        reader.lookup_states([([0], [0, 0])])
