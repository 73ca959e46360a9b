"""``job=daifugo_estimate`` through the serial runner: counts against loops over worlds, pairs, figures, refusals."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from run_helpers import run_of, summary

from engines.daifugo import core, estimate
from engines.daifugo.core import Generator, Player, Range
from engines.daifugo.estimate import DaifugoEstimate
from engines.daifugo.numbers import bit_of
from engines.daifugo.replay import replay
from engines.daifugo.world_measures import CLASSES
from engines.statistics.intervals import Z
from storage.dataset import read_rows

pytestmark = pytest.mark.usefixtures("workspace")

QUICK = ["games=6", "rank_period=3", "positions=3", "worlds=8", "generators=[rand,rand_d,chain]", "seed=4"]


def rows_of(run: Path, *without: str) -> list[dict[str, Any]]:
    """Current rows by index, without what differs from run to run."""
    rows: list[dict[str, Any]] = read_rows(run).to_pylist()
    return [{key: row[key] for key in row if key not in ("elapsed_s", "host", *without)} for row in rows]


def test_rows_count_what_the_worlds_hold() -> None:
    rows = rows_of(run_of("daifugo_estimate", *QUICK))
    assert len(rows) == 6 * 3 * 3
    assert [row["index"] for row in rows] == [row["game"] for row in rows] == list(np.arange(6).repeat(3 * 3))
    games = core.play_games([Player("rule")] * 5, Range(4, 0, 6, 3, 3), records=True)
    records = list(core.records_of(games, ["rule"] * 5))
    some_right = 0
    for row in rows:
        record = records[row["game"]]
        position = replay(record).positions[row["turn"]]
        seat = row["seat"]
        assert (seat, row["player_name"]) == (record.turns[row["turn"]].seat, "rule")
        assert (row["cards_left_count"], row["has_ranks"]) == (
            len(position.hands[seat]),
            record.before is not None,
        )
        assert row["hidden_count"] == sum(map(len, position.hands)) - row["cards_left_count"]
        seed = estimate._world_seed(4, row["game"], row["turn"])
        made = core.worlds(core.known_at(record, row["turn"]), Generator(row["generator"]), seed, 8)
        assert sum(map(bool, position.hands)) >= 3
        others = [each for each in range(5) if each != seat and position.hands[each]]
        hands, exact, cards, placed = [0] * 12, [0] * 12, [0] * 60, [0] * 60
        for world in made:
            for each in others:
                hand = position.hands[each]
                hands[len(hand)] += 1
                exact[len(hand)] += world[each] == hand
                for card in hand:
                    cell = 12 * int(CLASSES[bit_of(card)]) + len(hand)
                    cards[cell] += 1
                    placed[cell] += card in world[each]
        assert (row["hands_counts"], row["exact_hands_counts"]) == (hands, exact)
        assert (row["cards_counts"], row["placed_counts"]) == (cards, placed)
        whole = sum(all(world[each] == position.hands[each] for each in others) for world in made)
        assert (row["worlds_count"], row["exact_worlds_count"]) == (8, whole)
        assert row["pairs_count"] == 28 * row["hidden_count"]
        some_right += sum(placed)
    assert some_right > 0


def test_all_generators_see_the_same_positions_each_turn_once() -> None:
    rows = rows_of(run_of("daifugo_estimate", *QUICK))
    for begin in range(0, len(rows), 3):
        three = rows[begin : begin + 3]
        assert [row["generator"] for row in three] == ["rand", "rand_d", "chain"]
        for name in ("game", "turn", "seat", "hidden_count", "hands_counts", "cards_counts"):
            assert three[0][name] == three[1][name] == three[2][name]
    for game in range(6):
        turns = [row["turn"] for row in rows if row["game"] == game and row["generator"] == "rand"]
        assert turns == sorted(set(turns))
        assert len(turns) == 3


def test_rows_do_not_depend_on_how_a_run_is_cut_or_on_other_generators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = rows_of(run_of("daifugo_estimate", *QUICK), "run_id")
    monkeypatch.setattr(DaifugoEstimate, "unit_items_count", lambda sweep: 3)
    part = run_of("daifugo_estimate", *QUICK[:-2], "seed=4", "generators=[chain]")
    assert len(list((part / "data").iterdir())) == 2
    assert rows_of(part, "run_id") == [row for row in whole if row["generator"] == "chain"]


def test_a_run_that_was_cut_short_goes_on_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DaifugoEstimate, "unit_items_count", lambda sweep: 3)
    run = run_of("daifugo_estimate", *QUICK)
    rows, digest = rows_of(run), summary(run)["content_digest"]
    sorted((run / "data").iterdir())[0].unlink()
    (run / "manifest.json").unlink()
    assert run_of("daifugo_estimate", *QUICK) == run
    assert (rows_of(run), summary(run)["content_digest"]) == (rows, digest)


def told(figures: dict[str, Any], name: str) -> tuple[Any, Any, Any]:
    """A share and the ends of its interval."""
    return figures[name], figures[f"{name}_low"], figures[f"{name}_high"]


def test_figures_sum_the_rows_up() -> None:
    run = run_of("daifugo_estimate", *QUICK)
    figures, rows = summary(run), read_rows(run).to_pylist()
    assert figures["games_count"] == 6
    assert [each["generator"] for each in figures["generators"]] == ["rand", "rand_d", "chain"]

    def sums(name: str, key: str) -> list[int]:
        """By game."""
        chosen = [row for row in rows if row["generator"] == name]
        return [sum(sum(row[key]) for row in chosen if row["game"] == game) for game in range(6)]

    shares, by_game = [], []
    for each in figures["generators"]:
        right, total = sums(each["generator"], "placed_counts"), sums(each["generator"], "cards_counts")
        share = sum(right) / sum(total)
        squares = sum((r - share * t) ** 2 for r, t in zip(right, total, strict=True))
        half = Z * math.sqrt(squares * 6 / 5) / sum(total)
        assert told(each, "placed") == pytest.approx((share, share - half, share + half))
        assert each["positions_count"] == 18
        assert each["world_s"] > 0
        for by_class in told(each, "placed_by_class"):
            assert set(by_class) == {"low", "eight", "middle", "high", "joker"}
        for name in ("placed_by_cards_left", "exact_hands_by_cards_left"):
            assert {len(by_left) for by_left in told(each, name)} == {11}
        shares.append(share)
        by_game.append((right, total))
    for place, each in enumerate(figures["differences"], start=1):
        gain = shares[place] - shares[0]
        right = [a - b for a, b in zip(by_game[place][0], by_game[0][0], strict=True)]
        squares = sum((r - gain * t) ** 2 for r, t in zip(right, by_game[0][1], strict=True))
        half = Z * math.sqrt(squares * 6 / 5) / sum(by_game[0][1])
        assert each["of"] == "rand"
        assert told(each, "placed") == pytest.approx((gain, gain - half, gain + half))


def test_he_is_measured_with_a_table() -> None:
    learnt = run_of("daifugo_learn", "games=20", "rank_period=20")
    run = run_of("daifugo_estimate", *QUICK[:4], "generators=[rand,he]", f"kinds.he.table={learnt}")
    assert [each["generator"] for each in summary(run)["generators"]] == ["rand", "he"]
