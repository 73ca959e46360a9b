"""The columns of tables: figures of their shards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engines.contract.vocabulary import shared
from storage.columns import column

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import, and reading values does without it
    import pyarrow as pa


def indexed_figures() -> list[pa.Field]:
    """Columns of tables with values at an index."""
    digest = column("digest", "string", "", "Digest of the shard's states and values.")
    return [*shared("states_count"), digest]


def keyed_figures() -> list[pa.Field]:
    """Columns of tables of keyed states."""
    import pyarrow as pa

    quantiles = "Least, first quartile, median, third quartile and largest value."
    states_count, digest = indexed_figures()
    return [
        states_count,
        column("value_sum", "float64", "", "Sum of the values, rounded once."),
        column("value_quantiles", pa.list_(pa.float64()), "", quantiles),
        digest,
    ]


def keyed_phases() -> Mapping[str, Sequence[pa.Field]]:
    """The phases of tables of keyed states, with the further figures of each."""
    keys = column("keys_count", "int64", "states", "Keys that the phase has written.")
    successors = column("successors_count", "int64", "states", "Successors that the phase has found.")
    return {"start": [keys], "step": [keys], "expand": [successors], "merge": [keys], "evaluate": []}
