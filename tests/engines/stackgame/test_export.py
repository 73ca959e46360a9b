"""An exported table has every state of it, with a text that is read back as that state, and its probability."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from command_helpers import Run as Command

from engines.contract.columns import export_columns_of
from engines.stackgame import text
from engines.stackgame.computed import keys_of
from engines.stackgame.rules import State
from engines.stackgame.table import make_game
from pipeline.upkeep import export_run

TABLES = [
    ((3, 1, 6), ()),
    ((3, 2, 4), ()),
    ((4, 2, 3), ("job.value_type=float64",)),
    ((3, 2, 3), ("job.form=general",)),
    ((3, 3, 3), ()),
    ((4, 4, 2), ()),
]


def rows_of(folder: Path, out: Path) -> list[dict[str, Any]]:
    """What is exported of a run, layer by layer from the start."""
    paths = export_run(str(folder), out)
    return [row for path in paths for row in pq.read_table(path).to_pylist()]


@pytest.mark.parametrize(("numbers", "words"), TABLES, ids=str)
def test_every_state_is_told_once_and_read_back(
    build: Any, tmp_path: Path, numbers: tuple[int, int, int], words: tuple[str, ...]
) -> None:
    run = build.table(*numbers, *words)
    rows = iter(rows_of(run.folder, tmp_path))
    game, told = run.table.kernel, set()
    for layer, keys, values in run.layers():
        for key, value in zip(keys, values, strict=True):
            row = next(rows)
            before, forbidden = game.decode(layer, key[np.newaxis])
            canonical = State(numbers[0], tuple(before), tuple(forbidden))
            assert row["state"] == text.format(canonical)
            state = text.parse(row["state"], numbers[0])
            assert np.array_equal(keys_of(game, [state])[0], key)
            place = row["place"] if keys.ndim == 1 else row["wide_place"]
            assert place == (int(key) if keys.ndim == 1 else key.astype(">u8").tobytes())
            assert (row["layer"], row["probability"]) == (layer, value)
            told.add(row["state"])
    assert next(rows, None) is None
    assert len(told) == run.summary["states_count"]


def test_prob_finds_what_was_exported(build: Any, tmp_path: Path, yamafuda: Command) -> None:
    run = build.table(3, 2, 4)
    for row in rows_of(run.folder, tmp_path)[::40]:
        status, out, _ = yamafuda("prob", row["state"], "--tables", str(run.root))
        assert status == 0
        found = dict(line.split(maxsplit=1) for line in out.splitlines()[:3])
        assert float(found["probability"]) == pytest.approx(row["probability"], rel=1e-7)
        assert found["canonical"] == row["state"]
        assert found["source"].startswith("table ")


def test_large_states_are_written_as_python_writes_them() -> None:
    """Of games without a table here, on the way that random play takes."""
    for stacks, boards, cards in ((4, 2, 12), (3, 3, 6), (3, 4, 6), (8, 4, 5)):
        game = make_game(stacks, boards, cards)
        random, places = np.random.default_rng(stacks), game.start()
        for layer in range(boards * cards, 0, -1):
            before, forbidden = game.decode(layer, places)
            assert game.texts(layer, places) == [text.format(State(stacks, tuple(before), tuple(forbidden)))]
            found = game.successors(layer, places) if layer > 1 else []
            if not found:
                break
            places = found[random.integers(len(found))][2]


def test_columns_are_the_same_in_all_tables(build: Any, tmp_path: Path) -> None:
    for number, (numbers, words) in enumerate(TABLES):
        (out := tmp_path / str(number)).mkdir()
        paths = export_run(str(build.table(*numbers, *words).folder), out)
        assert {pq.read_schema(path) for path in paths} == {export_columns_of("stackgame_table")}


def test_what_is_no_place_has_no_text() -> None:
    with pytest.raises(ValueError, match=r"^places: "):
        make_game(3, 2, 4).texts(5, np.array([1 << 40], np.uint64))
    assert make_game(3, 2, 4).texts(5, np.empty(0, np.uint64)) == []
    random, said = np.random.default_rng(5), list[str]()
    for _ in range(200):
        place = random.integers(1 << 20, size=(1, 4), dtype=np.uint64) * np.array([0, 0, 0, 1], np.uint64)
        try:
            (written,) = make_game(3, 3, 3).texts(5, place)
        except ValueError as error:
            said.append(str(error))
        else:
            assert text.parse(written, 3).cards_count == 5
    assert said
    assert all(each.startswith("places: ") for each in said)
