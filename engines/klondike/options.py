"""The rules of Klondike as options of a command; all commands take the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from engines.text.textfile import shown, whole_number
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.klondike.rules import Rules

UNLIMITED = "unlimited"

Draw = Annotated[int, typer.Option(metavar="1|3", help="Cards dealt at once.")]
Redeals = Annotated[
    str, typer.Option(metavar="N|unlimited", help="How often the waste may become the stock again.")
]
RedealRuleName = Annotated[
    str,
    typer.Option(
        metavar="carry|standard",
        help="The last cards, fewer than are dealt at once: carry: they stay on top of the new stock; "
        "standard: they are dealt.",
    ),
]
DealLast = Annotated[
    bool, typer.Option("--deal-last/--no-deal-last", help="Of carry: with an empty waste they are dealt.")
]
FoundationBack = Annotated[
    bool,
    typer.Option(
        "--foundation-back/--no-foundation-back", help="Cards may go back from foundations to columns."
    ),
]


def rules_of_options(
    draw: int, redeals: str, redeal_rule: str, deal_last: bool, foundation_back: bool
) -> Rules:
    """The rules of a command's options; UserError naming the option that is wrong."""
    from engines.klondike.rules import DRAWS, REDEALS_MAX, RedealRule, Rules

    if draw not in DRAWS:
        raise UserError("--draw", f"must be 1 or 3; got {draw}")
    redeals_count = None if redeals == UNLIMITED else whole_number(redeals, REDEALS_MAX)
    if redeals_count is None and redeals != UNLIMITED:
        raise UserError(
            "--redeals", f"must be {UNLIMITED} or a number up to {REDEALS_MAX}; got {shown(redeals)}"
        )
    names = [rule.value for rule in RedealRule]
    if redeal_rule not in names:
        raise UserError("--redeal-rule", f"{redeal_rule!r} is neither {' nor '.join(names)}")
    return Rules(
        draw=draw,
        redeals=redeals_count,
        redeal_rule=RedealRule(redeal_rule),
        deal_last=deal_last,
        foundation_back=foundation_back,
    )
