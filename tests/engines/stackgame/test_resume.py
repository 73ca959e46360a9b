"""Builds of tables that are killed, interrupted, damaged or short of room: the same command brings the same files."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE_S, assert_soon

from engines.contract.job import ShardUnit, UnitContext
from engines.contract.registry import job_from_mapping
from engines.stackgame import table as stackgame
from engines.stackgame.table import StackgameTable
from engines.tables.keyed_files import WAY_OUT
from pipeline import worker
from pipeline.config import composing
from pipeline.memory import descendants
from pipeline.records import read_records
from pipeline.run import run_job
from pipeline.runners.base import Hooks
from pipeline.runners.serial import SerialRunner
from pipeline.tasks import Brief, Outcome, Task
from pipeline.upkeep import verify_run
from storage import shardfile
from storage.errors import UserError
from storage.layout import RunLayout, run_folders

pytestmark = pytest.mark.ray

HERE = Path(__file__).parent
# Layers of up to four shards; keys come in rounds and are merged in passes.
WORDS = ("job=stackgame_table", "job.cards=8", "job.limits.memory_bytes=65536")
CPUS = 2
WINDOW = {"serial": 1, "local": 3 * CPUS}
FIGURES = ("states_count_by_layer", "p_start", "p_sum", "content_digest", "files_digest")
STOP_S = 2.0


def contents(run: Path) -> dict[str, bytes]:
    """The shard files of a run."""
    return {path.name: path.read_bytes() for path in sorted(RunLayout(run).shards.iterdir())}


def summary(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RunLayout(run).summary.read_text())
    return found


def the_run(root: Path) -> Path:
    (run,) = run_folders([root])
    return run


def check_same(run: Path, usual: Any, computed_twice_max: int) -> None:
    """Hold a finished run against an undisturbed one."""
    assert contents(run) == contents(usual.folder)
    assert {name: summary(run)[name] for name in FIGURES} == {name: usual.summary[name] for name in FIGURES}
    assert summary(run)["units_computed_twice_count"] <= computed_twice_max
    assert [path for name in ("work", "staging") for path in (run / name).rglob("*")] == []
    assert verify_run(str(run), 100) == []


@pytest.fixture
def usual(build: Any) -> Any:
    """The undisturbed build."""
    return build.table(3, 2, 8)


# -- killed ------------------------------------------------------------------------------------------------------


def killed_builds(tmp_path: Path, *words: str) -> list[dict[str, Any]]:
    program = [sys.executable, str(HERE / "killed_builds.py"), *words]
    done = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_killed_around_steps_that_touch_the_disk(tmp_path: Path) -> None:
    reports = killed_builds(tmp_path, "steps", "27")
    assert len(reports) > 10
    for report in reports:
        assert report["killed"], report
        assert (report["status"], report["summary"], report["same"]) == (0, True, True), report
        assert (report["problems"], report["leftovers"]) == ([], []), report
        assert report["computed_twice"] <= WINDOW["serial"], report


def test_killed_around_requests_to_an_object_store(tmp_path: Path, bucket: str) -> None:
    """With exchange that is an object for each pair of shards."""
    reports = killed_builds(tmp_path, "steps", "47", f"{bucket}/")
    assert len(reports) > 5
    for report in reports:
        assert report["killed"], report
        assert (report["status"], report["summary"], report["same"]) == (0, True, True), report
        assert (report["problems"], report["leftovers"]) == ([], []), report
        assert report["computed_twice"] <= WINDOW["serial"], report


def test_killed_at_random_moments(tmp_path: Path) -> None:
    reports = killed_builds(tmp_path, "moments", "20")
    assert len(reports) == 20
    assert sum(report["killed"] for report in reports) >= 10
    for report in reports:
        assert (report["status"], report["same"], report["figures"], report["rows"]) == (0, True, True, True)
        assert (report["problems"], report["leftovers"]) == ([], []), report
        assert report["computed_twice"] <= WINDOW["serial"], report


class Driver:
    """``yamafuda run`` of the table in a process group of its own."""

    def __init__(self, root: Path, cluster: str, *more: str) -> None:
        cpus = [f"cluster.cpus={CPUS}"] if cluster == "local" else []
        words = [*WORDS, f"paths.results={root}", f"cluster={cluster}", *cpus, *more]
        program = [sys.executable, "-c", "from pipeline.cli import main; main()", "run", *words]
        self.root = root
        self.process = subprocess.Popen(
            program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def wait_for(self, done_count: int) -> None:
        """Return when there are so many units that are done."""
        deadline_s = time.monotonic() + PATIENCE_S
        while (
            sum(path.read_bytes().count(b"\n") for path in self.root.glob("*/*/units/*.jsonl")) < done_count
        ):
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline_s
            time.sleep(0.002)

    def finish(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err

    def kill_worker(self) -> None:
        """Kill a process that does a unit."""
        deadline_s = time.monotonic() + PATIENCE_S
        while True:
            assert self.process.poll() is None
            assert time.monotonic() < deadline_s
            for pid in descendants(self.process.pid):
                try:
                    busy = Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::execute")
                except OSError:
                    continue
                if busy:
                    os.kill(pid, signal.SIGKILL)
                    return


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Callable[..., Driver]]:
    drivers: list[Driver] = []

    def start(cluster: str, *more: str) -> Driver:
        drivers.append(Driver(tmp_path / "r", cluster, *more))
        return drivers[-1]

    yield start
    for driver in drivers:
        driver.process.kill()
        driver.process.communicate()


def test_killed_workers_do_not_stop_a_build(drive: Callable[..., Driver], usual: Any) -> None:
    driver = drive("local")
    for done_count in (3, 20, 45):
        driver.wait_for(done_count)
        driver.kill_worker()
    status, out, err = driver.finish()
    assert status == 0, err
    assert all(line.endswith("is tried again") for line in err.splitlines() if "failed" in line)
    run = Path(out.strip())
    events = [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]
    failed = [event["unit"] for event in events if event["event"] == "failed"]
    assert 1 <= len(failed) <= 3 * WINDOW["local"]
    assert summary(run)["units_computed_twice_count"] == len(set(failed))
    check_same(run, usual, 3 * WINDOW["local"])


def test_a_killed_driver_and_a_killed_group_under_ray(drive: Callable[..., Driver], usual: Any) -> None:
    """The next driver starts at once, while workers of the one before may still be at work."""
    driver = drive("local")
    driver.wait_for(15)
    os.kill(driver.process.pid, signal.SIGKILL)
    second = drive("local")
    second.wait_for(40)
    os.killpg(second.process.pid, signal.SIGKILL)
    assert drive("serial").finish()[0] == 0
    run = the_run(driver.root)
    assert summary(run)["interrupted_count"] == 2
    check_same(run, usual, 2 * WINDOW["local"])


def test_interrupted_builds(drive: Callable[..., Driver], usual: Any) -> None:
    for done_count in (10, 50):
        driver = drive("serial")
        driver.wait_for(done_count)
        begin_s = time.monotonic()
        driver.process.send_signal(signal.SIGINT)
        status, out, err = driver.finish()
        assert_soon(begin_s, STOP_S)
        assert (status, out) == (130, "")
        assert err.startswith(f"interrupted; to go on: yamafuda run {WORDS[0]}")
        assert err.count("\n") == 1
    assert drive("serial").finish()[0] == 0
    run = the_run(driver.root)
    assert summary(run)["interrupted_count"] == 2
    check_same(run, usual, 2 * WINDOW["serial"])


def test_two_drivers(drive: Callable[..., Driver], usual: Any) -> None:
    first = drive("serial")
    first.wait_for(20)
    first.process.send_signal(signal.SIGSTOP)
    status, out, err = drive("serial").finish()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"process {first.process.pid} on " in err
    first.process.send_signal(signal.SIGCONT)
    assert first.finish()[0] == 0
    check_same(the_run(first.root), usual, 0)


# -- no room -----------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Gives a file system with so many bytes, the same one each time."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def resize(size_bytes: int) -> Path:
        again = ["-o", f"remount,size={size_bytes}"] if folder.is_mount() else ["-o", f"size={size_bytes}"]
        mount = ["mount", "-t", "tmpfs", *again, "tmpfs", str(folder)]
        mounted = subprocess.run(mount, capture_output=True, text=True)
        if mounted.returncode:
            if os.environ.get("CI") == "true":
                pytest.fail(f"a tmpfs cannot be mounted: {mounted.stderr}")
            pytest.skip("mounting a tmpfs needs root")
        return folder

    yield resize
    if folder.is_mount():
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk(small_disk: Callable[[int], Path], monkeypatch: pytest.MonkeyPatch, usual: Any) -> None:
    """Too small for the estimate as well, which would say so before any work."""
    monkeypatch.setattr(StackgameTable, "estimate", lambda self: None)
    config = configure(small_disk(400 << 10) / "r")
    done_counts = []
    for size_bytes in (400 << 10, 700 << 10, 1200 << 10):
        small_disk(size_bytes)
        with pytest.raises(UserError, match="no room left"):
            run_job(config, SerialRunner())
        run = the_run(Path(config.paths.tables))
        assert list(RunLayout(run).staging.iterdir()) == []
        done_counts.append(len(read_records(RunLayout(run))))
    assert 0 < done_counts[0] < done_counts[1] < done_counts[2]
    small_disk(6 << 20)
    status, run = run_job(config, SerialRunner())
    assert status == 0
    check_same(run, usual, 3 * WINDOW["serial"])


# -- late writers ------------------------------------------------------------------------------------------------


def configure(root: Path, *more: str) -> Any:
    with composing(None) as composer:
        return composer.compose([*WORDS, f"paths.results={root}", *more])


class LateWriters(SerialRunner):
    """Before each phase and after the last, every file in work/ that is gone is published once more."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[Path, bytes] = {}

    def publish_again(self) -> int:
        gone = [path for path in self.kept if not path.exists()]
        for path in gone:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.kept[path])
        return len(gone)

    def run_units(self, brief: Brief, tasks: Iterable[Task], hooks: Hooks) -> Iterator[tuple[Task, Outcome]]:
        self.publish_again()
        yield from super().run_units(brief, tasks, hooks)
        work = RunLayout(Path(brief.run_dir)).work
        self.kept |= {path: path.read_bytes() for path in work.rglob("*.lmdb")}


