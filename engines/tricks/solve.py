"""Answers about deals: ``solve tricks``. What takes time to import is imported when it is asked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.contract.answer import Answer, Door
from engines.contract.asking import answers_each
from engines.contract.game import example
from engines.contract.limit import TIME, LimitHitError, check_time, undecided, within
from engines.contract.source import Source, Typed
from engines.text.textfile import whole_number
from engines.tricks.game import Tricks
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.tricks.solution import Matrix, Rules, Solution, Table
    from engines.tricks.text import WrittenDeal

FILE_BYTES = 1 << 24
"""Longest file of deals, in bytes."""
ABOVE_MAX = 32


def _is_file(words: str) -> bool:
    return "=" not in words and (not set("-./").isdisjoint(words) or Path(words).is_file())


DEALS = Annotated[
    Source,
    typer.Argument(metavar="DEAL|FILE", help="A deal, or a file with one a line; - is standard input."),
    Typed(_is_file),
]
POINTS = Annotated[
    str, typer.Option(help="The point cards: highest, lowest, or the number of cards above them.")
]
AIM = Annotated[str, typer.Option(help="most: point cards are to be won; fewest: to be avoided.")]


@example(f'Example: yamafuda solve tricks "A=8,7,6,4 B=5,3,2,1 k=4". A deal is like {Tricks.forms["deal"]}')
@answers_each("a deal")
def solve(
    door: Door, deal: DEALS, points: POINTS = "highest", aim: AIM = "most", time_s: TIME = None
) -> Iterator[Answer]:
    """Play deals of trick taking perfectly.

    Prints values, matrices of the first trick, best cards and swaps. Values are the point cards that Left (A) gets.
    G is the thesis's payoff matrix (Left's cards down, Right's across), W the same without the first trick's points.
    Deals of up to 5 cards each are played by the referee, too. Deals of more than 16 have an answer where a rule
    gives their values, as when all cards are point cards: without matrices and swaps, but with how it is known.
    """
    from engines.tricks.solution import solve as solution_of
    from engines.tricks.text import format_deal

    rules = rules_of(points, aim)
    check_time(time_s)
    deals = asked_deals(deal)
    at = door.waiting("deal", len(deals))
    for number, each in enumerate(deals, start=1):
        with at(number):
            found = within(time_s, partial(solution_of, each, rules))
        if isinstance(found, LimitHitError):
            yield undecided(format_deal(each), found)
            continue
        yield Answer(_values(each, rules, found), tuple(_text(each, rules, found)))


def asked_deals(source: Source) -> list[WrittenDeal]:
    """The deals of a text; UserError when there is none."""
    from engines.tricks.text import read_deals

    deals = read_deals(source.read(FILE_BYTES), source.name)
    if not deals:
        raise UserError(source.name, "there is no deal in it")
    return deals


def rules_of(points: str, aim: str) -> Rules:
    """The rules of a command's options; UserError that names the one that is wrong."""
    from engines.tricks.solution import Rules

    if points not in ("highest", "lowest") and whole_number(points, ABOVE_MAX) is None:
        raise UserError("--points", f"{points!r} is not highest, lowest or the number of cards above them")
    if aim not in ("most", "fewest"):
        raise UserError("--aim", f"{aim!r} is neither most nor fewest")
    return Rules(points, aim)


def outcome(value: int, count: int, aim: str) -> str:
    """Whether Left wins with ``value`` of ``count`` point cards."""
    lead = (2 * value - count) * (-1 if aim == "fewest" else 1)
    return "won" if lead > 0 else "lost" if lead < 0 else "drawn"


def _max_min(matrix: Matrix) -> int:
    return max(min(row) for row in matrix)


def _min_max(matrix: Matrix) -> int:
    return min(max(row[place] for row in matrix) for place in range(len(matrix)))


def _table_values(table: Table) -> dict[str, Any]:
    return {
        "A": list(table.left),
        "B": list(table.right),
        "value_left_leads": table.value_left_leads,
        "value_right_leads": table.value_right_leads,
        "G": table.G,
        "W": table.W,
        "max_min": {"G": _max_min(table.G), "W": _max_min(table.W)},
        "min_max": {"G": _min_max(table.G), "W": _min_max(table.W)},
    }


