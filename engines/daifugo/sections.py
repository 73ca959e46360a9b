"""What a report shows of Daihinmin: table 1 and figure 9 of the paper, what other players are worth, and programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engines.contract.chart import Axis, Curve, Curves, Dots, DotSeries, Value
from engines.contract.game import Roots
from engines.contract.section import Column, Section
from engines.daifugo import paper
from engines.daifugo.entries import Entry, is_papers, placed_entries
from engines.daifugo.parts_report import parts
from engines.daifugo.report import order_of, title_of
from engines.daifugo.scores import MATCHES, points_interval
from engines.daifugo.tournament_runs import ROWS, read_summaries
from engines.daifugo.uecda.sections import network_sections
from engines.statistics.sql import RunRows, column_sql, literal_sql

Placed = tuple[Entry, dict[str, Any], dict[str, Any]]
UNIT = "points of 10,000 games"
OPPONENTS = (
    "Published: the paper's opponents are kishimen (beside rule), paonR2 (strong) and MC (rand); "
    "errors there are about 140."
)
PLAYOUTS = "Published: table 1 at 1500 playouts; figure 9 itself is a plot without numbers."


def sections(roots: Roots) -> Iterable[Section]:
    """Of all tournaments, as far as they are done."""
    summaries = list(read_summaries(roots.sweep_runs))
    placed = placed_entries(summaries)
    yield from _table_1([each for each in placed if each[0].playouts == paper.PLAYOUTS_COUNT])
    yield from _figure_9([each for each in placed if each[0].opponents == "rand" and not each[0].changed])
    yield from _others([summary for summary in summaries if not is_papers(summary)])
    yield from network_sections(roots.sweep_runs)


def _key(placed: Placed) -> dict[str, Any]:
    entry, _, _ = placed
    return {
        "opponents": entry.opponents,
        "player": title_of(entry),
        "playouts": entry.playouts,
        "games_count": entry.games_count,
    }


def _value(placed: Placed) -> Value:
    """Points a game."""
    _, summary, variant = placed
    place = summary["place_index"]
    return Value(variant["points_a_game"][place], *points_interval(variant, place))


def _table_1(placed: Sequence[Placed]) -> Iterator[Section]:
    if not placed:
        return
    rows = []
    for each in placed:
        entry, value = each[0], _value(each)
        rows.append(
            _key(each)
            | {
                "points_a_game": value.value,
                "points_low": value.low,
                "points_high": value.high,
                "paper_points": None
                if entry.paper_points is None
                else entry.paper_points / paper.GAMES_COUNT,
                "ranks": entry.ranks,
                "difference": entry.difference,
                "difference_low": entry.difference_low,
                "difference_high": entry.difference_high,
                "paper_difference": entry.paper_difference,
                "in_matches": entry.in_matches,
                "in_matches_se": entry.in_matches_se,
            }
        )
    told = [row for row in rows if row["difference"] is not None]
    yield Section(
        name="table-1",
        title=f"One player with {paper.PLAYOUTS_COUNT} playouts against four, and its difference to Rand (table 1)",
        columns=(
            *_COLUMNS,
            Column("points_a_game", "points a game", "", "points_low", "points_high"),
            Column("paper_points", "published"),
            Column("ranks", "ranks"),
            Column("difference", "difference", UNIT, "difference_low", "difference_high", signed=True),
            Column("paper_difference", "published", UNIT, signed=True),
            Column("in_matches", "in matches", UNIT, signed=True),
            Column("in_matches_se", "its error", UNIT),
        ),
        rows=tuple(rows),
        query=_query(placed),
        runs=_runs(each[1] for each in placed),
        chart=Dots(
            Axis("difference to Rand", UNIT),
            tuple(f"{row['player']} against four {row['opponents']}" for row in told),
            (
                DotSeries(
                    "ours",
                    tuple(Value.of(row, "difference") for row in told),
                ),
                DotSeries(
                    "published",
                    tuple(Value.of(row, "paper_difference") for row in told),
                    published=True,
                ),
            ),
        )
        if told
        else None,
        notes=(
            MATCHES,
            "In matches: with the effect of ranks on later games, as in the paper; where ranks are "
            "shared, estimated from Rand's own games.",
            OPPONENTS,
            *_unfinished(placed),
        ),
    )


def _figure_9(placed: Sequence[Placed]) -> Iterator[Section]:
    if len({each[0].playouts for each in placed}) < 2:
        return
    names = sorted({each[0].player for each in placed}, key=order_of)
    chosen = sorted(placed, key=lambda each: (names.index(each[0].player), each[0].playouts))
    rows, points = [], dict[str, list[tuple[float, Value]]]()
    for each in chosen:
        entry, value = each[0], _value(each)
        printed = paper.TABLE_1["rand"].get(entry.player) if entry.playouts == paper.PLAYOUTS_COUNT else None
        rows.append(
            _key(each)
            | {
                "points_a_game": value.value,
                "points_low": value.low,
                "points_high": value.high,
                "paper_points": None if printed is None else printed / paper.GAMES_COUNT,
            }
        )
        points.setdefault(entry.player, []).append((float(entry.playouts), value))
    printed_points = [
        (float(paper.PLAYOUTS_COUNT), Value(paper.TABLE_1["rand"][name] / paper.GAMES_COUNT))
        for name in names
        if name in paper.TABLE_1["rand"]
    ]
    curves = [Curve(paper.TITLES.get(name, name), tuple(points[name])) for name in names]
    curves.append(Curve("published", tuple(printed_points), published=True, joined=False))
    yield Section(
        name="figure-9",
        title="Points a game against four Rand with 1500 playouts, by playouts (figure 9)",
        columns=(
            *_COLUMNS,
            Column("points_a_game", "points a game", "", "points_low", "points_high"),
            Column("paper_points", "published"),
        ),
        rows=tuple(rows),
        query=_query(chosen),
        runs=_runs(each[1] for each in chosen),
        chart=Curves(Axis("playouts of a decision", log=True), Axis("points a game"), tuple(curves)),
        notes=(MATCHES, PLAYOUTS, *_unfinished(placed)),
    )


def _others(summaries: Sequence[dict[str, Any]]) -> Iterator[Section]:
    """Players beside another one than the paper's."""
    rows: list[dict[str, Any]] = []
    sources = []
    for summary in summaries:
        variants = [each for each in summary["variants"] if each["games_count"]]
        for part, variant in zip(parts(summary), variants, strict=True):
            row: dict[str, Any] = {
                "opponents": part.opponents,
                "player": part.player,
                "playouts": round(part.playouts_a_game),
                "games_count": part.games_count,
                "of": part.of,
                "ranks": part.ranks,
                "points_a_game": part.points,
                "difference": part.difference,
                "difference_low": part.difference_low,
                "difference_high": part.difference_high,
            }
            row["cost_s"] = part.elapsed_s_a_game / part.playouts_a_game if part.playouts_a_game else None
            rows.append(row)
            told = {key: row[key] for key in ("opponents", "player")}
            sources.append(_source(summary, variant["variant"], told))
    if not rows:
        return
    told_rows = [row for row in rows if row["difference"] is not None]
    yield Section(
        name="players",
        title="Other players, in the place of one of a tournament",
        columns=(
            Column("opponents", "opponents"),
            Column("of", "in the place of"),
            Column("player", "player"),
            Column("games_count", "games"),
            Column("ranks", "ranks"),
            Column("points_a_game", "points a game"),
            Column("difference", "difference", "points", "difference_low", "difference_high", signed=True),
            Column("playouts", "playouts a game"),
            Column("cost_s", "a playout", "s"),
        ),
        rows=tuple(rows),
        query=(
            "SELECT opponents, player, count(*) AS games_count, avg(points) AS points_a_game\nFROM (\n    "
            + " UNION ALL\n    ".join(sources)
            + "\n)\nGROUP BY ALL ORDER BY ALL"
        ),
        runs=_runs(summaries),
        chart=Dots(
            Axis("difference on the same deals", "points a game"),
            tuple(
                f"{row['player']} in the place of {row['of']}, against {row['opponents']}"
                for row in told_rows
            ),
            (
                DotSeries(
                    "difference",
                    tuple(Value.of(row, "difference") for row in told_rows),
                ),
            ),
        )
        if told_rows
        else None,
        notes=(MATCHES, *(summary["unfinished"] for summary in summaries if "unfinished" in summary)),
    )


