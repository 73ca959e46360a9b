"""In a notebook: a kernel computes a run, shows how far it is, and draws what it has found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from patience import PATIENCE_S

RUN = "run = yamafuda.run('klondike_sweep', deals=30, redeals=2); run"


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[dict[str, Any]]]:
    """What each cell shows, one after another."""
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(tmp_path))
    cells = ["import yamafuda", RUN, "run.rows()", "yamafuda.run('klondike_sweep', dels=3)"]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    client = NotebookClient(notebook, timeout=PATIENCE_S, startup_timeout=PATIENCE_S, allow_errors=True)
    client.execute()
    return [cell.outputs for cell in notebook.cells]


def test_a_run_in_a_notebook(outputs: list[list[dict[str, Any]]]) -> None:
    nothing, (bar, run), (rows,), (wrong,) = outputs
    assert nothing == []
    assert "klondike_sweep" in bar["data"]["text/html"]
    assert "30 of 30 items" in bar["data"]["text/html"]
    assert "<progress" not in bar["data"]["text/html"]  # it stays as a line
    assert "klondike_sweep-deals30-redeals2" in run["data"]["text/html"]
    assert rows["data"]["text/html"].count("<tr>") == 1 + 1 + 10
    assert (wrong["ename"], wrong["evalue"]) == (
        "UserError",
        "job.dels: there is no field 'dels' of job; did you mean job.deals?",
    )
