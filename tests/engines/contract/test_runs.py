"""What reports read of runs is a plan, or an error that names the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.contract.runs import run_plan
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
