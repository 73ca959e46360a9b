"""Positions written in the forms that yamafuda only reads: the report's figures and Solvitaire's JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engines.klondike.rules import Position
from engines.text.cards import card_number, name_of, rank_of


def as_figure(position: Position) -> str:
    """As the report prints it."""
    lines = [f"No.1, level=0, Redeal={position.redeals_count}", "cell: (山)"]
    lines += _pile(position.stock[::-1])
    lines += ["wastepile: (くず席)", *_pile(position.waste)]
    tops = ", ".join(map(str, position.foundations))
    lines.append(
        f"tp: {tops}, n={sum(position.foundations)}, (台) cp={len(position.stock)}, wp={len(position.waste)}"
    )
    lines.append(f"Stack: {sum(map(len, position.columns))}(場)")
    for index, (column, down) in enumerate(zip(position.columns, position.face_down, strict=True)):
        if column and (down or rank_of(column[0]) < position.ranks):
            head, cards = (
                f"{index},{down},{len(column):2}",
                _names(column[:down]) + "," + _names(column[down:]),
            )
        else:
            head, cards = f"{index},-1,{len(column):2}", _names(column)
        lines.append(f"{head}: {cards}".ljust(48, "-"))
    return "\n".join(lines) + "\n"


def as_solvitaire(position: Position) -> str:
    """As a JSON object; cards that lie face down have a small suit."""
    founded = [
        card_number(suit, rank) for suit, top in enumerate(position.foundations) for rank in range(1, top + 1)
    ]
    columns = [
        [_card(number, down=at < down) for at, number in enumerate(column)]
        for column, down in zip(position.columns, position.face_down, strict=True)
    ]
    return json.dumps(
        {
            "tableau piles": columns,
            "stock": [_card(number) for number in position.stock[::-1]],
            "waste": [_card(number) for number in position.waste],
            "foundations": [_card(number) for number in founded],
        }
    )


def _pile(cards: Sequence[int]) -> list[str]:
    return ["".join(f"{at:2X}" for at in range(len(cards))).strip(), _names(cards)] if cards else []


def _names(cards: Sequence[int]) -> str:
    return "".join(map(name_of, cards))


def _card(number: int, down: bool = False) -> str:
    suit, rank = name_of(number)
    return ("10" if rank == "0" else rank) + (suit.lower() if down else suit)
