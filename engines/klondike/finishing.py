"""The end of a game that is surely won: every card that is left goes to its foundation.

No card lies face down and at most one is in stock and waste together, so the lowest card that is left is that one or
lies on top of its column (``rules.is_won``). Each card that is left takes one move, and one in the stock one more
draw: no way to the end is shorter.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.klondike import rules
from engines.klondike.rules import Kind, Move, Position, Rules


def finish(position: Position, options: Rules) -> tuple[list[Move], Position]:
    """The moves to the end from a position that is surely won, and where they lead.

    Cards are left only where the rules never deal the last card of the stock (``deal_last`` is off).
    """
    moves: list[Move] = []
    while True:
        move = next(_useful(position, options), None)
        if move is None:
            return moves, position
        moves.append(move)
        position = rules.play(position, move, options)


def left_words(position: Position, options: Rules) -> str:
    """What is said of a solution that ends at a position: nothing if no card is left."""
    left_count, stuck_count = (rules.cards_left(each) for each in (position, finish(position, options)[1]))
    if not left_count:
        return ""
    stuck = f", {stuck_count} of them never, as the last one of the stock is not dealt" if stuck_count else ""
    return f"{left_count} cards are left to go up{stuck}"


def _useful(position: Position, options: Rules) -> Iterator[Move]:
    """The legal moves that lead to the end, cards to foundations first."""
    ups = [Move(Kind.COLUMN_FOUNDATION, column) for column in range(len(position.columns))]
    for move in (*ups, Move(Kind.WASTE_FOUNDATION), Move(Kind.DEAL)):
        if rules.illegal(position, move, options) is None:
            yield move
