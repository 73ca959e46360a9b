"""Cards of a text and their places, before they are checked to be a deal.

All text forms end here, so that errors about cards have the same words for each form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from engines.klondike import rules
from engines.klondike.rules import COLUMNS_MAX, RANKS_MAX, SUITS, Position
from engines.klondike.unknown import filled
from engines.klondike.unknown import missing as missing_cards
from engines.text.cards import card_name, card_number, read_card, with_letters
from engines.text.textfile import shown
from storage.errors import UserError

Card = tuple[int, int]
"""Suit and rank."""

UNKNOWN_NAME = "??"
_PATTERN = r"[CDHS](?:10|[A2-90TJQK])|(?:10|[A2-90TJQK])[CDHS]|(?P<unknown>\S\S{0,30})"
_CARD = re.compile(_PATTERN, re.IGNORECASE | re.ASCII)
_HIDDEN = re.compile(rf"[?]{{2}}|{_PATTERN}", re.IGNORECASE | re.ASCII)
UNKNOWN_CARD = (0, 0)
"""Stands for an unknown card, written ``??``."""
_NAMES_SHOWN = 5
"""At most so many missing cards are named in an error."""


@dataclass
class Pieces:
    """The cards of one deal as they are read, with the places for errors."""

    place: str
    """The deal, for errors: its file and number."""
    line: int
    """Where the deal begins."""
    columns: list[list[Card]] = field(default_factory=list)
    """Each bottom first."""
    face_down: list[int] = field(default_factory=list)
    stock: list[Card] = field(default_factory=list)
    """First dealt first."""
    waste: list[Card] = field(default_factory=list)
    """Bottom first."""
    foundations: list[int] = field(default_factory=lambda: [0] * SUITS)
    """Top rank of each suit."""
    redeals_count: int = 0

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """The user's error in this deal, on ``line`` or the one where it begins."""
        raise UserError(f"{self.place}, line {line or self.line}", message)

    def read_cards(self, text: str, where: str, line: int, may_hide: bool = False) -> list[Card]:
        """The cards of a text, with or without blanks or commas between them; ``where`` they are, for errors.

        ``may_hide``: some may be unknown.
        """
        found = []
        for match in (_HIDDEN if may_hide else _CARD).finditer(with_letters(text).replace(",", " ")):
            if may_hide and match.group() == UNKNOWN_NAME:
                found.append(UNKNOWN_CARD)
                continue
            card = None if match["unknown"] else read_card(match.group())
            if match.group() == UNKNOWN_NAME:
                self.fail(
                    f"{where}: only cards of a position's stock, or face down (0: ?? | H3), may be ??", line
                )
            if card is None:
                self.fail(f"{where}: {shown(match.group())} is no card; cards are like S3 or 0H", line)
            found.append(card)
        return found

    def position(self) -> Position:
        """The position; UserError that names the card and its place when there is none."""
        columns_count = len(self.columns)
        if not 1 <= columns_count <= COLUMNS_MAX:
            self.fail(f"{columns_count} columns; there are 1 to {COLUMNS_MAX}")
        places = self._places()
        ranks, suits = self._size(set(places))
        for card, where in places.items():
            if card[1] <= self.foundations[card[0]]:
                self.fail(f"{where}: {card_name(*card)} is there twice, also on its foundation")
        missing = [
            card_name(suit, rank)
            for suit in suits
            for rank in range(self.foundations[suit] + 1, ranks + 1)
            if (suit, rank) not in places
        ]
        unknown = sum(pile.count(UNKNOWN_CARD) for pile in (*self.columns, self.stock))
        if unknown and unknown != len(missing):
            self.fail(f"{unknown} cards are not known, but {len(missing)} are missing")
        if missing and not unknown:
            more = len(missing) - _NAMES_SHOWN
            shortened = missing[:_NAMES_SHOWN] + ([f"and {more} more"] if more > 0 else [])
            self.fail(f"missing: {', '.join(shortened)} (in no column, stock, waste or foundation)")
        position = Position(
            ranks=ranks,
            columns=tuple(_numbers(column) for column in self.columns),
            face_down=tuple(self.face_down),
            stock=_numbers(self.stock),
            waste=_numbers(self.waste),
            foundations=tuple(self.foundations[suit] if suit in suits else ranks for suit in range(SUITS)),
            redeals_count=self.redeals_count,
        )
        problem = rules.problem(filled(position, missing_cards(position)))
        if problem is not None:
            self.fail(problem)
        self._check_lengths(ranks * len(suits))
        return position

    def _places(self) -> dict[Card, str]:
        """Where each card is; an error when it is there twice."""
        places: dict[Card, str] = {}
        piles = [(f"column {index}", column) for index, column in enumerate(self.columns)]
        for where, cards in (*piles, ("stock", self.stock), ("waste", self.waste)):
            for card in cards:
                if card == UNKNOWN_CARD:
                    continue
                if card in places:
                    self.fail(f"{where}: {card_name(*card)} is there twice, first in: {places[card]}")
                places[card] = where
        return places

    def _size(self, cards: set[Card]) -> tuple[int, list[int]]:
        """Ranks, and suits in play. Seven columns are a whole game; for fewer, the cards decide."""
        if len(self.columns) == COLUMNS_MAX:
            return RANKS_MAX, list(range(SUITS))
        ranks = max([*self.foundations, *(rank for _, rank in cards)])
        played = {suit for suit, _ in cards}
        suits = [suit for suit in range(SUITS) if suit in played or self.foundations[suit]]
        if not suits:
            self.fail("there is no card in it")
        return ranks, suits

    def _check_lengths(self, cards_count: int) -> None:
        columns_count = len(self.columns)
        most = min(rules.STOCK_MAX, cards_count - columns_count * (columns_count + 1) // 2)
        beside = len(self.stock) + len(self.waste)
        if beside > most:
            self.fail(
                f"{beside} cards in stock and waste; a game of {cards_count} cards and {columns_count} columns has at "
                f"most {most}, as columns are dealt 1 to {columns_count} cards"
            )
        for least, down in enumerate(sorted(self.face_down)):
            if down > least:
                index = self.face_down.index(down)
                self.fail(
                    f"column {index}: {down} of its cards lie face down; a game begins with none in one "
                    "column, one in another, and so on"
                )


def _numbers(cards: Sequence[Card]) -> tuple[int, ...]:
    return tuple(card_number(*card) for card in cards)
