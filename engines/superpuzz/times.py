"""Mean times of searches of random deals of Superpuzz, in seconds of one core: for units and estimates.

A few deals take most of it, the more so the more columns there are.
"""

from __future__ import annotations

import math

from engines.superpuzz import paper
from engines.superpuzz.core import Mode

DEAL_S = 0.0007
"""Seconds of any deal, for its row and the referee's replay."""
CENSUS_STATES_A_S, DECIDE_STATES_A_S = 5_000_000, 1_000_000
STATES_GROWTH = 2.4
"""Factor by which a column more multiplies the states, from the paper's 6 columns to the 1e9 that it expects of 13."""
SHORTEST_SHARE = 0.1
"""Share of a census's states that a search for a shortest solution needs."""
DECIDE_S = {7: 0.03, 8: 0.08, 9: 0.2, 10: 0.25, 11: 0.3, 12: 1.2, 13: 7.0}
"""Seconds by columns; 0.01 for fewer. Measured on 20 to 100 deals each."""
LIMITED_S, LIMITED_POWER = 0.6, 0.45
"""A deal of 13 columns that is given up after t seconds takes about LIMITED_S * t ** LIMITED_POWER."""


def search_s(columns: int, mode: Mode, states: int | None = None, time_s: float | None = None) -> float:
    """Mean seconds of a deal, within limits if there are any."""
    if mode == Mode.decide:
        decided_s = DECIDE_S.get(columns, 0.01)
        limits_s = [] if states is None else [states / DECIDE_STATES_A_S]
        limits_s += [] if time_s is None else [time_s]
        return min([decided_s, *(LIMITED_S * math.pow(limit_s, LIMITED_POWER) for limit_s in limits_s)])
    largest = max(paper.TABLE_1)
    count = paper.TABLE_1[min(columns, largest)].states_mean * STATES_GROWTH ** max(0, columns - largest)
    if mode == Mode.shortest:
        count *= SHORTEST_SHARE
    deal_s = DEAL_S + min(count, states or count) / CENSUS_STATES_A_S
    return min(deal_s, time_s or deal_s)
