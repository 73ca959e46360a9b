"""An object store as a store: S3, Google Cloud Storage or Azure, through obstore.

New files are put on the condition that there is none (``If-None-Match``), replaced ones on that of their tag where
one is expected. A store that is away, slow or busy is asked again for two minutes; one that refuses credentials is
not. Credentials come from where a store's own tools look for them (AWS_ACCESS_KEY_ID, GOOGLE_APPLICATION_CREDENTIALS,
AZURE_STORAGE_ACCOUNT_KEY, profiles, roles of machines). No error shows them: a server's answer is never repeated.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from storage.errors import UserError
from storage.stores import traffic
from storage.stores.base import Entry, Store
from storage.stores.owned import OwnedObjects

SCHEMES = ("s3", "gs", "az")
PATIENCE_S = 120.0
"""For how long a store that does not answer is asked again."""
PAUSE_S, PAUSE_MOST_S = 0.2, 5.0
PAGE_COUNT = 1000
"""Names in one answer of a store."""
_RETRIES = {"max_retries": 6, "retry_timeout": timedelta(seconds=20)}
"""Retries within one request, by obstore; after that the request is sent again here."""
_NEEDS = {
    "s3": "see AWS_REGION and AWS_ENDPOINT_URL",
    "gs": "see GOOGLE_APPLICATION_CREDENTIALS",
    "az": "AZURE_STORAGE_ACCOUNT_NAME must be set",
}
"""Environment variables that a kind of store needs."""
_REFUSALS = ("UnauthenticatedError", "PermissionDeniedError")
_WRONG = {
    "NoSuchBucket": "there is no such bucket; make it, or give another root",
    "ContainerNotFound": "there is no such container; make it, or give another root",
    "redirect without LOCATION": "is in another region; see AWS_REGION",
}
"""Errors for which asking again is useless, by a word of the answer."""
_ATTEMPTED = re.compile(r"status code: (\d{3})")

T = TypeVar("T")


class StoreRefusedError(UserError):
    """The store answers and refuses access."""


class StoreAwayError(UserError):
    """The store did not answer for ``PATIENCE_S``, or only with its own errors."""


def is_url(text: str) -> bool:
    """Whether a text names a place in an object store."""
    return text.partition("://")[0] in SCHEMES and "://" in text


def refuse_credentials(text: str) -> None:
    """UserError for a URL of an object store with a key or a signature in it; the message does not repeat them."""
    if is_url(text):
        parts = urlsplit(text)
        if "@" in parts.netloc or "=" in parts.query:
            raise UserError(
                f"{parts.scheme}://", "has credentials in it; give them by the environment, not in the URL"
            )


@functools.lru_cache(maxsize=16)
def open_store(bucket_url: str) -> ObjectStore:
    """The store of a bucket, ``s3://bucket``; one for the whole process. No request is sent yet."""
    return ObjectStore(bucket_url)


