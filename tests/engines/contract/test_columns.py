"""One name has one type, one unit and one meaning in all jobs, of shipped games, toys, and any that is installed."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
import toy

from engines.contract.columns import all_columns, columns_of, export_columns_of
from engines.contract.registry import job_names
from engines.contract.vocabulary import MOVES_COUNTED
from storage.columns import MEANING, UNIT, column, common_columns
from storage.errors import UserError


def test_no_job_of_ours_or_toy_contradicts_another() -> None:
    found = all_columns()
    assert {"stacks", "points", "point_cards", "layer", "steps_count"} <= found.keys()
    assert found["stacks"].type == pa.uint8()
    assert found["stacks"].metadata == {UNIT: b"stacks", MEANING: b"Number of stacks."}


def test_what_says_the_same_with_other_words_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    right = ("moves_count", "int32", "moves", MOVES_COUNTED, True)
    columns: list[pa.Field] = [column(*right)]
    monkeypatch.setattr(toy.ToySweep, "columns", lambda self: pa.schema(columns))
    all_columns()
    wrong: list[tuple[Any, ...]] = [
        ("moves_count", "int64", "moves", MOVES_COUNTED, True),
        ("moves_count", "int32", "plays", MOVES_COUNTED, True),
        ("moves_count", "int32", "moves", "Moves that were made.", True),
        ("moves_count", "int32", "moves", MOVES_COUNTED, False),
    ]
    for each in wrong:
        columns[:] = [column(*each)]
        with pytest.raises(ValueError, match=r"^column moves_count: int.* in toy_hands, int.* in \w+$"):
            all_columns()
    columns[:] = [pa.field("moves_count", pa.int32())]
    with pytest.raises(ValueError, match=r"^column moves_count of toy_hands has no meaning$"):
        all_columns()


@pytest.mark.parametrize("job", job_names())
def test_common_columns_come_first_and_none_is_there_twice(job: str) -> None:
    names = columns_of(job).names
    assert len(set(names)) == len(names)
    common = [name for name in common_columns().names if name in names]
    assert names[: len(common)] == common
    assert {"run_id", "attempt", "index", "elapsed_s", "host"} <= set(common)
    assert len(set(export_columns_of(job).names)) == len(export_columns_of(job).names)


@pytest.mark.parametrize("job", job_names())
def test_names_end_in_the_unit_of_what_is_measured(job: str) -> None:
    for field in (*columns_of(job), *export_columns_of(job)):
        unit = field.metadata[UNIT].decode()
        for ending, measured in (("_s", "s"), ("_bytes", "bytes")):
            assert field.name.endswith(ending) == (unit == measured), field.name
        if field.name.endswith(("_count", "_counts")):
            assert unit, field.name
        assert field.metadata[MEANING].decode().endswith("."), field.name


def test_an_unknown_job_is_told() -> None:
    with pytest.raises(UserError, match="no job is called 'nothing'"):
        columns_of("nothing")
