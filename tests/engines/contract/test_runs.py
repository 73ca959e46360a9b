"""What reports read of runs is a plan, or an error that names the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.contract.runs import run_plan, sound_runs
from storage.errors import DamagedFileError


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "5",
        "null",
        "[" * 100_000,
        json.dumps({"job": None}),
        json.dumps({"job": {}, "items_count": None}),
        json.dumps({"job": {}, "items_count": "1"}),
    ],
)
def test_a_damaged_plan_is_said_to_be_one(tmp_path: Path, content: str) -> None:
    (tmp_path / "plan.json").write_text(content)
    with pytest.raises(DamagedFileError, match=r"plan\.json: is not a plan"):
        run_plan(tmp_path)


def test_a_damaged_run_is_named_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, content in (("a", '{"job": {}}'), ("b", "garbage"), ("c", '{"job": {"name": "other"}}')):
        folder = tmp_path / "kind" / name
        folder.mkdir(parents=True)
        (folder / "plan.json").write_text(content)
    (tmp_path / "kind" / "d" / "plan.json").mkdir(parents=True)
    found = list(sound_runs(tmp_path, lambda folder: folder.name if not run_plan(folder)["job"] else None))
    assert found == ["a"]
    first, second = capsys.readouterr().err.splitlines()
    assert first == (
        f"yamafuda: {tmp_path}/kind/b/plan.json: is not a plan (Expecting value: line 1 column 1 (char 0)); left out"
    )
    assert second == f"yamafuda: {tmp_path}/kind/d/plan.json: cannot be read (Is a directory); left out"
