"""A deal typed card by card: which cells there are, what is wrong with each, and the text that all of them make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engines.text.textfile import shown

Typed = Sequence[Sequence[str]]
"""What was typed: of each group its cells."""


@dataclass(frozen=True)
class Group:
    """Cells side by side."""

    label: str
    count: int
    least: int | None = None
    """Cells after so many may stay empty; None: none may."""
    has_cards: bool = True
    """Otherwise it tells something else of the deal."""


@dataclass(frozen=True)
class Cells:
    """How a game's deals are typed."""

    groups: tuple[Group, ...]
    card: Callable[[str], str | None]
    """The name of the card that a cell tells; None when it tells none."""
    text: Callable[[Typed], str]
    """The deal as positions are read; cells that are empty are left out."""
    example: str
    """Cards as they may be typed."""
    repeated: Callable[[str], bool] = lambda name: False
    """Whether a card of this name may be in several cells."""

    def mistakes(self, typed: Typed) -> Mapping[tuple[int, int], str]:
        """Group and place of each cell that is wrong by itself or beside another -> what is wrong.

        Whether all cells make a deal is told by reading their text.
        """
        found: dict[tuple[int, int], str] = {}
        holders: dict[str, list[tuple[int, int]]] = {}
        for number, (group, cells) in enumerate(zip(self.groups, typed, strict=True)):
            for place in range(group.count):
                text = cells[place].strip() if place < len(cells) else ""
                if not text:
                    if group.least is None or place < group.least:
                        found[number, place] = "is missing"
                elif group.has_cards:
                    name = self.card(text)
                    if name is None:
                        found[number, place] = f"{shown(text)} is no card; cards are like {self.example}"
                    elif not self.repeated(name):
                        holders.setdefault(name, []).append((number, place))
        for name, places in holders.items():
            for at in places if len(places) > 1 else ():
                others = ", ".join(self._named(other) for other in places if other != at)
                found[at] = f"{name} is also {others}"
        return found

    def _named(self, at: tuple[int, int]) -> str:
        return f"card {at[1] + 1} of {self.groups[at[0]].label}"


def words_of(cells: Sequence[str]) -> str:
    """The cells of a group that are not empty, with blanks between them."""
    return " ".join(text for each in cells if (text := each.strip()))
