"""The declaration of golf: start here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from engines.solitaire.game import Solitaire
from engines.solitaire.limits import Bounds
from engines.text.cards import card_name, read_card
from golf import rules
from golf.rules import COLUMNS_MAX, RANKS, ROWS, STOCK, Position, Rules
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.found import Found


class Golf(Solitaire[Position, Rules, int]):
    """Golf: cards of neighbouring ranks leave the columns for the waste."""

    name = "golf"
    title = "Golf: cards of neighbouring ranks leave the columns for the waste"
    jobs = {"golf_sweep": "golf.sweep:GolfSweep"}
    configs = "golf.conf"
    options = Rules
    sizes = ("columns",)
    forms = {
        "deal": "A deal is a line: columns, bottom first, then waste and stock: S3 H4 / C9 D0 / SK | H2 C5.",
        "solution": "A move is a column from 0, like M0, or T: a card of the stock is turned; M0 -> T -> M1.",
    }
    move_pattern, move_example = r"M[0-9]|T", "M0 or T"

    def read_deals(self, text: str, source: str) -> list[Position]:
        """A deal a line; what follows # is passed over."""
        lines = [line.partition("#")[0] for line in text.splitlines()]
        return [_read(line, f"{source}, line {n}") for n, line in enumerate(lines, start=1) if line.strip()]

    def format_deal(self, deal: Position) -> str:
        """On one line."""
        piles = [*deal.columns, (deal.waste,)]
        return " / ".join(map(_cards, piles)) + (f" | {_cards(deal.stock)}" if deal.stock else "")

    def random_deal(self, seed: int, index: int, **sizes: Any) -> Position:
        """A shuffled deck, column by column, then the waste's first card, then the stock."""
        from engines import _native

        deck = [(n // RANKS, n % RANKS + 1) for n in _native.shuffled_deck(seed, index, 4 * RANKS).tolist()]
        dealt = ROWS * sizes["columns"]
        columns = tuple(tuple(deck[i : i + ROWS]) for i in range(0, dealt, ROWS))
        return Position(columns, tuple(deck[dealt + 1 :]), deck[dealt])

    def search(self, deal: Position, options: Rules, mode: str, bounds: Bounds) -> Found[int]:
        """Depth first; the referee makes the moves."""
        from golf.search import search

        return search(deal, options, bounds)

    def plays(self, deal: Position, options: Rules) -> Iterable[tuple[int, Position]]:
        """By the referee."""
        return rules.plays(deal, options)

    def is_won(self, deal: Position) -> bool:
        """By the referee."""
        return rules.is_won(deal)

    def write_move(self, deal: Position, move: int) -> str:
        """M and the column, or T."""
        return "T" if move == STOCK else f"M{move}"


def _read(line: str, place: str) -> Position:
    told, _, stock = line.partition("|")
    *columns, waste = [_read_cards(part, place) for part in told.split("/")]
    position = Position(tuple(columns), _read_cards(stock, place), waste[0] if waste else (0, 0))
    cards = [*(card for column in columns for card in column), *waste, *position.stock]
    if len(waste) != 1 or not 1 <= len(columns) <= COLUMNS_MAX:
        raise UserError(place, f"expected 1 to {COLUMNS_MAX} columns and one card of the waste, divided by /")
    if len(set(cards)) < len(cards):
        raise UserError(place, f"{card_name(*max(cards, key=cards.count))} is there twice")
    return position


def _read_cards(text: str, place: str) -> tuple[tuple[int, int], ...]:
    cards = []
    for word in text.split():
        card = read_card(word)
        if card is None:
            raise UserError(place, f"{word!r} is no card; cards are like S3 or 0H")
        cards.append(card)
    return tuple(cards)


def _cards(cards: Iterable[tuple[int, int]]) -> str:
    return " ".join(card_name(*card) for card in cards)
