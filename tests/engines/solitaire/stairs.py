"""A toy solitaire with everything that a solitaire can have: jump up some stairs, over those that are broken.

..x.x     five stairs, the third and the fifth are broken; a jump goes one stair up, or two
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from engines.contract.options import named, option
from engines.solitaire.found import Found, Replay
from engines.solitaire.game import Solitaire
from engines.solitaire.limits import Bounds
from storage.errors import UserError

CELLAR = 9 * "x"
"""Out of which no jump goes."""


class Order(StrEnum):
    """Which jump is tried first."""

    near = "near"
    far = "far"


@dataclass(unsafe_hash=True)
class Legs:
    """The options."""

    reach: int = option(2, "Stairs that a jump takes at most.", least=1, most=9, column="uint8")
    careful: bool = option(False, "No jump goes over a broken stair.")
    order: Order = option(Order.near, "Of a search for all ways: which jump is tried first.")


class Stairs(Solitaire[str, Legs, int]):
    """A deal is the stairs that are left; a move is how many are taken."""

    name, title = "stairs", "Stairs: jump to their top"
    jobs: ClassVar[dict[str, str]] = {}
    options = Legs
    modes: ClassVar[dict[str, str]] = {
        "all": "Count all ways to the top.",
        "shortest": "Find a way of the fewest jumps.",
    }
    of_search = ("order",)
    counts: ClassVar[dict[str, str]] = {"ways_count": "int64"}
    forms = {"deal": "A deal is a line of . and x and v.", "solution": "A jump is written like J2."}  # noqa: RUF012
    move_pattern, move_example = "J[1-9]", "J2"

    def read_deals(self, text: str, source: str) -> list[str]:
        """A deal a line."""
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip(".xv"):
                raise UserError(f"{source}, line {number}", "stairs are . and x and v")
        return text.splitlines()

    def format_deal(self, deal: str) -> str:
        """As it is read."""
        return deal

    def draw_deal(self, deal: str) -> str:
        """The top above."""
        return "\n".join(reversed(deal))

    def random_deal(self, seed: int, index: int, **sizes: Any) -> str:
        """Not needed."""
        raise NotImplementedError

    def plays(self, deal: str, options: Legs) -> Iterator[tuple[int, str]]:
        """Jumps onto whole stairs."""
        for jump in range(1, min(options.reach, len(deal)) + 1):
            if deal[jump - 1] != "x" and not (options.careful and "x" in deal[:jump]):
                yield jump, deal[jump:] if deal[jump - 1] == "." else CELLAR

    def is_won(self, deal: str) -> bool:
        """No stair is left."""
        return not deal

    def write_move(self, deal: str, move: int) -> str:
        """How many stairs."""
        return f"J{move}"

    def replay(self, deal: str, solution: Any, options: Legs) -> Replay[int]:
        """With a remark on long ones."""
        found = super().replay(deal, solution, options)
        remark = "a long way" if found.moves_count > 3 else ""
        return Replay(found.moves, found.problem, {"stairs_count": sum(found.moves), "marks": []}, remark)

    def search(self, deal: str, options: Legs, mode: str, bounds: Bounds) -> Found[int]:
        """Every way there is, each step of it a state."""
        ways: list[tuple[int, ...]] = []
        open_ways, states_count, limit = [((), deal)], 0, None
        while open_ways and limit is None:
            jumps, left = open_ways.pop(0)
            states_count += 1
            if not left:
                ways.append(jumps)
            open_ways += [((*jumps, jump), after) for jump, after in self.plays(left, options)]
            limit = bounds.reached(states_count, 0, 0) if open_ways else None
        pick = max if mode == "all" and options.order == Order.near else min
        won = bool(ways) and limit is None
        outcome = "won" if won else "undecided" if limit else "lost"
        counts: ClassVar[dict[str, str]] = {"ways_count": len(ways) if mode == "all" else None}
        return Found(outcome, limit, states_count, 1, 0.25, pick(ways, key=len) if won else None, counts)

    def check_search(self, options: Legs, mode: str, prefix: str) -> None:
        """Only all ways have an order."""
        if options.order != Order.near and mode != "all":
            raise UserError(named(prefix, "order"), "needs --all")
