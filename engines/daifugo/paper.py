"""Figures that the paper prints about players. Source: Yanagisawa, Matsuzaki, hand estimation in Daihinmin, table 1,
section 4.

Its opponents kishimen (light class, rule-based) and paonR2 (strong class) are not available; the players rule and
strong of ``conf/players`` are shown beside them. Figure 9 is a plot without numbers. Known are its points at 1500
playouts (the last row of table 1), and that about 1100 playouts of Rand/D or HE/all equal 1500 of Rand.
"""

from __future__ import annotations

GAMES_COUNT = 10_000
"""Of each number."""
PLAYOUTS_COUNT = 1_500

TABLE_1: dict[str, dict[str, int]] = {
    "rule": {
        "rand": 27969,
        "rand_d": 28731,
        "rand_dr": 27741,
        "he_rule": 27638,
        "he_strong": 28430,
        "he": 27883,
    },
    "strong": {
        "rand": 22421,
        "rand_d": 22771,
        "rand_dr": 22414,
        "he_rule": 22656,
        "he_strong": 22374,
        "he": 22572,
    },
    "rand": {
        "rand": 29989,
        "rand_d": 30508,
        "rand_dr": 30240,
        "he_rule": 30279,
        "he_strong": 29691,
        "he": 30589,
    },
}
"""Points of one player in 10,000 games, by the four opponents (kishimen, paonR2, MC) and by its generator (he_rule:
HE/kishimen, he_strong: HE/paonR2, he: HE/all)."""

TITLES = {
    "rand": "Rand",
    "rand_d": "Rand/D",
    "rand_dr": "Rand/DR",
    "he_rule": "HE/rule",
    "he_strong": "HE/strong",
    "he": "HE/all",
}
"""Names of the generators in reports."""


def difference(opponents: str, name: str) -> int | None:
    """Points of a generator less those of Rand; None for Rand and for what the paper does not have."""
    row = TABLE_1.get(opponents, {})
    return row[name] - row["rand"] if name in row and name != "rand" else None
