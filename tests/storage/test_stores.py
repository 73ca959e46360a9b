"""What folders and object stores both do, asked of both."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from google_store import google_server
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.errors import UserError
from storage.place import place_at
from storage.stores import objects, traffic
from storage.stores.base import Store
from storage.stores.folder import FolderStore
from storage.stores.objects import StoreAwayError, StoreRefusedError, open_store


@pytest.fixture(params=["folder", "objects", "google"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    if request.param == "folder":
        yield FolderStore(tmp_path / "root")
    elif request.param == "objects":
        yield open_store(request.getfixturevalue("bucket"))
    else:
        with google_server(monkeypatch, tmp_path / "account.json") as url:
            yield objects.ObjectStore(url)


def test_of_two_writers_the_first_wins(store: Store) -> None:
    assert store.put_new("a/b.txt", b"first")
    assert not store.put_new("a/b.txt", b"second")
    assert store.read("a/b.txt") == b"first"


def test_of_many_writers_at_once_one_wins(store: Store) -> None:
    won: list[int] = []

    def write(number: int) -> None:
        if store.put_new("unit", b"%d" % number):
            won.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [store.read("unit")] == [b"%d" % number for number in won]


def test_files_are_put_as_bytes_are(store: Store, tmp_path: Path) -> None:
    source = tmp_path / "root" / "source.tmp"
    source.parent.mkdir(exist_ok=True)
    source.write_bytes(b"x" * 100_000)
    assert store.put_new("big", source)
    assert source.exists()
    assert store.read("big") == b"x" * 100_000
    store.replace("big", source)
    found = store.look("big")
    assert found is not None
    assert (found.name, found.size_bytes) == ("big", 100_000)


def test_what_is_replaced_is_what_was_expected(store: Store) -> None:
    store.put_new("lease", b"one")
    first = store.look("lease")
    assert first is not None
    assert store.replace("lease", b"two", first.tag)
    assert not store.replace("lease", b"three", first.tag)
    assert store.read("lease") == b"two"
    assert store.replace("lease", b"four")
    assert store.read("lease") == b"four"
    assert not store.replace("nothing", b"five", first.tag)
    assert store.look("nothing") is None


def test_names_below_a_folder(store: Store) -> None:
    for name in ("run/data/1", "run/data/2", "run/plan", "runner/x", "other"):
        store.put_new(name, name.encode())
    assert [entry.name for entry in store.below("run")] == ["run/data/1", "run/data/2", "run/plan"]
    assert [entry.size_bytes for entry in store.below("run/data")] == [10, 10]
    assert list(store.below("nowhere")) == []
    assert len(list(store.below(""))) == 5


def test_lists_are_whole_whatever_their_length(bucket: str) -> None:
    """A server tells a thousand names at a time."""
    store = open_store(bucket)
    names = [f"many/{number:04d}" for number in range(1100)]
    for name in names:
        store.put_new(name, b"")
    before = traffic.so_far()
    assert [entry.name for entry in store.below("many")] == names
    assert traffic.so_far().since(before).requests_count == 3  # the last one tells that there are no more


def test_what_is_not_there(store: Store) -> None:
    with pytest.raises(FileNotFoundError):
        store.read("nothing")
    with pytest.raises(FileNotFoundError):
        store.read_range("nothing", 0, 1)
    assert store.look("nothing") is None
    store.remove("nothing")


def test_what_is_removed_is_gone_and_can_come_again(store: Store) -> None:
    store.put_new("a", b"one")
    store.remove("a")
    assert store.look("a") is None
    assert store.put_new("a", b"two")


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.binary(min_size=1, max_size=5000), begin=st.integers(0, 4999), size=st.integers(1, 5000))
def test_ranges_are_slices(store: Store, data: bytes, begin: int, size: int) -> None:
    begin %= len(data)
    store.replace("file", data)
    assert store.read_range("file", begin, size) == data[begin : begin + size]


def test_traffic_is_counted(bucket: str) -> None:
    store, before = open_store(bucket), traffic.so_far()
    store.put_new("a", b"12345")
    store.put_new("a", b"12345")
    store.read("a")
    moved = traffic.so_far().since(before)
    assert (moved.requests_count, moved.written_bytes, moved.read_bytes) == (3, 5, 5)


def test_a_store_that_is_away_is_asked_again_and_then_named(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setattr(objects, "PATIENCE_S", 0.5)
    monkeypatch.setattr(objects, "_RETRIES", {"max_retries": 0})
    store = objects.ObjectStore(bucket)
    with pytest.raises(StoreAwayError, match=r"did not answer for .* run the same command again"):
        store.read("a")
    # Whoever puts things in order after that does not wait as long for each.
    monkeypatch.setattr(objects, "PATIENCE_S", 1e6)
    with pytest.raises(StoreAwayError):
        store.remove("a")
    store._asked("a", lambda: None)
    answers = iter([OSError("no answer"), "an answer"])

    def ask() -> str:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    assert store._asked("a", ask) == "an answer"


class _Answers(http.server.BaseHTTPRequestHandler):
    """The next of the server's answers to whatever is asked."""

    server: _AnsweringServer

    def do_GET(self) -> None:
        status, body = self.server.answers.pop(0)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: object) -> None:
        """Nothing is printed."""


