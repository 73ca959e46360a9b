"""Deals to play: those that runs have won, by game, rules and difficulty.

A deal's difficulty is the effort of the search that won it. Of the deals with the same rules, the third with the
least effort is easy, the third with the most is hard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.contract.engine import Engine

DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True)
class DealSet:
    """Deals with the same rules."""

    game: str
    job: str
    """The kind of job that decided them."""
    rules: Mapping[str, str]
    """Column -> value as text, for ``deals``; empty for no value."""
    words: str
    count: int


@dataclass(frozen=True)
class Deal:
    """A deal that can be won."""

    name: str
    """Its number, in words."""
    run: str
    """The name of the run that has its solution."""
    item: int
    """The item's number in that run."""
    effort_count: int
    moves_count: int | None
    text: str
    rules: Mapping[str, Any]
    """Its rules as ``yamafuda.replays.replay`` takes them."""


@dataclass(frozen=True)
class Third:
    """Deals of one difficulty."""

    difficulty: str
    count: int
    least_count: int
    """Least effort of them."""
    most_count: int


@dataclass(frozen=True)
class Deals:
    """Some of the deals of one difficulty."""

    game: str
    words: str
    """The rules."""
    effort: str
    """The name of the effort that was counted."""
    thirds: list[Third]
    deals: list[Deal]


def deal_sets() -> list[DealSet]:
    """All sets of deals in finished runs, by game; the largest first."""
    from engines.contract.registry import engine_class, games
    from yamafuda.answers import query

    with_runs = set(query("SELECT DISTINCT job FROM runs")["job"].to_pylist())
    found = []
    for game in games():
        for job in filter(with_runs.__contains__, game.jobs):
            engine = engine_class(job)
            if not engine.effort:
                continue
            names = _rule_columns(engine, job)
            chosen = ", ".join(f"{_written(name)} AS {name}" for name in names)
            rows = query(
                f"SELECT {', '.join(filter(None, [chosen, 'count(*) AS n']))} {_won(job)} GROUP BY ALL"
            )
            for row in rows.to_dicts():
                count = row.pop("n")
                if count:
                    found.append(DealSet(game.name, job, row, _words(engine, row), count))
    return sorted(found, key=lambda each: (each.game, -each.count))


def deals(job: str, rules: Mapping[str, str], difficulty: str, first: int, count: int) -> Deals:
    """``count`` deals of a set from the ``first`` one on, the easiest first.

    UserError for a job without deals to play, or for an unknown rule or difficulty.
    """
    from engines.contract.registry import engine_class, games
    from storage.errors import UserError
    from yamafuda.answers import query

    game = next((game.name for game in games() if job in game.jobs), None)
    if game is None or not engine_class(job).effort:
        raise UserError("job", "has no deals to play")
    engine = engine_class(job)
    unknown = set(rules) - set(_rule_columns(engine, job))
    if unknown:
        raise UserError(min(unknown), "is no rule of these deals")
    if difficulty not in DIFFICULTIES:
        raise UserError("difficulty", f"must be one of {', '.join(DIFFICULTIES)}")
    won = f"""WITH won AS (
        SELECT *, ntile({len(DIFFICULTIES)}) OVER (ORDER BY {_order(engine)}) AS third {_won(job)}
        {"".join(f" AND {_written(name)} = {_quoted(value)}" for name, value in rules.items())}
    )"""
    ends = f"min({engine.effort}), max({engine.effort})"
    thirds = query(f"{won} SELECT third, count(*), {ends} FROM won GROUP BY third ORDER BY third")
    number = DIFFICULTIES.index(difficulty) + 1
    rows = query(
        f"{won} SELECT * EXCLUDE (third) FROM won WHERE third = {number} ORDER BY {_order(engine)} "
        f"LIMIT {int(count)} OFFSET {int(first)}"
    )
    return Deals(
        game,
        _words(engine, rules),
        engine.effort.removesuffix("_count").replace("_", " "),
        [
            Third(DIFFICULTIES[third - 1], *rest)
            for third, *rest in (row.values() for row in thirds.to_dicts())
        ],
        list(_deals(rows.to_dicts(), engine.effort)),
    )


def _deals(rows: list[dict[str, Any]], effort: str) -> Iterator[Deal]:
    from pipeline.roots import locate
    from yamafuda.items import engine_of

    places = {run: locate(run) for run in {row["run_id"] for row in rows}}
    engines = {run: engine_of(place)[1] for run, place in places.items()}
    for row in rows:
        written = engines[row["run_id"]].written(row)
        if written is not None:
            seed = "of a file" if row["seed"] is None else f"of seed {row['seed']}"
            yield Deal(
                f"deal {row['deal_index']} {seed}",
                places[row["run_id"]].name,
                row["index"],
                row[effort],
                row.get("moves_count"),
                written.deal,
                written.rules,
            )


def _won(job: str) -> str:
    """Deals whose text is known; a deal from a file may have none."""
    return f"FROM {job} WHERE outcome = 'won' AND (seed IS NOT NULL OR deal IS NOT NULL)"


def _order(engine: type[Engine]) -> str:
    return f'{engine.effort}, seed, deal_index, run_id, "index"'


def _rule_columns(engine: type[Engine], job: str) -> list[str]:
    """Columns that are fields of the job, without those that choose deals."""
    from dataclasses import fields

    from engines.contract.columns import columns_of

    choosing = {"name", "seed", "file", *(engine.job_type.span.fields() if engine.job_type.span else ())}
    names = [
        engine.told_as.get(each.name, each.name)
        for each in fields(engine.job_type)
        if each.name not in choosing
    ]
    known = set(columns_of(job).names)
    return [name for name in names if name in known]


def _words(engine: type[Engine], rules: Mapping[str, str]) -> str:
    """Rules in words: ``draw 3, redeals 2``."""
    from engines.contract.options import options_of

    none = {each.name: each.none for each in options_of(engine.job_type)}
    told = {"true": "yes", "false": "no"}
    return ", ".join(
        f"{name.replace('_', ' ')} {told.get(value, value) or none.get(name) or 'none'}"
        for name, value in rules.items()
    )


def _written(column: str) -> str:
    from pipeline.query.fence import identifier

    return f"coalesce(CAST({identifier(column)} AS VARCHAR), '')"


def _quoted(text: str) -> str:
    from pipeline.query.fence import quoted

    return quoted(text)
