"""States of the stack game for every door.

A state may begin with its number of stacks: ``stacks=3; [7{}] -> [1{1}]``; without it there are three. A move is a
card that comes and the stack where it goes, ``1.0>2``. After each move, cards are named as in the text of the new
state: in the fewest possible chains, the longest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engines.contract.picture import Picture
from engines.contract.positions import NOT_FINISHED, NoRules, Play, Positions, Replayed, only_one
from engines.stackgame import rules
from engines.stackgame.picture import picture
from engines.stackgame.rules import State
from engines.stackgame.text import STACKS, Form, draw, format, read, stacks_told
from engines.text.textfile import shown
from storage.errors import UserError

_MOVE = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})>([0-9]{1,2})", re.ASCII)


class StackgamePositions(Positions[Form]):
    """States with their chains."""

    asks = ("advise",)

    def read(self, text: str, name: str) -> list[Form]:
        """The one state of a text."""
        told, state = stacks_told(text, name)
        stacks = told or STACKS
        return [_won(stacks) if told and not state.strip() else read(state, stacks)]

    def write(self, position: Form) -> str:
        """With the number of stacks."""
        return f"stacks={position.state.stacks}; {position.text}".strip()

    def picture(self, position: Form) -> Picture:
        """A row a chain."""
        return picture(position)

    def draw(self, position: Form) -> str:
        """As ``show`` does."""
        return draw(position)

    def plays(self, position: Form, options: NoRules) -> Iterator[Play[Form]]:
        """Each card on each stack where it may go, unless that loses for certain."""
        for number, chain in enumerate(position.chains):
            for index, card in enumerate(chain):
                for stack in range(position.state.stacks):
                    after = rules.place(position.state, card, stack)
                    if after is not None:
                        yield _play(f"{number}.{index}", stack, after)

    def replay(self, deal: str, moves: str, options: NoRules) -> Replayed[Form]:
        """Cards and their stacks, one after another."""
        start = only_one(self.read(deal, "state"), "state")
        steps: list[Play[Form]] = []
        now = start
        for number, word in enumerate(moves.split(), start=1):
            match = _MOVE.fullmatch(word)
            if match is None:
                raise UserError("moves", f"move {number}: expected a move like 1.0>2, found {shown(word)}")
            chain, index, stack = map(int, match.groups())
            problem = _misfit(now, chain, index, stack)
            after = None if problem else rules.place(now.state, now.chains[chain][index], stack)
            if after is None:
                problem = problem or f"card {chain}.{index} on stack {stack}: some card could go nowhere"
                return Replayed(start, tuple(steps), f"move {number}, {word}: {problem}", NOT_FINISHED)
            steps.append(_play(f"{chain}.{index}", stack, after))
            now = steps[-1].after
        is_lost = rules.is_dead(now.state)
        return Replayed(
            start, tuple(steps), None, "lost" if is_lost else NOT_FINISHED if now.chains else "won"
        )

    def asked(self, position: Form) -> tuple[str, Mapping[str, Any]] | None:
        """The state and its stacks; None when no card is left."""
        return (position.text, {"stacks": position.state.stacks}) if position.chains else None


def _play(card: str, stack: int, after: State) -> Play[Form]:
    form = read(format(after), after.stacks) if after.cards_count else _won(after.stacks)
    return Play(f"{card}>{stack}", f"card {card} to stack {stack}", form)


def _won(stacks: int) -> Form:
    return Form(State(stacks, (), ()), (), "")


def _misfit(form: Form, chain: int, index: int, stack: int) -> str | None:
    if chain >= len(form.chains) or index >= len(form.chains[chain]):
        return f"there is no card {chain}.{index}"
    if stack >= form.state.stacks:
        return f"stack {stack} is not one of 0 to {form.state.stacks - 1}"
    is_forbidden = form.state.forbidden[form.chains[chain][index]] >> stack & 1
    return f"card {chain}.{index} may not go on stack {stack}" if is_forbidden else None
