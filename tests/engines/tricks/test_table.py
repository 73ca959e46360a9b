"""``job=tricks_table``: files, figures, resuming, verification, export."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from run_helpers import summary
from tricks_helpers import build, patterns, played

from engines import _native
from engines.contract.registry import job_from_mapping
from engines.tables import indexed
from engines.tricks.choices import choices
from engines.tricks.deal import standard
from engines.tricks.job import AIMS, POINTS
from engines.tricks.table import TricksTable
from pipeline.config import composing
from pipeline.records import read_records
from pipeline.upkeep import export_run, verify_run
from storage.block import decode_block, encode_block, order_key
from storage.dataset import read_rows
from storage.digest import TableDigest
from storage.errors import DamagedFileError
from storage.layout import RunLayout, run_folders
from storage.manifest import Manifest, read_manifest, write_manifest
from storage.record import make_file_record
from storage.shardfile import ShardWriter, open_shard

pytestmark = pytest.mark.ray

HERE = Path(__file__).parent
JOB = "job=tricks_table"


def contents(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(RunLayout(run).shards.iterdir())}


@pytest.fixture
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks and shards of a few hands."""
    monkeypatch.setattr(indexed, "BLOCK_BYTES", 1 << 9)
    monkeypatch.setattr(indexed, "SHARD_BYTES", 1 << 12)


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("points", POINTS)
def test_every_value_is_the_referee_s(points: str, aim: str, tmp_path: Path) -> None:
    run = build(tmp_path, JOB, "job.cards=4", f"job.points={points}", f"job.aim={aim}")
    for cards in (1, 2, 3, 4):
        with open_shard(RunLayout(run).shard(cards, 0)) as opened:
            values = np.concatenate([decode_block(block).values for _, block in opened.blocks()])
        rows = values.reshape(-1, len(choices(points, cards)))
        for row, pattern in zip(rows, patterns(cards), strict=True):
            assert row.tolist() == [
                played(cards, pattern, *choice, True, aim) for choice in choices(points, cards)
            ]
    assert verify_run(str(run), 1000) == []


def test_figures(built: Path) -> None:
    found = summary(built)
    counts = [math.comb(2 * n, n) * (2 * n + 1) for n in range(8, 0, -1)]
    assert (found["states_count_by_layer"], found["states_count"]) == (counts, sum(counts))
    rows = read_rows(built, ["layer", "leader_won_count", "drawn_count", "leader_points_sum"]).to_pylist()
    row = next(row for row in rows if row["layer"] == 4)
    for k in range(9):
        values = [played(4, pattern, 0, k, True) for pattern in patterns(4)]
        assert row["leader_won_count"][k] == sum(2 * value > k for value in values)
        assert row["drawn_count"][k] == sum(2 * value == k for value in values)
        assert row["leader_points_sum"][k] == sum(values)


@pytest.mark.usefixtures("small_files")
def test_files_do_not_depend_on_how_the_work_is_cut(built: Path, tmp_path: Path) -> None:
    run = build(tmp_path, JOB, "job.cards=8")
    assert len(contents(run)) > 50
    assert summary(run)["content_digest"] == summary(built)["content_digest"]
    assert verify_run(str(run), 100_000) == []
    table = TricksTable(job_from_mapping("tricks_table", {"name": "tricks_table", "cards": 8}))
    assert np.array_equal(table.open_layer(run, 8).column(0, 9), _column(built, 8, 9))


def _column(run: Path, cards: int, k: int) -> Any:
    with open_shard(RunLayout(run).shard(cards, 0)) as opened:
        values = np.concatenate([decode_block(block).values for _, block in opened.blocks()])
    return values.reshape(-1, 2 * cards + 1)[:, k]


def test_killed_around_steps_that_touch_the_disk(tmp_path: Path) -> None:
    program = [sys.executable, str(HERE / "killed_builds.py"), "7"]
    done = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) > 10
    for report in reports:
        assert report["killed"], report
        assert (report["status"], report["summary"], report["same"]) == (0, True, True), report
        assert (report["problems"], report["leftovers"]) == ([], []), report
        assert report["computed_twice"] <= 1, report


def test_killed_with_ray(built: Path, tmp_path: Path) -> None:
    """A driver with workers that is killed at a moment of its own; the same command ends with the same bytes."""
    words = [JOB, "job.cards=11", "cluster=local", "cluster.cpus=2", f"paths.tables={tmp_path}"]
    program = [sys.executable, "-c", "from pipeline.cli import main; main()", "run", *words]
    driver = subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    deadline_s = time.monotonic() + 60
    while not list(tmp_path.glob("*/*/shards/L09-*")) and time.monotonic() < deadline_s:
        time.sleep(0.005)
    os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()
    (run,) = run_folders([tmp_path])
    before = contents(run)
    assert before
    assert not RunLayout(run).manifest.exists()
    assert build(tmp_path, JOB, "job.cards=11").name == run.name
    after = contents(run)
    assert before.items() <= after.items()
    assert {name: after[name] for name in contents(built)} == contents(built)
    assert verify_run(str(run), 100) == []


