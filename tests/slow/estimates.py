"""Small instances of all jobs that ship, and what a run of each takes beside what its engine foretells.

Each is small enough for seconds to a minute, and large enough that its work shows beside the start of a run.
"""

from __future__ import annotations

import dataclasses
import resource
from dataclasses import dataclass
from pathlib import Path

from engines.contract.engine import Engine
from pipeline.config import Config, composing
from pipeline.run import DONE, plan_run, run_job
from pipeline.runners.serial import SerialRunner
from storage.manifest import read_summary

QUICK = [
    "job=stackgame_table job.cards=9",
    "job=stackgame_table job.boards=3 job.cards=4",
    "job=stackgame_play job.games=100000",
    "job=calculation_sweep job.ranks=9 job.deals=60",
    "job=calculation_open job.deals=60 job.stacks=4",
    "job=superpuzz_census job.columns=4 job.deals=150",
    "job=superpuzz_sweep job.columns=6 job.deals=100",
    "job=klondike_sweep job.deals=800 job.redeals=0",
    "job=daifugo_learn job.games=20000",
    "job=daifugo_policy job.games=4000",
    "job=daifugo_tournament job.games=100",
    "job=daifugo_tournament job.games=10000 job.players=[rule]",
    "job=daifugo_uecda job.games=100 job.players=[rule]",
    "job=daifugo_estimate job.games=20",
    "job=tricks_table job.cards=11",
    "job=tricks_theorems job.cards=8",
]
"""Some seconds in all."""

PLAYOUTS = "job.rank_period=10 job.games=10"
"""Ten games of which no two matches are one."""
SLOW = [
    "job=stackgame_table job.cards=11",
    "job=stackgame_table job.stacks=4 job.cards=9",
    "job=stackgame_table job.boards=3 job.cards=5",
    "job=stackgame_table job.stacks=4 job.boards=3 job.cards=4",
    "job=stackgame_table job.boards=4 job.cards=3",
    "job=stackgame_table job.cards=7 job.form=general",
    "job=stackgame_table job.cards=9 job.value_type=float64",
    "job=stackgame_play job.cards=10 job.games=100000",
    "job=calculation_sweep job.ranks=11 job.deals=60",
    "job=calculation_sweep job.ranks=11 job.deals=200 job.keep=20",
    "job=calculation_sweep job.ranks=9 job.deals=5 job.look_ahead=1",
    "job=calculation_sweep job.ranks=9 job.deals=5 job.playouts=16",
    "job=calculation_sweep job.ranks=9 job.deals=100 job.edges=all",
    "job=calculation_sweep job.ranks=9 job.deals=100 job.stacks=4",
    "job=calculation_best job.stacks=1",
    "job=calculation_best job.ranks=5 job.stacks=4",
    "job=calculation_open job.deals=300 job.stacks=1",
    "job=calculation_open job.deals=100 job.stacks=2",
    "job=calculation_open job.deals=200",
    "job=calculation_open job.deals=200 job.ranks=8",
    "job=superpuzz_census job.columns=2",
    "job=superpuzz_census job.columns=5 job.deals=50",
    "job=superpuzz_sweep job.columns=5 job.deals=100 job.mode=shortest",
    "job=superpuzz_sweep job.columns=9 job.deals=100",
    "job=superpuzz_full job.deals=40 job.limits.time_s=5",
    "job=superpuzz_full_10min job.deals=40 job.limits.time_s=10",
    "job=superpuzz_full_2h job.columns=10 job.deals=60",
    "job=superpuzz_redeals job.columns=9 job.deals=20",
    "job=klondike_blind job.deals=20",
    "job=klondike_sweep job.deals=500",
    "job=klondike_rates job.deals=400 job.redeals=2",
    "job=klondike_rates job.deals=400 job.redeals=5",
    "job=klondike_rates job.deals=400 job.redeal_rule=standard job.foundation_back=true",
    "job=klondike_rates job.deals=400 job.draw=1",
    "job=klondike_rates job.deals=200 job.draw=1 job.redeals=0",
    "job=klondike_rates job.deals=200 job.draw=1 job.redeals=1",
    "job=klondike_million job.deals=1000 job.redeals=1",
    "job=klondike_sweep job.deals=10 job.mode=shortest job.limits.states=1000000",
    "job=klondike_deals job.deals=300",
    "job=daifugo_learn job.games=100 job.players=[strong]",
    "job=daifugo_estimate job.games=100",
    f"job=daifugo_figure9 {PLAYOUTS} job.variants=[rand@100,rand_d@1100,rand_dr,rand@3000]",
    f"job=daifugo_parts {PLAYOUTS}",
    f"job=daifugo_parts_timed {PLAYOUTS}",
    f"job=daifugo_parts_champion {PLAYOUTS}",
    f"job=daifugo_table1_rule {PLAYOUTS} job.variants=[rand_d,rand_dr,rand_d@750]",
    f"job=daifugo_table1_strong {PLAYOUTS} job.variants=[rand_d,rand_dr,rand_d@750]",
    f"job=daifugo_table1_rand {PLAYOUTS} job.variants=[rand_d,rand_dr,rand_d@750]",
    f"job=daifugo_table1_small_rule {PLAYOUTS} job.variants=[rand_d,rand_dr]",
    f"job=daifugo_table1_small_strong {PLAYOUTS} job.variants=[rand_d,rand_dr]",
    f"job=daifugo_table1_small_rand {PLAYOUTS} job.variants=[rand_d,rand_dr]",
    "job=tricks_table",
    "job=tricks_table job.cards=8 job.points=anywhere",
    "job=tricks_table_14 job.cards=13",
    "job=tricks_theorems job.cards=10",
    "job=tricks_theorems job.cards=8 job.points=anywhere",
]
"""Half an hour."""


TABLE_OF = {"tricks_theorems": "tricks_table"}
"""Jobs for which a table must be there."""


@dataclass(frozen=True)
class Compared:
    """What was foretold, over what a run took."""

    words: str
    core_s: float
    """Processor time that the run took."""
    time: float
    disk: float
    items: float

    def is_within(self, factor: float) -> bool:
        """Whether all three are."""
        return self.is_size_within(factor) and 1 / factor <= self.time <= factor

    def is_size_within(self, factor: float) -> bool:
        """Whether disk and items are: what does not depend on the machine and its load."""
        return all(1 / factor <= ratio <= factor for ratio in (self.disk, self.items))


def compared(words: str) -> Compared:
    """Run a job in this process, below the working directory, where it must be new; tables that it reads before it."""
    config = composed(words)
    run = plan_run(config)
    for table in run.engine.needs():
        run_job(dataclasses.replace(config, job=table), SerialRunner())
    if config.job.name in TABLE_OF:
        finished(words.replace(config.job.name, TABLE_OF[config.job.name]))
    begin_s = _processor_s()
    status, folder = run_job(config, SerialRunner())
    core_s = _processor_s() - begin_s
    assert status == DONE
    foretold = run.engine.estimate()
    assert foretold is not None
    return Compared(
        words,
        core_s,
        foretold.core_s / core_s,
        foretold.disk_bytes / _folder_bytes(folder),
        foretold.items_count / _items_count(run.engine, folder),
    )


def composed(words: str) -> Config:
    """The configuration of these words."""
    with composing(None) as composer:
        return composer.compose(words.split())


def finished(words: str) -> None:
    """Run a job."""
    assert run_job(composed(words), SerialRunner())[0] == DONE


def _items_count(engine: Engine, folder: Path) -> int:
    summary = read_summary(folder)
    return int(summary["items_count" if engine.contract == "sweep" else "states_count"])


def _folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
