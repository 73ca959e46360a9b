"""Learns Daihinmin's playout policy that comes with the package (half a minute of processor time) and writes its file.

The rule-based player, and the Monte-Carlo player with the paper's playouts in worlds of the Markov chain.
"""

from __future__ import annotations

from engines.daifugo.player_files import PACKAGE_WEIGHTS
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.policy_training import Source, learn

SOURCES = [
    Source(PlayerOptions("rule"), 300, 102),
    Source(PlayerOptions(generator="chain", playouts=400, exchange_playouts=40), 160, 104),
    Source(PlayerOptions(generator="chain", playouts=800, exchange_playouts=80), 120, 106),
]


def main() -> None:
    """Write the file."""
    print(PACKAGE_WEIGHTS, learn(PACKAGE_WEIGHTS, SOURCES, 30))


if __name__ == "__main__":
    main()
