"""The census of statements against counting by the referee, case by case; values that are known; the job."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from refusals import complaint
from run_helpers import summary
from tricks_helpers import build, every_choice, patterns, played

from engines import _native
from engines.tricks import known, theorems, whist
from engines.tricks.deal import hands_of, point_cards, standard
from engines.tricks.tally import Tally
from engines.tricks.theorems import COUNTED, ROWS, TricksTheorems
from pipeline.upkeep import verify_run
from storage.dataset import read_rows
from storage.errors import UserError

Bounds = tuple[int, int]
ANY = 99
SWAPS: list[tuple[str, Bounds]] = [
    ("theorem_2", (0, 2)),
    ("theorem_6", (0, 2)),
    ("theorem_7", (0, 2)),
    ("theorem_7_proven", (0, 1)),
    ("theorem_8", (-1, 1)),
    ("upper_border", (-1, 1)),
    ("adjacent", (-2, 2)),
    ("far_points", (0, 2)),
    ("far_points_order", (0, ANY)),
    ("far_others", (0, 1)),
    ("far_others_order", (0, ANY)),
    ("far_border", (-1, 1)),
]
BOUNDS = dict(SWAPS) | {"theorem_1": (0, 2), "theorem_5": (0, 2), "property_1": (0, 1)}


def is_about(statement: str, gives: int, gets: int, points: frozenset[int], all_count: bool) -> bool:
    """Whether a statement is about this swap."""
    kinds = (gives in points, gets in points)
    next_to = abs(gives - gets) == 1
    higher = gets > gives
    return {
        "theorem_2": next_to and higher and all_count,
        "theorem_6": next_to and higher and kinds == (True, True),
        "theorem_7": next_to and not higher and kinds == (False, False),
        "theorem_7_proven": next_to and not higher and kinds == (False, False),
        "theorem_8": next_to and higher and kinds == (False, True),
        "upper_border": next_to and higher and kinds == (True, False),
        "adjacent": next_to and higher,
        "far_points": not next_to and higher and kinds == (True, True),
        "far_points_order": not next_to and higher and kinds == (True, True),
        "far_others": not next_to and not higher and kinds == (False, False),
        "far_others_order": not next_to and not higher and kinds == (False, False),
        "far_border": not next_to and higher and kinds in ((True, False), (False, True)),
    }[statement]


def cases(cards: int, above: int, count: int, aim: str, pattern: int) -> Iterator[tuple[str, int]]:
    """Every case of a deal: the statement that it is of, and the gain."""
    sign = -1 if aim == "fewest" else 1

    def gain(pattern: int, left_leads: bool, count: int = count) -> int:
        return sign * played(cards, pattern, above, count, left_leads, aim)

    whole = 2 * cards
    points = point_cards(cards, above, count)
    now = {left_leads: gain(pattern, left_leads) for left_leads in (True, False)}
    yield "theorem_5", now[False] - now[True]
    if count == whole:
        yield "theorem_1", now[False] - now[True]
    if above + count < whole:
        for left_leads in (True, False):
            yield "property_1", sign * (gain(pattern, left_leads, count + 1) - now[left_leads])
    left, right = hands_of(cards, pattern)
    for gives, gets in itertools.product(left, right):
        swapped = pattern ^ 1 << gives - 1 ^ 1 << gets - 1
        for (statement, _), left_leads in itertools.product(SWAPS, (True, False)):
            if is_about(statement, gives, gets, points, count == whole):
                yield statement, gain(swapped, left_leads) - now[left_leads]


def keeps_conditions(cards: int, above: int, count: int, pattern: int) -> bool:
    points = point_cards(cards, above, count)
    left, right = hands_of(cards, pattern)
    in_order = all(a < b for a in {*left} - points for b in {*right} - points)
    return bool(points) and min(points) in right and in_order


@pytest.mark.parametrize("aim", ["most", "fewest"])
@pytest.mark.parametrize("cards", [1, 2, 3])
def test_census_case_by_case(cards: int, aim: str) -> None:
    for above, count in every_choice(cards):
        columns = []
        for point_count in (count, count + 1):
            if above + point_count <= 2 * cards:
                column = [played(cards, each, above, point_count, True, aim) for each in patterns(cards)]
                columns.append(np.array(column, np.uint8))
        more = columns[1] if len(columns) == 2 else None
        rows, pairs = _native.tricks_census(cards, above, count, aim, columns[0], more)
        found = {(row[0], row[1]): Tally.of_core(row) for row in rows}
        expected = {key: Tally() for key in found}
        for pattern in patterns(cards):
            by_statement: dict[str, list[int]] = {}
            for statement, gain in cases(cards, above, count, aim, pattern):
                by_statement.setdefault(statement, []).append(gain)
            kept = keeps_conditions(cards, above, count, pattern)
            for statement, gains in by_statement.items():
                least, most = BOUNDS[statement]
                obeying = [least <= gain <= most for gain in gains]
                for hands in ("all", "conditions") if kept else ("all",):
                    tally = expected[statement, hands]
                    tally.deals_count += 1
                    tally.deals_obeying_count += all(obeying)
                    tally.cases_count += len(gains)
                    tally.cases_obeying_count += sum(obeying)
                    for gain in gains:
                        tally.gain_counts[gain] = tally.gain_counts.get(gain, 0) + 1
        for key, tally in expected.items():
            ours = found[key]
            counts = {gain: number for gain, number in ours.gain_counts.items() if number}
            assert counts == tally.gain_counts, key
            for name in ("deals_count", "deals_obeying_count", "cases_count", "cases_obeying_count"):
                assert getattr(ours, name) == getattr(tally, name), key
            case = ours.first
            assert (case is None) == (tally.cases_count == tally.cases_obeying_count)
            if case is not None:
                gains = [
                    gain for name, gain in cases(cards, above, count, aim, case.pattern) if name == key[0]
                ]
                assert case.gain in gains
                assert not BOUNDS[key[0]][0] <= case.gain <= BOUNDS[key[0]][1]
        adjacent = found["adjacent", "all"].gain_counts
        assert len(pairs) == 2 * cards - 1
        assert min(least for least, _ in pairs) == min(gain for gain, number in adjacent.items() if number)
        assert max(most for _, most in pairs) == max(gain for gain, number in adjacent.items() if number)


def test_hands_and_conditions_of_many_deals() -> None:
    for cards in (1, 2, 3, 4):
        everything = np.array(patterns(cards), np.uint32)
        left, right = known.hands(cards, everything)
        for number, pattern in enumerate(patterns(cards)):
            assert (tuple(left[number]), tuple(right[number])) == hands_of(cards, pattern)
        for above, count in every_choice(cards):
            kept = known.conditions(left, right, above, count)
            assert kept.tolist() == [keeps_conditions(cards, above, count, p) for p in patterns(cards)]


def test_known_values_against_the_referee() -> None:
    for cards in (1, 2, 3, 4, 5):
        everything = np.array(patterns(cards), np.uint32)
        left, right = known.hands(cards, everything)
        for left_leads in (True, False):
            two = [played(cards, each, 0, 2, left_leads) for each in patterns(cards)]
            assert known.two_point_cards(left, right, left_leads).tolist() == two
            all_count = [played(cards, each, 0, 2 * cards, left_leads) for each in patterns(cards)]
            assert (2 * whist.tricks(cards, everything, left_leads)).tolist() == all_count


def test_the_job(built: Path) -> None:
    run = build(built.parent.parent, "job=tricks_theorems", "job.cards=8")
    rows = read_rows(run, ["index", *TricksTheorems(theorems.TricksTheoremsJob()).columns().names])
    choices_count = sum(2 * cards + 1 for cards in range(1, 9))
    assert rows["index"].to_pylist() == list(np.arange(choices_count).repeat(len(ROWS)))
    assert (
        list(zip(rows["statement"].to_pylist(), rows["hands"].to_pylist(), strict=True))
        == ROWS * choices_count
    )
    statements = {(each["statement"], each["hands"]): each for each in summary(run)["statements"]}
    assert list(statements) == ROWS
    for name in ("theorem_1", "theorem_2", "property_1", "theorem_5", "theorem_6", "theorem_7", "theorem_8"):
        assert statements[name, "all"]["holds"], name
    assert (statements["theorem_5", "all"]["least"], statements["theorem_5", "all"]["most"]) == (0, 2)
    assert (statements["theorem_7", "all"]["least"], statements["theorem_7", "all"]["most"]) == (0, 1)
    assert statements["theorem_7", "conditions"]["deals_count"] == 0
    assert statements["far_points", "all"]["smallest_counterexample"] == {
        "cards": 2,
        "above": 0,
        "k": 4,
        "counterexample": "BBAA",
        "leader": "right",
        "gives": 1,
        "gets": 4,
        "gain": 4,
    }
    assert statements["theorem_3", "all"]["smallest_counterexample"]["cards"] == 1
    for name in ("theorem_4", "two_point_cards", "whist"):
        assert statements[name, "all"]["holds"], name
        assert statements[name, "all"]["deals_count"] > 0
    deals = sum(len(patterns(cards)) for cards in range(1, 9))
    assert (
        statements["two_point_cards", "all"]["deals_count"]
        == statements["whist", "all"]["deals_count"]
        == deals
    )
    assert verify_run(str(run), 10) == []


def test_the_smallest_counterexample_is_one(built: Path) -> None:
    run = build(built.parent.parent, "job=tricks_theorems", "job.cards=4")
    for row in read_rows(
        run, ["statement", "cards", "k", "counterexample", "leader", "gives", "gets", "gain"]
    ).to_pylist():
        if row["counterexample"] is None or row["gives"] is None:
            continue
        pattern = int(row["counterexample"].replace("A", "1").replace("B", "0"), 2)
        assert standard(row["cards"], pattern) == row["counterexample"]
        swapped = pattern ^ 1 << row["gives"] - 1 ^ 1 << row["gets"] - 1
        left_leads = row["leader"] == "left"
        before, after = (played(row["cards"], each, 0, row["k"], left_leads) for each in (pattern, swapped))
        least, most = BOUNDS[row["statement"]]
        assert after - before == row["gain"]
        assert not least <= row["gain"] <= most


def test_other_rules(tmp_path: Path) -> None:
    rules = ["job.points=anywhere", "job.aim=fewest", "job.cards=4"]
    build(tmp_path, "job=tricks_table", *rules)
    run = build(tmp_path, "job=tricks_theorems", *rules)
    statements = {(each["statement"], each["hands"]): each for each in summary(run)["statements"]}
    assert not statements["theorem_6", "all"]["holds"]
    assert statements["upper_border", "all"]["deals_count"] > 0
    assert statements["whist", "all"]["deals_count"] == 0


def test_no_table(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"there is no finished table of 3 cards .* job=tricks_table job.cards=3"
    ):
        build(tmp_path, "job=tricks_theorems", "job.cards=3")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["job.cards=0"], "job.cards: must be 1 to 16; got 0"),
        (["job.cards=17"], "job.cards: must be 1 to 16; got 17"),
        (["job.points=middle"], "job.points: must be highest, lowest or anywhere; got 'middle'"),
        (["job.aim=all"], "job.aim: must be most or fewest; got 'all'"),
    ],
)
@pytest.mark.parametrize("job", ["tricks_table", "tricks_theorems"])
def test_jobs_out_of_range(job: str, words: list[str], message: str, tmp_path: Path) -> None:
    assert complaint(lambda: build(tmp_path, f"job={job}", *words)) == message


def test_statements_are_in_the_core_s_order() -> None:
    rows, _ = _native.tricks_census(1, 0, 1, "most", np.array([0, 1], np.uint8), None)
    assert [row[0] for row in rows[::2]] == list(COUNTED)
    assert isinstance(rows[0], tuple)
