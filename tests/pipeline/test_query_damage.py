"""One damaged run stops nobody else: it is named and left out, and the others answer."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
import toy
from damages import DAMAGES, to_file, to_folder
from query_helpers import asked, run_of
from toy_helpers import Yamafuda

from pipeline.query.runs import Run, check_content

ROUNDS = 40
SOUND = [(2, 9), (3, 7)]
"""Seeds of the sound runs and their items; the damaged run has seed 1."""


@pytest.fixture
def sound(workspace: Path) -> Path:
    """A folder that holds a run as it should be, beside two others in the root."""
    for seed, items in SOUND:
        run_of("job=toy_sweep", f"job.seed={seed}", f"job.items={items}")
    run = run_of("job=toy_sweep", "job.unit_items=8")
    copy = workspace / "copy"
    shutil.copytree(run, copy)
    return run


@pytest.mark.parametrize("finished", [True, False])
def test_others_answer(
    sound: Path, workspace: Path, capfd: pytest.CaptureFixture[str], finished: bool
) -> None:
    """Whatever becomes of any file; of a run that is not finished nothing tells what its parts should be."""
    told_count = 0
    for number in range(ROUNDS):
        chance = random.Random(f"{number} {finished}")
        if sound.is_file():
            sound.unlink()
        shutil.rmtree(sound, ignore_errors=True)
        shutil.copytree(workspace / "copy", sound)
        if not finished:
            (sound / "manifest.json").unlink()
        names = sorted(path.relative_to(sound).as_posix() for path in sound.rglob("*") if path.is_file())
        likely = [
            name
            for name in names
            if name.startswith("data/") or name in ("plan.json", "summary.json", "manifest.json")
        ]
        name = chance.choice(likely * 3 + names)
        damage = chance.choice(DAMAGES)
        if damage is to_file and "/" not in name:
            damage = to_folder
        damage(sound / name, chance)
        what = f"{number}: {damage.__name__} of {name}"
        capfd.readouterr()
        assert asked("SELECT seed, count(*) FROM toy_sweep WHERE seed > 1 GROUP BY 1 ORDER BY 1") == SOUND, (
            what
        )
        told = capfd.readouterr().err
        assert "Traceback" not in told, what
        lines = told.splitlines()
        assert all(str(sound) in line or "not finished" in line for line in lines), (what, lines)
        assert len(lines) <= 1, (what, lines)
        told_count += len(lines)
        if finished:
            # All of it or nothing: what was not written counts for nothing.
            rows = asked("SELECT count(*), sum(steps_count) FROM toy_sweep WHERE seed = 1")
            assert rows[0] in ((0, None), (20, sum(min(toy.steps(1, index), 10) for index in range(20)))), (
                what
            )
        rows = asked("SELECT seed, sum(steps_count) FROM toy_sweep_rows WHERE seed > 1 GROUP BY 1 ORDER BY 1")
        assert len(rows) == 2, what
        found = asked("SELECT seed, state FROM runs WHERE seed > 1 ORDER BY 1")
        assert found == [(2, "done"), (3, "done")], what
    assert told_count > ROUNDS / 4


def test_what_is_damaged_is_named(sound: Path, yamafuda: Yamafuda) -> None:
    part = sound / "data" / "part-000001.parquet"
    content = part.read_bytes()
    for data in (content[:-8], content[:100] + b"x" + content[101:], bytes(len(content)), b""):
        part.write_bytes(data)
        done = yamafuda("query", "--format", "csv", "SELECT count(*) AS n FROM toy_sweep")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "n\n16\n", 1)
        assert done.stderr.startswith(f"yamafuda: {part}: ")
        assert done.stderr.endswith("; left out\n")
    part.write_bytes(content)
    for name, text in (("summary.json", "{"), ("plan.json", "[]"), ("manifest.json", "null")):
        content = (sound / name).read_bytes()
        (sound / name).write_text(text)
        for view, count in (("toy_sweep", 16), ("runs", 2)):
            done = yamafuda("query", "--format", "csv", f"SELECT count(*) AS n FROM {view}")
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, f"n\n{count}\n", 1)
            assert done.stderr.startswith(f"yamafuda: {sound / name}: ")
        (sound / name).write_bytes(content)


def test_parts_that_are_replaced_meanwhile_are_read_again(
    sound: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A later attempt replaces parts between a look at their names and at their content."""
    looked = list[Run]()

    def look(run: Run) -> None:
        if run.folder == sound and not looked:
            looked.append(run)
            run_of("job=toy_sweep", "job.unit_items=8", "job.limits.steps_count=20")
        check_content(run)

    monkeypatch.setattr("pipeline.query.answer.check_content", look)
    capfd.readouterr()
    sql = (
        "SELECT count(*), max(attempt), count(*) FILTER (outcome = 'undecided') FROM toy_sweep WHERE seed = 1"
    )
    assert asked(sql) == [(20, 2, 0)]
    assert looked
    assert capfd.readouterr().err == ""
