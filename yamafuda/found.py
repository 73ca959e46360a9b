"""The answer of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.contract.answer import Answer
    from yamafuda.positions import Position


class Found(Mapping[str, Any]):
    """An answer: a mapping of what ``--json`` prints. As text it is what the command prints in words."""

    def __init__(self, answer: Answer, position: Position | None = None) -> None:
        self._values = answer.values
        self.lines = answer.lines
        """In words."""
        self.is_right = answer.is_right
        """Whether the solution that was checked is right."""
        self.stored = answer.stored
        """The source that it was read from, such as ``table RUNID``; empty when it was computed now."""
        self.position = position
        """The position that was asked about, where it is known."""

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"<{(self.lines or ('',))[0]}>"

    def _repr_html_(self) -> str:
        """The position, and below it the answer in words."""
        drawn = "" if self.position is None else self.position._repr_html_()
        return f"{drawn}<pre>{escape(str(self))}</pre>"
