"""The pages of runs: what they show is what is there, now."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import yamafuda
from pages.feed import Feed
from yamafuda import watching
from yamafuda.watching import Watch


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at once."""
    monkeypatch.setattr(watching, "LOOK_S", 0.0)
    monkeypatch.setattr(watching, "LOOKING_SHARE", float("inf"))


def test_all_runs(client: TestClient, sweep: yamafuda.Run) -> None:
    assert client.get("/").headers["location"] == "/runs"
    text = client.get("/runs").text
    assert sweep.name in text
    assert "twelve &lt;b&gt;" in text
    assert "<b>" not in text
    (told,) = client.get("/runs.json").json()
    assert (told["name"], told["state"], told["done_share"]) == (sweep.name, "done", 1.0)


@pytest.mark.parametrize(
    ("asked", "is_there"),
    [
        ({"text": "KLONDIKE twelve"}, True),
        ({"text": "superpuzz"}, False),
        ({"state": "done"}, True),
        ({"state": "running"}, False),
        ({"state": "nonsense"}, True),
    ],
)
def test_the_filter(client: TestClient, sweep: yamafuda.Run, asked: dict[str, str], is_there: bool) -> None:
    assert (sweep.name in client.get("/runs", params=asked).text) is is_there
    assert bool(client.get("/runs.json", params=asked).json()) is is_there


def test_one_run(client: TestClient, sweep: yamafuda.Run) -> None:
    text = client.get(f"/runs/{sweep.name}").text
    for shown in ("<dt>redeals</dt>", "12 of 12", "begins phase", sweep.folder):
        assert shown in text or shown == "12 of 12"
    told = client.get(f"/runs/{sweep.name}/run.json").json()
    assert told["fields"] == {"deals": 12, "redeals": 2}
    assert told["summary"]["run_id"] == sweep.id
    assert "begins phase" in client.get(f"/runs/{sweep.name}/log.txt").text


def test_the_report(client: TestClient, sweep: yamafuda.Run) -> None:
    answer = client.get(f"/runs/{sweep.name}/report.html")
    assert sweep.name in answer.text
    assert "<svg" in answer.text
    assert "<script" not in answer.text
    policy = answer.headers["content-security-policy"]
    assert "script-src" not in policy
    assert "default-src 'none'" in policy
    assert client.get("/runs/none/report.html").status_code == 404


@pytest.mark.parametrize("name", ["none", "..", "%2e%2e", "..%2f..%2fetc", "%00", "klondike_sweep", "é"])
def test_a_run_that_is_not_there(client: TestClient, name: str) -> None:
    for path in (f"/runs/{name}", f"/runs/{name}/log.txt", f"/runs/{name}/run.json"):
        assert client.get(path).status_code in (404, 307)


def test_a_path_is_not_a_name(client: TestClient, sweep: yamafuda.Run) -> None:
    path = sweep.folder.replace("/", "%2f")
    assert client.get(f"/runs/{path}").status_code == 404


def test_failures_and_logs_are_shown_as_text(client: TestClient, sweep: yamafuda.Run) -> None:
    failed = Path(sweep.folder) / "failed"
    failed.mkdir()
    failure = {"unit": "000003", "reason": "ValueError: <script>", "tries": 3, "trace": "deep <i>"}
    (failed / "000003.json").write_text(json.dumps(failure))
    (failed / "damaged.json").write_text("{")
    try:
        text = client.get(f"/runs/{sweep.name}").text
    finally:
        for path in failed.iterdir():
            path.unlink()
        failed.rmdir()
    assert "ValueError: &lt;script&gt;" in text
    assert "deep &lt;i&gt;" in text
    assert "1 failed unit" in text


def test_changes_are_told_once(client: TestClient, sweep: yamafuda.Run) -> None:
    first = client.get("/runs/changes.json").json()
    assert sweep.name in first["rows"][sweep.name]
    assert client.get("/runs/changes.json", params={"since": first["version"]}).json() == {
        "version": first["version"],
        "again": False,
        "rows": {},
    }
    assert client.get("/runs/changes.json", params={"since": "9" * 9}).json()["again"] is True
    for wrong in ("-1", "x", "1" * 40, "١"):
        assert client.get("/runs/changes.json", params={"since": wrong}).status_code == 400


