"""``job=daifugo_learn`` through the serial runner: counts against a plain recount, files, going on, refusals."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from run_helpers import run_of, summary

from engines.daifugo import core, he_table, playing, rules
from engines.daifugo.core import Player, Range
from engines.daifugo.learn import DaifugoLearn
from engines.daifugo.replay import Record, replay
from engines.daifugo.rules import JOKER, PASS, Hand, Kind
from pipeline.config import composing
from pipeline.dry_run import dry_run
from pipeline.upkeep import export_run, verify_run
from storage.dataset import read_rows
from storage.errors import UserError

pytestmark = pytest.mark.usefixtures("workspace")

QUICK = ["games=40", "rank_period=10", "seed=5"]
RANKS = "?34567890JQKA2"


def class_of(record: Record, number: int, seat: int, left: int) -> int:
    """As section 3.2.1 tells it: what ``seat`` has played up to turn ``number``, by the threshold for its cards."""
    theta = math.ceil((10 - left) / 4)
    plays = [turn.play for turn in record.turns[: number + 1] if turn.seat == seat and turn.play != PASS]
    ranks = [RANKS[card.column] for play in plays for card in play.cards if card != JOKER]
    marks = [
        sum(rank in "34567" for rank in ranks) >= theta,
        ranks.count("8") >= 1,
        sum(rank in "90JQ" for rank in ranks) >= theta,
        sum(rank in "KA2" for rank in ranks) >= theta,
        any(rules.kind(play) is Kind.group for play in plays),
        any(rules.kind(play) is Kind.sequence for play in plays),
    ]
    return 64 * (left - 2) + sum(mark << bit for bit, mark in enumerate(marks))


def items_of(hand: Hand) -> list[bool]:
    """The 15 items, from the hand's cards alone."""
    own = sorted(hand - {JOKER})
    pair = any(a.column == b.column for a, b in combinations(own, 2))
    three = any(rules.is_sequence(cards) for cards in combinations(own, 3))
    return [*(any(card.column == column for card in own) for column in range(1, 14)), pair, three]


def recount(names: list[str], players: list[Player], games: Range, name: str) -> he_table.HeTable:
    """What the job should count for one name."""
    seen, held = np.zeros(256, np.uint64), np.zeros((256, 15), np.uint64)
    for record in core.records_of(core.play_games(players, games, records=True), names):
        positions = replay(record).positions
        assert record.players is not None
        for number, turn in enumerate(record.turns):
            hand = positions[number + 1].hands[turn.seat]
            if turn.play == PASS or not 2 <= len(hand) <= 5 or record.players[turn.seat] != name:
                continue
            found = class_of(record, number, turn.seat, len(hand))
            seen[found] += np.uint64(1)
            held[found] += np.array(items_of(hand), np.uint64)
    return he_table.HeTable(seen, held)


def same(a: he_table.HeTable, b: he_table.HeTable) -> bool:
    return np.array_equal(a.seen, b.seen) and np.array_equal(a.held, b.held)


def test_counts_are_those_of_the_records() -> None:
    names = ["rule", "random", "rule", "random", "random"]
    run = run_of("daifugo_learn", f"players=[{','.join(names)}]", "games=100", *QUICK[1:])
    players, games = [Player(name) for name in names], Range(5, 0, 100, 3, 10)
    for name in ("rule", "random"):
        expected = recount(names, players, games, name)
        assert expected.seen.sum() > 400
        assert expected.held.sum(axis=0).min() > 0
        assert same(he_table.load(run, name), expected)
    figures = summary(run)
    both = he_table.load(run)
    assert figures["hands_count"] == both.seen.sum()
    assert figures["games_count"] == 100
    assert figures["group_share"] == both.held[:, 13].sum() / both.seen.sum()
    assert figures["outcomes"] == {}
    assert (figures["items_count"], figures["rows_count"]) == (1, 512)
    assert verify_run(str(run), 10) == []


def test_rows_may_be_asked_with_sql_names() -> None:
    run = run_of("daifugo_learn", *QUICK)
    rows = read_rows(run)
    assert set(he_table.COUNT_COLUMNS) < set(rows.column_names)
    assert rows["class"].to_pylist() == list(range(256))
    assert set(rows["outcome"].to_pylist()) == {None}
    assert set(rows["games_count"].to_pylist()) == {40}


