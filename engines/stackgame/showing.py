"""States drawn: ``show stackgame``. What takes time to import is imported when it is asked."""

from __future__ import annotations

from collections.abc import Iterator

from engines.contract.answer import Answer, Door
from engines.contract.game import example
from engines.stackgame.asked import FILE, STACKS_GIVEN, STATE, typed
from engines.stackgame.game import Stackgame


@example(f"Example: yamafuda show stackgame --stacks 3 '[7{{}}] -> [1{{1}}]'. {Stackgame.forms['state']}")
def show(
    door: Door,
    state: STATE = None,
    stacks: STACKS_GIVEN = None,
    file: FILE = None,
) -> Iterator[Answer]:
    """Draw states.

    Of each card: the stacks where it may not go, and which cards must leave before it.
    """
    from engines.stackgame.text import draw, format, read

    form = read(*typed(state, file, stacks))
    values = {"stacks": form.state.stacks, "cards": form.state.cards_count, "state": format(form.state)}
    yield Answer(values, (draw(form),))
