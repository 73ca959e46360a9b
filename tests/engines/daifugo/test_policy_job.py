"""``job=daifugo_policy`` through the serial runner: plays are tried, a better policy comes of it, then the next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from run_helpers import run_of, summary

from engines import _native
from engines.daifugo import core, policy
from engines.daifugo.core import Player, Range
from engines.daifugo.policy_trials import improve, rows_of, trials_of
from pipeline.upkeep import export_run, verify_run
from storage.dataset import read_rows
from storage.errors import UserError

pytestmark = pytest.mark.usefixtures("workspace")

QUICK = ["games=1000", "seed=5", "every=10", "playouts=2"]


def tried(seed: int, count: int, weights: policy.Weights | None = None) -> _native.DaifugoTrials:
    """Choices in games of a policy, by default one that plays anything."""
    plays = np.zeros(policy.groups_size(), np.float32) if weights is None else weights
    return _native.daifugo_policy_trials(plays, True, seed=seed, first=0, count=count, every=5, playouts=2)


@pytest.mark.parametrize("network", [False, True])
def test_what_plays_are_worth_is_learnt(network: bool) -> None:
    taught, others = tried(1, 1500), tried(2, 500)
    even = np.zeros(policy.groups_size(), np.float32)
    before = policy.with_network(even, 1) if network else even
    weights = improve(before, True, taught, 0.03)
    assert len(weights) == len(before)
    assert others.worth(weights, True) > others.worth(even, True) + 0.1
    assert (improve(before, True, taught, 0.03) == weights).all()
    # The hotter, the less is told apart.
    hot = improve(before, True, taught, 3.0)
    assert others.worth(hot, True) < others.worth(weights, True) - 0.05


def test_a_network_tells_apart_what_features_do_not() -> None:
    taught, others = tried(1, 6000), tried(2, 1000)
    even = np.zeros(policy.groups_size(), np.float32)
    plain = improve(even, True, taught, 0.03)
    both = improve(policy.with_network(plain, 1), True, taught, 0.03)
    assert others.worth(both, True) > others.worth(plain, True) + 0.003


def test_choices_come_back_from_rows() -> None:
    trials = tried(3, 200)
    again = trials_of(pa.table(rows_of(trials)))
    for (name, column), (other, same) in zip(trials.columns(), again.columns(), strict=True):
        assert name == other
        assert (column == same).all(), name
    assert again.worth(some_weights(), True) == trials.worth(some_weights(), True)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("hand", lambda column: column | (1 << np.uint64(60))),
        ("unseen", lambda column: column * np.uint64(0)),
        ("top_cards", lambda column: column * np.uint64(0) + np.uint64(0b10001)),
        ("lock", lambda column: column + np.uint8(16)),
        ("counts", lambda column: column + np.uint8(1)),
        ("active", lambda column: column | np.uint8(16)),
        ("last", lambda column: column + np.uint8(5)),
        ("points", lambda column: column[:-1]),
        ("ends", lambda column: column[::-1]),
        ("revolution", lambda column: column[:-1]),
    ],
)
def test_columns_that_cannot_be_are_named(name: str, change: Any) -> None:
    columns = dict(tried(3, 20).columns())
    columns[name] = np.ascontiguousarray(change(columns[name]))
    with pytest.raises(ValueError, match=": "):
        _native.DaifugoTrials(**columns)


def test_plays_that_were_not_tried_are_named() -> None:
    trials = tried(3, 20)
    with pytest.raises(ValueError, match="ends"):
        trials.worth(some_weights(), False)


def some_weights() -> policy.Weights:
    """Weights of nothing in particular, with a network."""
    rng = np.random.default_rng(4)
    plain = rng.normal(0, 0.3, policy.groups_size()).astype(np.float32)
    return policy.with_network(plain, 5)


def test_a_run_makes_a_better_policy_and_the_next_one_goes_on_from_it() -> None:
    run = run_of("daifugo_policy", *QUICK, "network=false")
    assert verify_run(str(run), 10) == []
    told = summary(run)
    assert told["points"] > told["even_points"] + 0.05
    assert told["points_before"] == pytest.approx(told["even_points"])
    rows = read_rows(run, ["index", "choice", "plays_points", "hand"])
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
    document = json.loads(Path(later).read_text())
    assert [source["seed"] for source in document["sources"]] == [5, 6]
    assert document["version"] == 2
    assert policy.has_network(policy.load(Path(later)))


def test_weights_that_are_others_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    policy.save(path, np.zeros(sum(size for _, size in _native.daifugo_policy_groups()), np.float32), [], {})
    with pytest.raises(UserError, match="is not the file that the run began with"):
        run_of("daifugo_policy", *QUICK, f"weights={path}", f"weights_sha256={'0' * 64}")
    with pytest.raises(UserError, match="cannot be read"):
        run_of("daifugo_policy", *QUICK, f"weights={tmp_path / 'none.json'}")


def test_a_network_is_not_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    policy.save(path, some_weights(), [], {})
    with pytest.raises(UserError, match=r"job\.network: .*w\.json has a network"):
        run_of("daifugo_policy", *QUICK, f"weights={path}", "network=false")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["games=1001", "every=2"], "one turn in 2 may be none of the last 1 game;"),
        (["games=1150", "every=300"], "the last 150 games; less, or job.games: a multiple of 500"),
        (["every=701"], "must be 1 to 700"),
    ],
)
def test_blocks_without_choices_are_refused(words: list[str], message: str) -> None:
    with pytest.raises(UserError, match=r"job\.every: ") as caught:
        run_of("daifugo_policy", *QUICK[:2], *words)
    assert message in caught.value.message


def test_every_block_has_choices_where_fewest_are_tried() -> None:
    run = run_of("daifugo_policy", "games=1000", "every=700", "playouts=1")
    assert set(read_rows(run, ["index"])["index"].to_pylist()) == {0, 1}
