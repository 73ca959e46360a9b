"""The only way to the Rust searches of Superpuzz. Every solution is replayed by the referee before it is returned."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from engines import _native
from engines.solitaire.found import Best, Found, best_found, found
from engines.solitaire.limits import Bounds
from engines.superpuzz import rules
from engines.superpuzz.deal import Deal, deal_from_deck
from engines.superpuzz.options import Order
from engines.superpuzz.rules import Move, Position


class Mode(StrEnum):
    """The goal of a search."""

    census = "census"
    """All reachable states and all wins."""
    decide = "decide"
    """A win, or the proof that there is none, as fast as possible."""
    shortest = "shortest"
    """A win after as few moves as can be."""


def search(deal: Deal, mode: Mode, bounds: Bounds, order: Order = Order.depth) -> Found[Move]:
    """Search a deal; ``order`` is that of a census. RuntimeError if the referee does not accept the solution.

    A census counts states as the paper does, with the first one; other searches count the states that they store.
    ``wins_count``: winning positions that a census found. ``states_before_win_count``: states found before the first
    win; not for ``shortest``.
    """
    cells = np.array(deal.position.cells, np.uint8)
    columns = deal.position.columns
    limits = bounds.native()
    match mode:
        case Mode.census:
            result = _native.superpuzz_census(cells, columns, order.value, limits=limits)
        case Mode.shortest:
            result = _native.superpuzz_shortest(cells, columns, limits=limits)
        case Mode.decide:
            result = _native.superpuzz_decide(cells, columns, limits=limits)
    won = result.outcome == "won"
    moves = tuple((int(source), int(hole)) for source, hole in result.moves) if won else None
    if moves is not None:
        check_win(deal.position, moves)
    return found(
        result,
        moves,
        wins_count=result.wins_count,
        states_before_win_count=result.states_before_win_count,
    )


def best(deal: Deal, bounds: Bounds) -> Best[Move]:
    """The most cards that any line of play gets into their places (``rules.in_place``).

    RuntimeError if the referee does not accept the line.
    """
    position = deal.position
    result = _native.superpuzz_best(
        np.array(position.cells, np.uint8), position.columns, limits=bounds.native()
    )
    moves = tuple((int(source), int(hole)) for source, hole in result.moves)
    try:
        count = len(rules.in_place(rules.replay(position, moves)))
    except ValueError as error:
        raise RuntimeError(f"the core's line of play is against the rules: {error}") from error
    if count != result.count:
        raise RuntimeError(
            f"the core's line of play brings {count} cards to their places, not {result.count}"
        )
    return best_found(result, moves)


def check_win(position: Position, moves: tuple[Move, ...]) -> None:
    """RuntimeError unless the referee plays the moves to a win."""
    try:
        end = rules.replay(position, moves)
    except ValueError as error:
        raise RuntimeError(f"the core's solution is against the rules: {error}") from error
    if not rules.is_won(end):
        raise RuntimeError("the core's solution does not end in a win")


def random_deal(seed: int, index: int, columns: int) -> Deal:
    """Deal ``index`` of a seed: the core's shuffled deck, dealt row by row."""
    return deal_from_deck(columns, _native.shuffled_deck(seed, index, rules.ROWS * columns).tolist())
