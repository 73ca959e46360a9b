"""Deals to play: every won deal once, by rules and difficulty, with the text that the run searched."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest
from site_helpers import PORT, client_of
from starlette.testclient import TestClient

import yamafuda
from pages.guard import Access
from yamafuda.deals import DIFFICULTIES, deal_sets, deals

FIELDS = {"deals": 40, "limits": {"states": 20000}}


@pytest.fixture(scope="module")
def runs(roots: object) -> list[yamafuda.Run]:
    return [
        yamafuda.run("klondike_sweep", redeals=2, progress=False, **FIELDS),
        yamafuda.run("klondike_sweep", draw=1, deals=10, deal_texts=True, progress=False),
        yamafuda.run("superpuzz_sweep", columns=3, deals=5, progress=False),
        yamafuda.run("tricks_table", cards=2, progress=False),
    ]


@pytest.fixture(scope="module")
def site(runs: list[yamafuda.Run]) -> Iterator[TestClient]:
    with client_of(Access(PORT)) as made:
        yield made


def test_each_won_deal_is_there_once(runs: list[yamafuda.Run]) -> None:
    sets = deal_sets()
    assert {(each.game, each.job) for each in sets} == {
        ("klondike", "klondike_sweep"),
        ("superpuzz", "superpuzz_sweep"),
    }
    assert sum(each.count for each in sets) == sum(
        run.summary.get("outcomes", {}).get("won", 0) for run in runs
    )
    for each in sets:
        found = [deals(each.job, each.rules, difficulty, 0, 1000) for difficulty in DIFFICULTIES]
        listed = [deal for part in found for deal in part.deals]
        assert len(listed) == each.count == sum(third.count for third in found[0].thirds)
        efforts = [deal.effort_count for deal in listed]
        assert efforts == sorted(efforts)
        for deal in listed:
            (row,) = [
                row
                for run in runs
                if run.name == deal.run
                for row in run.rows().to_dicts()
                if row["index"] == deal.item
            ]
            assert row["outcome"] == "won"
            assert row["states_count"] == deal.effort_count
            assert row["deal"] in (None, deal.text)


def test_a_deal_can_be_won_as_it_is_told(runs: list[yamafuda.Run]) -> None:
    (each,) = [each for each in deal_sets() if each.rules.get("redeals") == "2"]
    deal = deals(each.job, each.rules, "easy", 0, 1).deals[0]
    found = yamafuda.game(each.game).solve(deal.text, **deal.rules)
    assert found["outcome"] == "won"


def test_pages_lead_to_the_game(site: TestClient, runs: list[yamafuda.Run]) -> None:
    addresses = [
        html.unescape(each) for each in re.findall(r'href="(/deals/[^"]*)"', site.get("/deals").text)
    ]
    assert len(addresses) == len(deal_sets())
    address = next(each for each in addresses if "rule-redeals=-" in each)
    page = site.get(address).text
    assert "redeals unlimited" in page
    names = []
    for part in re.findall(r'href="(/deals/[^"]*difficulty=\w+)"', page):
        names += re.findall(r">Play (deal \d+ of seed 1)<", site.get(html.unescape(part)).text)
    (count,) = [each.count for each in deal_sets() if each.rules.get("draw") == "1"]
    assert len(names) == len(set(names)) == count
    (play, *_) = re.findall(r'href="(/replay/klondike[^"]*)">Play', page)
    shown = site.get(html.unescape(play))
    assert shown.status_code == 200
    assert "<svg" in shown.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/deals/nothing", 400),
        ("/deals/tricks_table", 400),
        ("/deals/klondike_sweep?difficulty=huge", 400),
        ("/deals/klondike_sweep?rule-seed=1", 400),
        ("/deals/klondike_sweep?rule-draw=';DROP--", 200),
        ('/deals/klondike_sweep?rule-draw"%00=1', 400),
        ("/deals/klondike_sweep?first=-1", 400),
        ("/deals/klondike_sweep?first=999999999", 200),
    ],
)
def test_whatever_is_asked_is_answered(site: TestClient, path: str, status: int) -> None:
    answer = site.get(path)
    assert answer.status_code == status
    assert "Traceback" not in answer.text
