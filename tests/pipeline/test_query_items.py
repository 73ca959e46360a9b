"""Views count each item once, whatever runs, attempts and versions of an engine there are of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import toy
from query_helpers import asked, run_of

Faults = Callable[..., str]


def outcome(index: int, limit: int) -> str:
    needed = toy.steps(1, index)
    return "undecided" if needed > limit else "won" if needed % 2 else "lost"


def id_of(run: Path) -> str:
    """The run id, as rows have it."""
    ((found,),) = asked(f"SELECT run_id FROM runs WHERE run = '{run}'")
    return str(found)


def test_items_of_several_runs_count_once() -> None:
    runs = [run_of("job=toy_sweep", f"job.items={items}") for items in (20, 12, 3)]
    other = run_of("job=toy_sweep", "job.items=7", "job.seed=2")
    assert asked('SELECT "index" FROM toy_sweep WHERE seed = 1 ORDER BY ALL') == [(n,) for n in range(20)]
    assert asked("SELECT count(*) FROM toy_sweep WHERE seed = 2") == [(7,)]
    assert asked("SELECT run_id, count(*) FROM toy_sweep_rows GROUP BY ALL ORDER BY 2, 1") == sorted(
        [(id_of(runs[2]), 3), (id_of(other), 7), (id_of(runs[1]), 12), (id_of(runs[0]), 20)],
        key=lambda each: (each[1], each[0]),
    )
    told = {run: set(names or ()) for run, names in asked("SELECT run, overlaps_with FROM runs")}
    names = {run: run.name for run in runs}
    assert told == {
        **{str(run): set(names.values()) - {run.name} for run in runs},
        str(other): set(),
    }


def test_fields_that_change_nothing_in_an_item_make_no_other_items() -> None:
    run_of("job=toy_sweep", "job.items=9", "job.unit_items=2")
    run_of("job=toy_sweep", "job.items=9", "job.unit_items=4")
    assert asked("SELECT count(*) FROM toy_sweep") == [(9,)]


def test_a_decided_item_counts_before_an_open_one() -> None:
    weak = run_of("job=toy_sweep")
    strong = run_of("job=toy_sweep", "job.items=12", "job.limits.steps_count=20")
    found = asked('SELECT "index", outcome, run_id FROM toy_sweep ORDER BY 1')
    assert {outcome(index, 10) for index in range(12)} > {"undecided"}
    # Of what both decide the rows of the run with fewer open items count.
    assert found == [
        (index, outcome(index, 20 if index < 12 else 10), id_of(strong if index < 12 else weak))
        for index in range(20)
    ]


def test_an_item_that_only_a_worse_run_decides_is_taken_from_it() -> None:
    limits = {19: 11, 200: 12}
    few, many = (
        id_of(run_of("job=toy_hands", f"job.items={items}", f"job.limits.steps_count={limit}"))
        for items, limit in limits.items()
    )

    def is_open(index: int, limit: int) -> bool:
        return toy.steps(1, index) + toy.hands_count(index) - 1 > limit

    assert sum(is_open(index, 11) for index in range(19)) < sum(is_open(index, 12) for index in range(200))
    expected = [
        (index, many if index >= 19 or (is_open(index, 11) and not is_open(index, 12)) else few)
        for index in range(200)
    ]
    assert (18, many) in expected
    assert asked('SELECT DISTINCT "index", run_id FROM toy_hands ORDER BY 1') == expected


def test_the_newest_attempt_counts() -> None:
    for limit in (5, 8, 20):
        run = run_of("job=toy_sweep", f"job.limits.steps_count={limit}")
    expected = [
        (
            index,
            outcome(index, 20),
            next(place for place, limit in enumerate((5, 8, 20), 1) if limit >= needed),
        )
        for index, needed in ((index, toy.steps(1, index)) for index in range(20))
    ]
    for view in ("toy_sweep", f"toy_sweep_{id_of(run)}", f'"{run.name}"'):
        assert asked(f'SELECT "index", outcome, attempt FROM {view} ORDER BY 1') == expected


def test_of_versions_of_an_engine_the_newer_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    old = run_of("job=toy_sweep", "job.items=20", "job.limits.steps_count=20")
    monkeypatch.setattr(toy.ToySweep, "version", 2)
    new = run_of("job=toy_sweep", "job.items=5", "job.limits.steps_count=20")
    assert asked('SELECT "index", run_id FROM toy_sweep ORDER BY 1') == [
        (index, id_of(new if index < 5 else old)) for index in range(20)
    ]


def test_items_of_several_rows_stay_whole() -> None:
    weak = run_of("job=toy_hands")
    strong = run_of("job=toy_hands", "job.items=7", "job.limits.steps_count=20")
    found = asked('SELECT "index", run_id, count(*) FROM toy_hands GROUP BY ALL ORDER BY ALL')
    assert found == [
        (index, id_of(strong if index < 7 else weak), toy.hands_count(index)) for index in range(20)
    ]


def test_of_tables_one_run_counts_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    run_of("job=toy_table", "job.layers=3")
    monkeypatch.setattr(toy.ToyTable, "version", 2)
    new = run_of("job=toy_table", "job.layers=3")
    other = run_of("job=toy_table", "job.layers=2")
    assert asked("SELECT run_id, count(*) FROM toy_table GROUP BY ALL ORDER BY 2") == [
        (id_of(other), 4),
        (id_of(new), 6),
    ]
    overlaps = dict(asked("SELECT run, len(overlaps_with) FROM runs"))
    assert (overlaps[str(new)], overlaps[str(other)]) == (1, None)


def test_runs_that_are_not_finished_are_left_out(faults: Faults, capfd: pytest.CaptureFixture[str]) -> None:
    run_of("job=toy_sweep", "job.items=8")
    failed = run_of("job=toy_sweep", "job.seed=2", faults(raise_12=9))
    capfd.readouterr()
    assert asked("SELECT seed, count(*) FROM toy_sweep GROUP BY ALL") == [(1, 8)]
    told = capfd.readouterr().err
    assert told.startswith("yamafuda: toy_sweep: without 1 of 2 runs, which are not finished")
    assert told.count("\n") == 1
    # As in reports, items after the first that is missing would be the quick ones.
    assert asked('SELECT max("index"), count(*) FROM toy_sweep WHERE seed = 2', with_unfinished=True) == [
        (9, 10)
    ]
    assert capfd.readouterr().err == ""
    for view in ("toy_sweep_rows", f"toy_sweep_{id_of(failed)}"):
        assert asked(f"SELECT count(*) FROM {view} WHERE seed = 2") == [(15,)]
    assert capfd.readouterr().err == ""


def test_runs_that_have_nothing_in_common_are_read_as_they_are() -> None:
    """No sorting and no joins, which would take long with millions of rows."""
    run_of("job=toy_sweep", "job.items=8")
    run_of("job=toy_sweep", "job.items=8", "job.seed=2")
    plan = asked("EXPLAIN SELECT * FROM toy_sweep")[0][1].upper()
    assert "PARQUET" in plan
    assert not [word for word in ("WINDOW", "JOIN", "GROUP", "UNION") if word in plan]
    run_of("job=toy_sweep", "job.items=9")
    assert "JOIN" in asked("EXPLAIN SELECT * FROM toy_sweep")[0][1].upper()


def test_a_kind_of_job_without_runs_has_columns(capfd: pytest.CaptureFixture[str]) -> None:
    run_of("job=toy_hands", "job.items=1")
    capfd.readouterr()
    assert asked("SELECT run_id, steps_count FROM toy_sweep WHERE seed = 1") == []
    assert capfd.readouterr().err == "yamafuda: toy_sweep: there is no run of it\n"


def test_columns_have_the_types_and_names_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Old runs of one job have an item's steps in another column, and as a small number."""
    import pyarrow as pa

    def old_columns(self: toy.ToySweep) -> pa.Schema:
        return pa.schema([pa.field("moves", pa.uint8())])

    run = toy.ToySweep.run
    with monkeypatch.context() as old:
        old.setattr(toy.ToySweep, "version", 0)
        old.setattr(toy.ToySweep, "columns", old_columns)
        old.setattr(
            toy.ToySweep,
            "run",
            lambda *given: pa.record_batch(
                {
                    {"steps_count": "moves"}.get(name, name): values
                    for name, values in run(*given).to_pydict().items()
                }
            ),
        )
        run_of("job=toy_sweep", "job.items=6")
    run_of("job=toy_sweep", "job.items=3", "job.seed=2")
    monkeypatch.setattr(toy.ToySweep, "renamed", {"steps_count": "moves"})
    assert asked(
        "SELECT typeof(steps_count), sum(steps_count) FROM toy_sweep WHERE seed = 1 GROUP BY ALL"
    ) == [("BIGINT", sum(min(toy.steps(1, index), 10) for index in range(6)))]
    names = [name for name, *_ in asked("DESCRIBE toy_sweep_rows")]
    assert "moves" not in names
    assert names[-1] == "steps_count"
