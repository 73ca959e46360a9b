"""Deals of single-suit trick taking: both hands, or who has each card, and the number of point cards.

    A=8,7,6,4 B=5,3,2,1 k=4
    AAABABBB k=4                      who has the highest card, the next one, ... (the thesis's standard form)

    deals    = { [ deal ] end }                       (``#`` starts a comment that ends with the line)
    deal     = ( "A=" hand "B=" hand | owners ) "k=" number
    hand     = number { "," number }                  (in any order; both hands have as many cards)
    owners   = ( "A" | "B" ) { "A" | "B" }            (either case; as many of each)

Cards are numbers, the higher one takes the trick; only their order matters, so that some may be gone. A is Left's hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engines.text.textfile import shown, whole_number
from engines.tricks.rules import Hand
from storage.errors import UserError

CARDS_MAX = 200
"""Cards of each player."""
PLAYED_MAX = 16
"""Cards of each player of deals that are played to the end; the core takes no more."""
CARD_MAX = 9999


@dataclass(frozen=True)
class WrittenDeal:
    """A deal as it is written."""

    left: Hand
    """Descending."""
    right: Hand
    count: int
    """Point cards."""


def read_deals(text: str, source: str = "deals") -> list[WrittenDeal]:
    """All deals of a text; UserError that names ``source``, line and what is wrong there."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if words:
            found.append(_Reader(f"{source}, line {number}").deal(words))
    return found


def format_deal(deal: WrittenDeal) -> str:
    """As ``read_deals`` takes it."""
    hands = (f"{name}={','.join(map(str, hand))}" for name, hand in (("A", deal.left), ("B", deal.right)))
    return f"{' '.join(hands)} k={deal.count}"


def format_owners(deal: WrittenDeal) -> str:
    """Who has the highest card, the next one, ...: what the cards themselves are is lost, and makes no difference."""
    owners = sorted([(card, "A") for card in deal.left] + [(card, "B") for card in deal.right], reverse=True)
    return f"{''.join(owner for _, owner in owners)} k={deal.count}"


FORMS = {"cards": format_deal, "owners": format_owners}
"""Form -> how a deal is written in it."""


def draw_deal(deal: WrittenDeal) -> str:
    """Each card below the next higher one, in the column of who has it."""
    width = max(len("Right (B)"), len(str(max(deal.left + deal.right))))
    lines = [
        f"{len(deal.left)} cards each, {deal.count} point cards",
        f"{'Left (A)':>{width}}  {'Right (B)':>{width}}",
    ]
    for card in sorted(deal.left + deal.right, reverse=True):
        cells = (card, "") if card in deal.left else ("", card)
        lines.append("  ".join(f"{cell:>{width}}" for cell in cells).rstrip())
    return "\n".join(lines)


class _Reader:
    def __init__(self, place: str) -> None:
        self._place = place

    def _error(self, message: str) -> UserError:
        return UserError(self._place, message)

    def deal(self, words: list[str]) -> WrittenDeal:
        hands: dict[str, Hand] = {}
        count = None
        for word in words:
            name, equals, value = word.partition("=")
            if equals and name.upper() in ("A", "B"):
                if name.upper() in hands:
                    raise self._error(f"hand {name.upper()} is given twice")
                hands[name.upper()] = self._hand(name.upper(), value)
            elif equals and name in ("k", "K"):
                if count is not None:
                    raise self._error("k is given twice")
                count = whole_number(value, CARD_MAX)
                if count is None:
                    raise self._error(f"k={shown(value)} is not a number of point cards")
            elif not equals and not hands:
                hands = self._owners(word)
            else:
                raise self._error(f"{shown(word)} is not one of A=CARDS, B=CARDS, AABB..., k=NUMBER")
        for name in ("A", "B"):
            if name not in hands:
                raise self._error(f"hand {name} is missing (A=8,7,6,4 B=5,3,2,1 k=4, or AAABABBB k=4)")
        left, right = hands["A"], hands["B"]
        self._check_hands(left, right)
        if count is None:
            raise self._error("k, the number of point cards, is missing")
        if count > len(left) + len(right):
            raise self._error(f"k={count} point cards are more than the {len(left) + len(right)} cards dealt")
        return WrittenDeal(left, right, count)

    def _hand(self, name: str, text: str) -> Hand:
        cards = []
        for word in text.split(","):
            card = whole_number(word, CARD_MAX)
            if card is None or card == 0:
                raise self._error(f"hand {name}: {shown(word)} is not a card, a number from 1 to {CARD_MAX}")
            cards.append(card)
        return tuple(sorted(cards, reverse=True))

    def _owners(self, word: str) -> dict[str, Hand]:
        wrong = re.search("[^ABab]", word)
        if wrong:
            raise self._error(f"{shown(wrong[0])} in {shown(word)} is neither A nor B")
        owners = word.upper()
        ranked = list(zip(owners, range(len(owners), 0, -1), strict=True))
        return {name: tuple(rank for owner, rank in ranked if owner == name) for name in ("A", "B")}

    def _check_hands(self, left: Hand, right: Hand) -> None:
        if len(left) != len(right):
            raise self._error(f"A has {len(left)} cards and B has {len(right)}; both must have as many")
        if not 1 <= len(left) <= CARDS_MAX:
            raise self._error(f"{len(left)} cards each are too many; there may be 1 to {CARDS_MAX}")
        cards = left + right
        doubled = next((card for card in cards if cards.count(card) > 1), None)
        if doubled is not None:
            raise self._error(f"card {doubled} is dealt twice")
