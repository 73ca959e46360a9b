"""``yamafuda verify`` finds every kind of damage to a finished table; what reads one says so in one line."""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines import _native
from engines.tables.keyed_files import decode
from pipeline import worker
from pipeline.cli import main
from storage.block import order_key
from storage.digest import TableDigest, exact_sum, exact_sum_float, exact_sum_hex
from storage.layout import RunLayout
from storage.manifest import Manifest, read_manifest, write_manifest
from storage.record import make_file_record
from storage.shardfile import ShardWriter, open_shard

START = "[5{}]; [5{}]"
Edit = Callable[[Any, Any], tuple[Any, Any]]


@pytest.fixture
def yamafuda(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    """The command line in this process: exit status, stdout, stderr. A signal would end the tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(tmp_path / "r"))

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["yamafuda", *words])
        # A process of its own would have no file open, whose content could then change.
        worker._engine.cache_clear()
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main()
                status: Any = 0
            except SystemExit as end:
                status = end.code or 0
        return status, out.getvalue(), err.getvalue()

    return call


def is_way_out(err: str) -> bool:
    """Whether it is the line that says how to mend a run, and nothing else."""
    return err.startswith("to go on: yamafuda verify ") and err.endswith("command\n") and err.count("\n") == 1


@pytest.fixture
def run(build: Any, tmp_path: Path) -> Path:
    """A finished table to do damage to."""
    usual = build.table(3, 2, 5)
    return Path(shutil.copytree(usual.folder, tmp_path / "r" / usual.folder.parent.name / usual.folder.name))


def check_found(answer: tuple[int, str, str], name: str) -> None:
    """One or more problems on stdout, or one line on stderr; the first names the file."""
    status, out, err = answer
    lines = (out if status == 1 else err).splitlines()
    assert status == 1 or (status, len(lines)) == (2, 1), answer
    assert is_way_out(err) if status == 1 else out == ""
    assert name in lines[0]
    assert "unexpected" not in out + err


def files(run: Path) -> list[Path]:
    """Every kind of file that a finished run is read from."""
    layout = RunLayout(run)
    return [
        layout.plan,
        layout.summary,
        layout.manifest,
        *layout.data.iterdir(),
        *sorted(layout.shards.iterdir()),
    ]


def test_a_sound_table(yamafuda: Any, run: Path) -> None:
    assert yamafuda("verify", str(run), "--samples", "1000000") == (0, "no problem found\n", "")


def test_a_changed_byte_is_found_anywhere(yamafuda: Any, run: Path) -> None:
    chance = random.Random(4)
    for path in files(run):
        sound = path.read_bytes()
        for _ in range(12):
            position = chance.randrange(len(sound))
            damaged = bytearray(sound)
            damaged[position] ^= 1 << chance.randrange(8)
            path.write_bytes(damaged)
            check_found(yamafuda("verify", str(run)), path.name)
        path.write_bytes(sound)


def test_cut_and_missing_files_are_found(yamafuda: Any, run: Path) -> None:
    for path in files(run):
        sound = path.read_bytes()
        for length in (0, 1, len(sound) // 2, len(sound) - 1):
            path.write_bytes(sound[:length])
            check_found(yamafuda("verify", str(run)), path.name)
        path.write_bytes(sound + bytes(4096))
        check_found(yamafuda("verify", str(run)), path.name)
        path.unlink()
        # Without its plan a folder is no run.
        check_found(yamafuda("verify", str(run)), run.name if path.name == "plan.json" else path.name)
        path.write_bytes(sound)


def test_exchanged_and_extra_files_are_found(yamafuda: Any, run: Path) -> None:
    one, other = (RunLayout(run).shard(layer, 0) for layer in (3, 4))
    kept = one.rename(run / "kept")
    other.rename(one)
    kept.rename(other)
    status, out, _ = yamafuda("verify", str(run))
    assert status == 1
    assert [path.name in out for path in (one, other)] == [True, True]
    one.rename(kept)
    other.rename(one)
    kept.rename(other)
    for extra in (RunLayout(run).shards / "L99-S000.lmdb", RunLayout(run).data / "part-000000.parquet"):
        extra.write_bytes(b"")
        check_found(yamafuda("verify", str(run)), extra.name)
        extra.unlink()
    assert yamafuda("verify", str(run))[0] == 0


# -- wrong, with checksums that fit ------------------------------------------------------------------------------


def forge(run: Path, layer: int, edit: Edit, shard: int = 0, *, summary: bool = True) -> None:
    """Write a shard with other states, and footer, manifest and summary as if they had been computed."""
    layout = RunLayout(run)
    path = layout.shard(layer, shard)
    with open_shard(path) as opened:
        footer = opened.footer
        parts = [decode(path, block) for _, block in opened.blocks()]
    keys = np.concatenate([part[0] for part in parts])
    values = np.concatenate([np.asarray(part[1]) for part in parts])
    keys, values = edit(keys, values)
    path.unlink()
    writer = ShardWriter(path, layout.staging)
    block = _native.encode_block(keys, values, "float32", footer["key_bits"])
    writer.append(order_key(block), block)
    digest = TableDigest(*_native.table_digest(layer, keys, values, "float32"))
    record = writer.finish(footer | {"digest": digest.hex(), "value_sum": exact_sum_hex(exact_sum(values))})
    records = dict(read_manifest(run).files) | {f"shards/{path.name}": record}
    if summary:
        make_summary(run)
    write_manifest(run, Manifest(run.name, records | {"summary.json": make_file_record(layout.summary)}))


def make_summary(run: Path) -> None:
    layout = RunLayout(run)
    recorded = json.loads(layout.summary.read_text())
    total, digest, counts = 0, TableDigest(), dict.fromkeys(range(10, 0, -1), 0)
    for path in layout.shards.iterdir():
        with open_shard(path) as opened:
            total += int(opened.footer["value_sum"], 16)
            digest += TableDigest.from_hex(opened.footer["digest"])
            counts[opened.footer["layer"]] += opened.count
    with open_shard(layout.shard(10, 0)) as opened:
        values = decode(layout.shard(10, 0), opened.blocks()[0][1])[1]
    assert values is not None
    recorded |= {
        "states_count": sum(counts.values()),
        "states_count_by_layer": list(counts.values()),
        "p_start": float(values[0]),
        "p_sum": exact_sum_float(total),
        "content_digest": digest.hex(),
    }
    layout.summary.write_text(json.dumps(recorded))


def another_value(keys: Any, values: Any) -> tuple[Any, Any]:
    place = len(values) // 2
    values[place] = np.nextafter(np.float32(values[place]), np.float32(0))
    return keys, values


def another_key(keys: Any, values: Any) -> tuple[Any, Any]:
    place = next(i for i in range(len(keys) - 1) if keys[i + 1] - keys[i] > 1)
    keys[place] += np.uint64(1)
    return keys, values


def one_state_less(keys: Any, values: Any) -> tuple[Any, Any]:
    return keys[1:], values[1:]


def test_forging_changes_nothing_else(yamafuda: Any, run: Path) -> None:
    forge(run, 5, lambda keys, values: (keys, values))
    assert yamafuda("verify", str(run), "--samples", "1000000") == (0, "no problem found\n", "")


@pytest.mark.parametrize("layer", [1, 5, 9, 10])
def test_one_wrong_value_is_found_by_evaluating_again(yamafuda: Any, run: Path, layer: int) -> None:
    """The last bit of one float32; as many samples as states."""
    forge(run, layer, another_value)
    count = json.loads(RunLayout(run).summary.read_text())["states_count"]
    status, out, err = yamafuda("verify", str(run), "--samples", str(count))
    assert (status, is_way_out(err)) == (1, True)
    assert f"L{layer:02d}-S000.lmdb: state" in out
    assert "its successors give" in out


@pytest.mark.parametrize("layer", [3, 5, 9])
@pytest.mark.parametrize("edit", [another_key, one_state_less])
def test_missing_states_are_found_by_evaluating_again(
    yamafuda: Any, run: Path, layer: int, edit: Edit
) -> None:
    forge(run, layer, edit)
    status, out, err = yamafuda("verify", str(run), "--samples", "1000000")
    assert (status, is_way_out(err)) == (1, True), out
    assert "unexpected" not in out


def test_a_summary_of_other_files_is_found(yamafuda: Any, run: Path) -> None:
    forge(run, 5, another_value, summary=False)
    status, out, _ = yamafuda("verify", str(run), "--samples", "0")
    assert status == 1
    assert {line.split(" is ")[0] for line in out.splitlines()} >= {"summary.json: content_digest"}


def test_a_value_that_its_footer_does_not_know_is_found(yamafuda: Any, run: Path) -> None:
    layout = RunLayout(run)
    path = layout.shard(5, 0)
    with open_shard(path) as opened:
        footer, block = opened.footer, opened.blocks()[0][1]
        keys, values = decode(path, block)
    path.unlink()
    keys, values = another_value(keys, values)
    writer = ShardWriter(path, layout.staging)
    block = _native.encode_block(keys, values, "float32", footer["key_bits"])
    writer.append(order_key(block), block)
    records = dict(read_manifest(run).files) | {f"shards/{path.name}": writer.finish(footer)}
    write_manifest(run, Manifest(run.name, records))
    status, out, _ = yamafuda("verify", str(run), "--samples", "0")
    assert status == 1
    assert "its values are not those that its footer was written for" in out


def test_shards_in_each_others_place_are_found(yamafuda: Any, build: Any, tmp_path: Path) -> None:
    """With a manifest that fits."""
    usual = build.table(3, 2, 8)
    run = Path(shutil.copytree(usual.folder, tmp_path / "r" / usual.folder.parent.name / usual.folder.name))
    records = dict(read_manifest(run).files)
    one, other = "shards/L09-S001.lmdb", "shards/L09-S002.lmdb"
    (run / one).rename(run / "kept")
    (run / other).rename(run / one)
    (run / "kept").rename(run / other)
    records[one], records[other] = (
        replace(records[there], name=Path(here).name) for here, there in ((one, other), (other, one))
    )
    write_manifest(run, Manifest(run.name, records))
    status, out, err = yamafuda("verify", str(run), "--samples", "0")
    assert (status, is_way_out(err)) == (1, True)
    assert [f"{Path(name).name}: has states of another shard" in out for name in (one, other)] == [True, True]


# -- readers -----------------------------------------------------------------------------------------------------


def damaged(sound: bytes, chance: random.Random) -> list[bytes]:
    used = [position for position, byte in enumerate(sound) if byte]
    found = [sound[: chance.randrange(len(sound))], b""]
    for _ in range(14):
        content = bytearray(sound)
        content[chance.choice(used)] ^= 1 << chance.randrange(8)
        found.append(bytes(content))
    return found


def test_prob_of_a_damaged_table_answers_rightly_or_says_so(yamafuda: Any, run: Path) -> None:
    """Without looking at checksums of whole files, which would take too long for one state."""
    words = ("prob", "--stacks", "3", START, "--json")
    expected = json.loads(yamafuda(*words)[1])
    assert expected["source"] == f"table {run.name}"
    chance = random.Random(5)
    layout = RunLayout(run)
    refused = 0
    for path in (layout.plan, layout.manifest, layout.shard(10, 0), layout.shard(9, 0)):
        sound = path.read_bytes()
        for content in damaged(sound, chance):
            path.write_bytes(content)
            status, out, err = yamafuda(*words)
            if status == 0:
                answer = json.loads(out)
                # A table whose plan cannot be read is passed over.
                assert answer["probability"] == pytest.approx(expected["probability"], rel=1e-6)
                assert answer["source"] == expected["source"] or path == layout.plan
            else:
                assert (status, out, err.count("\n")) == (2, "", 1), err
                assert path.name in err
                refused += 1
        path.write_bytes(sound)
    assert refused > 20


def test_games_by_a_damaged_table_are_right_or_refused(yamafuda: Any, run: Path, tmp_path: Path) -> None:
    words = ("run", "job=stackgame_play", "job.cards=5", "job.games=300")
    status, out, _ = yamafuda(*words)
    assert status == 0
    played = Path(out.strip())
    expected = json.loads(RunLayout(played).summary.read_text())
    chance = random.Random(6)
    layout = RunLayout(run)
    refused = 0
    for path in (
        layout.manifest,
        layout.summary,
        layout.shard(10, 0),
        layout.shard(6, 0),
        layout.shard(1, 0),
    ):
        sound = path.read_bytes()
        for content in damaged(sound, chance)[:6]:
            shutil.rmtree(played)
            path.write_bytes(content)
            status, out, err = yamafuda(*words)
            if status == 0:
                found = json.loads(RunLayout(played).summary.read_text())
                assert found["content_digest"] == expected["content_digest"]
            else:
                assert (status, out, err.count("\n")) == (2, "", 1), err
                assert path.name in err
                refused += 1
            played.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sound)
    assert refused > 10


def test_export_of_a_damaged_table_is_right_or_refused(yamafuda: Any, run: Path, tmp_path: Path) -> None:
    out_dir, path = tmp_path / "out", RunLayout(run).shard(5, 0)

    def exported() -> bytes:
        content = (out_dir / "L05-S000.parquet").read_bytes()
        shutil.rmtree(out_dir)
        return content

    words = ("export", str(run), "--to", str(out_dir))
    assert yamafuda(*words)[0] == 0
    expected = exported()
    refused = 0
    for content in damaged(path.read_bytes(), random.Random(7)):
        path.write_bytes(content)
        status, out, err = yamafuda(*words)
        if status == 0:
            assert exported() == expected
        else:
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert path.name in err
            assert not out_dir.exists()
            refused += 1
    assert refused > 4
