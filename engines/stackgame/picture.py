"""Pictures of states of the stack game: a row for each chain, each card with the stacks where it may not go."""

from __future__ import annotations

from engines.contract.picture import Card, Picture, Pile, Spread
from engines.stackgame.text import Form, format_relations


def picture(form: Form) -> Picture:
    """The cards by their names, CHAIN.INDEX; what leaves first is leftmost."""
    rows = tuple(
        (Pile(f"chain {number}, first to leave first", _cards(form, number), Spread.apart),)
        for number in range(len(form.chains))
    )
    told = [f"{form.state.stacks} stacks", *format_relations(form.state, form.chains)]
    return Picture(rows, "; ".join(told))


def _cards(form: Form, number: int) -> tuple[Card, ...]:
    cards = []
    for index, card in enumerate(form.chains[number]):
        mask = form.state.forbidden[card]
        stacks = ",".join(str(stack) for stack in range(form.state.stacks) if mask >> stack & 1)
        cards.append(Card(f"{number}.{index}", note=f"not {stacks}" if stacks else ""))
    return tuple(cards)
