"""What ``yamafuda check`` of every game does first: read deals and their solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from engines.text.textfile import read_text
from storage.errors import UserError

Deal = TypeVar("Deal")
Solution = TypeVar("Solution")


def deals_with_solutions(
    deal: Path,
    solution: Path,
    size_max: int,
    read_deals: Callable[[str, str], list[Deal]],
    read_solutions: Callable[[str, str], list[Solution]],
) -> Iterator[tuple[Deal, Solution]]:
    """Each deal of the file ``deal`` with its solution in the file ``solution``; UserError unless there are as many.

    The readers take a text and its name. No file may have more than ``size_max`` bytes; one of the two may be
    standard input, ``-``.
    """
    if str(deal) == str(solution) == "-":
        raise UserError("SOLUTION", "deals and solutions cannot both be standard input")
    deals = read_deals(read_text(deal, size_max), str(deal))
    solutions = read_solutions(read_text(solution, size_max), str(solution))
    if len(deals) != len(solutions):
        raise UserError(
            str(solution),
            f"solutions: {len(solutions)}, deals: {len(deals)}; there must be as many (a solution goes on as "
            "long as arrows join its moves)",
        )
    return zip(deals, solutions, strict=True)
