"""Times of players of Daihinmin, for estimates."""

from __future__ import annotations

from engines.daifugo.player_options import PlayerOptions

DECISIONS = 14
"""Decisions of a Monte-Carlo player in a game for which it makes playouts, with those on gifts."""
PLAYOUT_S = {
    "reject": 13e-6,
    "reject_uniform": 13e-6,
    "reject_learnt": 26e-6,
    "chain": 2.7e-6,
    "chain_uniform": 2.7e-6,
    "chain_learnt": 5e-6,
}
"""Mean seconds of a playout; 1.4e-6 for generators that are not listed."""
POLICY_S = {"uniform": 0.0, "rule": 4e-6, "learnt": 5e-6}
"""Further seconds of a playout by a policy."""
SIMPLE_GAME_S = 15e-6
"""Seconds that a random or rule-based player takes in a game."""


def game_s(options: PlayerOptions) -> float:
    """Seconds of one core that a player takes in a game, about."""
    if options.kind != "mc":
        return SIMPLE_GAME_S
    if options.time_s is not None:
        return DECISIONS * options.time_s
    playout_s = PLAYOUT_S.get(options.generator, 1.4e-6) + POLICY_S[options.policy]
    return DECISIONS * (options.playouts or 0) * playout_s