def test_the_feed(sweep: yamafuda.Run) -> None:
    from dataclasses import replace

    other, feed = replace(sweep, name="other", folder="other"), Feed()
    version, changed, is_again = feed.update([sweep])
    assert (changed, is_again) == ([sweep], True)
    assert feed.update([sweep], version) == (version, [], False)
    later = replace(sweep, done_share=0.5)
    second, changed, is_again = feed.update([later], version)
    assert (changed, is_again) == ([later], False)
    third, changed, is_again = feed.update([later, other], second)
    assert (changed, is_again) == ([other], True)
    _, changed, is_again = feed.update([other], third)
    assert (changed, is_again) == ([], True)


def test_a_settled_run_is_read_again_when_a_driver_was_at_it(
    sweep: yamafuda.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline import status

    reads = []
    read = status.read_status
    monkeypatch.setattr(status, "read_status", lambda folder: reads.append(folder) or read(folder))
    watch = Watch()
    watch.runs()
    watch.runs()
    assert len(reads) == 1
    os.utime(Path(sweep.folder) / "driver.lock")
    watch.runs()
    assert len(reads) == 2
    assert watch.run(sweep.name) == sweep
    assert watch.run(sweep.name[:-1]) is None


def test_looking_takes_a_hundredth_of_the_time(sweep: yamafuda.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LOOKING_SHARE", 0.01)
    clock = [0.0]
    monkeypatch.setattr(watching.time, "monotonic", lambda: clock[0])
    looks = []

    def look(watch: Watch) -> None:
        looks.append(clock[0])
        clock[0] += 0.25

    monkeypatch.setattr(Watch, "_look_at_all", look)
    watch = Watch()
    for _ in range(1000):
        watch.runs()
        clock[0] += 0.1
    assert looks == pytest.approx([0, 25.3, 50.6, 75.9], abs=0.5)


def test_a_run_at_work_is_seen_though_there_are_many_others(
    sweep: yamafuda.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch()
    progress = Path(sweep.folder) / "progress.json"
    with Path(sweep.folder, "driver.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert watch.run(sweep.name).state == "running"  # type: ignore[union-attr]
        monkeypatch.setattr(Watch, "_look_at_all", None)
        watch._due_s = float("inf")
        progress.write_text('{"done_count": 3, "total_count": 12}')
        assert watch.run(sweep.name).done_share == 0.25  # type: ignore[union-attr]
    progress.unlink()
    assert watch.run(sweep.name).state == "done"  # type: ignore[union-attr]


def test_no_runs_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(tmp_path))
    assert Watch().runs() == []


def test_items_lead_to_replays(client: TestClient, sweep: yamafuda.Run) -> None:
    text = client.get(f"/runs/{sweep.name}/items").text
    assert all(f'/items/{index}">item {index}<' in text for index in range(12))
    # The heads of numbers stand above them, at the right.
    assert '<th scope="col" class="number">states</th>' in text
    assert '<th scope="col">outcome</th>' in text
    won = client.get(f"/runs/{sweep.name}/items", params={"outcome": "won"}).text
    assert 0 < won.count(">item ") < 12
    assert "There are none" in client.get(f"/runs/{sweep.name}/items", params={"first": "12"}).text
    assert (
        client.get(f"/runs/{sweep.name}/items", params={"outcome": "' OR 1=1 --"}).text.count(">item ") == 0
    )
    number = int(won.partition('">item ')[2].partition("<")[0])
    stored = client.get(f"/runs/{sweep.name}/items/{number}").text
    assert "<dd>won</dd>" in stored
    assert "<dt>elapsed</dt>" in stored
    assert "e-0" not in stored
    address = stored.partition('class="button" href="')[2].partition('"')[0].replace("&amp;", "&")
    replay = client.get(address).text
    assert f"item {number}</a> of {sweep.name}" in replay
    assert 'value="2"' in replay  # the redeals of its rules
    for item in ("12", "-1", "x", "9" * 30):
        assert client.get(f"/runs/{sweep.name}/items/{item}").status_code == 400


def test_items_whose_files_are_damaged(client: TestClient, sweep: yamafuda.Run) -> None:
    files = {path: path.read_bytes() for path in Path(sweep.folder, "data").glob("*.parquet")}
    try:
        for path in files:
            path.write_text("junk")
        for page in ("items", "items/0"):
            answer = client.get(f"/runs/{sweep.name}/{page}")
            assert answer.status_code == 400
            assert f"yamafuda verify {sweep.name}" in answer.text
    finally:
        for path, content in files.items():
            path.write_bytes(content)
