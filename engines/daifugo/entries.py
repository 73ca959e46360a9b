"""Players of the paper's tournaments: one against four of a kind, beside Rand with 1500 playouts on the same deals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from engines.daifugo import paper
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.players import BUDGET_SIGN
from engines.statistics.intervals import Z

_RAND = PlayerOptions(playouts=paper.PLAYOUTS_COUNT)
"""The paper's player with uniformly random hands."""
ALL = "all"
"""Name of the opponents of pooled differences."""


@dataclass(frozen=True)
class Entry:
    """One player against four of a kind, in the run that has most games of it. Points are those of 10,000 games."""

    opponents: str
    player: str
    """Its name without the playouts; ``mc`` is rand."""
    changed: str
    """Options in which it differs from the paper's player of that name, as OPTION=VALUE; empty if in none."""
    playouts: int
    games_count: int
    seed: int
    points: float
    points_se: float | None
    playouts_per_s: float | None
    ranks: str
    """own, or shared: points and differences are those of games that begin with the ranks of Rand's."""
    difference: float | None
    """Difference to Rand with 1500 playouts on the same deals; None where the run has no such player in
    ``job.players``."""
    difference_se: float | None
    difference_low: float | None
    """Ends of the 95% interval."""
    difference_high: float | None
    in_matches: float | None
    """The same, with the effect of ranks on later games."""
    in_matches_se: float | None
    paper_points: int | None
    paper_difference: int | None
    unfinished: bool = False
    """Whether the run is not done."""


def entries_of(summaries: Iterable[dict[str, Any]]) -> list[Entry]:
    """All players of the tournaments that have the form of the paper's.

    Of several runs with the same player that with most games; one of its differences rather than one without.
    """
    return [entry for entry, _, _ in placed_entries(summaries)]


def placed_entries(
    summaries: Iterable[dict[str, Any]],
) -> list[tuple[Entry, dict[str, Any], dict[str, Any]]]:
    """The same, each with the summary that has it, and what that has of its variant."""
    found: dict[tuple[str, ...], tuple[Entry, dict[str, Any], dict[str, Any]]] = {}
    for summary in filter(is_papers, summaries):
        for digest, entry, variant in _entries(summary):
            key = (entry.opponents, entry.player, f"{entry.playouts:012}", entry.changed, digest)
            if key not in found or _rank(entry) > _rank(found[key][0]):
                found[key] = entry, summary, variant
    return [found[key] for key in sorted(found)]


def _rank(entry: Entry) -> tuple[bool, int]:
    return entry.difference is not None, entry.games_count


def is_papers(summary: dict[str, Any]) -> bool:
    """Whether it has the form of the paper's: the place of Rand with 1500 playouts, and four of one kind."""
    job, place = summary["job"], summary["place_index"]
    options = [PlayerOptions(**job["kinds"][name]) for name in job["players"]]
    others = {name for at, name in enumerate(job["players"]) if at != place}
    periods = (job["seat_period"], job["rank_period"])
    return options[place] == _RAND and len(others) == 1 and periods == (3, 100)