def test_files_published_late_are_harmless(tmp_path: Path, usual: Any) -> None:
    runner, config = LateWriters(), configure(tmp_path / "r")
    status, run = run_job(config, runner)
    assert status == 0
    check_same(run, usual, 0)
    assert runner.publish_again() > 30
    assert verify_run(str(run), 100) == []
    assert run_job(config, SerialRunner()) == (0, run)
    check_same(run, usual, 0)


class StopsAt(SerialRunner):
    """Is interrupted before the first phase of ``kind`` with several units, which it keeps."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.tasks: list[Task] = []
        self.brief: Brief | None = None

    def run_units(self, brief: Brief, tasks: Iterable[Task], hooks: Hooks) -> Iterator[tuple[Task, Outcome]]:
        found = list(tasks)
        if len(found) > 1 and found[0].unit.kind == self.kind:
            self.tasks, self.brief = found, brief
            raise KeyboardInterrupt
        return super().run_units(brief, found, hooks)


def stop_at(kind: str, config: Any) -> StopsAt:
    runner = StopsAt(kind)
    with pytest.raises(KeyboardInterrupt):
        run_job(config, runner)
    assert runner.tasks
    return runner


@pytest.mark.parametrize("kind", ["merge", "evaluate"])
def test_a_writer_that_publishes_when_the_run_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, usual: Any, kind: str
) -> None:
    """It was cut off from the rest while it wrote, and another driver finished the run."""
    config = configure(tmp_path / "r")
    stopped = stop_at(kind, config)
    publish = shardfile.publish
    published: list[bool] = []

    def late(temporary: Path, final: Path, durable: bool) -> bool:
        monkeypatch.setattr(shardfile, "publish", publish)
        written = temporary.read_bytes()
        assert run_job(config, SerialRunner())[0] == 0
        temporary.parent.mkdir(exist_ok=True)
        temporary.write_bytes(written)
        published.append(publish(temporary, final, durable))
        return published[-1]

    monkeypatch.setattr(shardfile, "publish", late)
    assert stopped.brief is not None
    outcome = worker.execute(stopped.brief, stopped.tasks[-1], 1)
    assert outcome.record is not None
    # Its keys file is gone and comes again; its final file is there.
    assert published == [kind == "merge"]
    run = the_run(tmp_path / "r")
    assert verify_run(str(run), 100) == []
    assert run_job(config, SerialRunner()) == (0, run)
    check_same(run, usual, 0)


def test_another_memory_limit_goes_on_with_the_same_attempt(tmp_path: Path, usual: Any) -> None:
    """It is the machine's concern; units begun under either count together."""
    stop_at("merge", configure(tmp_path / "r"))
    config = configure(tmp_path / "r", "job.limits.memory_bytes=1000000")
    _, run = run_job(config, SerialRunner())
    assert summary(run)["attempt"] == 1
    assert {record["attempt"] for record in read_records(RunLayout(run))} == {1}
    check_same(run, usual, 0)


