"""Solutions under the report's rules, replayed by a checker that was written from the report alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from klondike_literal import replay

from engines.klondike import paper
from engines.klondike.core import Mode, random_deal, search
from engines.klondike.rules import REPORT, RedealRule
from engines.klondike.solution import format_moves
from engines.klondike.text import format_deal
from engines.solitaire.limits import Bounds

STANDARD = replace(REPORT, redeal_rule=RedealRule.standard)
DEALS = range(60)


def moves_of(text: str) -> list[str]:
    """A solution's moves, first move first, from one that is written last move first."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return "".join(lines).split("<-")[::-1]


def test_the_reports_own_solution() -> None:
    deal = next(line for line in paper.example("k00198-plain.deal").splitlines() if not line.startswith("#"))
    moves = moves_of(paper.example("k00198.solution"))
    assert (len(moves), replay(deal, moves)) == (85, 5)
    for wrong in (moves[:-3], moves[:40] + moves[41:], [*moves[:3], moves[4], moves[3], *moves[5:]]):
        with pytest.raises((AssertionError, StopIteration, IndexError)):
            replay(deal, wrong)


def test_every_win_of_random_deals_and_those_that_the_other_redeal_rule_loses() -> None:
    lost_by_standard = 0
    for index in DEALS:
        deal = random_deal(1, index)
        found = search(deal, REPORT, Mode.decide, Bounds())
        if found.moves is not None:
            moves = format_moves(deal, found.moves, REPORT)
            assert replay(format_deal(deal), moves) == found.counts["redeals_count"]
            lost_by_standard += search(deal, STANDARD, Mode.decide, Bounds()).outcome == "lost"
    assert lost_by_standard > 0
