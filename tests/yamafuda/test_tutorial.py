"""The tutorial: its notebook is the one that its script makes, and finds again what is in it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import nbformat
import pytest

DOCS = Path(__file__).parents[2] / "docs"


def said(cell: Any) -> str:
    """What a cell shows as text, without times, and without what tells how far a run is.

    In one: how often a cell hands on what it has printed depends on how busy the machine is.
    """
    shown = [
        output.get("text") or output["data"]["text/plain"]
        for output in cell.get("outputs", ())
        if output.get("name") != "stderr" and output["output_type"] != "display_data"
    ]
    return re.sub(r"\d+\.\d+ s\b", "T", "".join(shown))


def test_the_notebook_finds_what_it_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    script = runpy.run_path(str(DOCS / "make_tutorial.py"))
    kept, made = nbformat.read(DOCS / "tutorial.ipynb", as_version=4), script["make_notebook"]()
    assert [cell.source for cell in made.cells] == [cell.source for cell in kept.cells]
    script["execute"](made, tmp_path)
    assert [said(cell) for cell in made.cells] == [said(cell) for cell in kept.cells]
    figures = [
        output
        for cell in made.cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ]
    assert len(figures) == 1
    assert any("<svg" in output["data"].get("text/html", "") for output in made.cells[3].outputs)
