"""The command ``yamafuda advise tricks``. What takes time to import is imported when the command runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.contract.game import example
from engines.text.waiting import Waiting
from engines.tricks.game import Tricks
from engines.tricks.solve import AIM, DEALS, POINTS, asked_deals, outcome, rules_of

if TYPE_CHECKING:
    from engines.tricks.solution import Rules, Table
    from engines.tricks.text import WrittenDeal


@example(f'Example: yamafuda advise tricks "A=8,7,6,4 B=5,3,2,1 k=4". A deal is like {Tricks.forms["deal"]}')
def advise(
    deal: DEALS,
    points: POINTS = "highest",
    aim: AIM = "most",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deal and line.")] = False,
) -> None:
    """Tell what each card is worth in the lead, all known.

    Of each card it is told how many point cards Left (A) gets when both play as well as can be after it, and which
    replies are best. Best cards come first.
    """
    from engines.tricks.solution import solve

    rules = rules_of(points, aim)
    deals = asked_deals(deal)
    waiting = Waiting("deal", len(deals))
    for number, each in enumerate(deals, start=1):
        with waiting.at(number):
            table = solve(each, rules).table
        if as_json:
            told = {name: _leads(each, rules, table, name == "left") for name in ("left", "right")}
            print(
                json.dumps({"rules": {"points": points, "aim": aim}, "plays": told}),
                flush=True,
            )
        else:
            print(("\n" if number > 1 else "") + _text(each, rules, table), flush=True)


def _leads(deal: WrittenDeal, rules: Rules, table: Table, left: bool) -> list[dict[str, Any]]:
    """The cards of who leads, the best first: Left's points after each, and the best replies."""
    from engines.tricks.rules import best

    fewest = rules.aim == "fewest"
    hand, other = (table.left, table.right) if left else (table.right, table.left)
    gains = table.G if left else [list(column) for column in zip(*table.G, strict=True)]
    # Who replies wants the opposite: Left many points and Right few, unless point cards are to be avoided.
    minimum = left != fewest
    plays = []
    for card, row in zip(hand, gains, strict=True):
        value = best(row, minimum)
        replies = [reply for reply, gain in zip(other, row, strict=True) if gain == value]
        won = outcome(value, deal.count, rules.aim)
        plays.append({"card": card, "value": value, "outcome": won, "best_replies": replies})
    return sorted(plays, key=lambda play: play["value"], reverse=minimum)


def _text(deal: WrittenDeal, rules: Rules, table: Table) -> str:
    from engines.tricks.text import format_deal

    lines = [f"{format_deal(deal)}; point cards: {rules.points}, aim: {rules.aim}"]
    for who, left in (("Left", True), ("Right", False)):
        lines.append(f"{who} leads: card, point cards that Left gets, best replies")
        width = max(len(str(card)) for card in deal.left + deal.right)
        lines += [
            f"  {each['card']:>{width}}  {each['value']} of {deal.count}  {' '.join(map(str, each['best_replies']))}"
            for each in _leads(deal, rules, table, left)
        ]
    return "\n".join(lines)