# -- damaged -----------------------------------------------------------------------------------------------------


@pytest.fixture
def small_layers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Layers of few states come in several shards too."""
    monkeypatch.setattr(stackgame, "SMALL_LAYER_STATES", 100)
    monkeypatch.setattr(stackgame, "LEAST_SHARDS", 2)
    # Engines know their shards from when they were made.
    worker._engine.cache_clear()
    yield
    worker._engine.cache_clear()


def flip(data: bytes, position: int, mask: int = 1) -> bytes:
    return data[:position] + bytes([data[position] ^ mask]) + data[position + 1 :]


def flip_used(data: bytes) -> bytes:
    """Change a byte in the middle, but none that nothing uses."""
    return flip(data, next(position for position in range(len(data) // 2, 0, -1) if data[position]))


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "flipped": flip_used,
    "truncated": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    # What a power cut leaves of a file that was not synced.
    "zeroed": lambda data: data[: len(data) // 2] + bytes(len(data) - len(data) // 2),
}


class Damages(SerialRunner):
    """Damages a file before the first phase of ``kind`` with several units: one that the phase reads."""

    def __init__(self, kind: str, pattern: str, damage: Callable[[bytes], bytes]) -> None:
        super().__init__()
        self.kind, self.pattern, self.damage = kind, pattern, damage
        self.path: Path | None = None

    def run_units(self, brief: Brief, tasks: Iterable[Task], hooks: Hooks) -> Iterator[tuple[Task, Outcome]]:
        found = list(tasks)
        if self.path is None and len(found) > 1 and found[0].unit.kind == self.kind:
            layer = found[0].unit.layer
            pattern = self.pattern.format(layer=f"L{layer:02d}", below=f"L{layer - 1:02d}")
            self.path = min(Path(brief.run_dir).glob(pattern))
            self.path.write_bytes(self.damage(self.path.read_bytes()))
        return super().run_units(brief, found, hooks)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        ("expand", "work/keys/*"),
        ("merge", "work/exchange/*"),
        ("evaluate", "work/keys/{layer}-*"),
        ("evaluate", "shards/{below}-*"),
    ],
)
def test_files_damaged_between_phases_are_named_and_made_again(
    tmp_path: Path, small_layers: None, build: Any, kind: str, pattern: str, damage: str
) -> None:
    usual = build.table(3, 2, 6, "job.limits.memory_bytes=16384", root="small layers")
    config = configure(tmp_path / "r", "job.cards=6", "job.limits.memory_bytes=16384")
    runner = Damages(kind, pattern, DAMAGES[damage])
    with pytest.raises(UserError) as caught:
        run_job(config, runner)
    assert runner.path is not None
    assert caught.value.field == str(runner.path)
    assert caught.value.message.endswith(WAY_OUT)
    if not pattern.startswith("work"):
        runner.path.unlink()
    run = the_run(tmp_path / "r")
    assert run_job(config, SerialRunner()) == (0, run)
    # Twice: the unit that found the damage, and those that lead to the removed file (two shards a layer).
    check_same(run, usual, 6)


@pytest.mark.parametrize("damage", ["nothing", "unrecorded", *DAMAGES])
@pytest.mark.parametrize(("kind", "folder"), [("merge", "exchange"), ("evaluate", "keys")])
def test_work_that_a_power_cut_spoilt_is_done_again(
    tmp_path: Path, usual: Any, kind: str, folder: str, damage: str
) -> None:
    """Files in work/ are not synced; what is left of them is held against the records of their units."""
    config = configure(tmp_path / "r")
    stop_at(kind, config)
    run = the_run(tmp_path / "r")
    path = max((run / "work" / folder).iterdir())
    if damage == "unrecorded":
        for file in (run / "units").iterdir():
            lines = file.read_text().splitlines(keepends=True)
            file.write_text("".join(line for line in lines if f"{folder}/{path.name}" not in line))
    elif damage != "nothing":
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    _, again = run_job(config, SerialRunner())
    # Units up to the lost file: four exchange files and four keys files of its layer at most.
    check_same(again, usual, 0 if damage == "nothing" else 8)
    assert (summary(again)["units_computed_twice_count"] > 0) == (damage != "nothing")


@pytest.mark.parametrize(("boards", "cards", "memory_bytes"), [(2, 5, 1 << 12), (3, 3, 1 << 14)])
def test_no_damaged_file_leads_to_another_file(
    tmp_path: Path, small_layers: None, boards: int, cards: int, memory_bytes: int
) -> None:
    """Every kind of unit with every kind of damage to what it reads: the same file, or an error that names one."""
    chance = random.Random(boards)
    limits = {"memory_bytes": memory_bytes, "retries_count": 0}
    job = {"name": "stackgame_table", "stacks": 3, "boards": boards, "cards": cards, "limits": limits}

    def engine() -> StackgameTable:
        return StackgameTable(job_from_mapping("stackgame_table", job))

    ctx = context(tmp_path)
    refused = set()
    for kind, layer in engine().phases():
        units = engine().units(kind, layer)
        for unit in units:
            engine().run(unit, ctx)
        chosen = chance.choice(units)
        path = engine().unit_path(chosen, ctx)
        expected = path.read_bytes()
        for source in inputs(engine(), chosen, ctx):
            sound = source.read_bytes()
            used = [position for position, byte in enumerate(sound) if byte]
            damaged = [flip(sound, chance.choice(used), 1 << chance.randrange(8)) for _ in range(6)]
            damaged += [flip(sound, chance.randrange(len(sound)), 255) for _ in range(2)]
            damaged += [sound[: chance.randrange(len(sound))], sound + bytes(4096)]
            for content in damaged:
                source.write_bytes(content)
                path.unlink()
                error = outcome_of(engine(), chosen, ctx)
                if error is None:
                    assert path.read_bytes() == expected
                else:
                    assert (error.field, error.message.endswith(WAY_OUT)) == (str(source), True)
                    refused.add(kind)
                source.write_bytes(sound)
                path.write_bytes(expected)
    assert refused == {"step", "expand", "merge", "evaluate"}


def outcome_of(engine: StackgameTable, unit: ShardUnit, ctx: UnitContext) -> UserError | None:
    """Do a unit; the user's error that comes of it."""
    try:
        engine.run(unit, ctx)
    except UserError as error:
        return error
    return None


