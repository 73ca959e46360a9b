"""The referee of Klondike: the rules written plainly and slowly, sharing nothing with the Rust core.

Source: Shintani, "Klondike" (report), section 2, and its figures 1 and 2. All cards are known. Small games have fewer
columns, ranks or suits; the card of the highest rank is the king. Rules that the report leaves open, or that others
play differently, are options: ``Rules``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from itertools import pairwise
from typing import NamedTuple

from engines.contract.options import option
from engines.text.cards import card_name, card_number, name_of, rank_of, suit_of

SUITS = 4
"""C, D, H, S, numbered from 0."""
RANKS_MAX = 13
COLUMNS_MAX = 7
STOCK_MAX = 24
"""Cards of stock and waste together in a whole game."""
DRAWS = (1, 3)
"""Cards that may be dealt at once."""
REDEALS_MAX = 1_000_000
"""The largest limit of redeals; more than a game can use."""
RED = (1, 2)


class RedealRule(StrEnum):
    """What happens to the last cards of the stock when they are fewer than are dealt at once."""

    carry = "carry"
    """They stay: a redeal puts the waste under them (the report)."""
    standard = "standard"
    """They are dealt; a redeal is for an empty stock."""


@dataclass(unsafe_hash=True)
class Rules:
    """The options. The defaults here are the usual rules. Not frozen, so that jobs can inherit them."""

    draw: int = option(3, "Cards dealt at once.", choices=DRAWS, column="uint8", unit="cards")
    redeals: int | None = option(
        None,
        "How often the waste may become the stock again.",
        most=REDEALS_MAX,
        none="unlimited",
        column="int32",
        unit="redeals",
    )
    redeal_rule: RedealRule = option(
        RedealRule.standard,
        "What happens to the last cards of the stock, fewer than are dealt at once. carry: they stay on top of the new "
        "stock; standard: they are dealt.",
        column="string",
        label="rule",
    )
    deal_last: bool = option(
        True, "With carry: the last cards are dealt when the waste is empty.", column="bool", label="last"
    )
    foundation_back: bool = option(
        True, "Cards may go back from foundations to columns.", column="bool", label="back"
    )


USUAL = Rules()
REPORT = Rules(redeal_rule=RedealRule.carry, foundation_back=False)
"""The report's rules."""


class Kind(IntEnum):
    """Kinds of moves. The numbers are those of the core."""

    COLUMN_COLUMN = 0
    COLUMN_FOUNDATION = 1
    WASTE_COLUMN = 2
    WASTE_FOUNDATION = 3
    FOUNDATION_COLUMN = 4
    DEAL = 5
    REDEAL = 6


class Move(NamedTuple):
    """One move. Fields that its kind does not use are 0; ``cards_count`` is the length of a run from column to
    column."""

    kind: Kind
    source: int = 0
    """A column, or a suit for a move from its foundation."""
    target: int = 0
    """A column."""
    cards_count: int = 0


@dataclass(frozen=True)
class Position:
    """Where every card lies. Cards are numbers: see ``card_number``."""

    ranks: int
    """Ranks of each suit; a card of this rank is a king."""
    columns: tuple[tuple[int, ...], ...]
    """Each bottom first."""
    face_down: tuple[int, ...]
    """How many cards of each column lie face down, counted from the bottom."""
    stock: tuple[int, ...]
    """First dealt first."""
    waste: tuple[int, ...]
    """Bottom first: the last one is in play."""
    foundations: tuple[int, ...]
    """The rank of each suit's top card, 0 for none; ``ranks`` for a suit that is not in play."""
    redeals_count: int = 0
    """Redeals so far."""


def goes_onto(number: int, below: int) -> bool:
    """Whether a card is one rank lower and of the other colour."""
    other_colour = (suit_of(number) in RED) != (suit_of(below) in RED)
    return other_colour and rank_of(number) + 1 == rank_of(below)


def first_position(deck: Sequence[int], columns: int = COLUMNS_MAX, ranks: int = RANKS_MAX) -> Position:
    """The position of a dealt deck: columns of 1, 2, ... cards left to right, bottom first, then the stock."""
    piles, begin = [], 0
    for length in range(1, columns + 1):
        piles.append(tuple(deck[begin : begin + length]))
        begin += length
    suits = {suit_of(number) for number in deck}
    return Position(
        ranks=ranks,
        columns=tuple(piles),
        face_down=tuple(range(columns)),
        stock=tuple(deck[begin:]),
        waste=(),
        foundations=tuple(0 if suit in suits else ranks for suit in range(SUITS)),
    )


