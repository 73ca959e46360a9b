"""The declaration of Calculation: start here. Decks are searched with all cards known; ``player`` sees less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.calculation.options import STACKS_MAX, Rules
from engines.calculation.rules import Move
from engines.contract.options import named
from engines.solitaire.game import Solitaire
from engines.solitaire.limits import Bounds
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.calculation.record import Game
    from engines.solitaire.found import Found, Replay
    from engines.solitaire.telling import ToldMove

Deck = tuple[int, ...]
"""Ranks from 1, the first drawn first, each four times."""


class Calculation(Solitaire[Deck, Rules, Move]):
    """Calculation: four foundations built in steps of one to four, a pile drawn card by card, and a few stacks."""

    name = "calculation"
    title = (
        "Calculation: four foundations built in steps of one to four, a pile drawn card by card, a few stacks"
    )
    jobs = {
        "calculation_sweep": "engines.calculation.sweep:CalculationSweep",
        "calculation_open": "engines.calculation.open_sweep:CalculationOpen",
        "calculation_best": "engines.calculation.best_sweep:CalculationBest",
    }
    verbs = {
        "play": "engines.calculation.play:play",
        "advise": "engines.calculation.advise:advise",
        "report": "engines.calculation.report:report",
        "sections": "engines.calculation.sections:sections",
    }
    positions_of = "engines.calculation.positions:CalculationPositions"
    options = Rules
    sizes = ("ranks",)
    effort = "dead_ends_count"
    forms = {
        "position": "A position is what foundations wait for, a row each (0: 3 4 5 6 7 8 9 T J Q K), the stacks, "
        "lowest card first (0: 8 5 Q A, or with the foundation that each card is meant for, 0: 8-2 5-2 Q-2 A-1), and "
        "the card that was drawn (drawn: 4). There are as many stacks as rows; a line ranks: 8 makes a smaller game.",
        "deal": (
            "A deck is a line of 52 cards as they are drawn, like 7 or S7, each rank four times; with fewer ranks, A "
            "to 8 for example, the game is a smaller one. Of 48 cards, A 2 3 4 lie on the foundations already."
        ),
        "solution": (
            "A game is a line of moves like 7S0 (the drawn 7 to stack 0), AF0 (to foundation 0), S0F2 "
            "(from stack 0), as solve prints it, or the board after each turn, as play prints it. A "
            "game that keeps to the rules passes, won or lost, since players who do not see the pile "
            "may lose."
        ),
    }
    written_forms = {"numbers": "engines.calculation.text:format_numbers"}
    proof_form = (
        "Write deal-N.cnf for each deck, a formula (DIMACS) that can be satisfied if and only if the deck can be won; "
        "and deal-N.drat for each lost deck, the proof (DRAT as text) that it cannot."
    )

    def read_deals(self, text: str, source: str) -> list[Deck]:
        """A line each."""
        from engines.calculation.text import read_decks

        return read_decks(text, source)

    def format_deal(self, deal: Deck) -> str:
        """Its ranks."""
        from engines.calculation.text import format_deck

        return format_deck(deal)

    def random_deal(self, seed: int, index: int, **sizes: Any) -> Deck:
        """The core's shuffled deck."""
        from engines.calculation.core import random_deck

        return random_deck(seed, index, **sizes)

    def sizes_of(self, deal: Deck) -> dict[str, Any]:
        """Its ranks."""
        from engines.calculation.text import ranks_of

        return {"ranks": ranks_of(deal)}

    def check_search(self, options: Rules, mode: str, prefix: str) -> None:
        """The core searches with few stacks."""
        if options.stacks > STACKS_MAX:
            raise UserError(named(prefix, "stacks"), f"must be 1 to {STACKS_MAX}; got {options.stacks}")

    def search(self, deal: Deck, options: Rules, mode: str, bounds: Bounds) -> Found[Move]:
        """By the core."""
        from engines.calculation.open import search

        return search(deal, options.stacks, bounds)

    def prove(self, deal: Deck, options: Rules, bounds: Bounds, folder: Path, name: str) -> Found[Move]:
        """The formula of each deck, and the proof for a lost one."""
        from engines.calculation.open import search_with_proof

        return search_with_proof(deal, options.stacks, bounds, folder, name)

    def format_moves(self, deal: Deck, moves: Sequence[Move], options: Rules) -> list[str]:
        """Each with the rank of the card that it draws."""
        from engines.calculation.record import written_moves

        return written_moves(deal, moves)

    def tell_moves(self, deal: Deck, moves: Sequence[Move], options: Rules) -> Iterator[ToldMove]:
        """With the board after each."""
        from engines.calculation.describing import tell_moves

        return tell_moves(deal, moves, options.stacks)

    def join_moves(self, written: Sequence[str], line_end: str = "\n") -> str:
        """A game of moves is one line."""
        return " ".join(written)

    def read_solutions(self, text: str, source: str) -> list[Game | None]:
        """Games of moves or of boards."""
        from engines.calculation.record import read_solutions

        return read_solutions(text, source)

    def replay(self, deal: Deck, solution: Game, options: Rules) -> Replay[Move]:
        """By the referee."""
        from engines.calculation.replay import replay

        return replay(deal, solution, options)