def context(run_dir: Path) -> UnitContext:
    return UnitContext(RunLayout(run_dir), run_dir, run_dir, "x")


def inputs(engine: StackgameTable, unit: ShardUnit, ctx: UnitContext) -> list[Path]:
    """What a unit reads."""
    layout = RunLayout(ctx.run_dir)
    shards = {layer.layer: range(layer.shards_count) for layer in engine.layers()}
    if unit.kind == "start":
        return []
    if unit.kind == "merge":
        return [layout.exchange(unit.layer + 1, shard) for shard in shards[unit.layer + 1]]
    found = [layout.keys(unit.layer, unit.shard)]
    if unit.kind == "evaluate" and unit.layer > 1:
        found += [layout.shard(unit.layer - 1, shard) for shard in shards[unit.layer - 1]]
    return found


def test_removed_final_files_are_computed_again(tmp_path: Path, usual: Any) -> None:
    config = configure(tmp_path / "r")
    _, run = run_job(config, SerialRunner())
    for names in (["L16-S000"], ["L01-S000"], ["L09-S002"], ["L10-S001", "L09-S000", "L08-S003", "L03-S000"]):
        for name in names:
            (RunLayout(run).shards / f"{name}.lmdb").unlink()
        assert run_job(config, SerialRunner()) == (0, run)
        assert contents(run) == contents(usual.folder)
    assert verify_run(str(run), 100) == []


@pytest.mark.parametrize("name", ["manifest.json", "summary.json"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_manifest_or_summary_is_written_anew(
    build: Any, tmp_path: Path, name: str, damage: str
) -> None:
    usual = build.table(2, 2, 4)
    run = tmp_path / "r" / usual.folder.parent.name / usual.folder.name
    shutil.copytree(usual.folder, run)
    path = run / name
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert verify_run(str(run), 10) != []
    config = configure(tmp_path / "r", "job.stacks=2", "job.cards=4", "job.limits.memory_bytes=2147483648")
    assert run_job(config, SerialRunner()) == (0, run)
    assert verify_run(str(run), 10) == []
    assert {name: summary(run)[name] for name in FIGURES} == {name: usual.summary[name] for name in FIGURES}
