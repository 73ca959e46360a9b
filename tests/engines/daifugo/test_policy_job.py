"""``job=daifugo_policy`` through the serial runner: plays are tried, a better policy comes of it, then the next."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from run_helpers import run_of, summary

from engines import _native
from engines.daifugo import core, policy
from engines.daifugo.core import Player, Range
from engines.daifugo.policy_trials import Trials, improve, worth
from pipeline.upkeep import export_run, verify_run
from storage.dataset import read_rows
from storage.errors import UserError

pytestmark = pytest.mark.usefixtures("workspace")

QUICK = ["games=1000", "seed=5", "every=10", "playouts=2"]


def test_what_plays_are_worth_is_learnt() -> None:
    # Two plays a choice that differ in one feature; the first is worth a tenth of a point more, in the mean.
    starts = np.cumsum([0, *(size for _, size in _native.daifugo_policy_groups())])[:-1].astype(np.uint16)
    other = starts.copy()
    other[2] += 3
    count = 40_000
    points = np.random.default_rng(1).normal(3.0, 0.5, 2 * count) + np.tile([0.1, 0.0], count)
    trials = Trials(np.tile(np.stack([starts, other]), (count, 1)), np.arange(2, 2 * count + 1, 2), points)
    even = np.zeros(sum(size for _, size in _native.daifugo_policy_groups()), np.float32)
    weights = improve(even, trials, temperature=0.1)
    # At the top of p * 0.1 + 0.1 * entropy the odds are e to 1.
    assert weights[starts[2]] - weights[other[2]] == pytest.approx(1.0, abs=0.15)
    assert worth(weights.astype(np.float64), trials) > worth(even.astype(np.float64), trials) + 0.01
    assert (improve(even, trials, temperature=0.1) == weights).all()


def test_a_run_makes_a_better_policy_and_the_next_one_goes_on_from_it() -> None:
    run = run_of("daifugo_policy", *QUICK)
    assert verify_run(str(run), 10) == []
    told = summary(run)
    assert told["points"] > told["even_points"] + 0.05
    assert told["points_before"] == pytest.approx(told["even_points"])
    rows = read_rows(run, ["index", "choice", "mean_points", "card_feature"])
    assert set(rows["index"].to_pylist()) == {0, 1}
    (file,) = export_run(str(run), None)
    document = json.loads(Path(file).read_text())
    assert [source["seed"] for source in document["sources"]] == [5]
    assert document["judged"]["points"] == told["points"]
    weights = policy.load(Path(file))
    few = {"policy": "learnt", "policy_passes": True}
    learnt = Player("mc", playouts=20, exchange_playouts=2, policy_weights=weights, **few)
    uniform = Player("mc", playouts=20, exchange_playouts=2)
    ranks = core.play_games([learnt, uniform, uniform, uniform, uniform], Range(5, 0, 200)).ranks
    assert (5 - ranks[:, 0].astype(np.int64)).mean() > 3.1
    after = run_of("daifugo_policy", *QUICK[:1], "seed=6", *QUICK[2:], f"weights={file}")
    assert summary(after)["points_before"] > summary(after)["even_points"]
    (later,) = export_run(str(after), None)
    assert [source["seed"] for source in json.loads(Path(later).read_text())["sources"]] == [5, 6]


def test_weights_that_are_others_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    policy.save(path, np.zeros(sum(size for _, size in _native.daifugo_policy_groups()), np.float32), [], {})
    with pytest.raises(UserError, match="is not the file that the run began with"):
        run_of("daifugo_policy", *QUICK, f"weights={path}", f"weights_sha256={'0' * 64}")
    with pytest.raises(UserError, match="cannot be read"):
        run_of("daifugo_policy", *QUICK, f"weights={tmp_path / 'none.json'}")
