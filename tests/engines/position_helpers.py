"""What holds of the positions of every game: they are read back, and drawn with each card once."""

from __future__ import annotations

import random
from typing import Any

from engines.contract.picture import Look, Picture
from engines.contract.positions import Positions
from yamafuda.cards import drawn


def names_on(picture: Picture, places: bool = False) -> list[str]:
    """The names of all cards of a picture, in order; ``places``: also those that places stand for."""
    cards = (card for pile in picture.piles for card in pile.cards)
    return sorted(card.name for card in cards if places or card.look != Look.place)


def walk(positions: Positions[Any], start: Any, rules: Any, seed: int, steps_count: int) -> list[Any]:
    """The plays of a random game, so many at most."""
    chance = random.Random(seed)
    found: list[Any] = []
    while len(found) < steps_count:
        plays = list(positions.plays(found[-1].after if found else start, rules))
        if not plays:
            break
        found.append(chance.choice(plays))
    return found


def read_back(positions: Positions[Any], position: Any) -> Picture:
    """The picture of a position, which is written on one line and read as the same."""
    text = positions.write(position)
    assert "\n" not in text
    assert positions.read(text, "it") == [position], text
    picture = positions.picture(position)
    assert len(drawn(picture).encode()) < 30_000
    return picture
