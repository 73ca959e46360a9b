"""``yamafuda report calculation``: wins of players beside the paper's tables 3 and 4, players in pairs, open decks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from engines.calculation.figures import COLUMNS, figures, measures
from engines.calculation.game import Calculation
from engines.calculation.paper import PRINTED
from engines.calculation.player import Options
from engines.contract.game import Roots
from engines.contract.options import options_of
from engines.contract.registry import job_from_mapping
from engines.contract.runs import Runs, first_rows, run_plan, sound_runs
from engines.solitaire import report as solitaire
from engines.statistics.intervals import difference, mcnemar, paired_difference, wilson
from engines.statistics.measures import mean_intervals
from engines.statistics.sql import RunRows
from engines.text.columns import NONE, aligned
from engines.text.words import count_of
from storage.errors import DamagedFileError, UserError
from storage.layout import RunLayout
from storage.place import Place

if TYPE_CHECKING:
    import pyarrow as pa

GAME = Calculation()
OPTIONS = tuple(each.name for each in options_of(Options))
"""The options of a player."""
_LIKE = {
    "ranks": 13,
    "playouts": 0,
    "edges": "own",
    "exact_cards": None,
    "ties": "foundation",
    "misfits": "exchange",
    "eager": False,
}
BESIDE: dict[str, dict[str, Any]] = {
    "the best assignment counts": _LIKE
    | {"value": "max", "exponent": None, "alike": "all", "recast": "none"},
    "the norm of all counts": _LIKE | {"value": "norm", "exponent": 2.0, "alike": "once", "recast": "drawn"},
}
"""Players to be shown beside the paper's: the player of its text, as far as that says, and the default one."""


@dataclass(frozen=True)
class Pool:
    """The games of all runs of one player, each deck once."""

    options: dict[str, Any]
    rows: pa.Table
    """``seed``, ``deal_index`` and ``COLUMNS``, in the order of seed and index."""
    unfinished: list[str]
    """A remark on each run that is not done."""
    runs: list[RunRows]
    """The runs that the rows come from."""

    def won(self) -> dict[tuple[int, int], bool]:
        """By seed and index of the deck whether its game was won."""
        names = ("seed", "deal_index", "outcome")
        seeds, numbers, outcomes = (self.rows[name].to_pylist() for name in names)
        return {
            (seed, number): outcome == "won"
            for seed, number, outcome in zip(seeds, numbers, outcomes, strict=True)
        }


def report(roots: Roots, as_json: bool) -> bool:
    """Print games won, and decks decided.

    Games are beside the paper's; decks are decided with all cards known. JSON has a line for each player, each pair of
    players, and each number of ranks and stacks of decided decks.
    """
    results = roots.results
    found, decided = pools(roots.sweep_runs), solitaire.read_pools(GAME, roots)
    shares = [solitaire.rates_of(GAME, pool) for pool in decided]
    players = [pool.options | figures(pool.rows) | {"unfinished": pool.unfinished} for pool in found]
    pairs = list(pairs_of(found))
    if as_json:
        for each in [
            *(
                {"kind": "player"} | each | mean_intervals(measures(pool.rows))
                for pool, each in zip(found, players, strict=True)
            ),
            *({"kind": "pair"} | each for each in pairs),
            *(
                {"kind": "open"} | each | solitaire.intervals_of(GAME, pool)
                for pool, each in zip(decided, shares, strict=True)
            ),
        ]:
            print(json.dumps(each))
        return True
    for stacks in (3, 4):
        for title, options in BESIDE.items():
            print("\n".join([*_printed(stacks, title, options, players), ""]))
    if players:
        print("\n".join([*_players(players), ""]))
    if pairs:
        print("\n".join([*_differences(pairs), ""]))
    solitaire.print_tables(GAME, decided, shares)
    print(f"{count_of(len(found), 'player')}; runs are in {results.resolve()}")
    return True


