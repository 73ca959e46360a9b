"""Tournaments over a network, in ``yamafuda report daifugo``: a row for each player of each line-up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.contract.runs import sound_runs
from engines.daifugo.scores import points_interval
from engines.text.columns import NONE, aligned
from storage.layout import RunLayout
from storage.manifest import read_summary
from storage.place import Place


@dataclass(frozen=True)
class Guest:
    """A player of a tournament over a network. Points are a game's."""

    run: str
    """Name of the run's folder."""
    line_up: str
    """All five."""
    beside: str
    """The other four."""
    variant: int
    number: int
    """Of the player, 0 to 4."""
    name: str
    player: str
    """The name, with its number where several have it."""
    games_count: int
    seed: int
    points: float
    points_se: float | None
    points_low: float | None
    """Of the 95% interval."""
    points_high: float | None
    of: str | None
    """Whose place it takes."""
    difference: float | None
    """To that one, on the same deals."""
    difference_se: float | None
    difference_low: float | None
    """Of the 95% interval."""
    difference_high: float | None
    processor_s: float | None
    """Processor time a game, all of a program's, of ours that of decisions; None where nobody knows."""
    turn_s: float | None
    """The same a turn of the player."""
    faults: str
    """Faults with numbers of games, and refused plays; empty if there are none."""
    faults_count: int
    """Games with one."""
    refused_count: int


def read_guests(runs: Place | tuple[Place, ...]) -> list[Guest]:
    """All players of the finished tournaments over a network."""
    return [guest for found in sound_runs(runs, _guests) for guest in found]


def _guests(folder: Place) -> list[Guest] | None:
    layout = RunLayout(folder)
    if not (layout.manifest.is_file() and layout.summary.is_file()):
        return None
    summary = read_summary(folder)
    if summary.get("job", {}).get("name") != "daifugo_uecda":
        return None
    return list(_of_summary(folder.name, summary))


def _of_summary(run: str, summary: dict[str, Any]) -> Iterator[Guest]:
    outside = {(each["variant"], each["player"]): each for each in summary["outside"]}
    told = {each["variant"]: each for each in summary["differences"]}
    for variant in summary["variants"]:
        names = variant["players"]
        for player, name in enumerate(names):
            each = outside.get((variant["variant"], player))
            place = player == summary["place_index"]
            difference = told.get(variant["variant"], {}) if place else {}
            processor_s = variant["elapsed_s_a_game"][player] if each is None else each["program_s_a_game"]
            # Runs of old do not tell the turns of each player.
            turns = summary.get("player_turns_a_game")
            low, high = points_interval(variant, player)
            yield Guest(
                run=run,
                line_up=", ".join(names),
                beside=_told([*names[:player], *names[player + 1 :]]),
                variant=variant["variant"],
                number=player,
                name=name,
                player=name if names.count(name) == 1 else f"{name} ({player})",
                games_count=variant["games_count"],
                seed=summary["job"]["seed"],
                points=variant["points_a_game"][player],
                points_se=variant["points_a_game_se"][player],
                points_low=low,
                points_high=high,
                of=difference.get("of"),
                difference=difference.get("points_a_game"),
                difference_se=difference.get("points_a_game_se"),
                difference_low=difference.get("points_a_game_low"),
                difference_high=difference.get("points_a_game_high"),
                processor_s=processor_s,
                turn_s=None
                if processor_s is None or turns is None
                else processor_s / turns[variant["variant"]][player],
                faults="" if each is None else _faults(each),
                faults_count=0 if each is None else sum(each["faults"].values()),
                refused_count=0 if each is None else each["refused_count"],
            )


def _told(names: Sequence[str]) -> str:
    """Names, those that are the same together."""
    counts = Counter(names)
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counts.items())


def _faults(outside: dict[str, Any]) -> str:
    told = [f"{name} {count}" for name, count in outside["faults"].items()]
    refused = outside["refused_count"]
    return ", ".join([*told, *([f"refused {refused}"] if refused else [])])


def guests_table(guests: Sequence[Guest]) -> Iterator[str]:
    """The rows, in words."""
    if not guests:
        return
    yield "Over a network: points a game, and differences to the player whose place it is, on the same deals"
    rows: list[tuple[str, ...]] = [
        (
            "line-up",
            "player",
            "games",
            "seed",
            "points",
            "error",
            "difference",
            "error",
            "ms a game",
            "faults",
        )
    ]
    before = None
    for each in guests:
        line_up = (each.run, each.variant)
        rows.append(
            (
                each.line_up if line_up != before else "",
                each.player,
                f"{each.games_count:,}",
                str(each.seed),
                f"{each.points:.3f}",
                NONE if each.points_se is None else f"{each.points_se:.3f}",
                NONE if each.difference is None else f"{each.difference:+.3f}",
                NONE if each.difference_se is None else f"{each.difference_se:.3f}",
                NONE if each.processor_s is None else f"{1000 * each.processor_s:.1f}",
                each.faults or NONE,
            )
        )
        before = line_up
    yield from aligned(rows)
    yield "faults: games with the first fault of each kind; plays that were refused; ms are processor time"