class ObjectStore(Store):
    """A bucket. Names are the keys of its objects."""

    def __init__(self, bucket_url: str) -> None:
        """UserError when the extra ``stores`` is not installed, or the URL is not that of a bucket."""
        self.url = bucket_url
        refuse_credentials(bucket_url)
        scheme = bucket_url.partition("://")[0]
        try:
            import obstore
            from obstore.store import from_url
        except ImportError:
            raise UserError(bucket_url, "needs the extra: pip install 'yamafuda[stores]'") from None
        self._api: Any = obstore
        self._is_away = False
        self.owned: list[OwnedObjects] = []
        """The objects that this process owns and replaces."""
        options: Any = {"connect_timeout": timedelta(seconds=5), "timeout": timedelta(seconds=60)}
        endpoints = (
            os.environ.get(name, "") for name in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
        )
        if any(each.startswith("http://") for each in endpoints):
            options["allow_http"] = True
        try:
            settings: Any = {
                "client_options": options,
                "retry_config": _RETRIES,
                **_credentials(scheme),
            }
            self._store: Any = from_url(bucket_url, **settings)
        except Exception as error:
            raise UserError(bucket_url, f"cannot be used ({_kind(error)}); {_NEEDS[scheme]}") from None

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return open_store, (self.url,)

    def put_new(self, name: str, source: Path | bytes, durable: bool = True) -> bool:
        """By a conditional put, in one request whatever the size. If the answer was lost, it may return False for its
        own file."""
        return self.put_tagged(name, source) is not None

    def put_tagged(self, name: str, source: Path | bytes) -> str | None:
        """``put_new``; the tag of what was put, None when another was first."""
        size_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
        try:
            found = self._asked(
                name, lambda: self._api.put(self._store, name, source, mode="create", use_multipart=False)
            )
        except self._api.exceptions.AlreadyExistsError:
            traffic.count()
            return None
        traffic.count(written_bytes=size_bytes)
        return str(found["e_tag"])

    def replace(self, name: str, source: Path | bytes, expected: str | None = None) -> bool:
        """Conditional where a tag is expected, and for objects that this process owns (``storage.stores.owned``)."""
        if expected is None and (owned := self._owner(name)):
            owned.put(name, source)
            return True
        return self.replace_tagged(name, source, expected) is not None

    def replace_tagged(self, name: str, source: Path | bytes, expected: str | None = None) -> str | None:
        """``replace``; the tag of what was put, None when what was there had another than ``expected``."""
        size_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
        mode: Any = "overwrite"
        try:
            if expected is not None:
                mode = self._condition(name, expected)
            found = self._asked(
                name, lambda: self._api.put(self._store, name, source, mode=mode, use_multipart=False)
            )
        except (self._api.exceptions.PreconditionError, FileNotFoundError):
            traffic.count()
            return None
        traffic.count(written_bytes=size_bytes)
        return str(found["e_tag"])

    def _condition(self, name: str, expected: str) -> dict[str, str]:
        """The condition of a replacement; FileNotFoundError when the object's tag is not ``expected``."""
        if not self.url.startswith("gs:"):
            return {"e_tag": expected}
        # Google's condition is the generation, which the tags of listings and HEAD requests do not have.
        found = self._asked(name, lambda: self._api.head(self._store, name))
        traffic.count()
        if found["e_tag"] != expected:
            raise FileNotFoundError(f"{self.url}/{name} has changed")
        return {"e_tag": expected, "version": found["version"]}

    def read(self, name: str) -> bytes:
        """In one request."""
        data: bytes = self._asked(name, lambda: bytes(self._api.get(self._store, name).bytes()))
        traffic.count(read_bytes=len(data))
        return data

    def read_range(self, name: str, begin: int, size_bytes: int) -> bytes:
        """In one request."""
        end = begin + size_bytes
        data: bytes = self._asked(
            name, lambda: bytes(self._api.get_range(self._store, name, start=begin, end=end))
        )
        traffic.count(read_bytes=len(data))
        return data

    def save(self, name: str, target: Path) -> str:
        """Read an object into a new file; returns its tag."""

        def once() -> str:
            found = self._api.get(self._store, name)
            with target.open("wb") as stream:
                for chunk in found.stream():
                    stream.write(chunk)
            return str(found.meta["e_tag"])

        tag: str = self._asked(name, once)
        traffic.count(read_bytes=target.stat().st_size)
        return tag

    def look(self, name: str) -> Entry | None:
        """By a HEAD request."""
        try:
            found = self._asked(name, lambda: self._api.head(self._store, name))
        except FileNotFoundError:
            return None
        finally:
            traffic.count()
        return _entry(found)

    def below(self, folder: str) -> Iterator[Entry]:
        """A thousand for each request, in the order of the bytes of their names."""
        prefix, begin = _prefix(folder), None
        while True:
            batch = self._asked(folder, functools.partial(self._page, prefix, begin))
            traffic.count()
            if not batch:
                return
            for found in batch:
                if _is_below(found["path"], prefix):
                    yield _entry(found)
            begin = batch[-1]["path"]

    def _page(self, prefix: str, begin: str | None) -> Any:
        """The first names with a prefix that come after ``begin``, by a new listing, because one that failed has
        ended."""
        found = self._api.list(self._store, prefix or None, offset=begin, chunk_size=PAGE_COUNT)
        return next(iter(found), None)

    def children(self, folder: str) -> tuple[list[str], list[Entry]]:
        """The names of the folders, and the files, right below a folder."""
        prefix = _prefix(folder)
        found = self._asked(folder, lambda: self._api.list_with_delimiter(self._store, prefix or None))
        traffic.count()
        folders = [name for name in found["common_prefixes"] if _is_below(name, prefix)]
        return folders, [_entry(entry) for entry in found["objects"] if _is_below(entry["path"], prefix)]

    def remove(self, name: str) -> None:
        """Remove an object."""
        if owned := self._owner(name):
            owned.before_removal(name)
        with contextlib.suppress(FileNotFoundError):
            self._asked(name, lambda: self._api.delete(self._store, name))
        traffic.count()

    def _owner(self, name: str) -> OwnedObjects | None:
        return next((owned for owned in self.owned if name in owned), None)

    def _asked(self, name: str, ask: Callable[[], T]) -> T:
        """The store's final answer; FileNotFoundError, a condition that failed, or one of our errors.

        After it was away for long, each request is sent only once until the store answers again: a command that ends
        because of it still has several requests to make.
        """
        errors = self._api.exceptions
        begun_s, pause_s = time.monotonic(), PAUSE_S
        while True:
            try:
                found = ask()
                self._is_away = False
                return found
            except (errors.AlreadyExistsError, errors.PreconditionError):
                raise
            except (errors.BaseError, OSError, ValueError) as error:
                for word, reason in _WRONG.items():
                    if word in str(error):
                        raise UserError(self.url, reason) from None
                if isinstance(error, FileNotFoundError):
                    raise FileNotFoundError(f"{self.url}/{name} is not there") from None
                kind = _kind(error)
                if kind == "InvalidPathError":
                    raise UserError(
                        f"{self.url}/{name}",
                        "below it is an object whose name has an empty part, as in a//b, or is . or .., and so it "
                        "cannot be listed; remove that, or give another folder",
                    ) from None
                if type(error).__name__ in _REFUSALS or kind in ("status 400", "status 401", "status 403"):
                    raise StoreRefusedError(
                        f"{self.url}/{name}",
                        f"the store refuses it ({kind}); look at credentials, rights and region, then run the same "
                        "command again",
                    ) from None
                if isinstance(error, OSError) and error.errno is not None:
                    raise  # the error is from a file of this machine
                if self._is_away or time.monotonic() - begun_s > PATIENCE_S:
                    self._is_away = True
                    raise StoreAwayError(
                        f"{self.url}/{name}",
                        f"the store did not answer for {PATIENCE_S:.0f} s ({kind}); run the same command again when "
                        "it does",
                    ) from None
                time.sleep(pause_s)
                pause_s = min(2 * pause_s, PAUSE_MOST_S)


def _prefix(folder: str) -> str:
    """The beginning of all names below a folder."""
    return f"{folder.rstrip('/')}/" if folder else ""


def _is_below(name: str, prefix: str) -> bool:
    """Leaves out the mark that consoles make for an empty folder: an object whose name ends with a slash, and is
    listed without it."""
    return name.startswith(prefix) and len(name) > len(prefix)


def _entry(found: Any) -> Entry:
    return Entry(found["path"], found["size"], found["last_modified"].timestamp(), str(found["e_tag"]))


def _kind(error: Exception) -> str:
    """The kind of error, in words that cannot have a credential in them."""
    status = _ATTEMPTED.search(str(error))
    return f"status {status[1]}" if status is not None else type(error).__name__


def _credentials(scheme: str) -> dict[str, Any]:
    """Credentials from profiles and the like, by boto3, where the environment has no key and boto3 is installed."""
    if scheme != "s3" or "AWS_ACCESS_KEY_ID" in os.environ:
        return {}
    try:
        from obstore.auth.boto3 import Boto3CredentialProvider

        return {"credential_provider": Boto3CredentialProvider()}
    except (ImportError, ValueError, AttributeError):
        return {}