def _entries(summary: dict[str, Any]) -> Iterator[tuple[str, Entry, dict[str, Any]]]:
    """Each player with the digest of all options that its name does not give, and its variant."""
    job, place = summary["job"], summary["place_index"]
    kinds = {name: PlayerOptions(**options) for name, options in job["kinds"].items()}
    (opponent,) = {name for at, name in enumerate(job["players"]) if at != place}
    opponents = _name(opponent)
    if changed := _changed(opponents, replace(kinds[opponent], playouts=paper.PLAYOUTS_COUNT)):
        opponents += f", {changed}"
    elif BUDGET_SIGN in opponent:
        opponents = opponent
    differences = {each["variant"]: each for each in summary["differences"]}
    for variant in summary["variants"]:
        options, name = kinds[variant["name"]], _name(variant["name"])
        if options.playouts is None or not variant["games_count"]:
            continue
        error, told = variant["points_a_game_se"][place], differences.get(variant["variant"], {})
        changed = _changed(name, replace(options, playouts=paper.PLAYOUTS_COUNT))
        of_paper = name in paper.TITLES and not changed and options.playouts == paper.PLAYOUTS_COUNT
        entry = Entry(
            opponents=opponents,
            player=name,
            changed=changed,
            playouts=options.playouts,
            games_count=variant["games_count"],
            seed=job["seed"],
            points=paper.GAMES_COUNT * variant["points_a_game"][place],
            points_se=None if error is None else paper.GAMES_COUNT * error,
            playouts_per_s=variant["playouts_per_s"],
            ranks=job["ranks"],
            difference=told.get("points_10000_games"),
            difference_se=told.get("points_se_10000_games"),
            difference_low=told.get("points_low_10000_games"),
            difference_high=told.get("points_high_10000_games"),
            in_matches=told.get("in_matches_10000_games"),
            in_matches_se=told.get("in_matches_se_10000_games"),
            paper_points=paper.TABLE_1.get(opponents, {}).get(name) if of_paper else None,
            paper_difference=paper.difference(opponents, name) if of_paper else None,
            unfinished="unfinished" in summary,
        )
        yield repr((kinds[opponent], replace(options, playouts=None))), entry, variant


def _name(name: str) -> str:
    """Without the number of playouts; the two names of the paper's first player are one."""
    base = name.partition(BUDGET_SIGN)[0]
    return "rand" if base == "mc" else base


def _changed(name: str, options: PlayerOptions) -> str:
    """The options in which a player, with 1500 playouts, differs from the paper's player of its name; empty where the
    paper has no such player."""
    usual = {"rule": PlayerOptions("rule", playouts=paper.PLAYOUTS_COUNT)}
    usual |= {
        title: replace(_RAND, generator="he" if title.startswith("he") else title) for title in paper.TITLES
    }
    if name not in usual:
        return ""
    values, files = asdict(options), ("table", "table_sha256")
    differing = {key: value for key, value in values.items() if value != asdict(usual[name])[key]}
    return ", ".join(f"{key}={value}" for key, value in sorted(differing.items()) if key not in files)


def pooled(entries: Sequence[Entry]) -> list[Entry]:
    """The mean of each player's differences over its opponents, if it met several, on deals of their own (seeds)."""
    found = []
    chosen = [entry for entry in entries if entry.difference_se is not None and not entry.changed]
    for player, playouts in sorted({(entry.player, entry.playouts) for entry in chosen}):
        told = [e for e in chosen if (e.player, e.playouts) == (player, playouts)]
        if len(told) < 2 or len({entry.seed for entry in told}) < len(told):
            continue
        if len({entry.ranks for entry in told}) > 1:
            continue
        count = len(told)
        centre, error = _mean([(entry.difference, entry.difference_se) for entry in told])
        in_matches, in_matches_error = _mean([(entry.in_matches, entry.in_matches_se) for entry in told])
        printed = [entry.paper_difference for entry in told if entry.paper_difference is not None]
        found.append(
            Entry(
                opponents=ALL,
                player=player,
                changed="",
                playouts=playouts,
                games_count=sum(entry.games_count for entry in told),
                seed=told[0].seed,
                points=math.fsum(entry.points for entry in told) / count,
                points_se=None,
                playouts_per_s=None,
                ranks=told[0].ranks,
                difference=centre,
                difference_se=error,
                difference_low=centre - Z * error,
                difference_high=centre + Z * error,
                in_matches=in_matches,
                in_matches_se=in_matches_error,
                paper_points=None,
                paper_difference=round(sum(printed) / count) if len(printed) == count else None,
            )
        )
    return found


def _mean(values: Sequence[tuple[float | None, float | None]]) -> tuple[float, float]:
    """Mean of independent values with their errors, and its error."""
    centre = math.fsum(value or 0.0 for value, _ in values) / len(values)
    return centre, math.sqrt(math.fsum((error or 0.0) ** 2 for _, error in values)) / len(values)
