"""manifest.json: size, checksum and count of every finished file of a run. Written by the driver alone.

The last file of a finished run. It has its own checksum, so that no change in it stays unnoticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from storage.errors import DamagedFileError
from storage.jsontext import parse_json
from storage.layout import RunLayout
from storage.parts import live_names
from storage.place import Place, listed, name_within
from storage.publish import json_bytes, write_bytes_atomic
from storage.record import FileRecord, verify_file

SCHEMA_VERSION = 1
#: Version of LMDB's own format in shard files: 1 is that of LMDB 0.9.
LMDB_DATA_VERSION = 1


@dataclass(frozen=True)
class Manifest:
    """The files of a run. ``files``: path within the run folder, with slashes -> record."""

    run_id: str
    files: Mapping[str, FileRecord] = field(default_factory=dict)
    lmdb_data_version: int = LMDB_DATA_VERSION

    def record(self, run_dir: Place, path: Place) -> FileRecord:
        """The record of the file at ``path`` below ``run_dir``; DamagedFileError when it has none."""
        name = name_within(path, run_dir)
        if name not in self.files:
            raise DamagedFileError(str(path), "is not in the run's manifest")
        return self.files[name]


def write_manifest(run_dir: Place, manifest: Manifest) -> None:
    """Write or replace the manifest of a run, files in the order of their names."""
    files = {name: asdict(manifest.files[name]) for name in sorted(manifest.files)}
    for entry in files.values():
        del entry["name"]  # the key says it
    value = {
        "sha256": "",
        "schema_version": SCHEMA_VERSION,
        "run_id": manifest.run_id,
        "lmdb_data_version": manifest.lmdb_data_version,
        "files": files,
    }
    value["sha256"] = hashlib.sha256(json_bytes(value)).hexdigest()
    write_bytes_atomic(RunLayout(run_dir).manifest, json_bytes(value))


def read_manifest(run_dir: Place) -> Manifest:
    """Read the manifest of a run.

    DamagedFileError when it is missing, unreadable, or of a version that this yamafuda does not know.
    """
    path = RunLayout(run_dir).manifest
    try:
        data = path.read_bytes()
        value = parse_json(data)
    except FileNotFoundError:
        raise DamagedFileError(str(path), "the file is missing; the run is not finished") from None
    except OSError as error:
        raise DamagedFileError(str(path), f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise DamagedFileError(str(path), f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise DamagedFileError(str(path), "is not a JSON object")
    _check_version(path, value, "schema_version", SCHEMA_VERSION)
    _check_version(path, value, "lmdb_data_version", LMDB_DATA_VERSION)
    files = value.get("files")
    if not isinstance(value.get("run_id"), str) or not isinstance(files, dict):
        raise DamagedFileError(str(path), "has no run_id or no files")
    records = {name: _record(path, name, entry) for name, entry in files.items()}
    if "sha256" in value and not _is_intact(data, value["sha256"]):
        raise DamagedFileError(str(path), "its checksum is not that of its content")
    return Manifest(value["run_id"], records, value["lmdb_data_version"])


def read_summary(run_dir: Place) -> dict[str, Any]:
    """summary.json of a finished run; DamagedFileError when it is no JSON object, FileNotFoundError without one."""
    path = RunLayout(run_dir).summary
    try:
        value = parse_json(path.read_bytes())
    except ValueError as error:
        raise DamagedFileError(str(path), f"is not JSON ({error}); run the same command again") from None
    if not isinstance(value, dict) or not isinstance(value.get("job"), dict):
        raise DamagedFileError(str(path), "is not the summary of a job; run the same command again")
    return value


def verify_manifest(run_dir: Place) -> Iterator[str]:
    """Read every file of a finished run and compare it with the manifest; yields one line for each problem.

    Also yields files in shards/ and data/ that the manifest does not name. Yields nothing for a sound run.
    """
    return (f"{path}: {reason}" for path, reason in damaged_files(run_dir))


def damaged_files(run_dir: Place) -> Iterator[tuple[Place, str]]:
    """The files in which ``verify_manifest`` finds a problem, with the problem."""
    layout = RunLayout(run_dir)
    try:
        manifest = read_manifest(run_dir)
    except DamagedFileError as error:
        yield layout.manifest, error.message
        return
    if "sha256" not in json.loads(layout.manifest.read_bytes()):
        yield layout.manifest, "has no checksum of itself; run the same command again to write a new one"
    for name, record in manifest.files.items():
        path = run_dir / name
        try:
            verify_file(path, record)
        except DamagedFileError as error:
            yield path, error.message
        except OSError as error:
            yield path, f"cannot be read: {error.strerror}"
    # A part that a larger one covers is ignored: a writer that was given up may bring one late.
    counting = live_names(path.name for path in listed(layout.data))
    for path in [*(layout.data / name for name in counting), *listed(layout.shards)]:
        if name_within(path, run_dir) not in manifest.files:
            yield path, "is not in the manifest"


def _is_intact(data: bytes, digest: Any) -> bool:
    """Check a manifest's bytes against its checksum, which is that of the same bytes without the checksum."""
    return (
        isinstance(digest, str)
        and hashlib.sha256(data.replace(digest.encode(), b"", 1)).hexdigest() == digest
    )


def _check_version(path: Place, value: Mapping[str, Any], name: str, known: int) -> None:
    version = value.get(name)
    if not isinstance(version, int):
        raise DamagedFileError(str(path), f"has no {name}")
    if version != known:
        age = "newer" if version > known else "older"
        raise DamagedFileError(
            str(path), f"{name} {version} is {age} than {known}, which this yamafuda reads"
        )


def _record(path: Place, name: str, entry: Any) -> FileRecord:
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise DamagedFileError(str(path), f"names {name!r}, which is outside the run folder")
    try:
        size_bytes, sha256, count = entry["size_bytes"], entry["sha256"], entry["count"]
    except (KeyError, TypeError):
        raise DamagedFileError(
            str(path), f"the entry of {name!r} lacks size_bytes, sha256 or count"
        ) from None
    if not (isinstance(size_bytes, int) and isinstance(sha256, str) and isinstance(count, int)):
        raise DamagedFileError(str(path), f"the entry of {name!r} has a value of a wrong type")
    return FileRecord(Path(name).name, size_bytes, sha256, count)
