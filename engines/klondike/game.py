"""The declaration of Klondike: start here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engines.klondike.rules import REPORT, USUAL, Move, Position, RedealRule, Rules
from engines.solitaire.game import Solitaire
from engines.solitaire.limits import Bounds

if TYPE_CHECKING:
    from engines.contract.picture import Picture
    from engines.klondike.solution import Solution
    from engines.solitaire.found import Best, Found, Replay
    from engines.solitaire.game import Published


class Klondike(Solitaire[Position, Rules, Move]):
    """Klondike: columns built down in alternating colours, a stock dealt one or three at a time, all cards known."""

    name = "klondike"
    title = "Klondike: columns built down in alternating colours, a stock dealt one or three cards at a time"
    jobs = {
        "klondike_sweep": "engines.klondike.sweep:KlondikeSweep",
        "klondike_deals": "engines.klondike.deals:KlondikeDeals",
        "klondike_blind": "engines.klondike.blind_sweep:KlondikeBlind",
    }
    verbs = {"report": "engines.klondike.report:report", "sections": "engines.klondike.sections:sections"}
    positions_of = "engines.klondike.positions:KlondikePositions"
    options = Rules
    rule_sets = {
        "usual": (
            USUAL,
            "as most people play, all cards of the stock dealt, cards taken back from foundations",
        ),
        "report": (REPORT, "the rules of Shintani's report"),
    }
    moves_noun = "moves and draws"
    moves_counted = (
        "Moves of cards (cards that go together are one move) and draws from the stock are counted, redeals and cards "
        "turned up are not."
    )
    modes = {
        "shortest": (
            "Find a solution with the fewest moves, and prove that it is shortest; where a limit is hit, "
            "give lower and upper bounds."
        )
    }
    counts = {"redeals_count": ("int32", "redeals", "Redeals of the solution.")}
    best_of = "cards on the foundations"
    forms = {
        "deal": (
            "A deal is a line of 52 cards like S3 or 0H (ten of hearts): columns left to right, "
            "bottom first, then the stock, first dealt first. Also read are positions within a game (stock:, waste:, "
            "foundations:, 0: C4 | H3), Solvitaire's JSON, three digits a card, Talon: and columns with <..> face "
            "down, numbered piles, figures of the report, and numbers of Green Felt and PySol (greenfelt 123)."
        ),
        "solution": "A solution is written like S04T00 -> C15W02, or with <- last move first.",
    }
    remark = (
        "A deal is surely won when no card is face down, and at most one is in stock and waste together: "
        "searches may end there, and check accepts solutions that end there."
    )

    written_forms = {
        "position": "engines.klondike.position:format_position",
        "solvitaire": "engines.klondike.solvitaire:format_solvitaire",
        "digits": "engines.klondike.digits:format_digits",
        "talon": "engines.klondike.talon:format_talon",
        "piles": "engines.klondike.diagram:format_diagram",
    }

    def read_deals(self, text: str, source: str) -> list[Position]:
        """Deals and positions in any of the forms of ``text``."""
        from engines.klondike.text import read_deals

        return read_deals(text, source)

    def format_deal(self, deal: Position) -> str:
        """On one line."""
        from engines.klondike.text import format_deal

        return format_deal(deal)

    def draw_deal(self, deal: Position) -> str:
        """Columns side by side."""
        from engines.klondike.drawing import draw

        return draw(deal)

    def picture(self, deal: Position) -> Picture:
        """Foundations, waste and stock, columns."""
        from engines.klondike.picture import picture

        return picture(deal)

    def random_deal(self, seed: int, index: int, **sizes: Any) -> Position:
        """A shuffled deck, columns first."""
        from engines.klondike.core import random_deal

        return random_deal(seed, index)

    def search(self, deal: Position, options: Rules, mode: str, bounds: Bounds) -> Found[Move]:
        """By the core."""
        from engines.klondike.core import Mode, search

        return search(deal, options, Mode(mode), bounds)

    def best(self, deal: Position, options: Rules, bounds: Bounds) -> Best[Move]:
        """Cards on the foundations, by the core."""
        from engines.klondike.core import best

        return best(deal, options, bounds)

    def unknown_count(self, deal: Position) -> int:
        """Unknown cards of the stock and face-down cards."""
        from engines.klondike.unknown import unknown_count

        return unknown_count(deal)

    def sampled(self, deal: Position, seed: int, stream: int) -> Position:
        """The cards that are missing, in any order."""
        from engines.klondike.unknown import sampled

        return sampled(deal, seed, stream)

    def plays(self, deal: Position, options: Rules) -> Iterator[tuple[Move, Position]]:
        """By the referee."""
        from engines.klondike import rules

        if not rules.is_won(deal):
            for move in rules.legal_moves(deal, options):
                yield move, rules.play(deal, move, options)

    def played(self, deal: Position, move: Move, options: Rules) -> Position:
        """By the referee."""
        from engines.klondike import rules

        return rules.play(deal, move, options)

    def is_free(self, move: Move) -> bool:
        """Redeals are."""
        from engines.klondike.rules import Kind

        return move.kind == Kind.REDEAL

    def describe_move(self, deal: Position, move: Move, after: Position) -> tuple[str, dict[str, Any]]:
        """Columns are counted from 1."""
        from engines.klondike.describing import describe

        return describe(deal, move, after)

    def format_moves(self, deal: Position, moves: Sequence[Move], options: Rules) -> list[str]:
        """In the notation of the report."""
        from engines.klondike.solution import format_moves

        return format_moves(deal, moves, options)

    def join_moves(self, written: Sequence[str], line_end: str = "\n") -> str:
        """Joined by arrows."""
        from engines.klondike.solution import join_written

        return join_written(written, line_end)

    def read_solutions(self, text: str, source: str) -> list[Solution | None]:
        """In the notation of the report."""
        from engines.klondike.solution import read_solutions

        return read_solutions(text, source)

    def replay(self, deal: Position, solution: Solution, options: Rules) -> Replay[Move]:
        """By the referee."""
        from engines.klondike.solution import replay

        return replay(deal, solution, options)

    def distinct(self, options: Rules) -> dict[str, Any]:
        """With one card dealt at once, fewer cannot be left; only ``carry`` has a rule for the last cards."""
        told = asdict(options)
        if options.draw == 1:
            told["redeal_rule"] = None
        if options.draw == 1 or options.redeal_rule == RedealRule.standard:
            told["deal_last"] = None
        return told

    def published(self, options: Rules, **sizes: Any) -> Published | None:
        """The report's shares, and Blake and Gent's."""
        from engines.klondike.paper import published

        return published(options)
