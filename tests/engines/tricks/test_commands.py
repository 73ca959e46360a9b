"""``yamafuda solve tricks`` and ``yamafuda report tricks``."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from command_helpers import Run
from hypothesis import given
from hypothesis import strategies as st
from refusals import assert_refused
from tricks_helpers import build

from engines.tricks import rules
from engines.tricks.solution import Rules, solve
from engines.tricks.text import WrittenDeal, format_deal, read_deals

pytestmark = pytest.mark.usefixtures("workspace")

DEAL = "A=8,7,6,4 B=5,3,2,1 k=4"


def test_a_deal_in_words(yamafuda: Run) -> None:
    status, out, err = yamafuda("solve", "tricks", DEAL)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "AAABABBB k=4: A 8 7 6 4, B 5 3 2 1",
        "point cards: 8 7 6 5",
        "Left leads: Left gets 3 of 4, Left wins; best 8 7 6 4",
        "  best replies: to 8: 3 2 1; to 7: 3 2 1; to 6: 3 2 1; to 4: 5",
        "Right leads: Left gets 4 of 4, Left wins; best 5 3 2 1",
        "  best replies: to 5: 8 7 6; to 3: 4; to 2: 4; to 1: 4",
        "G | 5 3 2 1   W | 5 3 2 1",
        "8 | 4 3 3 3   8 | 2 2 2 2",
        "7 | 4 3 3 3   7 | 2 2 2 2",
        "6 | 4 3 3 3   6 | 2 2 2 2",
        "4 | 3 4 4 4   4 | 3 4 4 4",
        "max-min of G 3, of W 3",
        "min-max of G 4, of W 3",
        "Left gives 4 for 3: 3 (+0) when Left leads, 4 (+0) when Right leads",
        "Left gives 4 for 5: 4 (+1) when Left leads, 4 (+0) when Right leads",
        "Left gives 6 for 5: 2 (-1) when Left leads, 3 (-1) when Right leads",
    ]


@pytest.mark.parametrize("aim", ["most", "fewest"])
def test_advice_has_the_referee_s_values(yamafuda: Run, aim: str) -> None:
    """Of each card in the lead what comes out after it, and all replies that lead there."""
    status, out, err = yamafuda("advise", "tricks", DEAL, "--aim", aim, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert told["rules"] == {"points": "highest", "aim": aim}
    deal = rules.Deal((8, 7, 6, 4), (5, 3, 2, 1), frozenset({8, 7, 6, 5}), aim == "fewest")
    G = rules.payoff_matrix(deal)
    for who, hand, other, gains in (
        ("left", deal.left, deal.right, G),
        ("right", deal.right, deal.left, [list(column) for column in zip(*G, strict=True)]),
    ):
        # Who replies to Left wants Left to have few points, if points are wanted.
        least = (who == "left") == (aim == "most")
        plays = told["plays"][who]
        for play in plays:
            row = gains[hand.index(play["card"])]
            assert play["value"] == (min(row) if least else max(row))
            assert play["best_replies"] == [
                card for card, gain in zip(other, row, strict=True) if gain == play["value"]
            ]
        assert sorted(play["card"] for play in plays) == sorted(hand)
        assert plays[0]["value"] == rules.value(deal, who == "left")


def test_advice_in_words(yamafuda: Run) -> None:
    status, out, _ = yamafuda("advise", "tricks", DEAL)
    assert status == 0
    assert out.splitlines()[:3] == [
        "A=8,7,6,4 B=5,3,2,1 k=4; point cards: highest, aim: most",
        "Left leads: card, point cards that Left gets, best replies",
        "  8  3 of 4  3 2 1",
    ]


def test_both_forms_are_the_same_deal(yamafuda: Run) -> None:
    first, second, third = (
        yamafuda("solve", "tricks", *words)
        for words in ([DEAL], ["AAABABBB", "k=4"], ["k=4", "B=1,3,2,5", "A=4,6,7,8"])
    )
    assert first == second == third


def test_json(yamafuda: Run) -> None:
    status, out, _ = yamafuda("solve", "tricks", DEAL, "--json")
    found = json.loads(out)
    assert status == 0
    assert list(found) == [
        "standard", "k", "points", "aim", "point_cards", "A", "B", "value_left_leads", "value_right_leads", "G", "W",
        "max_min", "min_max", "outcome_left_leads", "outcome_right_leads", "best_left_leads", "best_right_leads",
        "best_right_replies", "best_left_replies", "swaps", "states_count",
    ]  # fmt: skip
    assert (found["value_left_leads"], found["value_right_leads"]) == (3, 4)
    assert (found["max_min"], found["min_max"]) == ({"G": 3, "W": 3}, {"G": 4, "W": 3})
    swap = found["swaps"][1]
    assert (swap["left_gives"], swap["left_gets"], swap["A"], swap["B"]) == (4, 5, [8, 7, 6, 5], [4, 3, 2, 1])
    assert (swap["value_left_leads"], swap["G"][0], swap["W"][0]) == (4, [4] * 4, [3] * 4)


def test_a_file_of_deals(yamafuda: Run) -> None:
    Path("deals").write_text(f"# two deals\n{DEAL}\n\nAABBBABA k=1   # of section 2\n")
    status, out, err = yamafuda("solve", "tricks", "deals", "--json")
    assert (status, err) == (0, "")
    assert [json.loads(line)["standard"] for line in out.splitlines()] == ["AAABABBB", "AABBBABA"]


def test_other_rules(yamafuda: Run) -> None:
    for points, cards in (("lowest", [2, 1]), ("highest", [6, 5]), ("1", [5, 4])):
        for aim in ("most", "fewest"):
            words = ["AABBAB", "k=2", "--points", points, "--aim", aim, "--json"]
            found = json.loads(yamafuda("solve", "tricks", *words)[1])
            deal = rules.Deal((6, 5, 2), (4, 3, 1), frozenset(cards), aim == "fewest")
            assert found["point_cards"] == cards
            assert found["G"] == rules.payoff_matrix(deal)
            assert found["value_left_leads"] == rules.value(deal, left_leads=True)
            assert found["value_right_leads"] == rules.value(deal, left_leads=False)


def test_cards_that_are_gone_do_not_matter() -> None:
    some = solve(read_deals("A=90,7,3 B=55,4,1 k=3")[0], Rules())
    same = solve(read_deals("A=6,4,2 B=5,3,1 k=3")[0], Rules())
    assert some.table.G == same.table.G
    assert some.point_cards == [90, 55, 7]


def test_a_large_deal(yamafuda: Run) -> None:
    status, out, _ = yamafuda("solve", "tricks", "AABB" * 3 + "BABA" * 3 + "AB", "k=11", "--json")
    found = json.loads(out)
    assert status == 0
    assert 0 <= found["value_left_leads"] <= found["value_right_leads"] <= found["value_left_leads"] + 2


def test_the_core_is_held_against_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.tricks.rules.payoff_matrix", lambda deal: [])
    with pytest.raises(RuntimeError, match="not what the rules say"):
        solve(read_deals("AB k=1")[0], Rules())


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("A=1,2 B=3 k=1", "A has 2 cards and B has 1; both must have as many"),
        ("AAB k=1", "A has 2 cards and B has 1; both must have as many"),
        ("A=1,1 B=2,3 k=1", "card 1 is dealt twice"),
        ("A=1,4 B=4,3 k=1", "card 4 is dealt twice"),
        ("AABB k=5", "k=5 point cards are more than the 4 cards dealt"),
        ("AABB k=-1", "k='-1' is not a number of point cards"),
        ("AABB k=x", "k='x' is not a number of point cards"),
        ("AABB", "k, the number of point cards, is missing"),
        ("AABB k=1 k=2", "k is given twice"),
        ("AAXB k=1", "'X' in 'AAXB' is neither A nor B"),
        ("A=1,x B=2,3 k=1", "hand A: 'x' is not a card, a number from 1 to 9999"),
        ("A=1,0 B=2,3 k=1", "hand A: '0' is not a card, a number from 1 to 9999"),
        ("A= B=2,3 k=1", "hand A: '' is not a card, a number from 1 to 9999"),
        ("A=1,2 A=2,3 k=1", "hand A is given twice"),
        ("A=1,2 k=1", "hand B is missing (A=8,7,6,4 B=5,3,2,1 k=4, or AAABABBB k=4)"),
        ("A=1 B=2 C=3 k=1", "'C=3' is not one of A=CARDS, B=CARDS, AABB..., k=NUMBER"),
        ("AB AB k=1", "'AB' is not one of A=CARDS, B=CARDS, AABB..., k=NUMBER"),
        (f"{'AB' * 201} k=1", "201 cards each are too many; there may be 1 to 200"),
    ],
)
def test_bad_deals(deal: str, message: str, yamafuda: Run) -> None:
    assert yamafuda("solve", "tricks", deal) == (2, "", f"yamafuda: DEAL, line 1: {message}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["AB k=1", "--points", "middle"],
            "--points: 'middle' is not highest, lowest or the number of cards above",
        ),
        (
            ["AB k=1", "--points", "2"],
            "--points: 2 cards above 1 point cards are more than the 2 cards dealt",
        ),
        (["AB k=1", "--aim", "none"], "--aim: 'none' is neither most nor fewest"),
        ([" "], "DEAL: there is no deal in it"),
        (["deals.txt"], "deals.txt: cannot be read: No such file or directory"),
    ],
)
def test_bad_options(words: list[str], message: str, yamafuda: Run) -> None:
    assert_refused(yamafuda, "solve", "tricks", *words, message=message)


@given(st.permutations(range(1, 21)), st.integers(1, 10), st.data())
def test_what_is_written_is_read(order: list[int], cards: int, data: st.DataObject) -> None:
    left, right = (tuple(sorted(part, reverse=True)) for part in (order[:cards], order[cards : 2 * cards]))
    deal = WrittenDeal(left, right, data.draw(st.integers(0, 2 * cards)))
    assert read_deals(format_deal(deal)) == [deal]


def test_report(built: Path, yamafuda: Run, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    for points in ("highest", "anywhere"):
        for job in ("tricks_table", "tricks_theorems"):
            build(root, f"job={job}", "job.cards=4", f"job.points={points}")
    status, out, err = yamafuda("report", "tricks", "--tables", str(root), "--results", str(root))
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert "n cards each, the k highest are point cards to be won" in lines
    assert "    1  50  50" in lines
    assert any(line.startswith("theorem_5   ") or " theorem_5 " in f" {line} " for line in lines)
    assert any(line.endswith("BBAA k=4, right leads, 1 for 4: +4") for line in lines)
    assert "4 cards each, k point cards to be won below u others: what leading costs, in point cards" in lines
    status, out, _ = yamafuda("report", "tricks", "--tables", str(root), "--results", str(root), "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    share = next(row for row in rows if row["kind"] == "share" and (row["cards"], row["k"]) == (4, 8))
    assert (
        share["leader_won_count"] + share["drawn_count"] + share["leader_lost_count"]
        == share["deals_count"]
        == 70
    )
    assert share["leading_cost"] == pytest.approx(48 / 70)
    assert sum(row["kind"] == "statement" for row in rows) == 2 * 38


def test_report_shows_a_table_that_cannot_be_right(yamafuda: Run, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    build(root, "job=tricks_table", "job.cards=2")
    run = build(root, "job=tricks_theorems", "job.cards=2")
    summary = json.loads((run / "summary.json").read_text())
    next(each for each in summary["statements"] if each["statement"] == "whist")["holds"] = False
    (run / "summary.json").write_text(json.dumps(summary))
    assert yamafuda("report", "tricks", "--tables", str(root), "--results", str(root))[0] in (1, 2)


def test_report_without_runs(yamafuda: Run, tmp_path: Path) -> None:
    status, out, _ = yamafuda("report", "tricks", "--tables", str(tmp_path), "--results", str(tmp_path))
    assert status == 0
    assert out.splitlines()[0].startswith("tables are in ")


def test_hands_of_a_whole_file_are_refused_at_once(yamafuda: Run, tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text("A" * 1_000_000 + "B" * 1_000_000 + " k=3")
    start_s = time.process_time()
    err = assert_refused(yamafuda, "solve", "tricks", str(long))
    assert "1000000 cards each are too many; there may be 1 to 200" in err
    assert time.process_time() - start_s < 20
