"""Manifests: round trip, versions, and every problem found by verification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from storage.errors import DamagedFileError
from storage.manifest import Manifest, read_manifest, verify_manifest, write_manifest
from storage.record import FileRecord, sha256_file


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run folder with three shard files and their manifest."""
    (tmp_path / "shards").mkdir()
    files = {}
    for shard in (2, 0, 1):
        path = tmp_path / "shards" / f"L01-S00{shard}.lmdb"
        path.write_bytes(bytes([shard]) * 1000)
        files[f"shards/{path.name}"] = FileRecord(path.name, 1000, sha256_file(path), 10 * shard)
    write_manifest(tmp_path, Manifest("ab12", files))
    return tmp_path


def edit(run: Path, **changes: Any) -> None:
    path = run / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_manifests_round_trip(run: Path) -> None:
    manifest = read_manifest(run)
    assert manifest.run_id == "ab12"
    assert list(manifest.files) == [f"shards/L01-S00{shard}.lmdb" for shard in range(3)]
    path = run / "shards" / "L01-S002.lmdb"
    assert manifest.record(run, path) == FileRecord("L01-S002.lmdb", 1000, sha256_file(path), 20)
    with pytest.raises(DamagedFileError, match="not in the run's manifest"):
        manifest.record(run, run / "shards" / "L02-S000.lmdb")
    before = (run / "manifest.json").read_bytes()
    write_manifest(run, manifest)
    assert (run / "manifest.json").read_bytes() == before
    assert list(verify_manifest(run)) == []


def test_problems_are_found_one_by_one(run: Path) -> None:
    shards = run / "shards"
    data = bytearray((shards / "L01-S000.lmdb").read_bytes())
    data[500] ^= 1
    (shards / "L01-S000.lmdb").write_bytes(data)
    (shards / "L01-S001.lmdb").write_bytes(bytes([1]) * 999)
    (shards / "L01-S002.lmdb").unlink()
    (shards / "L09-S000.lmdb").write_bytes(b"")
    problems = list(verify_manifest(run))
    assert len(problems) == 4
    for problem, name, word in zip(
        problems,
        ("L01-S000", "L01-S001", "L01-S002", "L09-S000"),
        ("SHA-256", "999 bytes and should have 1000", "missing", "not in the manifest"),
        strict=True,
    ):
        assert name in problem
        assert word in problem


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema_version": 2}, "schema_version 2 is newer than 1"),
        ({"schema_version": None}, "has no schema_version"),
        ({"lmdb_data_version": 3}, "lmdb_data_version 3 is newer than 1"),
        ({"files": []}, "no files"),
        ({"run_id": 5}, "no run_id"),
        ({"files": {"shards/x": {}}}, "lacks size_bytes"),
        ({"files": {"shards/x": 7}}, "lacks size_bytes"),
        ({"files": {"shards/x": {"size_bytes": "1", "sha256": "", "count": 0}}}, "wrong type"),
        ({"files": {"../x": {"size_bytes": 1, "sha256": "", "count": 0}}}, "outside the run folder"),
    ],
)
def test_other_manifests_are_refused(run: Path, changes: dict[str, Any], message: str) -> None:
    edit(run, **changes)
    with pytest.raises(DamagedFileError, match=message):
        read_manifest(run)
    assert [message in problem for problem in verify_manifest(run)] == [True]


@pytest.mark.parametrize(
    ("content", "message"), [("{", "not JSON"), ("[]", "JSON object"), (None, "missing")]
)
def test_unreadable_manifests_are_refused(run: Path, content: str | None, message: str) -> None:
    if content is None:
        (run / "manifest.json").unlink()
    else:
        (run / "manifest.json").write_text(content)
    with pytest.raises(DamagedFileError, match=message):
        read_manifest(run)


def test_a_changed_byte_is_found_anywhere_in_a_manifest(run: Path) -> None:
    path = run / "manifest.json"
    sound = path.read_bytes()
    for position in range(len(sound)):
        damaged = bytearray(sound)
        damaged[position] ^= 1 << position % 7
        path.write_bytes(damaged)
        assert len(list(verify_manifest(run))) >= 1, position


def test_extra_parts_are_found(run: Path) -> None:
    (run / "data").mkdir()
    (run / "data" / "part-000000.parquet").write_bytes(b"PAR1")
    (problem,) = verify_manifest(run)
    assert "part-000000.parquet: is not in the manifest" in problem
