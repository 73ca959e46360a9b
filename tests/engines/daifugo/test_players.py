"""Players by name and options, and the jobs that name them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines import _native
from engines.daifugo import he_table, policy
from engines.daifugo.he_table import HeTable
from engines.daifugo.player_files import PACKAGE_WEIGHTS
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.player_times import game_s
from engines.daifugo.players import make_player, resolve
from pipeline.config import composing
from storage.errors import UserError

pytestmark = pytest.mark.usefixtures("workspace")

KINDS: dict[str, Any] = {
    "rule": {"kind": "rule"},
    "mc": {"playouts": 1500},
    "he": {"playouts": 10, "generator": "he"},
    "learnt": {"playouts": 10, "policy": "learnt"},
    "quick": PlayerOptions(time_s=0.01),
}


def test_names_and_playouts() -> None:
    found = resolve(KINDS, ["rule", "mc@1100", "mc", "quick@7", "rule"], "job.players")
    assert list(found) == ["rule", "mc@1100", "mc", "quick@7"]
    assert found["mc"] == PlayerOptions(playouts=1500)
    assert found["mc@1100"] == PlayerOptions(playouts=1100)
    assert found["quick@7"] == PlayerOptions(playouts=7)
    # As a worker gets them: what was found is known by its whole name.
    assert resolve(found, ["mc@1100", "rule"], "job.players") == {
        name: found[name] for name in ("mc@1100", "rule")
    }
    assert game_s(found["mc"]) > game_s(found["mc@1100"]) > game_s(found["rule"]) > 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MC", "job.players: no player is called 'MC'; there are: rule, mc, he, learnt, quick"),
        ("x/y", "job.players: 'x/y': a record holds no such name"),
        ("", "job.players: '': a record holds no such name"),
        ("none@5", "job.players: no player is called 'none@5'"),
        ("mc@0", "job.players: 'mc@0': '0' is no number of playouts up to"),
        ("mc@", "job.players: 'mc@': '' is no number"),
        ("mc@5x", "job.players: 'mc@5x': '5x' is no number"),
        ("mc@99999999999999999999", "job.players: 'mc@9+': '9+' is no number"),
        ("rule@5", "job.players: rule@5: playouts: only mc has it"),
        ("he", "job.kinds.he.table: he needs a table"),
    ],
)
def test_names_that_are_wrong(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        resolve(KINDS, ["mc", name], "job.players")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "human"}, "kind: 'human' is none of random, rule, mc"),
        ({}, "playouts: either they or time_s"),
        ({"playouts": 5, "time_s": 1.0}, "playouts: either they or time_s"),
        ({"playouts": 0}, "playouts: must be 1 to"),
        ({"playouts": 1 << 40}, "playouts: must be 1 to"),
        ({"time_s": 0.0}, "time_s: must be above 0"),
        ({"time_s": float("nan")}, "time_s: must be above 0"),
        ({"playouts": 5, "exchange_playouts": 0}, "exchange_playouts: must be 1 to"),
        ({"playouts": 5, "c": -1.0}, "c: -1 is no number of 0 or more"),
        ({"playouts": 5, "policy": "best"}, "policy: .*best"),
        ({"playouts": 5, "generator": "best"}, "generator: .*best"),
        ({"playouts": 5, "generator": "reject", "tries": 0}, "tries: must be 1 to"),
        ({"playouts": 5, "generator": "chain", "swaps": 0}, "swaps: must be 1 to"),
        ({"playouts": 5, "endgame_positions": -1}, "endgame_positions: must be 0 to"),
        ({"playouts": 5, "table": "x"}, "table: only the generator he"),
        ({"playouts": 5, "weights": "x"}, "weights: only the policy learnt"),
        ({"playouts": 5, "policy_passes": True}, "policy_passes: only the policy learnt"),
        ({"playouts": 5, "generator": "best_learnt"}, "generator: .*best_learnt"),
        ({"playouts": 5, "bandit": "best"}, "bandit: .*best"),
        ({"playouts": 5, "lead": -1.0}, "lead: -1 is no number of 0 or more"),
        ({"playouts": 5, "prior": 0.1}, "prior: only the policy learnt"),
        ({"playouts": 5, "policy": "learnt", "prior": -1.0}, "prior: -1 is no number of 0 or more"),
        ({"playouts": 5, "sure_playouts": True}, "sure_playouts: only the policy learnt"),
        ({"playouts": 5, "pool": -1}, "pool: must be 0 to"),
        (
            {"playouts": 5, "joint": True, "exchange_playouts": 5},
            "exchange_playouts: joint has the budget of a play",
        ),
        ({"playouts": 5, "worth": [5, 3, 1]}, "worth: 3 numbers; there are 5 ranks"),
        ({"playouts": 5, "worth": [5, 4, 3, 2, 0.5]}, "worth: .* each must be within 1 to 5"),
        ({"kind": "rule", "c": 1.0}, "c: only mc has it"),
        ({"playouts": 5, "generator": "he", "c": -1.0}, "c: -1 is no number of 0 or more"),
    ],
)
def test_options_that_are_wrong(options: dict[str, Any], message: str) -> None:
    """Whether their player plays or not, but for what a table decides."""
    if options.get("generator") == "he":
        he_table.save(Path("he.parquet"), _table())
        options = options | {"table": "he.parquet"}
    named = ["other", "mc"] if "he" in options.values() else ["mc"]
    with pytest.raises(UserError, match=rf"job.kinds.other.{message}"):
        resolve(KINDS | {"other": options}, named, "job.players")


def test_tables_of_he() -> None:
    he_table.save(Path("he.parquet"), _table())
    kinds = KINDS | {"he": KINDS["he"] | {"table": "he.parquet"}}
    found = resolve(kinds, ["he"], "job.players")["he"]
    assert found.table == str(Path("he.parquet").resolve())
    assert found.table_sha256 is not None
    make_player(found)
    assert resolve({"he": found}, ["he"], "job.players") == {"he": found}
    other = found.__dict__ | {"table_sha256": "0" * 64}
    with pytest.raises(UserError, match=r"job.kinds.he.table: .* is not the file that the run began with"):
        resolve({"he": other}, ["he"], "job.players")
    Path("not.parquet").write_text("no table")
    for name, message in (("not.parquet", "is no readable Parquet file"), ("none", "there is no such table")):
        with pytest.raises(UserError, match=message):
            resolve(KINDS | {"he": KINDS["he"] | {"table": name}}, ["he"], "job.players")


def test_weights_of_a_policy() -> None:
    size = sum(size for _, size in _native.daifugo_policy_groups())
    policy.save(Path("w.json"), np.zeros(size, np.float32), [], {})
    kinds = KINDS | {"learnt": KINDS["learnt"] | {"weights": "w.json"}}
    found = resolve(kinds, ["learnt"], "job.players")["learnt"]
    assert found.weights == str(Path("w.json").resolve())
    make_player(found)
    assert resolve({"learnt": found}, ["learnt"], "job.players") == {"learnt": found}
    other = found.__dict__ | {"weights_sha256": "0" * 64}
    with pytest.raises(UserError, match=r"job.kinds.learnt.weights: .* is not the file that the run began"):
        resolve({"learnt": other}, ["learnt"], "job.players")


@pytest.mark.parametrize(
    "options",
    [{"policy": "learnt"}, {"generator": "chain_learnt"}, {"generator": "reject_learnt", "tries": 3}],
)
def test_the_policy_of_the_package(options: dict[str, Any]) -> None:
    """A run's name does not depend on where the package is."""
    learnt = {"playouts": 10, "policy_passes": True} | options
    found = resolve({"learnt": learnt}, ["learnt"], "job.players")["learnt"]
    assert found.weights is None
    weights = policy.load(PACKAGE_WEIGHTS).astype("<f4").tobytes()
    assert found.weights_sha256 == hashlib.sha256(weights).hexdigest()
    make_player(found)
    assert resolve({"learnt": found}, ["learnt"], "job.players") == {"learnt": found}


