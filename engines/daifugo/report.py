"""``yamafuda report daifugo``: figure 9 and table 1 of the paper from tournaments, as far as they are done."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from engines.contract.game import Roots
from engines.daifugo import paper
from engines.daifugo.parts_report import Part, parts, parts_table
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.players import BUDGET_SIGN
from engines.daifugo.rules import PLAYERS
from engines.daifugo.scores import COLUMNS
from engines.daifugo.tournament import DaifugoTournament, DaifugoTournamentJob, Ranks, figures
from engines.reporting import NONE, aligned, first_rows, run_plan
from engines.statistics.intervals import Z
from storage.dataset import part_paths
from storage.errors import DamagedFileError
from storage.layout import RunLayout, run_folders
from storage.manifest import read_summary

_RAND = PlayerOptions(playouts=paper.PLAYOUTS_COUNT)
"""The paper's player with uniformly random hands."""
ALL = "all"
"""Stands for the opponents of differences that are pooled."""


@dataclass(frozen=True)
class Entry:
    """One player against four of a kind, in the run that has most games of it. Points are those of 10,000 games."""

    opponents: str
    player: str
    """Its name without the playouts; ``mc`` is rand."""
    changed: str
    """Options in which it is another player than the paper's of that name, as OPTION=VALUE; empty: in none."""
    playouts: int
    games_count: int
    seed: int
    points: float
    points_se: float | None
    playouts_per_s: float | None
    ranks: str
    """own, or shared: points and differences are those of games that begin with the ranks of Rand's."""
    difference: float | None
    """To Rand with 1500 playouts on the same deals; None where the run has no such player in ``job.players``."""
    difference_se: float | None
    difference_low: float | None
    """Of the 95% interval."""
    difference_high: float | None
    in_matches: float | None
    """The same with what ranks bring in later games."""
    in_matches_se: float | None
    paper_points: int | None
    paper_difference: int | None
    unfinished: bool = False
    """The run is not done."""


def report(roots: Roots, as_json: bool) -> bool:
    """Print figure 9 and table 1 from the runs below the roots; a JSON object for each player instead."""
    results = roots.results
    summaries = list(_summaries(results))
    entries, others = _entries_of(summaries), _parts_of(summaries)
    if as_json:
        for row in (*map(asdict, entries), *map(asdict, others)):
            print(json.dumps(row))
        return True
    blocks = [_table_1(entries), _figure_9(entries), _other_playouts(entries), parts_table(others)]
    for lines in filter(None, map(list, blocks)):
        print("\n".join([*lines, ""]))
    for summary in summaries:
        if "unfinished" in summary:
            print(summary["unfinished"])
    print(f"{len(entries) + len(others)} players; runs are in {results.resolve()}")
    return True


def read_entries(results: Path) -> list[Entry]:
    """All players of tournaments beside Rand against four players of one kind.

    Of several runs with the same player that with most games; one of its differences rather than one without.
    """
    return _entries_of(_summaries(results))


def _entries_of(summaries: Iterable[dict[str, Any]]) -> list[Entry]:
    found: dict[tuple[str, ...], Entry] = {}
    for summary in filter(_is_papers, summaries):
        for digest, entry in _entries(summary):
            key = (entry.opponents, entry.player, f"{entry.playouts:012}", entry.changed, digest)
            if key not in found or _rank(entry) > _rank(found[key]):
                found[key] = entry
    return [found[key] for key in sorted(found)]


def _rank(entry: Entry) -> tuple[bool, int]:
    return entry.difference is not None, entry.games_count


def read_parts(results: Path) -> list[Part]:
    """All players of the other tournaments, run by run."""
    return _parts_of(_summaries(results))


def _parts_of(summaries: Iterable[dict[str, Any]]) -> list[Part]:
    runs = [list(parts(summary)) for summary in summaries if not _is_papers(summary)]
    runs = [run for run in runs if run]
    runs.sort(key=lambda run: (run[0].opponents, run[0].of, run[0].games_count, run[0].seed))
    return [part for run in runs for part in run]


