"""The files that players use: tables of he and weights of the learnt policy, identified by their digests."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engines.daifugo.player_options import PlayerOptions, asks_policy, lacks_table
from storage.errors import UserError

if TYPE_CHECKING:  # commands that only read their options do without the core
    from engines.daifugo.he_table import HeTable
    from engines.daifugo.policy import Weights

POLICIES = Path(__file__).parent / "policies"
PACKAGE_WEIGHTS = POLICIES / "mixed.json"


def with_files(options: PlayerOptions, prefix: str) -> PlayerOptions:
    """Options with the whole paths and digests of the files; UserError when one is not given or has changed."""
    if lacks_table(options):
        raise UserError(f"{prefix}table", "he needs a table that was learnt: yamafuda run job=daifugo_learn")
    if options.table is not None:
        path = str(Path(options.table).resolve())
        options = replace(
            options,
            table=path,
            table_sha256=_same(options.table_sha256, _digest(path), f"{prefix}table", path),
        )
    if asks_policy(options):
        # The package's own files keep no path, so that a run has the same name wherever the package is.
        weights = options.weights
        if weights is not None and _own_file(weights) is None:
            weights = str(Path(weights).resolve())
        sha256 = hashlib.sha256(read_weights(weights).astype("<f4").tobytes()).hexdigest()
        named = weights or "the package's policy"
        options = replace(
            options,
            weights=weights,
            weights_sha256=_same(options.weights_sha256, sha256, f"{prefix}weights", named),
        )
    return options


def _same(expected: str | None, found: str, field: str, path: str) -> str:
    """The digest; UserError if it differs from the run's."""
    if expected not in (None, found):
        raise UserError(field, f"{path} is not the file that the run began with")
    return found


def _digest(path: str) -> str:
    """Digest of the counts, whatever file they are in."""
    table = read_table(path)
    return hashlib.sha256(table.seen.astype("<u8").tobytes() + table.held.astype("<u8").tobytes()).hexdigest()


@functools.lru_cache(maxsize=16)
def read_table(path: str) -> HeTable:
    """A table, read once in a process."""
    from engines.daifugo.he_table import load

    return load(path)


@functools.lru_cache(maxsize=16)
def read_weights(path: str | None) -> Weights:
    """Weights of a policy, read once in a process; None, or a name like ``champion``: those of the package."""
    from engines.daifugo.policy import load

    return load(PACKAGE_WEIGHTS if path is None else _own_file(path) or Path(path))


def _own_file(name: str) -> Path | None:
    """The package's policy of a name."""
    path = POLICIES / f"{name}.json"
    return path if Path(name).name == name and path.exists() else None
