"""Names of cards, as all games read and print them, and the numbers by which referees of solitaires know them.

A card is two characters, suit and rank in either order and either case: ``S3`` or ``3S``; suits are C, D, H, S and
ranks A, 2 to 9, T, J, Q, K. Ten is also read as ``0`` or ``10``, and suits as their
signs.
"""

from __future__ import annotations

SUITS = "CDHS"
RANKS = "A234567890JQK"
"""As printed: ten as 0, which keeps every card two characters wide."""
SIGNS = "♣♦♥♠"
"""The signs of the suits."""
SIGNS_READ = SIGNS + "♧♢♡♤"
_SIGNS = str.maketrans(SIGNS_READ, SUITS * 2, "\ufe0e\ufe0f")
"""Signs of suits to letters, without the characters that choose between pictures of a sign."""
_READ = {name: rank for rank, name in enumerate(RANKS, start=1)} | {"T": 10, "10": 10}


def with_letters(text: str) -> str:
    """A text with letters instead of the signs of suits, filled or open."""
    return text.translate(_SIGNS)


def read_card(text: str) -> tuple[int, int] | None:
    """Suit (0 to 3: C, D, H, S) and rank (1 to 13) of a card; None when it is none."""
    text = with_letters(text)
    # Only ASCII letters: some other characters have these as their upper case.
    name = text.upper() if text.isascii() else ""
    for suit, rank in ((name[:1], name[1:]), (name[-1:], name[:-1])):
        if suit and suit in SUITS and rank in _READ:
            return SUITS.index(suit), _READ[rank]
    return None


def card_name(suit: int, rank: int) -> str:
    """The printed name, suit first."""
    return SUITS[suit] + RANKS[rank - 1]


def card_number(suit: int, rank: int) -> int:
    """The number by which a card is known in positions."""
    return suit * 16 + rank


def suit_of(number: int) -> int:
    """The suit of a card, 0 to 3."""
    return number // 16


def rank_of(number: int) -> int:
    """The rank of a card, 1 for an ace."""
    return number % 16


def name_of(number: int) -> str:
    """A card as it is printed."""
    return card_name(suit_of(number), rank_of(number))


def rank_first(number: int) -> str:
    """A card as other programs print it, rank first and ten as T: ``TH``."""
    return name_of(number)[::-1].replace("0", "T")


def sign_of(number: int) -> str:
    """A card as people write it, rank first: ``10♥``."""
    return sign_of_name(name_of(number))


def shown_card(name: str) -> str:
    """The same for a card by any name; a text that is not such a card, like a joker, stays as it is."""
    found = read_card(name)
    return name if found is None else sign_of_name(card_name(*found))


def sign_of_name(name: str) -> str:
    """The same for a card by its printed name."""
    suit, rank = name[0], name[1]
    return ("10" if rank == "0" else rank) + SIGNS[SUITS.index(suit)]
