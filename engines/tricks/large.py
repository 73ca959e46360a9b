"""Deals of any size whose value follows from the hands, when the highest cards are the point cards.

The core has a rule for Whist, where every card is a point card (engines/native/src/tricks/whist.rs), and one for all
cards, all but the lowest, or the highest alone to be avoided (avoid.rs). Both agree with every deal of up to so many
cards each, and have no proof. For the highest 1 or 2 to be won there are the thesis's theorems 3 and 4, which have one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.tricks import known, rules
from engines.tricks.rules import Hand
from engines.tricks.text import WrittenDeal
from storage.errors import UserError

WHIST_CHECKED = 13
"""Cards of each player up to which the rule for Whist was compared with every deal."""
AVOID_CHECKED = 11
"""The same for points to be avoided."""
PROVEN = "proven (the thesis, section 4)"

Owners = npt.NDArray[np.bool_]
"""(deals, 2n): which cards are Left's, the highest first."""
Matrix = list[list[int]]
Values = npt.NDArray[np.integer]
"""(deals,): Left's points."""
Rule = Callable[[Owners, int, bool], Values]
"""Left's points in deals with so many point cards, Left in the lead or not."""


def unproven(cards: int) -> str:
    """The ground of a rule that was compared with every deal of up to so many cards each."""
    return f"by a rule that holds for all deals of up to {cards} cards each and is not proven"


def first_trick(deal: WrittenDeal, above: int, aim: str) -> tuple[Matrix, str] | None:
    """Left's points for each pair of cards in the first trick (G of the thesis), and how they are known.

    None when no rule tells them. UserError when they are not what the rule says of the deal itself: it is wrong then.
    """
    if above:
        return None
    owners = owners_of(deal.left, deal.right)
    rule: Rule
    if aim == "fewest" and (deal.count <= 1 or deal.count >= owners.size - 1):
        found: Matrix = _native.tricks_avoid_first_trick(owners, deal.count).tolist()
        rule, standing = _native.tricks_avoid, unproven(AVOID_CHECKED)
    elif aim == "most" and deal.count == owners.size:
        found = (2 * _native.tricks_whist_first_trick(owners)).tolist()
        rule, standing = whist, unproven(WHIST_CHECKED)
    elif aim == "most" and deal.count <= 2:
        found, rule, standing = _first_trick(owners, deal.count).tolist(), few_points, PROVEN
    else:
        return None
    for left_leads in (True, False):
        if rule(owners[None], deal.count, left_leads)[0] != rules.of_matrix(
            found, left_leads, aim == "fewest"
        ):
            raise UserError("deal", f"its value is not known: {standing}, and contradicts itself here")
    return found, standing


def owners_of(left: Hand, right: Hand) -> Owners:
    """(2n): which cards are Left's, the highest first."""
    mine = set(left)
    return np.array([card in mine for card in sorted(left + right, reverse=True)])


def whist(owners: Owners, count: int, left_leads: bool) -> Values:
    """All cards are point cards."""
    return 2 * _native.tricks_whist(owners, left_leads)


def few_points(owners: Owners, count: int, left_leads: bool) -> Values:
    """The highest cards are point cards, two at most."""
    if count < 2:
        return owners[:, 0].astype(np.int16) * count
    ranks = np.broadcast_to(np.arange(owners.shape[1], 0, -1, dtype=np.int16), owners.shape)
    left, right = (ranks[mine].reshape(len(owners), owners.shape[1] // 2) for mine in (owners, ~owners))
    return known.two_point_cards(left, right, left_leads)


def _first_trick(owners: Owners, count: int) -> npt.NDArray[np.integer]:
    left, right = np.flatnonzero(owners), np.flatnonzero(~owners)
    a, b = (places.ravel() for places in np.meshgrid(left, right, indexing="ij"))
    stays = np.ones((len(a), len(owners)), np.bool_)
    stays[np.arange(len(a)), a] = stays[np.arange(len(a)), b] = False
    rest = np.broadcast_to(owners, stays.shape)[stays].reshape(len(a), -1)
    taken = (a < count).astype(np.int16) + (b < count)
    gains = np.where(a < b, taken, 0)
    for left_count in range(count + 1):
        for left_leads in (True, False):
            these = (taken == count - left_count) & ((a < b) == left_leads)
            gains[these] += few_points(rest[these], left_count, left_leads)
    return gains.reshape(len(left), len(right))
