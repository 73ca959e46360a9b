"""Policies for playouts that are learnt from games: softmax over the features of legal plays, as JSON files.

``policy_examples`` tells of features. A file has ``version`` (1, or 2 with a network), ``weights`` (by group, a list
of numbers each), ``network`` in version 2 (rows of numbers: one for each input of
``engines/native/src/daifugo/inputs.rs``, what sums begin with, and the sums' weights), ``sources``: what was learnt
from, one after the other (players' options, seed and games; or the fields of a run of ``job=daifugo_policy``), and
``judged``: how well choices of other games are foreseen (``policy_judging``), or what they are worth (``policy_job``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engines import _native
from storage.errors import UserError
from storage.publish import write_json_atomic

Weights = npt.NDArray[np.float32]
"""Weights of all groups in a row, and the numbers of a network behind them, if there is one."""

DIGITS = 3
"""Decimals of weights in a file."""
WEIGHT_MAX = 10.0
"""Largest absolute value of a weight, as in the core."""
NETWORK_DIGITS = 4
"""Decimals of a network's numbers in a file."""
NUMBER_MAX = 100.0
"""Largest absolute value of a network's number, as in the core."""
_VERSION, _NETWORK_VERSION = 1, 2


def groups_size() -> int:
    """Weights of all groups."""
    return sum(size for _, size in _native.daifugo_policy_groups())


def has_network(weights: Weights) -> bool:
    """Whether the numbers of a network follow the weights of groups."""
    return len(weights) > groups_size()


def with_network(weights: Weights, seed: int) -> Weights:
    """The same weights with a network that has learnt nothing, if there is none."""
    if has_network(weights):
        return weights
    both: Weights = np.concatenate([weights, _native.daifugo_policy_fresh_network(seed)])
    return both


def save(
    path: Path, weights: Weights, sources: Sequence[Mapping[str, Any]], judged: Mapping[str, Any]
) -> None:
    """Write a file of weights with where they come from; ``sources`` are plain values."""
    ends = np.cumsum([size for _, size in _native.daifugo_policy_groups()])
    parts = np.split(weights[: ends[-1]], ends[:-1])
    by_group = {
        name: [round(float(weight), DIGITS) for weight in part]
        for (name, _), part in zip(_native.daifugo_policy_groups(), parts, strict=True)
    }
    document = {
        "version": _NETWORK_VERSION if has_network(weights) else _VERSION,
        "sources": list(sources),
        "judged": dict(judged),
        "weights": by_group,
    }
    if has_network(weights):
        rows = weights[ends[-1] :].reshape(-1, _native.daifugo_policy_network()[1])
        document["network"] = [[round(float(number), NETWORK_DIGITS) for number in row] for row in rows]
    write_json_atomic(path, document)


def load(path: Path) -> Weights:
    """The weights of a file; UserError naming it when it is none, or has other groups than the core."""
    field, document = str(path), _read(path)
    by_group = document.get("weights")
    groups = _native.daifugo_policy_groups()
    if not isinstance(by_group, dict) or set(by_group) != {name for name, _ in groups}:
        raise UserError(field, f"weights: not of the groups {', '.join(name for name, _ in groups)}")
    for name, size in groups:
        part = by_group[name]
        if not isinstance(part, list) or len(part) != size or not all(map(_is_weight, part)):
            raise UserError(
                field, f"weights.{name}: not {size} numbers from {-WEIGHT_MAX:g} to {WEIGHT_MAX:g}"
            )
    parts = [np.array(by_group[name], np.float32) for name, _ in groups]
    if document["version"] == _NETWORK_VERSION:
        parts.append(_network(field, document.get("network")))
    weights: Weights = np.concatenate(parts)
    return weights


def _network(field: str, rows: object) -> Weights:
    count, width = _native.daifugo_policy_network()
    if (
        not isinstance(rows, list)
        or len(rows) != count // width
        or not all(isinstance(row, list) and len(row) == width for row in rows)
        or not all(_is_number(number, NUMBER_MAX) for row in rows for number in row)
    ):
        raise UserError(
            field,
            f"network: not {count // width} rows of {width} numbers from -{NUMBER_MAX:g} to {NUMBER_MAX:g}",
        )
    if rows[-1][0] != 0:
        raise UserError(
            field, "network: the first number of the last row is not 0; the first sum has no weight"
        )
    return np.array(rows, np.float32).ravel()


def sources(path: Path) -> list[Any]:
    """What the weights of a file were learnt from; UserError as by ``load``."""
    found = _read(path).get("sources")
    return found if isinstance(found, list) else []


def _read(path: Path) -> dict[str, Any]:
    field = str(path)
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise UserError(field, f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise UserError(field, "is no JSON") from None
    if not isinstance(document, dict) or not _is_version(document.get("version")):
        raise UserError(field, f"is no policy of version {_VERSION} or {_NETWORK_VERSION}")
    return document


def _is_version(value: object) -> bool:
    # To Python true is 1, and 2.0 is 2.
    return type(value) is int and value in (_VERSION, _NETWORK_VERSION)


def _is_weight(value: object) -> bool:
    return _is_number(value, WEIGHT_MAX)


def _is_number(value: object, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= most
