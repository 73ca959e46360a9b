"""The name that was probably meant, for errors about unknown names."""

from __future__ import annotations

from collections.abc import Iterable

_SIMILAR = 0.6
"""Least similarity (difflib's ratio) of a word to the name that it is taken for."""


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The one of ``names`` that is most like ``word``; None when none is near.

    Among dotted names one with the same ending comes first: ``columns`` is ``job.columns``, and ``job.memory_bytes``
    is ``job.limits.memory_bytes``.
    """
    import difflib

    there = [name for name in names if not word.startswith(f"{name}.")]
    ends = [name for name in there if name.rpartition(".")[2] == word.rpartition(".")[2]]
    if len(ends) == 1:
        return ends[0]
    return next(iter(difflib.get_close_matches(word, there, 1, _SIMILAR)), None)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """The end of an error that suggests a name; empty when none is near."""
    name = nearest(word, names)
    return "" if name is None else f"; did you mean {name}?"
