"""Choices whose plays were all tried, as columns of rows, and a better policy by them.

The core plays and learns (``engines/native/src/daifugo/trials.rs``, ``net_training.rs``); here is how choices are
written down and read again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from engines import _native
from engines.daifugo.policy import DIGITS, NETWORK_DIGITS, Weights, groups_size, has_network
from storage.columns import column

BATCH_CHOICES = 2048
EPOCHS = 6
RATES = (0.05, 0.0)
"""Largest steps of Adam's method for weights of features and for numbers of a network; they fall evenly to nothing."""
NETWORK_RATES = (0.02, 0.004)
"""The same where there is a network: weights that were learnt before it are changed less."""
PENALTY = 1e-6
"""Half of it times the sum of the squared numbers is taken off."""
OTHERS = 4
"""Players beside the one whose turn it is."""

_PLAIN = ("hand", "unseen", "top_cards", "top_stands", "lock", "revolution", "active", "last")


def columns() -> pa.Schema:
    """A row a choice: what a policy sees, and what its plays are worth."""
    cards = "Bits of cards: 4 * (column - 1) + suit, columns 3 to 2, suits C, D, H, S; the joker is bit 52."
    seat = "counted from the next seat on"
    return pa.schema(
        [
            column("choice", "uint32", "", "Number of the choice in its block, from 0."),
            column("hand", "uint64", "", f"The hand of the player whose turn it is. {cards}"),
            column("unseen", "uint64", "", "All cards of the others, as bits."),
            column("top_cards", "uint64", "", "The play to be beaten, as bits; 0 at a lead."),
            column("top_stands", "int8", "", "What its joker stands for: 4 * column + suit; -1 for none."),
            column("lock", "uint8", "", "The locked suits, a bit each; 0 without a lock."),
            column("revolution", "bool", "", "Whether the order of strength is turned round."),
            column("others_counts", pa.list_(pa.uint8()), "cards", f"Cards of each of the others, {seat}."),
            column(
                "active", "uint8", "", f"Who of the others may still play in the trick: a bit each, {seat}."
            ),
            column("last", "uint8", "", f"Who played last: 1 to 4, {seat}; 0 for the player."),
            column(
                "plays_points",
                pa.list_(pa.float32()),
                "points",
                "Mean points of the playouts that begin with each play, in the core's order; a pass is the last.",
            ),
        ]
    )


def rows_of(trials: _native.DaifugoTrials) -> dict[str, Any]:
    """Columns of a block's choices."""
    found = dict(trials.columns())
    count = len(trials)
    ends = np.concatenate([[0], found["ends"]]).astype(np.int32)
    fours = np.arange(0, OTHERS * count + 1, OTHERS, dtype=np.int32)
    return {
        "choice": pa.array(np.arange(count, dtype=np.uint32)),
        **{name: pa.array(found[name]) for name in _PLAIN},
        "others_counts": pa.ListArray.from_arrays(pa.array(fours), pa.array(found["counts"].ravel())),
        "plays_points": pa.ListArray.from_arrays(pa.array(ends), pa.array(found["points"])),
    }


def trials_of(rows: pa.Table) -> _native.DaifugoTrials:
    """Rows' choices again; ValueError if they cannot be."""
    rows = rows.combine_chunks()
    plain = {name: rows[name].to_numpy() for name in _PLAIN}
    points = rows["plays_points"].combine_chunks()
    lengths = points.value_lengths().to_numpy().astype(np.uint64)
    counts = rows["others_counts"].combine_chunks().flatten().to_numpy()
    return _native.DaifugoTrials(
        **plain,
        counts=counts.reshape(len(rows), OTHERS),
        points=points.flatten().to_numpy(),
        ends=np.cumsum(lengths, dtype=np.uint64),
    )


def improve(weights: Weights, passes: bool, trials: _native.DaifugoTrials, temperature: float) -> Weights:
    """Weights by which choices are worth more: gradient steps from ``weights`` on (Adam); the same on every call.

    What grows is the mean over the choices of points and ``temperature`` times entropy (in nats), so that a play
    that is worth a little less is made now and then. No play's own points are fitted: errors of single ones, which
    are large, cancel out.
    """
    rates = NETWORK_RATES if has_network(weights) else RATES
    found = trials.improve(
        weights,
        passes,
        temperature=temperature,
        epochs=EPOCHS,
        batch=BATCH_CHOICES,
        rates=rates,
        penalty=PENALTY,
    )
    split = groups_size()
    parts = [found[:split].round(DIGITS), found[split:].round(NETWORK_DIGITS)]
    return np.concatenate(parts).astype(np.float32)
