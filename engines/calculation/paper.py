"""What the paper prints in its tables 3 and 4, and the examples of this package."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Printed:
    """Wins of some games, by how many were played."""

    stacks: int
    look_ahead: int
    keep: int
    wins: dict[int, int]
    """Games -> wins among them."""


PRINTED = [
    Printed(3, 0, 50, {1000: 656, 10_000: 6474}),
    Printed(3, 0, 200, {1000: 687, 10_000: 6749}),
    Printed(3, 0, 1000, {1000: 686}),
    Printed(3, 1, 50, {1000: 678}),
    Printed(3, 1, 200, {1000: 709}),
    Printed(4, 0, 50, {1000: 979, 10_000: 9822}),
    Printed(4, 0, 200, {1000: 987}),
    Printed(4, 0, 1000, {1000: 984}),
]
"""Table 3 (three stacks) and table 4 (four), row by row."""


def example(name: str) -> str:
    """The text of a file in ``examples``."""
    return (resources.files("engines.calculation") / "examples" / name).read_text()
