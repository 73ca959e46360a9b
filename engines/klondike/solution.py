"""Solutions of Klondike as text, in the notation of the report's figure 2.

    S04T00 -> S00S05 -> S01S03 -> C15W02     first move first
    C15W02 <- S01S03 <- S00S05 <- S04T00     the same as the report writes it, last move first

A move has a source and a target, with numbers of two hexadecimal digits: ``S`` is a column, ``T`` a foundation (00 to
03: C, D, H, S), ``W`` the waste with the index of its top card from 0. ``C15W02`` is a deal that leaves 21 cards in
the stock and the waste's top card at 2; ``R01C11`` is the first redeal, which makes a stock of 17 cards. How many
cards go from a column to another is not written, since at most one number fits. The grammar::

    solutions = { remark | solution | unsolved }
    solution  = "()" | move { arrow move }            ("()": no move; all arrows of a solution point one way)
    move      = place place | "C" number "W" number | "R" number "C" number
    place     = "S" number | "T" number | "W" number
    number    = digit digit { digit }                 (hexadecimal, either case)
    arrow     = "->" | "<-"                           (with one dash or more; also the arrow characters)
    unsolved  = line that begins with "lost" or "undecided"
    remark    = "#" to the end of the line, or a line that begins with "No." or "won"

Lines of the last two kinds may begin with ``deal N:``, so that the output of ``yamafuda solve`` can be read back,
deal by deal. Line breaks have no other meaning; a solution ends where no arrow follows. ``examples/*.solution`` are
examples.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engines.klondike import rules
from engines.klondike.finishing import left_words
from engines.klondike.rules import SUITS, Kind, Move, Position, Rules
from engines.solitaire.found import SURELY_WON, WON, Replay
from engines.text.cards import suit_of
from engines.text.movelist import MoveListReader, join_moves

MOVES_A_LINE = 12

_KINDS = {
    "SS": Kind.COLUMN_COLUMN,
    "ST": Kind.COLUMN_FOUNDATION,
    "WS": Kind.WASTE_COLUMN,
    "WT": Kind.WASTE_FOUNDATION,
    "TS": Kind.FOUNDATION_COLUMN,
    "CW": Kind.DEAL,
    "RC": Kind.REDEAL,
}
_READER = MoveListReader(
    r"(?P<source>[SWTCR])(?P<i>[0-9A-F]{2,6}?)(?P<target>[STWC])(?P<j>[0-9A-F]{2,6})(?![0-9A-Z])",
    "S04T00 or C15W02",
)


@dataclass(frozen=True)
class Step:
    """A move as written; it may be wrong."""

    source: str
    i: int
    target: str
    j: int
    line: int

    def __str__(self) -> str:
        return _written(self.source, self.i, self.target, self.j)


Solution = tuple[Step, ...]
"""Moves in the order of play."""


def read_solutions(text: str, source: str = "solution") -> list[Solution | None]:
    """The solutions of a text in its order, None for a deal without one; UserError that names the line."""
    return [
        None if moves is None else tuple(_step(match, line) for match, line in moves)
        for moves in _READER.read(text, source)
    ]


def format_moves(position: Position, moves: Sequence[Move], options: Rules) -> list[str]:
    """Each move as written, first move first. The moves must be legal from the position."""
    written = []
    for move in moves:
        after = rules.play(position, move, options)
        written.append(_written(*_parts(position, move, after)))
        position = after
    return written


def join_written(written: Sequence[str], line_end: str = "\n") -> str:
    """A solution of written moves, first move first; ``()`` when there is none."""
    return join_moves(written, MOVES_A_LINE, line_end)


def replay(position: Position, solution: Solution, options: Rules) -> Replay[Move]:
    """Play a written solution from a position. It may end at the last move, or, as the report's do, at a sure win."""
    moves: list[Move] = []
    redeals_before_count = position.redeals_count
    problem = None
    for number, step in enumerate(solution, start=1):
        move, problem = _meant(position, step, options)
        if move is None or problem is not None:
            problem = f"move {number}, {step} on line {step.line}: {problem}"
            break
        moves.append(move)
        position = rules.play(position, move, options)
    else:
        if not rules.is_won(position):
            problem = f"the position after move {len(solution)} is not won"
    redeals_count = position.redeals_count - redeals_before_count
    remark = left_words(position, options) if problem is None else ""
    ending = SURELY_WON if remark else WON
    return Replay(tuple(moves), problem, {"redeals_count": redeals_count}, remark, ending, redeals_count)


def _step(match: re.Match[str], line: int) -> Step:
    return Step(
        match["source"].upper(), int(match["i"], 16), match["target"].upper(), int(match["j"], 16), line
    )


def _written(source: str, i: int, target: str, j: int) -> str:
    return f"{source}{i:02X}{target}{j:02X}"


def _parts(position: Position, move: Move, after: Position) -> tuple[str, int, str, int]:
    """The letters and numbers of a move that leads from a position to the one after it."""
    top_index = len(position.waste) - 1
    match move.kind:
        case Kind.COLUMN_COLUMN:
            return "S", move.source, "S", move.target
        case Kind.COLUMN_FOUNDATION:
            return "S", move.source, "T", suit_of(position.columns[move.source][-1])
        case Kind.WASTE_COLUMN:
            return "W", top_index, "S", move.target
        case Kind.WASTE_FOUNDATION:
            return "W", top_index, "T", suit_of(position.waste[-1])
        case Kind.FOUNDATION_COLUMN:
            return "T", move.source, "S", move.target
        case Kind.DEAL:
            return "C", len(after.stock), "W", len(after.waste) - 1
        case Kind.REDEAL:
            return "R", after.redeals_count, "C", len(after.stock)


def _meant(position: Position, step: Step, options: Rules) -> tuple[Move | None, str | None]:
    """The legal move that a step writes, or why there is none."""
    kind = _KINDS.get(step.source + step.target)
    if kind is None:
        return None, f"nothing goes from {step.source} to {step.target}"
    columns_count = len(position.columns)
    for letter, index in ((step.source, step.i), (step.target, step.j)):
        if letter == "S" and index >= columns_count:
            return None, f"there is no column {index}, the last one is {columns_count - 1}"
        if letter == "T" and index >= SUITS:
            return None, f"there is no foundation {index}, the last one is {SUITS - 1}"
    match kind:
        case Kind.COLUMN_COLUMN:
            # When none fits, the referee says why the top card does not.
            count = rules.run_count(position, step.i, step.j) or min(1, len(position.columns[step.i]))
            move = Move(kind, step.i, step.j, count)
        case Kind.COLUMN_FOUNDATION:
            move = Move(kind, step.i)
        case Kind.WASTE_COLUMN:
            move = Move(kind, 0, step.j)
        case Kind.FOUNDATION_COLUMN:
            move = Move(kind, step.i, step.j)
        case Kind.WASTE_FOUNDATION | Kind.DEAL | Kind.REDEAL:
            move = Move(kind)
    problem = rules.illegal(position, move, options)
    if problem is None:
        right = _written(*_parts(position, move, rules.play(position, move, options)))
        if right != str(step):
            problem = f"the move is {right} here"
    return move, problem
