"""Places in a bucket do what paths in a folder do."""

from __future__ import annotations

import pickle
import socket
import subprocess
from pathlib import Path

import pytest

from storage.copies import Copies, local, use_scratch
from storage.errors import UserError
from storage.place import ObjectPath, Place, listed, name_within, place_at
from storage.publish import publish, staged, write_bytes_atomic
from storage.stores.temporary import temporary_name


@pytest.fixture(params=["folder", "objects"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "folder":
        return tmp_path / "root"
    return place_at(request.getfixturevalue("bucket")) / "root"


def test_names(root: Place) -> None:
    path = root / "data" / "part-1.parquet"
    assert (path.name, path.suffix, path.parent.name) == ("part-1.parquet", ".parquet", "data")
    assert name_within(path, root) == "data/part-1.parquet"
    with pytest.raises(ValueError, match="part-1"):
        name_within(root, path)
    assert path == root / "data/part-1.parquet"
    assert path.with_name("b") == root / "data" / "b"
    assert place_at(str(path)) == path
    assert pickle.loads(pickle.dumps(path)) == path
    assert hash(path) == hash(root / "data/part-1.parquet")
    assert sorted([root / "b", root / "a"]) == [root / "a", root / "b"]


def test_what_is_there(root: Place) -> None:
    for name in ("plan.json", "data/b", "data/a.tmp", "data/deep/c"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        write_bytes_atomic(root / name, name.encode())
    assert (root / "plan.json").is_file()
    assert not (root / "plan.json").is_dir()
    assert (root / "data").is_dir()
    assert not (root / "data").is_file()
    assert (root / "data").exists()
    assert not (root / "dat").exists()
    assert [path.name for path in listed(root / "data")] == ["a.tmp", "b", "deep"]
    assert [path.name for path in listed(root / "data", "*.tmp")] == ["a.tmp"]
    assert [path.name for path in listed(root / "none")] == []
    assert sorted(path.name for path in (root / "data").rglob("*") if path.is_file()) == ["a.tmp", "b", "c"]
    assert (root / "data/b").read_bytes() == b"data/b"
    assert (root / "data/b").stat().st_size == 6
    (root / "data/b").unlink()
    (root / "data/b").unlink(missing_ok=True)
    with pytest.raises(FileNotFoundError):
        (root / "data/b").unlink()
    with pytest.raises(FileNotFoundError):
        (root / "data/b").stat()


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("foo://x", "paths.results", "none of s3://"),
        (" ", "paths.results", "is empty"),
        ("s3:///a", "paths.results", "names no bucket"),
        ("http://x", "paths.results", "none of"),
    ],
)
def test_what_is_no_place_is_named(text: str, field: str, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        place_at(text)
    assert caught.value.field == field


def test_file_urls_are_folders() -> None:
    assert place_at("file:///a%20b/c") == Path("/a b/c")


def test_an_object_travels_once(bucket: str, tmp_path: Path) -> None:
    root = place_at(bucket)
    assert isinstance(root, ObjectPath)
    root.store.put_new("a", b"content")
    copies = Copies(tmp_path / "copies")
    first = copies.of(root / "a")
    state = first.stat()
    assert first.read_bytes() == b"content"
    assert copies.of(root / "a") == first
    assert first.stat().st_ino == state.st_ino
    root.store.replace("a", b"another")
    assert copies.of(root / "a").read_bytes() == b"another"
    with pytest.raises(FileNotFoundError):
        copies.of(root / "b")


def test_what_was_published_here_does_not_travel_back(bucket: str, tmp_path: Path) -> None:
    use_scratch(str(tmp_path / "scratch"))
    root = place_at(bucket)
    with staged(root / "a", root / "staging") as temporary:
        temporary.write_bytes(b"content")
        state = temporary.stat()
        assert publish(temporary, root / "a")
    assert local(root / "a").stat().st_ino == state.st_ino
    with staged(root / "a", root / "staging") as temporary:
        temporary.write_bytes(b"another")
        assert not publish(temporary, root / "a")
    assert local(root / "a").read_bytes() == b"content"


def test_copies_are_bounded_and_the_longest_unused_goes(bucket: str, tmp_path: Path) -> None:
    root = place_at(bucket)
    assert isinstance(root, ObjectPath)
    for name in "abc":
        root.store.put_new(name, name.encode() * 40)
    copies = Copies(tmp_path / "copies", 100)
    a, b = copies.of(root / "a"), copies.of(root / "b")
    copies.of(root / "a")
    c = copies.of(root / "c")
    assert [path.exists() for path in (a, b, c)] == [True, False, True]


def test_a_copy_that_was_cut_short_is_made_again(bucket: str, tmp_path: Path) -> None:
    root = place_at(bucket)
    assert isinstance(root, ObjectPath)
    root.store.put_new("a", b"content")
    copies = Copies(tmp_path / "copies")
    copies.of(root / "a").write_bytes(b"con")
    assert copies.of(root / "a").read_bytes() == b"content"


def test_what_killed_writers_left_goes(tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    ended = subprocess.Popen(["true"])
    ended.wait()
    host = socket.gethostname().split(".")[0]
    left = [
        folder / "staging" / f"a.{host}.{ended.pid}.{'0' * 16}.tmp",
        folder / "ab" / f"c.{host}.{ended.pid}.{'1' * 16}.tmp",
    ]
    kept = [
        folder / "staging" / temporary_name("a"),
        folder / "staging" / f"a.elsewhere.{ended.pid}.{'0' * 16}.tmp",
        folder / "ab" / ("c" * 64),
    ]
    for path in [*left, *kept]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    use_scratch(str(tmp_path))
    assert [path.exists() for path in left] == [False, False]
    assert all(path.exists() for path in kept)


def test_copies_are_not_all_looked_at_for_each(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = place_at(bucket)
    assert isinstance(root, ObjectPath)
    copies = Copies(tmp_path / "copies", 64 * 50)
    looks: list[int] = []
    files = Copies._files
    monkeypatch.setattr(Copies, "_files", lambda self, *given: [looks.append(1), *files(self, *given)][1:])
    for number in range(10):
        root.store.put_new(str(number), b"x" * 10)
        copies.of(root / str(number))
    assert len(looks) == 2
