"""Parquet parts as DuckDB reads them: files of this machine; of objects, copies on this machine."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from storage.copies import copies
from storage.errors import UserError
from storage.place import ObjectPath, place_at
from storage.stores.base import Entry
from storage.stores.objects import is_url

AT_ONCE = 16
"""Objects that are copied at the same time."""


_listed: dict[str, Entry] = {}
"""Entries of objects from listings, by URL: to ask for each of thousands of objects would take minutes."""


def listed_objects(folder: ObjectPath) -> dict[str, str]:
    """The objects right below a folder: name -> URL."""
    found = {f"{folder.store.url}/{each.name}": each for each in folder.store.children(folder.key)[1]}
    _listed.update(found)
    return {url.rpartition("/")[2]: url for url in found}


def size_of(path: str) -> int | None:
    """Bytes of a part; None when it is gone."""
    if path in _listed:
        return _listed[path].size_bytes
    try:
        return place_at(path).stat().st_size
    except FileNotFoundError:
        return None


def readable(path: str) -> str:
    """The file that has the content of a part."""
    return _copied(path, _listed.get(path)) if is_url(path) else path


@functools.lru_cache(maxsize=1 << 20)
def _copied(url: str, entry: Entry | None) -> str:
    """One look at a copy is enough. Where a run was removed and computed again, the entry is another one."""
    place = place_at(url)
    assert isinstance(place, ObjectPath)
    return str(copies().of(place, entry))


def bring(paths: Iterable[str]) -> Sequence[str]:
    """The files of parts; those that are objects have been copied here.

    UserError when the copies need more room than they may take.
    """
    found = list(paths)
    _check_room([path for path in found if is_url(path)])
    return fetched(found)


def fetched(paths: Sequence[str]) -> list[str]:
    """``readable`` of each, many at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(readable, filter(is_url, paths)))
    return [readable(path) for path in paths]


def _check_room(urls: Sequence[str]) -> None:
    limit_bytes, needed_bytes = copies().limit_bytes, sum(size_of(url) or 0 for url in urls)
    if needed_bytes > limit_bytes:
        raise UserError(
            "paths.copies_bytes",
            f"the statement reads {needed_bytes:,} bytes of objects, and copies may take {limit_bytes:,}; set "
            "YAMAFUDA_COPIES_BYTES, or name fewer runs",
        )
