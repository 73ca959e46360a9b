"""Parquet parts as DuckDB reads them: files of this machine, of objects their copies."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from storage.copies import copies, local
from storage.errors import UserError
from storage.place import ObjectPath, place_at
from storage.stores.objects import is_url

AT_ONCE = 16
"""Objects that travel at the same time."""


@functools.lru_cache(maxsize=1 << 20)
def readable(path: str) -> str:
    """The file that has the content of a part. A part never changes, so that one look is enough."""
    return str(local(place_at(path))) if is_url(path) else path


def bring(paths: Iterable[str]) -> Sequence[str]:
    """The files of parts, after all of them have been copied here that are objects.

    UserError when copies may not take as much as they need together.
    """
    found = list(paths)
    objects = [path for path in found if is_url(path)]
    if objects:
        _check_room(objects)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(readable, objects))
    return [readable(path) for path in found]


def _check_room(urls: Sequence[str]) -> None:
    """Held against the limit by folder: one request tells the sizes of a thousand objects."""
    limit_bytes, wanted = copies().limit_bytes, set(urls)
    folders = {str(folder): folder for folder in (place_at(url).parent for url in urls)}
    needed_bytes = 0
    for folder in folders.values():
        assert isinstance(folder, ObjectPath)
        entries = folder.store.below(folder.key)
        needed_bytes += sum(
            each.size_bytes for each in entries if f"{folder.store.url}/{each.name}" in wanted
        )
    if needed_bytes > limit_bytes:
        raise UserError(
            "paths.copies_bytes",
            f"the statement reads {needed_bytes:,} bytes of objects, and copies may take {limit_bytes:,}; set "
            "YAMAFUDA_COPIES_BYTES, or name fewer runs",
        )