class _AnsweringServer(http.server.HTTPServer):
    answers: list[tuple[int, bytes]]


@pytest.fixture
def answering(bucket: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[_AnsweringServer]:
    """A server in the place of the bucket's, which answers as it is told."""
    monkeypatch.setattr(objects, "_RETRIES", {"max_retries": 0})
    with _AnsweringServer(("127.0.0.1", 0), _Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()


LIST = b"""<ListBucketResult><Contents><Key>run/a</Key><Size>1</Size><ETag>"x"</ETag>
<LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>"""
EMPTY = b"<ListBucketResult></ListBucketResult>"


def test_a_list_that_fails_is_asked_for_anew(bucket: str, answering: _AnsweringServer) -> None:
    """Not taken to have ended."""
    answering.answers = [(500, b""), (200, LIST), (503, b""), (200, EMPTY)]
    assert [entry.name for entry in objects.ObjectStore(bucket).below("run")] == ["run/a"]
    assert answering.answers == []


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (404, b"<Error><Code>NoSuchBucket</Code></Error>", "there is no such bucket"),
        (301, b"", "is in another region; see AWS_REGION"),
        (403, b"", r"refuses it \(status 403\); look at credentials, rights and region"),
    ],
)
def test_what_is_asked_again_in_vain_is_said_at_once(
    status: int, body: bytes, words: str, bucket: str, answering: _AnsweringServer
) -> None:
    store = objects.ObjectStore(bucket)
    for ask in (lambda: list(store.below("run")), lambda: store.children("run"), lambda: store.read("a")):
        answering.answers = [(status, body)]
        with pytest.raises(UserError, match=words):
            ask()


def test_names_of_others_that_cannot_be_listed_are_said_at_once(bucket: str) -> None:
    client = boto3.client("s3", region_name="us-east-1")
    store = objects.ObjectStore(bucket)
    client.put_object(Bucket=bucket.removeprefix("s3://"), Key="run//data", Body=b"")
    for ask in (lambda: list(store.below("run")), lambda: store.children("run")):
        with pytest.raises(UserError, match="an object whose name has an empty part"):
            ask()
    assert store.put_new("other/data", b"")
    assert [entry.name for entry in store.below("other")] == ["other/data"]


def test_what_a_console_makes_of_a_folder_is_no_file(bucket: str) -> None:
    """An object whose name ends with a slash."""
    client = boto3.client("s3", region_name="us-east-1")
    store = objects.ObjectStore(bucket)
    for key in ("run/", "run/1", "/", "/x"):
        client.put_object(Bucket=bucket.removeprefix("s3://"), Key=key, Body=b"")
    assert [entry.name for entry in store.below("run")] == ["run/1"]
    folders, files = store.children("run")
    assert (folders, [entry.name for entry in files]) == ([], ["run/1"])
    assert store.children("") == (["run"], [])


def test_credentials_are_in_no_error(bucket: str) -> None:
    """Servers repeat the key that they were given."""
    store = objects.ObjectStore(bucket)

    def refuse() -> None:
        raise store._api.exceptions.PermissionDeniedError(
            "Server returned non-2xx status code: 403 Forbidden: <AWSAccessKeyId>AKIAFORTESTS</AWSAccessKeyId>"
        )

    with pytest.raises(StoreRefusedError) as caught:
        store._asked("a", refuse)
    assert "AKIA" not in str(caught.value)
    assert "status 403" in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "url",
    [
        "s3://key:secret@bucket",
        "s3://key:secret@bucket/a",
        "s3://bucket?sig=secret",
        "az://box/a?sv=1&sig=secret",
    ],
)
def test_credentials_in_urls_are_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UserError, match="has credentials in it") as caught:
        place_at(url)
    assert "secret" not in str(caught.value)


def test_without_a_root_names_are_paths(tmp_path: Path) -> None:
    store = FolderStore()
    store.put_new(str(tmp_path / "a" / "b"), b"content")
    assert [entry.name for entry in store.below(str(tmp_path / "a"))] == [str(tmp_path / "a" / "b")]


def test_what_a_store_is_not_made_without_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    with pytest.raises(UserError, match="AZURE_STORAGE_ACCOUNT_NAME must be set"):
        objects.ObjectStore("az://container")
