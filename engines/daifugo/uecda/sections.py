"""What a report shows of tournaments over a network: points, faults and time of each player, and differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from engines.contract.chart import SECONDS, Axis, Dots, DotSeries, Value
from engines.contract.runs import Runs
from engines.contract.section import Column, Section
from engines.daifugo.scores import MATCHES
from engines.daifugo.uecda.report import Guest, read_guests
from engines.statistics.sql import column_sql, literal_sql

POINTS = "points a game"
TIME = (
    "Time of a turn: of a program all its processor time, of ours that of decisions; none where players came by "
    "themselves."
)
FAULTS = "Faults: games with the first fault of each kind, and plays that were refused."


def network_sections(runs: Runs) -> Iterator[Section]:
    """Of all finished tournaments over a network."""
    guests = read_guests(runs)
    if not guests:
        return
    yield _players(guests)
    changed = [each for each in guests if each.difference is not None]
    if changed:
        yield _differences(changed)


def _players(guests: Sequence[Guest]) -> Section:
    rows = [_row(each) for each in guests]
    sources = [
        f"SELECT {literal_sql(run)} AS run, variant, player, player_name, count(*) AS games_count,\n"
        "    avg(points) AS points_a_game,\n"
        "    avg(CASE WHEN client IS NULL THEN elapsed_s ELSE program_s END) / avg(turns_count) AS turn_s,\n"
        "    count(fault) AS faults_count, sum(refused_count) AS refused_count\n"
        f"FROM {column_sql(run)} GROUP BY ALL"
        for run in _runs(guests)
    ]
    return Section(
        name="network",
        title="Over a network: points of each player",
        columns=(
            Column("shown", "player"),
            Column("beside", "beside"),
            Column("games_count", "games"),
            Column("points_a_game", POINTS, "", "points_low", "points_high"),
            Column("turn_s", "time of a turn", SECONDS),
            Column("faults", "faults"),
        ),
        rows=tuple(rows),
        query="\nUNION ALL\n".join(sources) + "\nORDER BY ALL",
        runs=_runs(guests),
        chart=Dots(
            Axis(POINTS),
            tuple(f"{row['shown']} beside {row['beside']}" for row in rows),
            (
                DotSeries(
                    POINTS, tuple(Value(each.points, each.points_low, each.points_high) for each in guests)
                ),
            ),
        ),
        notes=(MATCHES, TIME, FAULTS),
    )


def _differences(changed: Sequence[Guest]) -> Section:
    rows = [_row(each) for each in changed]
    sources = [
        f"SELECT {literal_sql(each.run)} AS run, {each.variant} AS variant,\n"
        f"    count(*) FILTER (WHERE variant = {each.variant}) AS games_count,\n"
        f"    avg(points) FILTER (WHERE variant = {each.variant}) - avg(points) FILTER (WHERE variant = 0) "
        f"AS difference\nFROM {column_sql(each.run)} WHERE player = {each.number}"
        for each in changed
    ]
    return Section(
        name="network-differences",
        title="Over a network: a player in the place of another one, on the same deals",
        columns=(
            Column("player_name", "player"),
            Column("of", "in the place of"),
            Column("beside", "beside"),
            Column("games_count", "games"),
            Column("difference", "difference", POINTS, "difference_low", "difference_high", signed=True),
        ),
        rows=tuple(rows),
        query="\nUNION ALL\n".join(sources),
        runs=_runs(changed),
        chart=Dots(
            Axis("difference on the same deals", POINTS),
            tuple(
                f"{row['player_name']} in the place of {row['of']}, beside {row['beside']}" for row in rows
            ),
            (DotSeries("difference", tuple(Value.of(row, "difference") for row in rows)),),
        ),
        notes=(MATCHES,),
    )


def _row(guest: Guest) -> dict[str, Any]:
    """As the table shows it, and as the queries tell it."""
    told = asdict(guest)
    shown, name = told.pop("player"), told.pop("name")
    return told | {
        "shown": shown,
        "player": guest.number,
        "player_name": name,
        "points_a_game": guest.points,
        "faults": guest.faults or None,
    }


def _runs(guests: Sequence[Guest]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.run for each in guests))
