"""The declaration of Superpuzz: start here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engines.contract.options import named
from engines.solitaire.game import Solitaire
from engines.solitaire.limits import Bounds
from engines.superpuzz.deal import Deal
from engines.superpuzz.options import Options, Order
from engines.superpuzz.rules import Move
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.contract.picture import Picture
    from engines.solitaire.found import Best, Found, Replay
    from engines.superpuzz.solution import Solution

CENSUS = "census"


class Superpuzz(Solitaire[Deal, Options, Move]):
    """Superpuzz: one pack dealt into four rows, kings taken out; cards move into the holes until rows are sorted."""

    name = "superpuzz"
    title = (
        "Superpuzz: one pack in four rows, kings taken out; cards move into the holes until rows are sorted"
    )
    jobs = {
        "superpuzz_sweep": "engines.superpuzz.sweep:SuperpuzzSweep",
        "superpuzz_redeals": "engines.superpuzz.redeals:SuperpuzzRedeals",
    }
    verbs = {"report": "engines.superpuzz.report:report", "sections": "engines.superpuzz.sections:sections"}
    positions_of = "engines.superpuzz.positions:SuperpuzzPositions"
    options = Options
    sizes = ("columns",)
    modes = {
        CENSUS: "Count all reachable states and all won positions (the paper's full search, table 1).",
        "shortest": (
            "Find a solution with the fewest moves, and prove that it is shortest; where a limit is hit, "
            "give lower and upper bounds."
        ),
    }
    of_search = ("order",)
    counts = {
        "wins_count": ("int32", "wins", "Won states that a census has counted."),
        "states_before_win_count": ("int64", "states", "States that were found before the first win."),
    }
    best_of = "cards in their places (in sequence from an ace at the left edge)"
    memory_bytes = 4 << 30
    written_forms = {
        "rows": "engines.superpuzz.rows:format_deal",
        "sequences": "engines.superpuzz.sequences:format_sequences",
    }
    forms = {
        "deal": (
            "A deal is four rows of cards like S3 or 0H (ten of hearts), on four lines or joined by /; -- or a king is "
            "a hole; a blank line stands between deals. JSON with sequences is read, too."
        ),
        "solution": (
            "A solution is written like (D5, H6) -> (DA, D6), or with <- last move first. Wrong names "
            "of kings are reported and corrected, since only the cards' places matter."
        ),
    }

    def read_deals(self, text: str, source: str) -> list[Deal]:
        """Rows of cards."""
        from engines.superpuzz.text import read_deals

        return read_deals(text, source)

    def format_deal(self, deal: Deal) -> str:
        """Rows on one line."""
        from engines.superpuzz.rows import format_deal

        return format_deal(deal, " / ")

    def draw_deal(self, deal: Deal) -> str:
        """Rows and columns with numbers."""
        from engines.superpuzz.drawing import draw

        return draw(deal)

    def picture(self, deal: Deal) -> Picture:
        """Rows of cells."""
        from engines.superpuzz.picture import picture

        return picture(deal)

    def sizes_of(self, deal: Deal) -> dict[str, Any]:
        """Its columns."""
        return {"columns": deal.position.columns}

    def random_deal(self, seed: int, index: int, **sizes: Any) -> Deal:
        """A shuffled deck, row by row."""
        from engines.superpuzz.core import random_deal

        return random_deal(seed, index, sizes["columns"])

    def search(self, deal: Deal, options: Options, mode: str, bounds: Bounds) -> Found[Move]:
        """By the core. A census that hits a limit may still have found a win."""
        from engines.superpuzz.core import Mode, search

        return search(deal, Mode(mode), bounds, options.order)

    def best(self, deal: Deal, options: Options, bounds: Bounds) -> Best[Move]:
        """Cards that go on from an ace at the left edge in sequence, by the core."""
        from engines.superpuzz.core import best

        return best(deal, bounds)

    def plays(self, deal: Deal, options: Options) -> Iterator[tuple[Move, Deal]]:
        """By the referee."""
        from engines.superpuzz import rules
        from engines.superpuzz.deal import played

        if not rules.is_won(deal.position):
            for move in rules.legal_moves(deal.position):
                yield move, played(deal, move)

    def played(self, deal: Deal, move: Move, options: Options) -> Deal:
        """By the referee."""
        from engines.superpuzz.deal import played

        return played(deal, move)

    def describe_move(self, deal: Deal, move: Move, after: Deal) -> tuple[str, dict[str, Any]]:
        """Rows and columns are counted from 1."""
        from engines.superpuzz.describing import describe

        return describe(deal, move)

    def format_moves(self, deal: Deal, moves: Sequence[Move], options: Options) -> list[str]:
        """In the paper's notation."""
        from engines.superpuzz.solution import format_pairs

        return format_pairs(deal, moves)

    def join_moves(self, written: Sequence[str], line_end: str = "\n") -> str:
        """Joined by arrows."""
        from engines.superpuzz.solution import join_pairs

        return join_pairs(written, line_end)

    def read_solutions(self, text: str, source: str) -> list[Solution | None]:
        """In the paper's notation."""
        from engines.superpuzz.solution import read_solutions

        return read_solutions(text, source)

    def replay(self, deal: Deal, solution: Solution, options: Options) -> Replay[Move]:
        """By the referee."""
        from engines.superpuzz.replay import replay

        return replay(deal, solution)

    def check_search(self, options: Options, mode: str, prefix: str) -> None:
        """Only a census has an order."""
        if options.order != Order.depth and mode != CENSUS:
            raise UserError(named(prefix, "order"), f"{options.order} is an order for --census only")
