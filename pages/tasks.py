"""What the workshop's processes are given to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from yamafuda import asking, replays


def replay(
    game: str, deal: str, moves: str, rules: Mapping[str, str], first: int, count: int, at: int | None
) -> Iterator[dict[str, Any]]:
    """A replay, as ``yamafuda.replays.replay`` makes it."""
    found = replays.replay(game, deal, moves, rules, first=first, count=count, at=at)
    yield asdict(found)


def ask(
    game: str,
    verb: str,
    deal: str,
    moves: str,
    step: int,
    rules: Mapping[str, str],
    values: Mapping[str, str],
    time_s: float,
    memory_bytes: int,
) -> Iterator[dict[str, Any]]:
    """Answers, as ``yamafuda.asking.ask_after`` gives them."""
    for told in asking.ask_after(game, verb, deal, moves, step, rules, values, time_s, memory_bytes):
        yield asdict(told)
