"""Places as Arrow reads them: a file system and a path in it.

Objects are read by ranges through our own store: so a store that is away is asked again, requests are counted, and no
server's answer gets into an error.
"""

from __future__ import annotations

import functools
import io
from typing import Any

import pyarrow as pa
import pyarrow.fs as pafs

from storage.place import ObjectPath, Place
from storage.stores.objects import ObjectStore

READ_AHEAD_BYTES = 1 << 20
"""Bytes that travel in about the time that one request takes."""


def location(place: Place) -> tuple[pafs.FileSystem, str]:
    """The file system that a place is in, and its path there."""
    if isinstance(place, ObjectPath):
        return _bucket(place.store), place.key
    return pafs.LocalFileSystem(), str(place)


@functools.lru_cache(maxsize=16)
def _bucket(store: ObjectStore) -> pafs.FileSystem:
    return pafs.PyFileSystem(_Bucket(store))


class _Object(io.RawIOBase):
    """An object as a file that can be read anywhere."""

    def __init__(self, store: ObjectStore, name: str, size_bytes: int) -> None:
        self._store, self._name, self._size_bytes, self._place = store, name, size_bytes, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        begin = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size_bytes}[whence]
        self._place = begin + offset
        return self._place

    def readinto(self, buffer: Any) -> int:
        wanted = min(len(buffer), self._size_bytes - self._place)
        if wanted <= 0:
            return 0
        data = self._store.read_range(self._name, self._place, wanted)
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)


class _Bucket(pafs.FileSystemHandler):  # type: ignore[misc]
    """A bucket, only for reading."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Bucket) and other._store is self._store

    def __ne__(self, other: object) -> bool:
        return not self == other

    def get_type_name(self) -> str:
        return "yamafuda"

    def normalize_path(self, path: str) -> str:
        return path

    def get_file_info(self, paths: list[str]) -> list[pafs.FileInfo]:
        return [self._info(path) for path in paths]

    def _info(self, path: str) -> pafs.FileInfo:
        entry = self._store.look(path)
        if entry is not None:
            return pafs.FileInfo(path, pafs.FileType.File, size=entry.size_bytes)
        is_folder = next(self._store.below(path), None) is not None
        return pafs.FileInfo(path, pafs.FileType.Directory if is_folder else pafs.FileType.NotFound)

    def get_file_info_selector(self, selector: pafs.FileSelector) -> list[pafs.FileInfo]:
        folders, entries = self._store.children(selector.base_dir)
        if selector.recursive:
            folders, entries = [], list(self._store.below(selector.base_dir))
        if not entries and not folders and not selector.allow_not_found:
            raise FileNotFoundError(selector.base_dir)
        files = [pafs.FileInfo(each.name, pafs.FileType.File, size=each.size_bytes) for each in entries]
        return files + [pafs.FileInfo(name, pafs.FileType.Directory) for name in folders]

    def open_input_file(self, path: str) -> pa.PythonFile:
        entry = self._store.look(path)
        if entry is None:
            raise FileNotFoundError(path)
        raw = _Object(self._store, path, entry.size_bytes)
        return pa.PythonFile(io.BufferedReader(raw, READ_AHEAD_BYTES), mode="r")

    def open_input_stream(self, path: str) -> pa.PythonFile:
        return self.open_input_file(path)

    def _refuse(self, *_: Any) -> Any:
        raise NotImplementedError("objects are written through storage.publish")

    create_dir = delete_dir = delete_dir_contents = delete_root_dir_contents = delete_file = _refuse
    move = copy_file = open_output_stream = open_append_stream = _refuse