def _table() -> HeTable:
    seen = np.full(256, 20, np.uint64)
    return HeTable(seen, np.full((256, 15), 5, np.uint64))


@pytest.mark.parametrize(
    "name",
    [
        "daifugo_figure9",
        "daifugo_table1_rule",
        "daifugo_table1_strong",
        "daifugo_table1_rand",
        "daifugo_table1_small_rule",
        "daifugo_table1_small_strong",
        "daifugo_table1_small_rand",
    ],
)
def test_the_paper_s_jobs_compose(name: str) -> None:
    for table in ("he_all", "he_rule", "he_strong"):
        he_table.save(Path(f"{table}.parquet"), _table())
    with composing(None) as composer:
        job = composer.compose([f"job={name}"]).job
    options: dict[str, PlayerOptions] = job.kinds  # type: ignore[attr-defined]
    line_ups: list[list[str]] = job.line_ups()  # type: ignore[attr-defined]
    assert line_ups[0][4] == "rand"
    assert options["rand"] == PlayerOptions(playouts=1500)
    assert len({name for line_up in line_ups for name in line_up[:4]}) == 1
    assert {"rand_d", "rand_dr", "he"} <= {name.partition("@")[0] for name in options}
    assert len(line_ups) == len({line_up[4] for line_up in line_ups})


def test_parts_of_the_champion_are_measured_on_the_champion() -> None:
    with composing(None) as composer:
        kinds = composer.compose(["job=daifugo_parts_champion"]).job.kinds  # type: ignore[attr-defined]
        champion = composer.compose(
            ["job=daifugo_tournament", "job.players=[rule,rule,rule,rule,champion@3000]"]
        ).job.kinds["champion@3000"]  # type: ignore[attr-defined]
    assert kinds["whole"] == champion
    parts = [name for name in kinds if name.startswith(("no_", "with_"))]
    assert parts
    assert all(kinds[name] != champion for name in parts)


def test_players_of_one_s_own_file() -> None:
    Path("own/job").mkdir(parents=True)
    Path("own/job/mine.yaml").write_text(
        "defaults:\n  - daifugo_tournament@_here_\n  - _self_\nkinds:\n  bold: {playouts: 9, c: 8}\n"
        "players: [rule, rule, rule, rule, bold]\n"
    )
    with composing(Path("own")) as composer:
        job = composer.compose(["job=mine", "job.kinds.bold.policy=rule", "job.kinds.rand.playouts=3"]).job
    assert job.kinds == {  # type: ignore[attr-defined]
        "rule": PlayerOptions("rule"),
        "bold": PlayerOptions(playouts=9, c=8, policy="rule"),
    }