def pools(runs: Runs) -> list[Pool]:
    """Games of sweeps, by player; a deck that several runs have played counts once.

    Runs of the first version, which had no option ``alike``, are left out. Those of the second had no ``recast`` and
    count as ``none``. From a run that is not done, or has failed units, only the games before the first missing one
    are taken.
    """
    import pyarrow as pa

    from engines.calculation.sweep import CalculationSweep
    from engines.solitaire.pools import each_once
    from storage.dataset import part_paths

    def played(run_dir: Place) -> tuple[tuple[Any, ...], pa.Table, list[str], RunRows] | None:
        """A run's player, its games, a remark when it is not done, and the rows that are used."""
        plan = run_plan(run_dir)
        job = plan["job"]
        if job.get("name") != "calculation_sweep" or "alike" not in job or not part_paths(run_dir):
            return None
        options = _player(run_dir, job)
        rows = first_rows(run_dir, ["seed", "deal_index", *COLUMNS], CalculationSweep.renamed)
        remark = f"{run_dir.name}: not done, {len(rows):,} of {plan['items_count']:,} games count"
        if len(rows) < plan["items_count"]:
            return options, rows, [remark], RunRows(run_dir.name, len(rows))
        return options, rows, [], RunRows(run_dir.name)

    counted: dict[tuple[Any, ...], list[RunRows]] = {}
    tables: dict[tuple[Any, ...], list[pa.Table]] = {}
    unfinished: dict[tuple[Any, ...], list[str]] = {}
    for options, rows, remarks, run in sound_runs(runs, played):
        if len(rows):
            counted.setdefault(options, []).append(run)
            tables.setdefault(options, []).append(rows)
            unfinished.setdefault(options, []).extend(remarks)
    return [
        Pool(
            dict(zip(OPTIONS, options, strict=True)),
            each_once(pa.concat_tables(tables[options])),
            unfinished.get(options, []),
            counted[options],
        )
        for options in sorted(tables, key=str)
    ]


def _player(run_dir: Place, job: dict[str, Any]) -> tuple[Any, ...]:
    """Its options; None for what makes no difference. DamagedFileError when some option is missing or wrong."""
    job = {"recast": "none", "playouts": 0} | job
    try:
        if missing := [name for name in OPTIONS if name not in job]:
            raise ValueError(f"job.{missing[0]} is missing")
        job_from_mapping("calculation_sweep", {"name": job["name"]} | {name: job[name] for name in OPTIONS})
    except (UserError, TypeError, ValueError) as error:
        raise DamagedFileError(str(RunLayout(run_dir).plan), f"is not a plan ({error})") from None
    idle = {"exponent": job["value"] != "norm", "exact_cards": job["edges"] != "all"}
    return tuple(None if idle.get(name) else job[name] for name in OPTIONS)


def pairs_of(found: list[Pool]) -> Iterator[dict[str, Any]]:
    """Players of the same game that have played the same decks; ``only_first``: decks that the first alone has won.

    ``difference``: of the first one's rate less the second one's on these decks, with its 95% interval; ``p_value``:
    McNemar's exact test.
    """
    won = [pool.won() for pool in found]
    for first, second in combinations(range(len(found)), 2):
        ours, theirs = found[first].options, found[second].options
        common = won[first].keys() & won[second].keys()
        if not common or any(ours[name] != theirs[name] for name in ("ranks", "stacks")):
            continue
        cells = dict.fromkeys(((True, True), (True, False), (False, True), (False, False)), 0)
        for deck in common:
            cells[won[first][deck], won[second][deck]] += 1
        centre, low, high = paired_difference(*cells.values())
        yield {
            "first": ours,
            "second": theirs,
            "deals_count": len(common),
            "both_count": cells[True, True],
            "only_first_count": cells[True, False],
            "only_second_count": cells[False, True],
            "neither_count": cells[False, False],
            "difference": centre,
            "difference_low": low,
            "difference_high": high,
            "p_value": mcnemar(cells[True, False], cells[False, True]),
        }


