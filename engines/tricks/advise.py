"""The values of leads: ``advise tricks``. What takes time to import is imported when it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from engines.contract.answer import Answer, Door
from engines.contract.asking import answers_each
from engines.contract.game import example
from engines.contract.limit import TIME, LimitHitError, check_time, undecided, within
from engines.tricks.game import Tricks
from engines.tricks.solve import AIM, DEALS, POINTS, asked_deals, is_large, outcome, rules_of

if TYPE_CHECKING:
    from engines.tricks.solution import Rules, Table
    from engines.tricks.text import WrittenDeal


@example(f'Example: yamafuda advise tricks "A=8,7,6,4 B=5,3,2,1 k=4". A deal is like {Tricks.forms["deal"]}')
@answers_each("a deal")
def advise(
    door: Door, deal: DEALS, points: POINTS = "highest", aim: AIM = "most", time_s: TIME = None
) -> Iterator[Answer]:
    """Give the value of each lead, with all cards known.

    For each card: how many point cards Left (A) gets when both play perfectly after it, and the best replies. The
    best card comes first.
    """
    from engines.tricks.solution import solve
    from engines.tricks.text import format_deal

    rules = rules_of(points, aim)
    check_time(time_s)
    deals = asked_deals(deal)
    at = door.waiting("deal", len(deals))
    for number, each in enumerate(deals, start=1):
        with at(number):
            found = within(time_s, partial(solve, each, rules))
        if isinstance(found, LimitHitError):
            yield undecided(format_deal(each), found)
            continue
        table = found.table
        plays = {name: _leads(each, rules, table, name == "left") for name in ("left", "right")}
        known = {"known": found.known} if is_large(found) else {}
        values = {"rules": {"points": points, "aim": aim}, "plays": plays, **known}
        told = (f"known: {found.known}",) if known else ()
        yield Answer(values, (*_lines(each, rules, plays), *told))


def _leads(deal: WrittenDeal, rules: Rules, table: Table, left: bool) -> list[dict[str, Any]]:
    """The cards of who leads, the best first: Left's points after each, and the best replies."""
    from engines.tricks.rules import best

    fewest = rules.aim == "fewest"
    hand, other = (table.left, table.right) if left else (table.right, table.left)
    gains = table.G if left else [list(column) for column in zip(*table.G, strict=True)]
    # The second player wants the opposite of the leader: Left wants many points for Left and Right few, unless point
    # cards are to be avoided.
    minimum = left != fewest
    plays = []
    for card, row in zip(hand, gains, strict=True):
        value = best(row, minimum)
        replies = [reply for reply, gain in zip(other, row, strict=True) if gain == value]
        won = outcome(value, deal.count, rules.aim)
        plays.append({"card": card, "value": value, "outcome": won, "best_replies": replies})
    return sorted(plays, key=lambda play: play["value"], reverse=minimum)


def _lines(deal: WrittenDeal, rules: Rules, plays: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    from engines.tricks.text import format_deal

    yield f"{format_deal(deal)}; point cards: {rules.points}, aim: {rules.aim}"
    width = max(len(str(card)) for card in deal.left + deal.right)
    for who, leads in plays.items():
        yield f"{who.capitalize()} leads: card, point cards that Left gets, best replies"
        for each in leads:
            replies = " ".join(map(str, each["best_replies"]))
            yield f"  {each['card']:>{width}}  {each['value']} of {deal.count}  {replies}"