def test_one_name_is_five_copies() -> None:
    assert run_of("daifugo_learn", "players=[rule]", *QUICK) == run_of(
        "daifugo_learn", "players=[rule,rule,rule,rule,rule]", *QUICK
    )


def test_counts_do_not_depend_on_how_a_run_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = he_table.load(run_of("daifugo_learn", *QUICK))
    monkeypatch.setattr(playing, "BLOCK_GAMES", 25)
    monkeypatch.setattr(DaifugoLearn, "unit_items_count", lambda sweep: 1)
    # Another number of games is another run; the blocks of 20 games are the same as far as they go.
    cut = run_of("daifugo_learn", "games=50", *QUICK[1:])
    assert len(list((cut / "data").iterdir())) == 3
    more = core.learn([Player("rule")] * 5, Range(5, 40, 10, 3, 10))
    rest = he_table.HeTable(more.seen.sum(axis=0), more.held.sum(axis=0))
    assert same(he_table.load(cut), he_table.merge([whole, rest]))


def test_a_run_that_was_cut_short_goes_on_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "BLOCK_GAMES", 10)
    monkeypatch.setattr(DaifugoLearn, "unit_items_count", lambda sweep: 1)
    run = run_of("daifugo_learn", *QUICK)
    digest = summary(run)["content_digest"]
    (first,) = export_run(str(run), Path("before"))
    parts = sorted((run / "data").iterdir())
    assert len(parts) == 4
    parts[1].unlink()
    parts[3].unlink()
    (run / "manifest.json").unlink()
    with pytest.raises(UserError, match="not finished"):
        he_table.load(run)
    assert run_of("daifugo_learn", *QUICK) == run
    assert summary(run)["content_digest"] == digest
    (second,) = export_run(str(run), Path("after"))
    assert first.read_bytes() == second.read_bytes()


def test_larger_limits_take_nothing_again() -> None:
    run = run_of("daifugo_learn", *QUICK)
    assert run_of("daifugo_learn", *QUICK, "limits.memory_bytes=1100000000") == run
    assert len(list((run / "data").iterdir())) == 1
    assert set(read_rows(run)["attempt"].to_pylist()) == {1}


def test_export_has_a_table_for_each_player() -> None:
    words = ("players=[rule,rule,rand@3,rule,rule]", "games=10", "seed=7", "rank_period=10")
    run = run_of("daifugo_learn", *words)
    written = export_run(str(run), Path("tables"))
    assert [path.name for path in written] == ["rule.parquet", "rand@3.parquet"]
    for path, name in zip(written, ("rule", "rand@3"), strict=True):
        table = he_table.load(path)
        assert same(table, he_table.load(run, name))
        (source,) = table.sources
        assert (source.player, source.games_count, source.seed) == (name, 10, 7)
        assert source.engine_version == DaifugoLearn.version
        assert source.players == ("rule", "rule", "rand@3", "rule", "rule")
        assert pq.read_schema(path).names[:3] == ["class", "seen_count", "rank_3_count"]
    assert same(he_table.load(run), he_table.merge([he_table.load(path) for path in written]))


def test_he_plays_with_what_was_learnt() -> None:
    learnt = run_of("daifugo_learn", *QUICK)
    (table,) = export_run(str(learnt), Path("tables"))
    words = ["players=[he@5]", "games=2", "rank_period=2"]
    by_run = run_of("daifugo_learn", f"kinds.he.table={learnt}", *words)
    by_file = run_of("daifugo_learn", f"kinds.he.table={table}", *words)
    assert he_table.load(by_run).seen.sum() > 0
    assert same(he_table.load(by_run), he_table.load(by_file))


def test_a_dry_run_tells_units_and_time() -> None:
    def estimate(*words: str) -> dict[str, object]:
        with composing(None) as composer:
            return dry_run(composer.compose(["job=daifugo_learn", *(f"job.{word}" for word in words)]))

    assert estimate()["units_count"] == 1
    # A game of five players with 1500 playouts takes a tenth of a second or more: a unit is a period of ranks.
    slow = estimate("players=[mc]")
    assert slow["units_count"] == 100
    assert slow["items_count"] == 100