def _owners(deal: WrittenDeal) -> str:
    return "".join("A" if card in deal.left else "B" for card in sorted(deal.left + deal.right, reverse=True))


def _values(deal: WrittenDeal, rules: Rules, found: Solution) -> dict[str, Any]:
    table = found.table
    return {
        "standard": _owners(deal),
        "k": deal.count,
        "points": rules.points,
        "aim": rules.aim,
        "point_cards": found.point_cards,
        **_table_values(table),
        "outcome_left_leads": outcome(table.value_left_leads, deal.count, rules.aim),
        "outcome_right_leads": outcome(table.value_right_leads, deal.count, rules.aim),
        "best_left_leads": found.left_leads,
        "best_right_leads": found.right_leads,
        "best_right_replies": {str(card): cards for card, cards in found.right_replies.items()},
        "best_left_replies": {str(card): cards for card, cards in found.left_replies.items()},
        **_more_values(found),
    }


def _more_values(found: Solution) -> dict[str, Any]:
    if is_large(found):
        return {"known": found.known}
    return {
        "swaps": [
            {"left_gives": swap.left_gives, "left_gets": swap.left_gets, **_table_values(swap.after)}
            for swap in found.swaps
        ],
        "states_count": found.states_count,
    }


def is_large(found: Solution) -> bool:
    """Whether a rule gave the value of the deal, which was too large to be played out."""
    from engines.tricks.text import PLAYED_MAX

    return len(found.table.left) > PLAYED_MAX


def _listed(cards: list[int]) -> str:
    return " ".join(map(str, cards))


def _runs(cards: list[int]) -> str:
    """Descending cards; those that follow one another as ``9-6``."""
    runs: list[list[int]] = []
    for card in cards:
        if runs and runs[-1][-1] == card + 1:
            runs[-1].append(card)
        else:
            runs.append([card])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _text(deal: WrittenDeal, rules: Rules, found: Solution) -> Iterator[str]:
    table = found.table
    listed = _runs if is_large(found) else _listed
    yield f"{_owners(deal)} k={deal.count}: A {listed(list(deal.left))}, B {listed(list(deal.right))}"
    yield f"point cards: {listed(found.point_cards) or 'none'}"
    if is_large(found):
        yield f"known: {found.known}"
    for who, value, best, replies in (
        ("Left", table.value_left_leads, found.left_leads, found.right_replies),
        ("Right", table.value_right_leads, found.right_leads, found.left_replies),
    ):
        word = {"won": "Left wins", "lost": "Right wins", "drawn": "drawn"}[
            outcome(value, deal.count, rules.aim)
        ]
        yield f"{who} leads: Left gets {value} of {deal.count}, {word}; best {listed(best)}"
        answers = (f"to {card}: {listed(cards)}" for card, cards in replies.items())
        if is_large(found):
            yield from (f"  {answer}" for answer in answers)
        else:
            yield "  best replies: " + "; ".join(answers)
    if is_large(found):
        return
    yield from _matrices(table)
    yield f"max-min of G {_max_min(table.G)}, of W {_max_min(table.W)}"
    yield f"min-max of G {_min_max(table.G)}, of W {_min_max(table.W)}"
    for swap in found.swaps:
        left, right = swap.after.value_left_leads, swap.after.value_right_leads
        yield (
            f"Left gives {swap.left_gives} for {swap.left_gets}: "
            f"{left} ({left - table.value_left_leads:+d}) when Left leads, "
            f"{right} ({right - table.value_right_leads:+d}) when Right leads"
        )


def _matrices(table: Table) -> Iterator[str]:
    width = max(len(str(number)) for number in (*table.left, *table.right, *itertools.chain(*table.G)))
    head = " ".join(str(card).rjust(width) for card in table.right)
    yield f"{'G':{width}} | {head}   {'W':{width}} | {head}"
    for card, gains, rests in zip(table.left, table.G, table.W, strict=True):
        rows = (" ".join(str(number).rjust(width) for number in row) for row in (gains, rests))
        yield "   ".join(f"{card:{width}} | {row}" for row in rows)
