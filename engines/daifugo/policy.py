"""Policies for playouts that are learnt from games: softmax over the features of legal plays, as JSON files.

``policy_examples`` tells of features. A file has ``version`` (1), ``weights`` (by group, a list of numbers each),
``sources``: what was learnt from, one after the other (players' options, seed and games; or the fields of a run of
``job=daifugo_policy``), and ``judged``: how well choices of other games are foreseen (``policy_judging``), or what
they are worth (``policy_job``).
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
"""Weights of all groups in a row."""

DIGITS = 3
"""Decimals of weights in a file."""
WEIGHT_MAX = 10.0
"""Largest absolute value of a weight, as in the core."""
_VERSION = 1


def save(
    path: Path, weights: Weights, sources: Sequence[Mapping[str, Any]], judged: Mapping[str, Any]
) -> None:
    """Write a file of weights with where they come from; ``sources`` are plain values."""
    ends = np.cumsum([size for _, size in _native.daifugo_policy_groups()])
    parts = np.split(weights, ends[:-1])
    by_group = {
        name: [round(float(weight), DIGITS) for weight in part]
        for (name, _), part in zip(_native.daifugo_policy_groups(), parts, strict=True)
    }
    write_json_atomic(
        path,
        {"version": _VERSION, "sources": list(sources), "judged": dict(judged), "weights": by_group},
    )


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
    return np.concatenate([np.array(by_group[name], np.float32) for name, _ in groups])


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
    if not isinstance(document, dict) or document.get("version") != _VERSION:
        raise UserError(field, f"is no policy of version {_VERSION}")
    return document


def _is_weight(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= WEIGHT_MAX
