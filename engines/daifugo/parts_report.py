"""Players compared with others than the paper's Rand: the last table of ``yamafuda report daifugo``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.text.columns import NONE, aligned

US = 1e6


@dataclass(frozen=True)
class Part:
    """A player in the place of another one, on the same deals. Points are a game's."""

    opponents: str
    """The other four."""
    of: str
    """The player whose place it takes; in that player's own row its own name."""
    player: str
    games_count: int
    seed: int
    ranks: str
    points: float
    playouts_a_game: float
    elapsed_s_a_game: float
    """Processor time of the player."""
    difference: float | None
    difference_low: float | None
    """Ends of the 95% interval."""
    difference_high: float | None
    unfinished: bool = False
    """Whether the run is not done."""


def parts(summary: dict[str, Any]) -> Iterator[Part]:
    """All players of a tournament, from its summary."""
    job, place = summary["job"], summary["place_index"]
    others = [name for at, name in enumerate(job["players"]) if at != place]
    opponents = f"4 {others[0]}" if len(set(others)) == 1 else ", ".join(others)
    told = {each["variant"]: each for each in summary["differences"]}
    for variant in summary["variants"]:
        if not variant["games_count"]:
            continue
        difference = told.get(variant["variant"], {})
        yield Part(
            opponents=opponents,
            of=job["players"][place],
            player=variant["name"],
            games_count=variant["games_count"],
            seed=job["seed"],
            ranks=job["ranks"],
            points=variant["points_a_game"][place],
            playouts_a_game=variant["playouts_a_game"][place],
            elapsed_s_a_game=variant["elapsed_s_a_game"][place],
            difference=difference.get("points_a_game"),
            difference_low=difference.get("points_a_game_low"),
            difference_high=difference.get("points_a_game_high"),
            unfinished="unfinished" in summary,
        )


def parts_table(found: Sequence[Part]) -> Iterator[str]:
    """The table as text; empty without players."""
    if not found:
        return
    yield "Other players: points a game, and differences to the player whose place it is, on the same deals"
    head = (
        "opponents",
        "in the place of",
        "player",
        "games",
        "ranks",
        "points",
        "difference",
        "95% interval",
    )
    rows: list[tuple[str, ...]] = [(*head, "playouts", "us a playout")]
    for part in found:
        interval = NONE
        if part.difference_low is not None and part.difference_high is not None:
            interval = f"{part.difference_low:+.3f} to {part.difference_high:+.3f}"
        cost = f"{US * part.elapsed_s_a_game / part.playouts_a_game:.2f}" if part.playouts_a_game else NONE
        rows.append(
            (
                *(part.opponents, part.of, part.player, f"{part.games_count:,}", part.ranks),
                f"{part.points:.3f}",
                NONE if part.difference is None else f"{part.difference:+.3f}",
                *(interval, f"{part.playouts_a_game:,.0f}", cost),
            )
        )
    yield from aligned(rows)
    yield "interval: of whole matches, two or more (job.rank_period: games of a match)"
    yield "playouts: of a game, those for gifts included; times are processor time"
