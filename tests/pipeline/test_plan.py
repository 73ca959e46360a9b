"""Plans, run ids, attempts: what they depend on, and what not."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
import toy
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.job import ItemRange, Job, Limits, run_id
from engines.contract.sweep import Sweep
from pipeline.attempts import settle_attempt
from pipeline.contracts.units import Units
from pipeline.plan import make_plan, read_plan, settle_plan
from storage.errors import UserError
from storage.layout import RunLayout


def job(**values: Any) -> toy.ToySweepJob:
    return toy.ToySweepJob(**({"name": "toy_sweep"} | values))


def test_run_id_follows_the_job_and_the_version() -> None:
    base = run_id(job(), 1)
    assert len(base) == 16
    assert int(base, 16) >= 0
    assert run_id(job(limits=toy.ToyLimits(steps_count=99, memory_bytes=1, retries_count=0)), 1) == base
    different = [
        run_id(job(seed=2), 1),
        run_id(job(items=21), 1),
        run_id(job(name="other"), 1),
        run_id(job(), 2),
    ]
    assert len({base, *different}) == 5


def test_run_id_leaves_output_out() -> None:
    @dataclasses.dataclass
    class WithOutput(Job):
        output: str = "a"

    assert run_id(WithOutput(output="a"), 1) == run_id(WithOutput(output="b"), 1)


def test_a_later_field_counts_where_it_is_not_as_it_was_before_it_came() -> None:
    @dataclasses.dataclass
    class Grown(Job):
        later: ClassVar[Mapping[str, Any]] = {"draw": 3}
        draw: int = 1

    assert run_id(Grown(draw=3), 1) == run_id(Job(), 1)
    assert len({run_id(Grown(draw=draw), 1) for draw in (1, 2, 3)}) == 3


def test_run_id_is_pinned() -> None:
    # It names folders that exist: it must not change by itself.
    assert run_id(job(), 1) == "6cc1115dad7ac1e5"


def units_of(plan: Mapping[str, Any]) -> list[ItemRange]:
    units = Units(plan)
    return [units[number] for number in range(units.count)]


@given(items=st.integers(1, 500), unit_items=st.integers(1, 60))
def test_units_cut_the_items_without_gap(items: int, unit_items: int) -> None:
    units = units_of(make_plan(toy.ToySweep(job(items=items, unit_items=unit_items))))
    assert [index for unit in units for index in range(unit.first, unit.last)] == list(range(items))
    assert len({unit.name for unit in units}) == len(units)
    assert all(unit.last - unit.first == unit_items for unit in units[:-1])


def test_plan_of_a_table_says_what_decides_its_bytes() -> None:
    plan = make_plan(toy.ToyTable(toy.ToyTableJob("toy_table", layers=2, shards=3)))
    assert plan["layers"] == [{"layer": layer, "shards_count": 3, "key_bits": 16} for layer in (2, 1)]
    assert plan["phases"] == [
        *([kind, layer, 3] for layer in (2, 1) for kind in ("expand", "merge")),
        *(["evaluate", layer, 3] for layer in (1, 2)),
    ]
    assert "limits" not in plan["job"]


def test_another_plan_is_refused(tmp_path: Path) -> None:
    layout = RunLayout(tmp_path)
    plan = make_plan(toy.ToySweep(job()))
    assert settle_plan(layout, plan) == settle_plan(layout, plan) == plan == read_plan(layout)
    with pytest.raises(UserError, match="items_count"):
        settle_plan(layout, plan | {"items_count": 99})
    layout.plan.write_text("{")
    with pytest.raises(UserError, match=r"plan\.json"):
        settle_plan(layout, plan)


def test_a_run_keeps_the_units_that_it_began_with(tmp_path: Path) -> None:
    layout = RunLayout(tmp_path)
    plan = make_plan(toy.ToySweep(job(items=20, unit_items=5)))
    older = settle_plan(layout, plan | {"unit_items_count": 8, "units_count": 3})
    assert settle_plan(layout, plan) == older
    assert [(unit.first, unit.last) for unit in units_of(older)] == [(0, 8), (8, 16), (16, 20)]


@pytest.mark.parametrize("sizes", [(8, 4), (0, 3), (-8, 3), (8.0, 3), ("8", 3), (None, 3), (True, 20)])
def test_units_that_do_not_have_all_items_are_refused(tmp_path: Path, sizes: tuple[Any, int]) -> None:
    layout = RunLayout(tmp_path)
    plan = make_plan(toy.ToySweep(job(items=20, unit_items=5)))
    settle_plan(layout, plan | dict(zip(("unit_items_count", "units_count"), sizes, strict=True)))
    with pytest.raises(UserError, match="is not the plan of a job"):
        settle_plan(layout, plan)


class Cut(toy.ToySweep):
    """Units as sweeps have them unless they say otherwise."""

    unit_items_count = Sweep.unit_items_count

    def __init__(self, items: int, item_s: float, group: int = 1) -> None:
        super().__init__(job(items=items))
        self.item_s = lambda: item_s  # type: ignore[method-assign]
        self.group_items_count = lambda: group  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("sweep", "items"),
    [
        (Cut(1_000_000, 0.004), 1250),  # 5 s of work
        (Cut(200, 0.05), 7),  # 32 processors have work
        (Cut(20, 0.05), 2),  # a tenth of a second of work
        (Cut(1000, 1e-5), 10_000),  # the same: all of them are one unit
        (Cut(1000, 60.0), 1),
        (Cut(100_000, 1e-3, group=100), 3100),  # whole groups
        (Cut(1000, 1.0, group=100), 100),
    ],
)
def test_units_are_five_seconds_of_work_or_less_for_small_sweeps(sweep: Cut, items: int) -> None:
    assert sweep.unit_items_count() == items


@pytest.mark.parametrize(
    ("limits", "earlier", "attempt", "steps"),
    [
        ({"steps_count": 10}, [], 1, 10),
        ({"steps_count": 10}, [10], 1, 10),
        ({"steps_count": 11}, [10], 2, 11),
        ({"steps_count": 9}, [10], 1, 10),
        ({"steps_count": 10}, [10, 20], 2, 20),
        ({"steps_count": 30}, [10, 20], 3, 30),
        ({"steps_count": 10, "retries_count": 9}, [10], 1, 10),
    ],
)
def test_attempts(limits: dict[str, int], earlier: list[int], attempt: int, steps: int) -> None:
    before = [dataclasses.asdict(toy.ToyLimits(steps_count=count)) for count in earlier]
    number, settled = settle_attempt(toy.ToyLimits(**limits), before)
    assert isinstance(settled, toy.ToyLimits)
    assert (number, settled.steps_count) == (attempt, steps)


def test_memory_may_shrink_within_an_attempt_and_begins_another_when_it_grows() -> None:
    before = [dataclasses.asdict(Limits(memory_bytes=100))]
    assert settle_attempt(Limits(memory_bytes=50), before) == (1, Limits(memory_bytes=50))
    assert settle_attempt(Limits(memory_bytes=200), before) == (2, Limits(memory_bytes=200))
