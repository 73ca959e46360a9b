"""Declarations of games: what they name by ``module:attribute``."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.contract.game import load
from storage.errors import UserError


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("broken:Sweep", r"^broken:Sweep: cannot be imported \(No module named 'not_there'\)$"),
        ("nowhere:Sweep", r"^nowhere:Sweep: cannot be imported \(No module named 'nowhere'\)$"),
        ("sound:Sweep", r"^sound:Sweep: there is no Sweep in .*sound\.py$"),
    ],
)
def test_what_cannot_be_loaded_is_named(
    spec: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.py").write_text("import not_there\n")
    (tmp_path / "sound.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UserError, match=message):
        load(spec)
