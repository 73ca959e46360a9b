"""Published shares of deals that can be won with all cards known, to stand beside ours."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources

from engines.klondike.rules import REPORT, RedealRule, Rules
from engines.solitaire.game import Published

SHINTANI = "Shintani, report on Klondike, section 4: 1,000 deals"
BLAKE_GENT = "Blake and Gent, JAIR 85 (2026)"

BLIND = ("Bjarnason, Fern and Tadepalli, ICAPS 2009: three cards at once, redeals unlimited", 0.35)
"""Rules and share of a player who sees only open cards, "over 35%": it wins at least this share of deals."""


def published(options: Rules) -> Published | None:
    """The published share for these rules; None if there is none.

    The report's share for two redeals does not hold under the rules as it states them.
    """
    if options == REPORT:
        return Published(SHINTANI, 0.822, 0.024)
    if options == replace(REPORT, redeals=2):
        return Published(SHINTANI, 0.425, 0.031)
    usual = options.draw == 1 or options.redeal_rule == RedealRule.standard
    if options.redeals is None and usual:
        # With one card dealt at once the redeal rules are one.
        shares = {
            (3, True): (0.81945, 0.00084),
            (3, False): (0.81524, 0.00089),
            (1, True): (0.90480, 0.00116),
            (1, False): (0.90204, 0.00093),
        }
        return Published(BLAKE_GENT, *shares[options.draw, options.foundation_back])
    return None


def example(name: str) -> str:
    """The text of a file in ``examples``."""
    return (resources.files("engines.klondike") / "examples" / name).read_text()
