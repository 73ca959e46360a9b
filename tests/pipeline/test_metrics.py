"""What a driver tells Prometheus of its run, and the board of Grafana that shows it."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from clusters import free_port
from patience import PATIENCE_S
from prometheus_client.parser import text_string_to_metric_families
from toy_helpers import command, compose, wait_until_it_hangs

import pipeline.runners.ray  # noqa: F401 (first, for it prepares what Ray reads when it is imported)
from pipeline.metrics import publishing
from pipeline.metrics.figures import LABELS, METRICS
from pipeline.run import DONE, run_job
from pipeline.runners import ray_metrics
from pipeline.runners.serial import SerialRunner
from storage.errors import UserError

ROOT = Path(__file__).parents[2]
BOARD = ROOT / "docker" / "grafana" / "yamafuda.json"


class Listening(SerialRunner):
    """Keeps what it is told of the run, and reads it over HTTP, too."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        self.told: list[tuple[Mapping[str, float], Mapping[str, str]]] = []
        self.served: list[dict[str, float]] = []

    def tell(self, figures: Mapping[str, float], labels: Mapping[str, str]) -> None:
        self.told.append((figures, labels))
        self.served.append(ask(self._port))


def ask(port: int) -> dict[str, float]:
    """What is served, by name."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE_S) as answer:
        text = answer.read().decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    assert all(set(sample.labels) == set(LABELS) for sample in samples)
    return {sample.name: sample.value for sample in samples}


def test_figures_of_a_sweep(faults: Callable[..., str]) -> None:
    port = free_port()
    runner = Listening(port)
    words = ["job=toy_sweep", "job.items=23", faults(raise_7=1, raise_12=3), f"metrics_port={port}"]
    _, run = run_job(compose(*words), runner)
    (figures, labels), served = runner.told[-1], runner.served[-1]
    assert labels == {"job": "toy_sweep", "run": json.loads((run / "plan.json").read_text())["run_id"]}
    assert served == figures
    expected = {
        "units_done_total": 4,
        "units_failed_total": 1,
        "units_retried_total": 3,
        "units_lost_total": 0,
        "units_in_flight": 0,
        "items_done_total": 18,
        "progress_ratio": 1,
        "cores": 1,
    }
    assert {name: figures[f"yamafuda_{name}"] for name in expected} == expected
    assert figures.keys() <= METRICS.keys()
    with pytest.raises(OSError, match="refused"):
        ask(port)


def test_figures_of_a_table_and_of_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "TELL_S", 0.01)
    runner = Listening(free_port())
    monkeypatch.setattr(runner, "served", [])
    monkeypatch.setenv("YAMAFUDA_METRICS_PORT", str(runner._port))
    for states in (12, 0):
        assert run_job(compose("job=toy_table", "job.shards=3"), runner)[0] == DONE
        figures, _ = runner.told[-1]
        assert figures["yamafuda_states_done_total"] == states
        assert figures["yamafuda_progress_ratio"] == 1
        assert "yamafuda_items_done_total" not in figures


def test_figures_while_a_unit_goes_on(tmp_path: Path, faults: Callable[..., str]) -> None:
    port = free_port()
    words = ["run", "job=toy_sweep", faults(hold_7=1), f"metrics_port={port}"]
    process = subprocess.Popen(command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_it_hangs(process, tmp_path)
        figures = ask(port)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
    finally:
        process.kill()
        process.wait()
    assert figures["yamafuda_units_done_total"] == 1
    assert figures["yamafuda_units_in_flight"] == 1
    # The unit that goes on has done two of its items.
    assert figures["yamafuda_progress_ratio"] == 7 / 20
    assert figures["yamafuda_items_done_total"] == 5


def test_a_port_that_cannot_be_had() -> None:
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(UserError, match=rf"^metrics_port: {port} is taken$"):
            run_job(compose("job=toy_sweep", f"metrics_port={port}"), SerialRunner())
    for wrong in ("0", "65536", "http", "-1", "1.5"):
        with pytest.raises(UserError, match="metrics_port: must be a port from 1 to 65535, or null"):
            compose("job=toy_sweep", f"metrics_port={wrong}")
    assert compose("job=toy_sweep", "metrics_port=null").metrics_port is None


def test_figures_as_rays_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters are told by what they have grown; those of the same run's next driver begin anew."""
    told: list[tuple[str, str, float]] = []

    class Told:
        def __init__(self, name: str, description: str, tag_keys: tuple[str, ...]) -> None:
            assert (description != "", tag_keys) == (True, LABELS)
            self._name = name

        def inc(self, value: float, tags: dict[str, str]) -> None:
            told.append((self._name, tags["run"], value))

        set = inc

    monkeypatch.setattr(ray_metrics, "Counter", Told)
    monkeypatch.setattr(ray_metrics, "Gauge", Told)
    metrics = ray_metrics.RayMetrics()
    for run, done, left in (("r", 5, 9), ("r", 5, 3), ("r", 7, 2), ("s", 4, 1), ("r", 3, 1)):
        figures = {"yamafuda_units_done_total": done, "yamafuda_units_in_flight": left}
        metrics.tell(figures, {"job": "j", "run": run})
    counted = [(run, value) for name, run, value in told if name == "yamafuda_units_done"]
    assert counted == [("r", 5), ("r", 2), ("s", 4), ("r", 3)]
    gauged = [(run, value) for name, run, value in told if name == "yamafuda_units_in_flight"]
    assert gauged == [("r", 9), ("r", 3), ("r", 2), ("s", 1), ("r", 1)]


def test_the_page_has_all_figures() -> None:
    page = (ROOT / "docs" / "cluster.md").read_text()
    told = re.findall(r"^\| `(yamafuda_\w+)` \| (.*) \|$", page, re.MULTILINE)
    assert told == [(metric.name, metric.help) for metric in METRICS.values()]


def test_the_board_shows_all_figures_and_no_others() -> None:
    board = json.loads(BOARD.read_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    variables = {variable["name"]: variable for variable in board["templating"]["list"]}
    assert [option["value"] for option in variables["prefix"]["options"]] == ["yamafuda", "ray_yamafuda"]
    shown = set()
    for query in queries:
        assert set(re.findall(r"\$\{?(\w+)", query)) <= {*variables, "__rate_interval"}, query
        (name,) = re.findall(r"\$\{prefix\}(_\w+)\{job=~\"\$job\", run=~\"\$run\"\}", query)
        metric = METRICS[f"yamafuda{name}"]
        assert ("rate(" in query) <= metric.grows, query
        shown.add(metric.name)
    assert shown == METRICS.keys()
    for name in LABELS:
        assert "{prefix}_units_in_flight" in variables[name]["query"]["query"]
    places = [panel["gridPos"] for panel in board["panels"]]
    cells = {
        (x, y)
        for place in places
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    }
    assert len(cells) == sum(place["w"] * place["h"] for place in places)
    assert len({panel["id"] for panel in board["panels"]}) == len(places)
