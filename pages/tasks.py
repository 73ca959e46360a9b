"""What the workshop's processes are given to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from yamafuda import exploring, replays


def replay(
    game: str, deal: str, moves: str, rules: Mapping[str, str], first: int, count: int, at: int | None
) -> Iterator[dict[str, Any]]:
    """A replay, as ``yamafuda.replays.replay`` makes it."""
    found = replays.replay(game, deal, moves, rules, first=first, count=count, at=at)
    yield asdict(found)


def explore(game: str, position: str, editing: bool) -> Iterator[dict[str, Any]]:
    """What is known of a position, as ``yamafuda.exploring.explore`` tells it."""
    yield asdict(exploring.explore(game, position, editing=editing))