def _summaries(results: Path) -> Iterator[dict[str, Any]]:
    """Of all tournaments; of those that are not done, of the matches before the first that is missing."""
    for folder in run_folders([results]):
        layout = RunLayout(folder)
        if layout.manifest.is_file() and layout.summary.is_file():
            summary = read_summary(folder)
            if summary.get("job", {}).get("name") == "daifugo_tournament" and "variants" in summary:
                yield summary
        elif (begun := _begun(folder)) is not None:
            yield begun


def _begun(folder: Path) -> dict[str, Any] | None:
    """What the summary of a tournament that is not done would have, of its first matches; None if there is none."""
    import numpy as np

    plan = run_plan(folder)
    values = plan["job"]
    # In rows of version 2 an item is a row; they are the same rows in the same order.
    versions = (2, DaifugoTournament.version)
    if values.get("name") != "daifugo_tournament" or plan.get("engine_version") not in versions:
        return None
    try:
        job = DaifugoTournamentJob(
            "daifugo_tournament",
            **{key: values[key] for key in ("players", "variants", "place", "games", "rank_period")},
            ranks=Ranks(values["ranks"]),
        )
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise DamagedFileError(str(RunLayout(folder).plan), f"is not a plan ({error})") from None
    if not part_paths(folder):
        return None
    rows = first_rows(folder, [name for name in COLUMNS if name != "index"])
    match_rows = job.match_games() * PLAYERS * len(job.line_ups())
    rows = rows.slice(0, len(rows) // match_rows * match_rows)
    if len(rows) == 0:
        return None
    index = np.arange(len(rows) // PLAYERS, dtype=np.uint64).repeat(PLAYERS)
    found = figures(job, rows.append_column("index", [index]))
    games = len(rows) // (PLAYERS * len(job.line_ups()))
    remark = f"{folder.name}: not done, {games:,} of {job.games:,} games count"
    return {"job": values, "unfinished": remark} | found


def _is_papers(summary: dict[str, Any]) -> bool:
    """Whether it has the form of the paper's: the place of Rand with 1500 playouts, and four of one kind."""
    job, place = summary["job"], summary["place"]
    options = [PlayerOptions(**job["kinds"][name]) for name in job["players"]]
    others = {name for at, name in enumerate(job["players"]) if at != place}
    periods = (job["seat_period"], job["rank_period"])
    return options[place] == _RAND and len(others) == 1 and periods == (3, 100)


def _entries(summary: dict[str, Any]) -> Iterator[tuple[str, Entry]]:
    """Each player with the digest of all options that the name does not tell."""
    job, place = summary["job"], summary["place"]
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
        is_papers = name in paper.TITLES and not changed and options.playouts == paper.PLAYOUTS_COUNT
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
            paper_points=paper.TABLE_1.get(opponents, {}).get(name) if is_papers else None,
            paper_difference=paper.difference(opponents, name) if is_papers else None,
            unfinished="unfinished" in summary,
        )
        yield repr((kinds[opponent], replace(options, playouts=None))), entry


def _name(name: str) -> str:
    """Without the number of playouts; the two names of the paper's first player are one."""
    base = name.partition(BUDGET_SIGN)[0]
    return "rand" if base == "mc" else base


def _changed(name: str, options: PlayerOptions) -> str:
    """In which options a player, with 1500 playouts, is not the paper's of its name; empty where that has none such."""
    usual = {"rule": PlayerOptions("rule", playouts=paper.PLAYOUTS_COUNT)}
    usual |= {
        title: replace(_RAND, generator="he" if title.startswith("he") else title) for title in paper.TITLES
    }
    if name not in usual:
        return ""
    values, files = asdict(options), ("table", "table_sha256")
    differing = {key: value for key, value in values.items() if value != asdict(usual[name])[key]}
    return ", ".join(f"{key}={value}" for key, value in sorted(differing.items()) if key not in files)


def _table_1(entries: Sequence[Entry]) -> Iterator[str]:
    chosen = [entry for entry in entries if entry.playouts == paper.PLAYOUTS_COUNT]
    if not chosen:
        return
    yield f"Table 1: one player with {paper.PLAYOUTS_COUNT} playouts against four, points of 10,000 games"
    head = ("opponents", "player", "games", "points", "error", "paper", *_DIFFERENCE, "paper")
    rows: list[tuple[str, ...]] = [head]
    for entry in [*chosen, *pooled(chosen)]:
        rows.append(
            (
                *(f"4 {entry.opponents}" if entry.opponents != ALL else ALL, _title(entry)),
                f"{entry.games_count:,}",
                *(_number(entry.points), _number(entry.points_se), _number(entry.paper_points)),
                *(*_difference(entry), _signed(entry.paper_difference)),
            )
        )
    yield from aligned(rows)
    yield "difference: to Rand on the same deals; errors from the sums of matches of 100 games"
    yield "in matches: with what ranks bring in later games, as in the paper; of shared ones by Rand's own games"
    yield "paper: its opponents are kishimen (beside rule), paonR2 (strong) and MC (rand); errors there are about 140"


def _figure_9(entries: Sequence[Entry]) -> Iterator[str]:
    """Points by playouts, a column a generator."""
    chosen = [entry for entry in entries if entry.opponents == "rand" and not entry.changed]
    budgets = sorted({entry.playouts for entry in chosen})
    if len(budgets) < 2:
        return
    yield "Figure 9: points a game against four Rand with 1500 playouts, with standard errors"
    names = sorted({entry.player for entry in chosen}, key=_order)
    rows = [("playouts", *(paper.TITLES.get(name, name) for name in names))]
    for budget in budgets:
        by_name = {entry.player: entry for entry in chosen if entry.playouts == budget}
        rows.append((str(budget), *(_point(by_name.get(name)) for name in names)))
        if budget == paper.PLAYOUTS_COUNT:
            printed = [paper.TABLE_1["rand"].get(name) for name in names]
            rows.append(("paper", *(NONE if each is None else f"{each / 10_000:.3f}" for each in printed)))
    yield from aligned(rows)


def _other_playouts(entries: Sequence[Entry]) -> Iterator[str]:
    """What the paper says of 1100 playouts, and all others than 1500."""
    chosen = [e for e in entries if e.playouts != paper.PLAYOUTS_COUNT and e.difference is not None]
    if not chosen:
        return
    yield "Other numbers of playouts: differences to Rand with 1500, points of 10,000 games"
    rows: list[tuple[str, ...]] = [("opponents", "player", "playouts", "games", *_DIFFERENCE)]
    for entry in [*chosen, *pooled(chosen)]:
        opponents = f"4 {entry.opponents}" if entry.opponents != ALL else ALL
        head = (opponents, _title(entry), str(entry.playouts), f"{entry.games_count:,}")
        rows.append((*head, *_difference(entry)))
    yield from aligned(rows)
    yield "paper: some 1100 playouts of Rand/D or HE/all are as good as 1500 of Rand"


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


_DIFFERENCE = ("ranks", "difference", "error", "95% interval", "in matches", "error")


def _difference(entry: Entry) -> tuple[str, ...]:
    low, high = _signed(entry.difference_low), _signed(entry.difference_high)
    interval = NONE if entry.difference_low is None else f"{low} to {high}"
    found = (entry.ranks, _signed(entry.difference), _number(entry.difference_se), interval)
    return *found, _signed(entry.in_matches), _number(entry.in_matches_se)


def _point(entry: Entry | None) -> str:
    if entry is None:
        return NONE
    error = "" if entry.points_se is None else f" ± {entry.points_se / 10_000:.3f}"
    return f"{entry.points / 10_000:.3f}{error}"


def _title(entry: Entry) -> str:
    name = paper.TITLES.get(entry.player, entry.player)
    return f"{name}, {entry.changed}" if entry.changed else name


def _order(name: str) -> tuple[int, str]:
    """The paper's players first."""
    names = list(paper.TITLES)
    return (names.index(name) if name in names else len(names)), name


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.0f}"


def _signed(value: float | None) -> str:
    return NONE if value is None else f"{value:+.0f}"