def _printed(
    stacks: int, title: str, options: dict[str, Any], players: list[dict[str, Any]]
) -> Iterator[str]:
    yield f"Table {stacks}: wins with {stacks} stacks, in percent with 95% intervals; {title}"
    rows: list[tuple[str, ...]] = [
        ("look-ahead", "kept", "paper", "", "%", "", "ours", "", "%", "", "difference", "")
    ]
    for printed in PRINTED:
        if printed.stacks != stacks:
            continue
        games, wins = max(printed.wins.items())
        low, high = wilson(wins, games)
        head = str(printed.look_ahead), str(printed.keep), f"{wins:,}", f"of {games:,}"
        theirs = (*head, *_share(wins / games, low, high))
        asked = options | {"stacks": stacks, "look_ahead": printed.look_ahead, "keep": printed.keep}
        ours = next((each for each in players if all(each[name] == asked[name] for name in OPTIONS)), None)
        if ours is None:
            rows.append((*theirs, NONE, "", NONE, "", NONE, ""))
            continue
        rate = ours["won_share_min"], ours["won_share_low"], ours["won_share_high"]
        below, above = difference(*rate, wins / games, low, high)
        rows.append(
            (
                *theirs,
                f"{ours['won_count']:,}",
                f"of {ours['deals_count']:,}",
                *_share(*rate),
                f"{100 * below:+.2f} to {100 * above:+.2f}",
                "consistent" if below <= 0 <= above else "differs",
            )
        )
    yield from aligned(rows)


def _players(players: list[dict[str, Any]]) -> Iterator[str]:
    yield "All players"
    rows: list[tuple[str, ...]] = [
        (*OPTIONS, "deals", "won", "%", "", "deals/s", "evaluations/s", "look-ups/s", "not in table %")
    ]
    for each in players:
        rates = [each[f"{name}_per_s"] for name in ("deals", "evaluations", "lookups")]
        missing = each["missing_share"]
        rows.append(
            (
                *_options(each),
                f"{each['deals_count']:,}",
                f"{each['won_count']:,}",
                *_share(each["won_share_min"], each["won_share_low"], each["won_share_high"]),
                *(
                    NONE if rate is None else f"{rate:,.3g}" if rate < 100 else f"{rate:,.0f}"
                    for rate in rates
                ),
                NONE if missing is None else f"{100 * missing:.3g}",
            )
        )
    yield from aligned(rows)
    for each in players:
        yield from each["unfinished"]


def _differences(pairs: list[dict[str, Any]]) -> Iterator[str]:
    yield "The same decks: rate of the first player less that of the second, in points with 95% intervals"
    rows: list[tuple[str, ...]] = [
        ("stacks", "first", "second", "deals", "only first", "only second", "difference", "", "p")
    ]
    for each in pairs:
        names = [name for name in OPTIONS if each["first"][name] != each["second"][name]]
        rows.append(
            (
                str(each["first"]["stacks"]),
                *(" ".join(f"{name}={each[side][name]}" for name in names) for side in ("first", "second")),
                *(f"{each[f'{name}_count']:,}" for name in ("deals", "only_first", "only_second")),
                f"{100 * each['difference']:+.2f}",
                f"{100 * each['difference_low']:+.2f} to {100 * each['difference_high']:+.2f}",
                f"{each['p_value']:.2g}",
            )
        )
    yield from aligned(rows)


def _options(values: dict[str, Any]) -> tuple[str, ...]:
    words = {True: "yes", False: "no", None: NONE}
    return tuple(
        words[values[name]] if isinstance(values[name], bool | None) else str(values[name])
        for name in OPTIONS
    )


def _share(share: float, low: float, high: float) -> tuple[str, str]:
    return f"{100 * share:.2f}", f"{100 * low:.2f} to {100 * high:.2f}"