def problem(position: Position) -> str | None:
    """Why this is not a position of the game; None when it is one."""
    if not 1 <= len(position.columns) <= COLUMNS_MAX:
        return f"{len(position.columns)} columns; there are 1 to {COLUMNS_MAX}"
    if len(position.face_down) != len(position.columns):
        return "the number of face-down cards of each column must be given"
    if not 1 <= position.ranks <= RANKS_MAX:
        return f"{position.ranks} ranks; there are 1 to {RANKS_MAX}"
    if len(position.foundations) != SUITS or not all(
        0 <= top <= position.ranks for top in position.foundations
    ):
        return f"each of the {SUITS} foundations must hold 0 to {position.ranks} cards"
    for index, (column, down) in enumerate(zip(position.columns, position.face_down, strict=True)):
        if not 0 <= down <= len(column):
            return f"column {index} has {len(column)} cards, so that {down} cannot lie face down"
        if column and down == len(column):
            return f"column {index}: its top card, {name_of(column[-1])}, must lie face up"
        for below, above in pairwise(column[down:]):
            if not goes_onto(above, below):
                return f"column {index}: {name_of(above)} cannot lie face up on {name_of(below)}, which lies face up"
    lying = sorted(
        [*position.stock, *position.waste, *(number for pile in position.columns for number in pile)]
    )
    left = [
        card_number(suit, rank)
        for suit in range(SUITS)
        for rank in range(position.foundations[suit] + 1, position.ranks + 1)
    ]
    if lying != left:
        return "columns, stock, waste and foundations do not hold every card once"
    return None


def is_won(position: Position) -> bool:
    """Whether the game is complete, or surely will be: no card face down, and at most one in stock and waste
    together.

    Then the lowest card that is left is that one or lies on top of its column, because columns go down; so all can go
    up.
    """
    return not any(position.face_down) and len(position.stock) + len(position.waste) <= 1


def cards_left(position: Position) -> int:
    """Cards that are on no foundation; none when the game is at its end."""
    return sum(position.ranks - top for top in position.foundations)


def moves_to_end(position: Position) -> int:
    """The moves from a position that is surely won to the last card: one for each that is left, a draw for the stock.

    The last card of a stock that the rules never deal counts as if they did.
    """
    return cards_left(position) + len(position.stock)


def cards_dealt(position: Position, rules: Rules) -> int:
    """How many cards the next deal turns up; 0 when there can be none."""
    left = len(position.stock)
    if left >= rules.draw:
        return rules.draw
    if rules.redeal_rule == RedealRule.standard:
        return left
    return left if rules.deal_last and not position.waste else 0


def run_count(position: Position, source: int, target: int) -> int:
    """How many cards can go from a column to another: at most one number fits; 0 for none."""
    for count in range(1, len(position.columns[source]) - position.face_down[source] + 1):
        if _fits(position, position.columns[source][-count], target):
            return count
    return 0


def illegal(position: Position, move: Move, rules: Rules) -> str | None:
    """Why a move is against the rules; None when it is not."""
    columns = position.columns
    match move.kind:
        case Kind.COLUMN_COLUMN:
            if move.source == move.target:
                return "a column cannot go onto itself"
            up_count = len(columns[move.source]) - position.face_down[move.source]
            if not 1 <= move.cards_count <= up_count:
                return f"column {move.source} has {up_count} face-up cards, so that {move.cards_count} cannot move"
            return _misfit(position, columns[move.source][-move.cards_count], move.target)
        case Kind.COLUMN_FOUNDATION:
            if not columns[move.source]:
                return f"column {move.source} is empty"
            return _not_next(position, columns[move.source][-1])
        case Kind.WASTE_COLUMN:
            return (
                _misfit(position, position.waste[-1], move.target) if position.waste else "the waste is empty"
            )
        case Kind.WASTE_FOUNDATION:
            return _not_next(position, position.waste[-1]) if position.waste else "the waste is empty"
        case Kind.FOUNDATION_COLUMN:
            if not rules.foundation_back:
                return "no card may go back from a foundation"
            top = position.foundations[move.source]
            return (
                _misfit(position, card_number(move.source, top), move.target)
                if top
                else "the foundation is empty"
            )
        case Kind.DEAL:
            if cards_dealt(position, rules):
                return None
            return f"{len(position.stock)} cards in the stock and {len(position.waste)} in the waste: nothing is dealt"
        case Kind.REDEAL:
            return _no_redeal(position, rules)