_COLUMNS = (
    Column("opponents", "four of"),
    Column("player", "player"),
    Column("playouts", "playouts"),
    Column("games_count", "games"),
)


def _query(placed: Sequence[Placed]) -> str:
    sources = []
    for each in placed:
        told = {key: value for key, value in _key(each).items() if key != "games_count"}
        sources.append(_source(each[1], each[2]["variant"], told))
    return (
        "SELECT opponents, player, playouts, count(*) AS games_count, avg(points) AS points_a_game\nFROM (\n    "
        + " UNION ALL\n    ".join(sources)
        + "\n)\nGROUP BY ALL ORDER BY ALL"
    )


def _source(summary: dict[str, Any], variant: int, told: dict[str, Any]) -> str:
    """The games of a variant: points of the player in the place where variants differ."""
    rows: RunRows = summary[ROWS]
    names = ", ".join(f"{literal_sql(value)} AS {column_sql(key)}" for key, value in told.items())
    before = "" if rows.items_count is None else f' AND "index" < {rows.items_count}'
    return (
        f"SELECT {names}, points FROM {column_sql(rows.name)} "
        f"AS games WHERE games.variant = {variant} AND games.player = {summary['place_index']}{before}"
    )


def _runs(summaries: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(summary[ROWS].name for summary in summaries))


def _unfinished(placed: Sequence[Placed]) -> list[str]:
    return list(dict.fromkeys(summary["unfinished"] for _, summary, _ in placed if "unfinished" in summary))
