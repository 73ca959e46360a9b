"""Sets of units' names, stored in little room: numbers in sequence are one range."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

_NUMBERED = re.compile(r"(.*?)([0-9]{1,18})((?:-a[0-9]+)?)", re.DOTALL)


class Numbers:
    """A set of numbers as ranges."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._lasts: list[int] = []

    def __len__(self) -> int:
        return sum(self._lasts) - sum(self._firsts) + len(self._firsts)

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self._firsts, number) - 1
        return place >= 0 and number <= self._lasts[place]

    def add(self, number: int) -> None:
        """Add one, if it is not there yet."""
        place = bisect_right(self._firsts, number) - 1
        if place >= 0 and number <= self._lasts[place]:
            return
        follows = place >= 0 and self._lasts[place] == number - 1
        precedes = place + 1 < len(self._firsts) and self._firsts[place + 1] == number + 1
        if follows and precedes:
            self._lasts[place] = self._lasts.pop(place + 1)
            del self._firsts[place + 1]
        elif follows:
            self._lasts[place] = number
        elif precedes:
            self._firsts[place + 1] = number
        else:
            self._firsts.insert(place + 1, number)
            self._lasts.insert(place + 1, number)

    def text(self) -> str:
        """As ``0-7,9``."""
        ranges = zip(self._firsts, self._lasts, strict=True)
        return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)

    @classmethod
    def from_text(cls, text: str) -> Numbers:
        """Inverse of ``text``; ValueError for what is none."""
        found = cls()
        for each in text.split(","):
            first, _, last = each.partition("-")
            found._firsts.append(int(first))
            found._lasts.append(int(last or first))
        edges = [edge for pair in zip(found._firsts, found._lasts, strict=True) for edge in pair]
        if edges != sorted(edges):
            raise ValueError(f"{text!r} does not ascend")
        return found


class Names:
    """A set of names that may end with a number and an attempt (``evaluate-03-001``, ``000123-a2``)."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int, str], Numbers] = {}
        self._others: set[str] = set()

    def __len__(self) -> int:
        return len(self._others) + sum(map(len, self._numbers.values()))

    def __contains__(self, name: str) -> bool:
        parts = _parted(name)
        if parts is None:
            return name in self._others
        key, number = parts
        return key in self._numbers and number in self._numbers[key]

    def add(self, name: str) -> None:
        """Add one, if it is not there yet."""
        parts = _parted(name)
        if parts is None:
            self._others.add(name)
        else:
            key, number = parts
            self._numbers.setdefault(key, Numbers()).add(number)

    def values(self) -> list[list[Any]]:
        """As JSON values: what precedes the number, its digits, what follows it, the numbers; names without any."""
        told = [[*key, numbers.text()] for key, numbers in self._numbers.items()]
        return told + [[name] for name in sorted(self._others)]

    @classmethod
    def from_values(cls, values: Iterable[list[Any]]) -> Names:
        """Inverse of ``values``; ValueError or TypeError for what is none."""
        found = cls()
        for value in values:
            if len(value) == 1:
                found._others.add(str(value[0]))
            else:
                before, digits, after, text = value
                found._numbers[str(before), int(digits), str(after)] = Numbers.from_text(str(text))
        return found


def _parted(name: str) -> tuple[tuple[str, int, str], int] | None:
    found = _NUMBERED.fullmatch(name)
    if found is None:
        return None
    before, digits, after = found.groups()
    return (before, len(digits), after), int(digits)
