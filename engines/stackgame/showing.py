"""The command ``yamafuda show stackgame``. What takes time to import is imported when the command runs."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from engines.contract.game import example
from engines.stackgame.commands import FILE, STACKS, STATE, typed
from engines.stackgame.game import Stackgame


@example(f"Example: yamafuda show stackgame --stacks 3 '[7{{}}] -> [1{{1}}]'. {Stackgame.forms['state']}")
def show(
    state: STATE = None,
    stacks: STACKS = 3,
    file: FILE = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Draw states.

    Of each card: the stacks where it may not go, and which cards must leave before it.
    """
    from engines.stackgame.text import draw, format, read

    form = read(typed(state, file), stacks)
    if as_json:
        print(json.dumps({"stacks": stacks, "cards": form.state.cards_count, "state": format(form.state)}))
    else:
        print(draw(form))
