"""Which units and items of a sweep an attempt still has to do, judged by the parts in place: a byte a unit, a
bit an item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.contracts.units import Units
from pipeline.tasks import Task
from storage.layout import RunLayout
from storage.parts import Part

if TYPE_CHECKING:  # numpy and pyarrow take a while to import, and first attempts do without
    import numpy as np
    import numpy.typing as npt


class Ledger:
    """What is left to do. ``parts``: those in place of this attempt and earlier ones, as ``numbered_parts``
    orders them."""

    def __init__(self, layout: RunLayout, units: Units, parts: Sequence[Part], attempt: int) -> None:
        self._units, self._parts = units, parts
        self._is_missing = bytearray(b"\1") * units.count
        """For each unit 1 if it has no part."""
        self._undecided: _Items | None = None
        """The items left to do in units that have parts."""
        if any(part.attempt < attempt for part in parts):
            self._undecided = _Items(units.items(0, units.count - 1)[1])
        is_done = bytearray(units.count)
        for part in parts:
            numbers = slice(part.first, part.last + 1)
            if part.attempt == attempt:
                is_done[numbers] = b"\1" * (part.last + 1 - part.first)
            if self._undecided is not None and not all(is_done[numbers]):
                self._note(layout, part)
            self._is_missing[numbers] = bytes(part.last + 1 - part.first)

    def _note(self, layout: RunLayout, part: Part) -> None:
        """The items that a part of an earlier attempt leaves to do."""
        assert self._undecided is not None
        for number in range(part.first, part.last + 1):
            if self._is_missing[number]:
                self._undecided.add(*self._units.items(number, number))
        first, last = self._units.items(part.first, part.last)
        self._undecided.remove(first, last, decided_items(layout, part, first, last))

    def is_open(self) -> bytearray:
        """For each unit 1 if something is left to do."""
        found = bytearray(len(self._is_missing))
        for number in self.open_numbers():
            found[number] = 1
        return found

    def indices(self, number: int) -> Sequence[int]:
        """The items left to do in a unit."""
        first, last = self._units.items(number, number)
        if self._is_missing[number]:
            return range(first, last)
        return self._undecided.within(first, last) if self._undecided is not None else ()

    def open_numbers(self) -> Iterator[int]:
        """The units with something to do."""
        if self._undecided is None:
            number = self._is_missing.find(1)
            while number >= 0:
                yield number
                number = self._is_missing.find(1, number + 1)
        else:
            yield from filter(self.indices, range(self._units.count))

    def tasks(self) -> Iterator[Task]:
        """A task for each of them."""
        around: list[Part] = []
        ranges = iter([part for part in self._parts if part.is_range])
        coming = next(ranges, None)
        for number in self.open_numbers():
            while coming is not None and coming.first <= number:
                around.append(coming)
                coming = next(ranges, None)
            around = [part for part in around if part.last >= number]
            within = tuple(part.name for part in around)
            yield Task(self._units[number], self.indices(number), within=within)


class _Items:
    """A set of items, a bit each."""

    def __init__(self, count: int) -> None:
        import numpy as np

        self._bits = np.zeros(-(-count // 8), np.uint8)

    def add(self, first: int, last: int) -> None:
        """Those from ``first`` to before ``last``."""
        self._change(first, last, True)

    def remove(self, first: int, last: int, which: npt.NDArray[np.bool_]) -> None:
        """Those from ``first`` to before ``last`` that ``which`` marks."""
        self._change(first, last, False, which)

    def within(self, first: int, last: int) -> tuple[int, ...]:
        """The members from ``first`` to before ``last``."""
        import numpy as np

        begin = first // 8
        found = np.unpackbits(self._bits[begin : -(-last // 8)], bitorder="little")
        return tuple((np.flatnonzero(found[first - begin * 8 : last - begin * 8]) + first).tolist())

    def _change(self, first: int, last: int, value: bool, which: npt.NDArray[np.bool_] | None = None) -> None:
        import numpy as np

        begin, end = first // 8, -(-last // 8)
        bits = np.unpackbits(self._bits[begin:end], bitorder="little")
        inside = bits[first - begin * 8 : last - begin * 8]
        inside[slice(None) if which is None else which] = value
        self._bits[begin:end] = np.packbits(bits, bitorder="little")


def decided_items(layout: RunLayout, part: Part, first: int, last: int) -> npt.NDArray[np.bool_]:
    """For each item from ``first`` to before ``last`` whether a part has rows of it that are all decided."""
    import numpy as np
    import pyarrow.compute as pc

    from storage.dataset import open_part

    has_rows, has_undecided = np.zeros((2, last - first), np.bool_)
    with open_part(layout.data / part.name) as file:
        for rows in file.iter_batches(columns=["index", "outcome"]):
            index = rows["index"].to_numpy() - np.uint64(first)
            is_inside = index < last - first
            undecided = pc.fill_null(pc.equal(rows["outcome"], "undecided"), False)
            has_rows[index[is_inside]] = True
            has_undecided[index[is_inside & undecided.to_numpy(zero_copy_only=False)]] = True
    return has_rows & ~has_undecided
