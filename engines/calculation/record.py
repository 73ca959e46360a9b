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
goes; a card that leaves a stack has that in place of its rank::

    2F1 7S0 3F2 KS2 4F3 JS1 8F3 QS0 S0F3 ...

The grammar::

    games    = { board game | moves game }
    board game = turn { turn }                        (from turn 0 on)
    turn     = number ":" rank end row row row row row { row } "=" { "=" } end
    row      = number ":" { card } end                (foundations are 0 to 3, stacks 0 and so on)
    card     = rank [ "-" foundation ]                (on foundations rank alone)
    moves game = move { blanks move } end
    move     = ( rank | "S" number ) ( "F" foundation | "S" number )
    foundation = "0" | "1" | "2" | "3"
    rank     = "A" | "1" | "2" | ... | "9" | "T" | "0" | "10" | "J" | "Q" | "K"

Blank lines and lines that begin with ``deck`` mean nothing, and ``#`` starts a comment that ends with the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engines.calculation import rules
from engines.calculation.estimate import Assignment
from engines.calculation.position import Told, format_board, read_board, untold
from engines.calculation.rules import DRAWN, FOUNDATIONS, RANKS_MAX, Move, Position, Replay
from engines.calculation.text import Line, lines_of, name_of, read_rank
from engines.text.textfile import shown
from storage.errors import UserError

STACKS = 3
"""Of a game of moves, when nobody says."""
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

    def stacks(self) -> int | None:
        """The number of stacks; None for a game of moves, which does not tell it."""
        return len(self.turns[0].rows) - FOUNDATIONS if self.turns else None


def read_games(text: str, source: str = "games") -> list[Game]:
    """All games of a text; UserError that names ``source`` and line when one cannot be read."""
    found: list[list[Turn] | Game] = []
    for part in _parts(text, source):
        if isinstance(part, Game):
            found.append(part)
            continue
        last = found[-1] if found else []
        turns = last if part.number and isinstance(last, list) else []
        if part.number != len(turns):
            raise UserError(
                part.line.place, f"expected turn {len(turns)} of a game, found turn {part.number}"
            )
        if not turns:
            found.append(turns)
        turns.append(part)
    return [each if isinstance(each, Game) else Game(turns=tuple(each)) for each in found]


def read_turns(text: str, source: str = "games") -> list[Turn]:
    """The turns of a text that need not follow one another; UserError as ``read_games``."""
    return [part for part in _parts(text, source) if isinstance(part, Turn)]


def check_game(deck: Sequence[int], game: Game, ranks: int, stacks: int) -> Replay:
    """Play a game of a text again; UserError when a board of it is none at all."""
    moves, drawn, problem = game.moves, game.drawn, None
    if game.turns:
        drawn = tuple(turn.rank for turn in game.turns)
        moves, problem = _moves_of_turns(game.turns, ranks, stacks)
    draws = [at for at, move in enumerate(moves) if move.source == DRAWN]
    for number, (rank, right) in enumerate(zip(drawn, deck, strict=False)):
        if rank != right:
            problem = f"turn {number}: {name_of(rank)} is drawn, but the deck has {name_of(right)}"
            moves = moves[: draws[number]] if number < len(draws) else moves
            break
    found = rules.replay(deck, moves, ranks, stacks)
    if problem is not None and found.problem is None:
        found = replace(found, outcome="undecided", problem=problem)
    return found


def moves_between(before: Position, after: Position) -> list[Move] | None:
    """Moves that lead from a position with a card in hand to the end of the turn; None when no moves do."""
    paths: list[tuple[Position, list[Move]]] = [(before, [])]
    seen = {before}
    while paths:
        position, moves = paths.pop()
        if position == after:
            return moves
        for move in reversed(rules.legal_moves(position)):
            following = rules.play(position, move)
            if following not in seen and _may_become(following, after):
                seen.add(following)
                paths.append((following, [*moves, move]))
    return None


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
    pile = iter(deck)
    words = []
    for source, target in moves:
        whence = name_of(next(pile)) if source == DRAWN else f"S{source}"
        words.append(whence + (f"F{target}" if target < FOUNDATIONS else f"S{target - FOUNDATIONS}"))
    return " ".join(words)


def _parts(text: str, source: str) -> Iterator[Game | Turn]:
    """Turns and games of moves as they come."""
    turn: Turn | None = None
    for line in lines_of(text, source):
        if not line.text.strip("="):
            if turn is not None:
                yield turn
            turn = None
        elif turn is not None:
            turn.rows.append(line)
        elif line.text.lower().startswith("deck"):
            continue
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


def _moves_of_turns(turns: Sequence[Turn], ranks: int, stacks: int) -> tuple[tuple[Move, ...], str | None]:
    """Moves that lead from turn to turn, and what is wrong with the first turn to which none do."""
    position = rules.start(ranks, stacks)
    moves: list[Move] = []
    for turn in turns:
        after = turn.told(ranks).position
        if len(after.stacks) != stacks:
            raise UserError(turn.line.place, f"the turn has {len(after.stacks)} stacks; there are {stacks}")
        found = None
        if turn.rank <= ranks and position.pile()[turn.rank] > 0:
            found = moves_between(rules.draw(position, turn.rank), after)
        if found is None:
            return tuple(
                moves
            ), f"turn {turn.number}: no moves of a {name_of(turn.rank)} and of stack tops lead to it"
        moves += found
        position = after
    return tuple(moves), None


def _may_become(position: Position, after: Position) -> bool:
    """False when cards are on foundations or gone from stacks that ``after`` has not so. (No card is in hand.)"""
    return all(now <= then for now, then in zip(position.heights, after.heights, strict=True)) and all(
        now[: len(then)] == then for now, then in zip(position.stacks, after.stacks, strict=True)
    )
