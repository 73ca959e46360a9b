"""Games of Calculation as text: the board after each turn, as in appendix A.1 of the paper, or moves alone.

A turn is a card drawn and what was done until the next one; turns are numbered from 0. Cards that are on foundations
are blanks, cards on stacks may have the foundation that they are meant for::

    7 : Q
    0: A 2 3 4 5 6 7 8 9 T J Q K
    1:   4 6 8 T Q A 3 5 7 9 J K
    2:   6 9 Q 2 5 8 J A 4 7 T K
    3:       3 7 J 2 6 T A 5 9 K
    0: 7-2 8-0
    1: J-1
    2: K-3
    =====

A game of moves alone is a line. The drawn card has its rank, then a foundation (``F``) or a stack (``S``) where it
goes; a card that leaves a stack has the stack instead of its rank::

    2F1 7S0 3F2 KS2 4F3 JS1 8F3 QS0 S0F3 ...

The grammar::

    games    = { head | board game | moves game }
    head     = line that begins with "deal" or "deck" (no game after it: there is none for its deck)
    board game = turn { turn }                        (from turn 0 on)
    turn     = number ":" rank end row row row row row { row } "=" { "=" } end
    row      = number ":" { card } end                (foundations are 0 to 3, stacks 0 and so on)
    card     = rank [ "-" foundation ]                (on foundations rank alone)
    moves game = move { blanks move } end
    move     = ( rank | "S" number ) ( "F" foundation | "S" number )
    foundation = "0" | "1" | "2" | "3"
    rank     = "A" | "1" | "2" | ... | "9" | "T" | "0" | "10" | "J" | "Q" | "K"

Blank lines mean nothing, and ``#`` starts a comment that ends with the line. ``replay`` plays games again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engines.calculation import rules
from engines.calculation.estimate import Assignment
from engines.calculation.position import Told, format_board, read_board, untold
from engines.calculation.rules import DRAWN, FOUNDATIONS, RANKS_MAX, Move, Position
from engines.calculation.text import Line, lines_of, name_of, read_rank
from engines.text.textfile import shown
from storage.errors import UserError

HEADS = ("deal", "deck")
_TURN = re.compile(r"(\d{1,9})\s*:\s*(\S+)", re.ASCII)
_MOVE = re.compile(r"(?:S(?P<stack>\d{1,2})|(?P<rank>10|[^S]))(?P<kind>[FS])(?P<number>\d{1,2})", re.ASCII)
_END = "====="


@dataclass(frozen=True)
class Turn:
    """A card that was drawn and the board when the turn was over."""

    line: Line
    number: int
    rank: int
    rows: list[Line] = field(default_factory=list)

    def told(self, ranks: int) -> Told:
        """Its board; UserError names the line that is wrong."""
        if len(self.rows) <= FOUNDATIONS:
            raise UserError(
                self.line.place, "the turn needs rows 0: to 3: of foundations and 0: and so on of stacks"
            )
        return read_board(self.rows, ranks)


@dataclass(frozen=True)
class Game:
    """A game of a text: its turns, or its moves with the ranks of the cards that they draw."""

    turns: tuple[Turn, ...] = ()
    moves: tuple[Move, ...] = ()
    drawn: tuple[int, ...] = ()


def read_solutions(text: str, source: str = "games") -> list[Game | None]:
    """All games of a text, None for each head without one; UserError that names ``source`` and the line that is
    wrong."""
    found: list[list[Turn] | Game | None] = []
    headed = False
    for part in _parts(text, source):
        if part is None:
            found += [None] if headed else []
            headed = True
        elif isinstance(part, Game):
            found.append(part)
            headed = False
        else:
            last = None if headed or not found else found[-1]
            turns = last if part.number and isinstance(last, list) else []
            if part.number != len(turns):
                raise UserError(
                    part.line.place, f"expected turn {len(turns)} of a game, found turn {part.number}"
                )
            if not turns:
                found.append(turns)
            turns.append(part)
            headed = False
    found += [None] if headed else []
    return [Game(turns=tuple(each)) if isinstance(each, list) else each for each in found]


def read_games(text: str, source: str = "games") -> list[Game]:
    """The games among the ``read_solutions`` of a text."""
    return [each for each in read_solutions(text, source) if each is not None]


def read_turns(text: str, source: str = "games") -> list[Turn]:
    """The turns of a text that need not follow one another; UserError as ``read_games``."""
    return [part for part in _parts(text, source) if isinstance(part, Turn)]


def format_game(
    deck: Sequence[int],
    moves: Sequence[Move],
    ranks: int,
    stacks: int,
    assignments: Sequence[Assignment | None] | None = None,
) -> str:
    """The turns of a game; ``assignments``: at the end of each turn what the cards on stacks are meant for."""
    lines = []
    for number, position in enumerate(ends_of_turns(deck, moves, ranks, stacks)):
        assignment = None if assignments is None else assignments[number]
        board = format_board(position, assignment or untold(position), blanks=True)
        lines += [f"{number} : {name_of(deck[number])}", *board, _END]
    return "\n".join(lines)


def ends_of_turns(deck: Sequence[int], moves: Sequence[Move], ranks: int, stacks: int) -> list[Position]:
    """The position after each draw and the moves that follow it; ValueError when one is illegal."""
    ends: list[Position] = []
    for move, position in zip(moves, rules.positions(deck, moves, ranks, stacks), strict=True):
        if move.source == DRAWN:
            ends.append(position)
        ends[-1] = position
    return ends


def format_moves(deck: Sequence[int], moves: Sequence[Move]) -> str:
    """A game of moves alone, on one line."""
    return " ".join(written_moves(deck, moves))


def written_moves(deck: Sequence[int], moves: Sequence[Move]) -> list[str]:
    """The moves of a game, each as written."""
    pile = iter(deck)
    words = []
    for source, target in moves:
        whence = name_of(next(pile)) if source == DRAWN else f"S{source}"
        words.append(whence + (f"F{target}" if target < FOUNDATIONS else f"S{target - FOUNDATIONS}"))
    return words


def _parts(text: str, source: str) -> Iterator[Game | Turn | None]:
    """Turns and games of moves as they come, None for a head."""
    turn: Turn | None = None
    for line in lines_of(text, source):
        if not line.text.strip("="):
            if turn is not None:
                yield turn
            turn = None
        elif turn is not None:
            turn.rows.append(line)
        elif line.text.lower().startswith(HEADS):
            yield None
        elif match := _TURN.fullmatch(line.text):
            turn = Turn(line, int(match[1]), read_rank(match[2], RANKS_MAX, line.place))
        else:
            yield _moves(line)
    if turn is not None:
        raise UserError(turn.line.place, f"the turn does not end; a line {_END} ends it")


def _moves(line: Line) -> Game:
    moves, drawn = [], []
    for number, word in enumerate(line.text.split(), start=1):
        match = _MOVE.fullmatch(word.upper()) if word.isascii() else None
        if match is None:
            raise UserError(
                line.place,
                f"move {number}: expected a move like 7S0 or S0F2, or a turn like 0 : Q, found {shown(word)}",
            )
        target = int(match["number"]) + (FOUNDATIONS if match["kind"] == "S" else 0)
        if match["kind"] == "F" and target >= FOUNDATIONS:
            raise UserError(line.place, f"move {number}: there is no foundation {target}; they are 0 to 3")
        if match["stack"] is None:
            drawn.append(read_rank(match["rank"], RANKS_MAX, line.place))
        moves.append(Move(DRAWN if match["stack"] is None else int(match["stack"]), target))
    return Game(moves=tuple(moves), drawn=tuple(drawn))