def play(position: Position, move: Move, rules: Rules) -> Position:
    """The position after a move; ValueError, which says why, when it is against the rules."""
    reason = illegal(position, move, rules)
    if reason is not None:
        raise ValueError(reason)
    columns, foundations = list(position.columns), list(position.foundations)
    stock, waste = position.stock, position.waste
    match move.kind:
        case Kind.COLUMN_COLUMN:
            columns[move.target] += columns[move.source][-move.cards_count :]
            columns[move.source] = columns[move.source][: -move.cards_count]
        case Kind.COLUMN_FOUNDATION:
            foundations[suit_of(columns[move.source][-1])] += 1
            columns[move.source] = columns[move.source][:-1]
        case Kind.WASTE_COLUMN:
            columns[move.target] += waste[-1:]
            waste = waste[:-1]
        case Kind.WASTE_FOUNDATION:
            foundations[suit_of(waste[-1])] += 1
            waste = waste[:-1]
        case Kind.FOUNDATION_COLUMN:
            columns[move.target] += (card_number(move.source, foundations[move.source]),)
            foundations[move.source] -= 1
        case Kind.DEAL:
            # Most moves of a game are deals: the columns need no look.
            count = cards_dealt(position, rules)
            return _with_stock(position, stock[count:], waste + stock[:count], position.redeals_count)
        case Kind.REDEAL:
            # Turned over, the waste has its bottom card on top; cards left in the stock stay above it.
            return _with_stock(position, stock + waste, (), position.redeals_count + 1)
    # A face-down card that became the top is turned up.
    face_down = [
        min(down, max(0, len(column) - 1)) for down, column in zip(position.face_down, columns, strict=True)
    ]
    return Position(
        position.ranks,
        tuple(columns),
        tuple(face_down),
        stock,
        waste,
        tuple(foundations),
        position.redeals_count,
    )


def _with_stock(
    position: Position, stock: tuple[int, ...], waste: tuple[int, ...], redeals_count: int
) -> Position:
    columns, face_down, foundations = position.columns, position.face_down, position.foundations
    return Position(position.ranks, columns, face_down, stock, waste, foundations, redeals_count)


def legal_moves(position: Position, rules: Rules) -> list[Move]:
    """All moves, in the order of their kinds."""
    columns = range(len(position.columns))
    moves = [
        Move(Kind.COLUMN_COLUMN, source, target, count)
        for source in columns
        for target in columns
        if source != target and (count := run_count(position, source, target))
    ]
    moves += [Move(Kind.COLUMN_FOUNDATION, source) for source in columns]
    moves += [Move(Kind.WASTE_COLUMN, 0, target) for target in columns]
    moves.append(Move(Kind.WASTE_FOUNDATION))
    moves += [Move(Kind.FOUNDATION_COLUMN, suit, target) for suit in range(SUITS) for target in columns]
    moves += [Move(Kind.DEAL), Move(Kind.REDEAL)]
    return [move for move in moves if illegal(position, move, rules) is None]


def replay(position: Position, moves: Sequence[Move], rules: Rules) -> Position:
    """The position after all moves; ValueError, which names the move from 1 on, when one is against the rules."""
    for number, move in enumerate(moves, start=1):
        try:
            position = play(position, move, rules)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
    return position


def reachable(start: Position, rules: Rules) -> Iterator[tuple[Position, int]]:
    """All positions that can be reached from ``start``, itself first, with the fewest moves that lead there.

    Redeals are not counted as moves. Positions that differ only in the number of redeals so far are different only
    where redeals are limited. For small games: everything is kept in memory, at some 10,000 positions a second.
    """
    seen, layer, depth = set(), [start], 0
    while layer:
        following: list[Position] = []
        # A redeal leads to a position of the same layer, which then has one more.
        for position in layer:
            counted = _counted(position, rules)
            if counted in seen:
                continue
            seen.add(counted)
            yield position, depth
            for move in legal_moves(position, rules):
                (layer if move.kind == Kind.REDEAL else following).append(play(position, move, rules))
        layer, depth = following, depth + 1


def shortest(start: Position, rules: Rules) -> int | None:
    """The fewest moves to the last card, None when there is no win; for small games, as ``reachable``."""
    fewest: int | None = None
    for position, depth in reachable(start, rules):
        if fewest is not None and depth >= fewest:
            break
        if is_won(position):
            moves_count = depth + moves_to_end(position)
            fewest = moves_count if fewest is None else min(fewest, moves_count)
    return fewest


def _counted(position: Position, rules: Rules) -> Position:
    return position if rules.redeals is not None else replace(position, redeals_count=0)


def _fits(position: Position, number: int, target: int) -> bool:
    column = position.columns[target]
    return goes_onto(number, column[-1]) if column else rank_of(number) == position.ranks


def _misfit(position: Position, number: int, target: int) -> str | None:
    if _fits(position, number, target):
        return None
    column = position.columns[target]
    if not column:
        return f"{name_of(number)} cannot go to the empty column {target}, only a king can"
    return f"{name_of(number)} cannot go onto {name_of(column[-1])} of column {target}"


def _not_next(position: Position, number: int) -> str | None:
    top = position.foundations[suit_of(number)]
    if rank_of(number) == top + 1:
        return None
    return f"{name_of(number)} cannot go to the foundation, {card_name(suit_of(number), top + 1)} is next"


def _no_redeal(position: Position, rules: Rules) -> str | None:
    left = len(position.stock)
    if not position.waste:
        return "the waste is empty, there is nothing to redeal"
    if left >= (1 if rules.redeal_rule == RedealRule.standard else rules.draw):
        return f"{left} cards are left in the stock, they are dealt before a redeal"
    if rules.redeals is not None and position.redeals_count >= rules.redeals:
        return f"no redeal is left, there were {position.redeals_count}"
    return None
