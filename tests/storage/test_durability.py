"""A file is on the disk before it has its name, and its name before anyone relies on it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from storage import publish
from storage.block import encode_block, order_key
from storage.dataset import Provenance, write_part
from storage.manifest import Manifest, write_manifest
from storage.shardfile import ShardWriter


class Disk:
    """Notes the order in which files are synced and get their names."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps: list[tuple[str, Path, Path | None]] = []
        sync, link, replace = os.fsync, os.link, os.replace

        def noted_sync(descriptor: int) -> None:
            sync(descriptor)
            self.steps.append(("sync", Path(f"/proc/self/fd/{descriptor}").readlink(), None))

        def noted_link(source: Path, target: Path) -> None:
            link(source, target)
            self.steps.append(("name", Path(source), Path(target)))

        def noted_replace(source: Path, target: Path) -> None:
            replace(source, target)
            self.steps.append(("name", Path(source), Path(target)))

        monkeypatch.setattr(os, "fsync", noted_sync)
        monkeypatch.setattr(os, "link", noted_link)
        monkeypatch.setattr(os, "replace", noted_replace)

    def is_durable(self, final: Path) -> bool:
        """Whether the file was synced before it got its name, and the folder after."""
        named = [
            number for number, (what, _, target) in enumerate(self.steps) if (what, target) == ("name", final)
        ]
        (number,) = named
        _, source, _ = self.steps[number]
        before, after = self.steps[:number], self.steps[number:]
        return ("sync", source, None) in before and ("sync", final.parent, None) in after


def write_some_bytes(final: Path, staging: Path) -> None:
    with publish.staged(final, staging) as temporary:
        temporary.write_bytes(b"x")
        publish.publish(temporary, final)


def write_some_part(final: Path, staging: Path) -> None:
    rows = pa.table({"run_id": ["a"], "attempt": [1], "index": [0]})
    write_part(final, staging, rows, Provenance("a", 1, {"name": "play"}))


def write_some_shard(final: Path, staging: Path) -> None:
    writer = ShardWriter(final, staging)
    block = encode_block(None, np.arange(3, dtype=np.uint8), 64, 0)
    writer.append(order_key(block), block)
    writer.finish({"key_bits": 64, "value_type": "uint8", "layer": 1, "shard": 0})


@pytest.mark.parametrize(
    "write",
    [
        write_some_bytes,
        lambda final, staging: publish.write_bytes_atomic(final, b"x"),
        lambda final, staging: publish.write_json_atomic(final, {"a": 1}),
        lambda final, staging: write_manifest(final.parent, Manifest("ab12")),
        write_some_part,
        write_some_shard,
    ],
    ids=["publish", "bytes", "json", "manifest", "part", "shard"],
)
def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path, Path], object]
) -> None:
    folder = tmp_path.resolve()
    disk = Disk(monkeypatch)
    write(folder / "manifest.json", folder / "staging")
    assert (folder / "manifest.json").exists()
    assert disk.is_durable(folder / "manifest.json")


def test_what_need_not_last_is_not_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch)
    with publish.staged(tmp_path / "keys.bin", tmp_path / "staging") as temporary:
        temporary.write_bytes(b"x")
        assert publish.publish(temporary, tmp_path / "keys.bin", durable=False)
    assert [what for what, *_ in disk.steps] == ["name"]
