"""``job=daifugo_tournament`` through the serial runner: rows, pairs, records, going on, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from command_helpers import Run

from engines.daifugo import tournament
from engines.daifugo.record import read_records
from engines.daifugo.replay import replay
from engines.daifugo.rules import PASS
from engines.daifugo.text import format_play
from engines.daifugo.tournament import DaifugoTournament
from pipeline.config import composing
from pipeline.dry_run import dry_run
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from pipeline.upkeep import export_run, verify_run
from storage.dataset import read_rows
from storage.errors import UserError

pytestmark = pytest.mark.usefixtures("workspace")

QUICK = ["players=[rule,random,rule,rule,rand@20]", "rank_period=10", "games=40"]


def run_of(*words: str) -> Path:
    """The folder of the finished run of ``job=daifugo_tournament WORDS``."""
    with composing(None) as composer:
        config = composer.compose(["job=daifugo_tournament", *(f"job.{word}" for word in words)])
    status, folder = run_job(config, SerialRunner())
    assert status == 0
    return folder


def rows_of(run: Path, *without: str) -> list[dict[str, Any]]:
    """Current rows by index, without what differs from run to run."""
    rows: list[dict[str, Any]] = read_rows(run).to_pylist()
    return [{key: row[key] for key in row if key not in ("elapsed_s", "host", *without)} for row in rows]


def summary(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found


def test_one_row_a_game_variant_and_player() -> None:
    run = run_of(*QUICK, "variants=[rand@20,rand_d@20]", "seed=7")
    rows = rows_of(run)
    assert len(rows) == 40 * 3 * 5
    keys = [(row["game"], row["variant"], row["player"]) for row in rows]
    assert sorted(keys) == [
        (game, variant, player) for game in range(40) for variant in range(3) for player in range(5)
    ]
    for begin in range(0, len(rows), 5):
        game = rows[begin : begin + 5]
        assert [row["player_name"] for row in game[:4]] == ["rule", "random", "rule", "rule"]
        assert {row["variant_name"] for row in game} == {game[4]["player_name"]}
        assert game[4]["player_name"] == ["rand@20", "rand@20", "rand_d@20"][game[0]["variant"]]
        assert sorted(row["seat"] for row in game) == sorted(row["rank"] for row in game) == [0, 1, 2, 3, 4]
        assert all(row["points"] == 5 - row["rank"] for row in game)
        assert all((row["outcome"] == "won") == (row["rank"] == 0) for row in game)
        assert {row["match"] for row in game} == {game[0]["game"] // 10}
        assert all(row["turns_count"] > 0 for row in game)
        assert [row["playouts_count"] > 0 for row in game[:4]] == [False] * 4
    seats = {(row["game"], row["player"]): row["seat"] for row in rows if row["variant"] == 0}
    assert all(seats[row["game"], row["player"]] == row["seat"] for row in rows)
    for game in range(40):
        same = [seats[game, player] == seats[game - game % 3, player] for player in range(5)]
        assert all(same)
    assert verify_run(str(run), 10) == []


def test_the_summary_has_points_in_the_order_of_the_players_and_paired_differences() -> None:
    run = run_of(*QUICK, "variants=[rand@20,rand_d@20]")
    figures, rows = summary(run), rows_of(run)
    for variant in range(3):
        told = figures["variants"][variant]
        points = [
            sum(row["points"] for row in rows if (row["variant"], row["player"]) == (variant, player))
            for player in range(5)
        ]
        assert told["points"] == points
        assert sum(points) == 15 * 40
        assert told["points_a_game"] == [each / 40 for each in points]
        assert all(error > 0 for error in told["points_a_game_se"])
        assert (told["games_count"], told["matches_count"]) == (40, 4)
    assert figures["points"] == figures["variants"][0]["points"]
    assert figures["players"] == ["rule", "random", "rule", "rule", "rand@20"]
    same, other = figures["differences"]
    assert (same["points_a_game"], same["points_a_game_se"]) == (0, 0)
    assert (same["points_a_game_low"], same["points_a_game_high"]) == (0, 0)
    both = [figures["variants"][variant]["points"][4] for variant in (0, 2)]
    assert other["points_a_game"] == (both[1] - both[0]) / 40
    assert other["points_10000_games"] == pytest.approx(10_000 * other["points_a_game"])
    assert other["points_a_game_low"] < other["points_a_game"] < other["points_a_game_high"]
    assert (other["name"], other["of"]) == ("rand_d@20", "rand@20")
    # The others' points differ too, as the deals are the same but not what follows.
    assert figures["variants"][2]["points"] != figures["points"]


def test_a_variant_takes_the_place_that_is_told() -> None:
    run = run_of(*QUICK, "variants=[rule]", "place=random")
    names = {row["player"]: row["player_name"] for row in rows_of(run) if row["variant"] == 1}
    assert names == {0: "rule", 1: "rule", 2: "rule", 3: "rule", 4: "rand@20"}
    assert summary(run)["differences"][0]["of"] == "random"
    assert summary(run)["differences"][0]["points_a_game"] > 0


def test_how_a_tournament_is_cut_changes_nothing_and_a_second_run_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = [*QUICK, "variants=[rule]"]
    whole = run_of(*words)
    assert len(list((whole / "data").iterdir())) == 1
    part = run_of(*words, "first=20", "games=20")
    differ = ("run_id", "index")
    assert rows_of(part, *differ) == [row for row in rows_of(whole, *differ) if row["game"] >= 20]
    rows, digest = rows_of(whole), summary(whole)["content_digest"]

    monkeypatch.setenv("YAMAFUDA_RESULTS", "others")
    monkeypatch.setattr(DaifugoTournament, "unit_items_count", lambda sweep: 20)
    cut = run_of(*words)
    assert cut != whole
    parts = sorted((cut / "data").iterdir())
    assert len(parts) == 4
    assert (rows_of(cut), summary(cut)["content_digest"]) == (rows, digest)
    before = [path.stat().st_mtime_ns for path in parts]
    parts[1].unlink()
    assert run_of(*words) == cut
    assert (rows_of(cut), summary(cut)["content_digest"]) == (rows, digest)
    after = [path.stat().st_mtime_ns for path in parts]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True, True]
    assert summary(cut)["units_computed_count"] == 1


def test_games_of_variants_begin_with_shared_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*QUICK, "variants=[rand@20,rule,random]", "ranks=shared", "records=true"]
    run = run_of(*words)
    rows, figures = rows_of(run), summary(run)
    base = [row for row in rows if row["variant"] == 0]
    plain = rows_of(run_of(*QUICK), "run_id", "index", "record")
    assert [{key: row[key] for key in plain[0]} for row in base] == plain
    by_game = {(row["game"], row["rank"]): row["player"] for row in base}
    for row in rows:
        if row["record"] is None:
            continue
        (record,) = read_records(row["record"])
        mine = [each for each in rows if (each["game"], each["variant"]) == (row["game"], row["variant"])]
        seats = {each["player"]: each["seat"] for each in mine}
        if row["game"] % 10 == 0:
            assert record.before is None
        else:
            assert record.before == tuple(seats[by_game[row["game"] - 1, rank]] for rank in range(5))
    same, *others = figures["differences"]
    assert (same["points_a_game"], same["in_matches_a_game"], same["in_matches_a_game_se"]) == (0, 0, 0)
    assert all(abs(each["in_matches_a_game"]) > abs(each["points_a_game"]) > 0 for each in others)
    # Cut anywhere, also within a match, it is the same.
    monkeypatch.setenv("YAMAFUDA_RESULTS", "others")
    monkeypatch.setattr(tournament, "SHARED_UNIT_S", 0.0)
    cut = run_of(*words)
    assert len(list((cut / "data").iterdir())) == 16
    assert rows_of(cut) == rows


def test_without_ranks_and_with_other_seats_each_game() -> None:
    rows = rows_of(run_of("players=[rule]", "games=12", "rank_period=1", "seat_period=1"))
    assert [row["match"] for row in rows] == [row["game"] for row in rows]
    seats = [tuple(row["seat"] for row in rows[begin : begin + 5]) for begin in range(0, 60, 5)]
    assert len(set(seats)) > 6


def test_records_can_be_exported_and_checked(yamafuda: Run) -> None:
    run = run_of(*QUICK, "variants=[chain@5]", "records=true")
    rows = rows_of(run)
    assert [row["record"] is not None for row in rows] == [row["player"] == 0 for row in rows]
    written = export_run(str(run), Path("games"))
    assert [path.name for path in written] == [
        "turns-0.parquet", "games-0-000.record", "turns-1.parquet", "games-1-000.record"
    ]  # fmt: skip
    for variant, (turns_path, record_path) in enumerate((written[:2], written[2:])):
        records = read_records(record_path.read_text())
        turns = pq.read_table(turns_path).to_pylist()
        assert len(records) == 40
        games = [row for row in rows if row["variant"] == variant]
        for game, record in enumerate(records):
            mine, own = games[5 * game : 5 * game + 5], [turn for turn in turns if turn["game"] == game]
            assert replay(record).problem is None
            assert record.result == tuple(row["seat"] for row in sorted(mine, key=lambda row: row["rank"]))
            assert record.players is not None
            assert all(record.players[row["seat"]] == row["player_name"] for row in mine)
            assert (record.before is None) == (game % 10 == 0)
            assert [turn["turn"] for turn in own] == list(range(len(record.turns)))
            assert [turn["play"] for turn in own] == [format_play(turn.play) for turn in record.turns]
            assert [turn["card_set"] == 0 for turn in own] == [turn.play == PASS for turn in record.turns]
            assert sum(row["turns_count"] for row in mine) == len(own)
        status, out, err = yamafuda("check", "daifugo", str(record_path))
        assert (status, err, len(out.splitlines())) == (0, "", 40)
    # Without records the rest is the same, and there is nothing to export.
    bare = run_of(*QUICK, "variants=[chain@5]")
    assert rows_of(bare, "record", "run_id") == rows_of(run, "record", "run_id")
    assert {row["record"] for row in rows_of(bare)} == {None}
    with pytest.raises(UserError, match="nothing to export"):
        export_run(str(bare), Path("none"))


@pytest.mark.parametrize(("share", "matches"), [("0", 0), ("0.01", 1), ("0.5", 2), ("1", 4)])
def test_the_referee_replays_a_share_of_the_matches(
    monkeypatch: pytest.MonkeyPatch, share: str, matches: int
) -> None:
    asked = []
    checked = tournament._checked_text
    monkeypatch.setattr(
        tournament, "_checked_text", lambda record, game: asked.append(game) or checked(record, game)
    )
    run_of(*QUICK, f"replay_share={share}")
    assert len(asked) == 10 * matches
    assert asked[:10] == list(range(10 if matches else 0))


def test_a_game_against_the_rules_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from engines.daifugo import core

    records_of = core.records_of

    def wrong(*words: Any) -> Any:
        for record in records_of(*words):
            object.__setattr__(record, "result", record.result[::-1])
            yield record

    monkeypatch.setattr(core, "records_of", wrong)
    with composing(None) as composer:
        config = composer.compose(["job=daifugo_tournament", "job.players=[rule]", "job.games=3"])
    status, folder = run_job(config, SerialRunner())
    assert status == 1
    assert not list(folder.glob("data/*"))
    (failure,) = (folder / "failed").glob("*.json")
    assert "game 0 breaks the rules: result: it is" in json.loads(failure.read_text())["reason"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("players=[rule,rule,rule,mc]", "job.players: 4 names; there are 5 players"),
        ("players=[rule,rule,rule,rule,rule,mc]", "job.players: 6 names; there are 5 players"),
        ("players=[rule,rule,rule,rule,mcc]", "job.players: no player is called 'mcc'"),
        ("variants=[nobody]", "job.variants: no player is called 'nobody'"),
        ("place=rule", "job.place: 'rule' must be in job.players once"),
        ("place=rand", "job.place: 'rand' must be in job.players once"),
        ("games=0", "job.games: must be 1 to 1099511627775; got 0"),
        ("games=150", "job.games: 150 games are no whole matches of 100"),
        ("first=50", "job.first: 50 games are no whole matches of 100"),
        ("first=-100", "job.first: must be 0 to 1099511627775; got -100"),
        ("seed=-1", "job.seed: must be 0 to 18446744073709551615; got -1"),
        ("ranks=none", "job.ranks: "),
        ("seat_period=0", "job.seat_period: must be 1 to "),
        ("rank_period=0", "job.rank_period: must be 1 to "),
        ("replay_share=1.5", "job.replay_share: must be 0 to 1; got 1.5"),
        ("kinds.rand.c=-1", "job.kinds.rand.c: -1 is no number of 0 or more"),
        ("kinds.rand.colour=5", "job.kinds.rand.colour: there is no field 'colour' of job.kinds.rand"),
        ("kinds.nobody.c=5", "job.kinds.nobody: "),
        ("limits.memory_bytes=1", "job.limits.memory_bytes: must be at least"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_written(yamafuda: Run, word: str, message: str) -> None:
    status, out, err = yamafuda("run", "job=daifugo_tournament", f"job.{word}")
    assert (status, out) == (2, "")
    assert err.startswith(f"yamafuda: {message}")
    assert err.count("\n") == 1
    assert not Path("results").exists()


def test_a_dry_run_tells_units_and_time() -> None:
    def estimate(*words: str) -> dict[str, Any]:
        with composing(None) as composer:
            return dry_run(composer.compose(["job=daifugo_tournament", *(f"job.{word}" for word in words)]))

    assert estimate()["units_count"] == 3
    rules = estimate("players=[rule]", "games=1000000")
    assert rules["items_count"] == 1_000_000
    assert 3 < rules["core_s"] / rules["units_count"] < 7
    slow = estimate("players=[rand]", "variants=[rand_d]", "games=10000")
    assert slow["units_count"] == 200
    assert (
        estimate("players=[rand]", "variants=[rand_d]", "games=10000", "ranks=shared")["units_count"] == 100
    )
    assert 600 < slow["core_s"] < 10_000
    assert (
        slow["disk_bytes"]
        < estimate("players=[rand]", "variants=[rand_d]", "games=10000", "records=true")["disk_bytes"]
    )


def test_unused_players_leave_the_run_s_name_alone() -> None:
    run = run_of("players=[rule]", "games=2")
    assert run_of("players=[rule]", "games=2", "kinds.rand.playouts=77") == run
    assert list(summary(run)["job"]["kinds"]) == ["rule"]