def test_any_flipped_bit_is_found(built: Path, tmp_path: Path) -> None:
    run = tmp_path / built.parent.name / built.name
    shutil.copytree(built, run)
    random = np.random.default_rng(3)
    for path in sorted(RunLayout(run).shards.iterdir()):
        good = path.read_bytes()
        place = int(random.integers(len(good)))
        path.write_bytes(
            good[:place] + bytes([good[place] ^ 1 << int(random.integers(8))]) + good[place + 1 :]
        )
        assert any(path.name in problem for problem in verify_run(str(run), 10))
        path.write_bytes(good)
    assert verify_run(str(run), 10) == []


def forge(run: Path, layer: int, *, footer_too: bool) -> Path:
    """Write another value into a shard, with checksums that fit; the shard."""
    layout = RunLayout(run)
    path = layout.shard(layer, 0)
    table = TricksTable(job_from_mapping("tricks_table", {"name": "tricks_table", "cards": 8}))
    with open_shard(path) as opened:
        footer = opened.footer
        values = np.concatenate([decode_block(block).values for _, block in opened.blocks()])
    values[len(values) // 2] ^= 1
    path.unlink()
    writer = ShardWriter(path, layout.staging)
    step = table.group_values(layer) << table.block_groups_log2(layer)
    for begin in range(0, len(values), step):
        block = encode_block(None, values[begin : begin + step], 64, begin)
        writer.append(order_key(block), block)
    if footer_too:
        figures = table.value_figures(layer, values)
        lanes = _native.indexed_digest(layer, 0, values)
        footer = footer | {name: figure.tolist() for name, figure in figures.items()}
        footer["digest"] = TableDigest(*lanes).hex()
    record = writer.finish(footer)
    recorded = json.loads(layout.summary.read_text())
    total = TableDigest()
    for each in layout.shards.iterdir():
        with open_shard(each) as opened:
            total += TableDigest.from_hex(opened.footer["digest"])
    layout.summary.write_text(json.dumps(recorded | {"content_digest": total.hex()}))
    files = dict(read_manifest(run).files) | {
        f"shards/{path.name}": record,
        "summary.json": make_file_record(layout.summary),
    }
    write_manifest(run, Manifest(run.name, files))
    return path


@pytest.mark.parametrize("footer_too", [False, True])
def test_a_forged_value_is_found(built: Path, tmp_path: Path, footer_too: bool) -> None:
    run = tmp_path / built.parent.name / built.name
    shutil.copytree(built, run)
    path = forge(run, 5, footer_too=footer_too)
    problems = verify_run(str(run), 1_000_000)
    assert problems
    assert any(path.name in problem for problem in problems)


def test_the_referee_looks_at_values(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.tricks.rules.value", lambda deal, left_leads: -1)
    problems = verify_run(str(built), 1)
    assert problems
    assert all("the referee finds -1" in problem for problem in problems)


def test_a_lost_record_is_made_again(built: Path, tmp_path: Path) -> None:
    run = tmp_path / built.parent.name / built.name
    shutil.copytree(built, run)
    kept = {record["path"]: record["figures"] for record in read_records(RunLayout(run))}
    for path in (
        *RunLayout(run).units.iterdir(),
        RunLayout(run).manifest,
        RunLayout(run).summary,
        *RunLayout(run).data.iterdir(),
    ):
        path.unlink()
    assert build(tmp_path, JOB, "job.cards=8") == run
    again = {record["path"]: record["figures"] for record in read_records(RunLayout(run))}
    assert again == {path: kept[path] for path in again}
    assert len(again) > 1
    assert verify_run(str(run), 10) == []


def test_a_damaged_layer_below_is_named(built: Path, tmp_path: Path) -> None:
    run = tmp_path / built.parent.name / built.name
    shutil.copytree(built, run)
    for path in (RunLayout(run).shard(8, 0), RunLayout(run).manifest):
        path.unlink()
    below = RunLayout(run).shard(7, 0)
    data = bytearray(below.read_bytes())
    data[len(data) // 2] ^= 1
    below.write_bytes(data)
    with pytest.raises(DamagedFileError, match=r"L07-S000\.lmdb.*checksum does not match; remove it"):
        build(tmp_path, JOB, "job.cards=8")


def test_export(tmp_path: Path) -> None:
    run = build(tmp_path, JOB, "job.cards=3", "job.points=anywhere")
    files = export_run(str(run), tmp_path / "out")
    rows = [row for path in files for row in pq.read_table(path).to_pylist()]
    assert len(rows) == summary(run)["states_count"]
    by_key = {(row["deal"], row["above"], row["k"]): row["value_left_leads"] for row in rows}
    for pattern in patterns(3):
        for above, count in choices("anywhere", 3):
            assert by_key[standard(3, pattern), above, count] == played(3, pattern, above, count, True)


def test_what_14_cards_take_is_told_beforehand(workspace: Path) -> None:
    with composing(None) as composer:
        config = composer.compose(["job=tricks_table_14"])
    estimate = TricksTable(config.job).estimate()
    assert 1.5e9 < estimate.items_count < 1.6e9
    assert estimate.items_count < estimate.disk_bytes < 1.7e9
    assert 60 < estimate.core_s < 600
