"""How reports read runs: the plan, and the rows of the items that are there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from storage.errors import DamagedFileError
from storage.jsontext import parse_json
from storage.layout import RunLayout, run_folders
from storage.place import Place

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")


Runs = Place | tuple[Place, ...]
"""All runs below a folder, or the folders of chosen ones."""


def sound_runs(runs: Runs, read: Callable[[Place], T | None]) -> Iterator[T]:
    """The results of ``read`` for runs, without None; a damaged run is named on stderr and left out."""
    for run_dir in runs if isinstance(runs, tuple) else run_folders([runs]):
        try:
            found = read(run_dir)
        except DamagedFileError as error:
            print(f"yamafuda: {error}; left out", file=sys.stderr)
        else:
            if found is not None:
                yield found


def run_plan(run_dir: Place) -> dict[str, Any]:
    """The plan of a run, with its ``job``; DamagedFileError when it is none."""
    path = RunLayout(run_dir).plan
    try:
        plan = parse_json(path.read_bytes())
        if not isinstance(plan.get("items_count", 0), int):
            raise TypeError(f"items_count is {plan['items_count']!r}")
        return {**plan, "job": dict(plan["job"])}
    except OSError as error:
        raise DamagedFileError(str(path), f"cannot be read ({error.strerror or 'it is no file'})") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DamagedFileError(str(path), f"is not a plan ({error})") from None


def first_rows(run_dir: Place, columns: Sequence[str], renamed: Mapping[str, str] | None = None) -> pa.Table:
    """The columns of a run's rows up to the first missing item: those after it would be a biased sample, the quick
    ones.

    ``renamed``: names of columns in old runs.
    """
    import numpy as np

    from storage.dataset import open_dataset, read_rows

    there = open_dataset(run_dir).schema.names
    old = {name: (renamed or {}).get(name, name) for name in columns}
    names = ["index", *(name if name in there else old[name] for name in columns)]
    rows = read_rows(run_dir, names).rename_columns(["index", *columns])
    index = rows["index"].to_numpy().astype(np.int64)
    gaps = np.flatnonzero(np.diff(index, prepend=-1) > 1)
    return rows.slice(0, int(gaps[0]) if len(gaps) else None).drop_columns(["index"])
