"""The only way to the Rust searches of Klondike. Every solution is replayed by the referee before it is returned."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.klondike import rules
from engines.klondike.finishing import finish, left_words
from engines.klondike.rules import RANKS_MAX, SUITS, Kind, Move, Position, Rules
from engines.klondike.unknown import unknown_count
from engines.solitaire.found import Best, Found, best_found, found
from engines.solitaire.limits import Bounds
from engines.text.cards import card_number
from storage.errors import UserError


class Mode(StrEnum):
    """The goal of a search."""

    decide = "decide"
    """A win, or the proof that there is none, as fast as possible."""
    shortest = "shortest"
    """A win after as few moves as can be."""
    plain = "plain"
    """A win, depth first through plain positions without any pruning: slow, for comparison."""


def search(position: Position, options: Rules, mode: Mode, bounds: Bounds) -> Found[Move]:
    """Search a position; RuntimeError if the referee does not accept the solution."""
    return checked(position, options, answer(position, options, mode, bounds))


def answer(position: Position, options: Rules, mode: Mode, bounds: Bounds) -> _native.SearchResult:
    """The core's answer. It must be ``checked`` before use; only a benchmark may skip that."""
    return _native.klondike_solve(_game(position, options), mode=mode.value, limits=bounds.native())


def best(position: Position, options: Rules, bounds: Bounds) -> Best[Move]:
    """The most cards that any line of play gets onto the foundations, those of suits that are not in play included.

    RuntimeError if the referee does not accept the line.
    """
    result = _native.klondike_best(_game(position, options), limits=bounds.native())
    moves = _moves(result.moves)
    try:
        end = rules.replay(position, moves, options)
    except ValueError as error:
        raise RuntimeError(f"the core's line of play is against the rules: {error}") from error
    if sum(end.foundations) != result.count:
        raise RuntimeError(f"the core's line of play founds {sum(end.foundations)} cards, not {result.count}")
    return best_found(result, moves, sum(move.kind == Kind.REDEAL for move in moves))


def _game(position: Position, options: Rules) -> _native.KlondikeGame:
    count = unknown_count(position)
    if count:
        raise UserError(
            "deal", f"{count} of its cards are not known; solve and advise give chances for such deals"
        )
    return _native.KlondikeGame(
        np.array([number for column in position.columns for number in column], np.uint8),
        np.array([len(column) for column in position.columns], np.uint8),
        np.array(position.face_down, np.uint8),
        np.array(position.stock, np.uint8),
        np.array(position.waste, np.uint8),
        np.array(position.foundations, np.uint8),
        ranks=position.ranks,
        draw=options.draw,
        redeals=-1 if options.redeals is None else max(0, options.redeals - position.redeals_count),
        redeal_rule=options.redeal_rule.value,
        deal_last=options.deal_last,
        foundation_back=options.foundation_back,
    )


def checked(position: Position, options: Rules, result: _native.SearchResult) -> Found[Move]:
    """An answer with its solution replayed by the referee; RuntimeError if it does not accept that."""
    if result.outcome != "won":
        return found(result, None, redeals_count=None)
    moves, end = check_win(position, _moves(result.moves), options)
    redeals_count = sum(move.kind == Kind.REDEAL for move in moves)
    remark = left_words(end, options)
    return found(result, moves, redeals_count, remark, redeals_count=redeals_count)


def check_win(
    position: Position, moves: tuple[Move, ...], options: Rules
) -> tuple[tuple[Move, ...], Position]:
    """The moves to the end, as the referee plays them, and where they lead (see ``finishing``).

    The core's moves count up to the first position that is surely won; RuntimeError if they lead to none.
    """
    for number, move in enumerate(moves):
        if rules.is_won(position):
            moves = moves[:number]
            break
        try:
            position = rules.play(position, move, options)
        except ValueError as error:
            raise RuntimeError(
                f"the core's solution is against the rules: move {number + 1}: {error}"
            ) from error
    if not rules.is_won(position):
        raise RuntimeError("the core's solution does not end in a win")
    last, end = finish(position, options)
    return (*moves, *last), end


def random_deal(seed: int, index: int) -> Position:
    """Deal ``index`` of a seed: the core's shuffled deck, columns first, then the stock."""
    deck = _native.shuffled_deck(seed, index, SUITS * RANKS_MAX).tolist()
    return rules.first_position([card_number(n // RANKS_MAX, n % RANKS_MAX + 1) for n in deck])


_FROM_STOCK_OR_WASTE = {int(kind): Move(kind) for kind in (Kind.WASTE_FOUNDATION, Kind.DEAL, Kind.REDEAL)}
"""Moves of a kind of which there is one, made once: most moves are deals."""


def _moves(rows: npt.NDArray[np.uint8]) -> tuple[Move, ...]:
    """The core's moves as moves of the referee, up to the first position that is surely won."""
    found = []
    for kind, source, target, count in rows.tolist():
        match kind:
            case Kind.COLUMN_COLUMN:
                move = Move(Kind.COLUMN_COLUMN, source, target, count)
            case Kind.COLUMN_FOUNDATION:
                move = Move(Kind.COLUMN_FOUNDATION, source)
            case Kind.WASTE_COLUMN:
                move = Move(Kind.WASTE_COLUMN, 0, target)
            case Kind.FOUNDATION_COLUMN:
                move = Move(Kind.FOUNDATION_COLUMN, source, target)
            case _:
                move = _FROM_STOCK_OR_WASTE[kind]
        found.append(move)
    return tuple(found)
