"""Positions of Calculation as text, as in section 3.2 of the paper.

What is still to come on each foundation, and the cards of each stack, each with the foundation that it will go to (its
assignment) or without::

    foundations
    0: 3 4 5 6 7 8 9 T J Q K          what is still to come, the next card first
    1: T Q A 3 5 7 9 J K              (foundation f goes up in steps of f + 1)
    2: 3 6 9 Q 2 5 8 J A 4 7 T K
    3: 3 7 J 2 6 T A 5 9 K
    stacks
    0: 8-2 5-2 Q-2 A-1                the lowest card first, each as RANK-FOUNDATION
    1: 9-1 A-3 Q-0 J-0 6-3            or as RANK
    2: K-3 K-1 9-3 5-3 J-1
    drawn: 4                          the card that was drawn; left out when there is none
    pile: 9 K 2 7 ...                 all cards that are still to be drawn, the next first; left out when nobody knows

The grammar::

    position = [ "ranks:" number end ] [ heading ] row row row row [ heading ] row { row } [ "drawn:" rank end ]
               [ "pile:" { rank } end ]
    heading  = ( "foundations" | "stacks" ) end       (before the first of either; also the paper's words for them)
    row      = number ":" { card } end                (foundations are 0 to 3, stacks 0 and so on)
    card     = rank [ "-" foundation ]                (on foundations rank alone)
    foundation = "0" | "1" | "2" | "3"
    rank     = "A" | "1" | "2" | ... | "9" | "T" | "0" | "10" | "J" | "Q" | "K"
    end      = end of line | "/"

``ranks: 8`` stands for a game with fewer than thirteen ranks. Blank lines mean nothing, and ``#`` starts a comment
that ends with the line. Players and advice do not use the pile, even if it is given.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engines.calculation import rules
from engines.calculation.rules import COPIES, FOUNDATIONS, RANKS_MAX, RANKS_MIN, STACKS_MAX, Position
from engines.calculation.text import Line, lines_of, name_of, names_of, read_rank
from engines.text.textfile import shown, whole_number
from storage.errors import UserError

Targets = tuple[tuple[int | None, ...], ...]
"""For each stack, lowest card first, the foundation that each card will go to; None where it is not given."""
_HEADINGS = {"foundations": 0, "台の状態": 0, "stacks": FOUNDATIONS, "スタックの状態": FOUNDATIONS}
"""Heading -> number of rows before it."""


@dataclass(frozen=True)
class Told:
    """A position of a text."""

    position: Position
    targets: Targets
    pile: tuple[int, ...] | None = None
    """The cards that are still to be drawn, the next first; None when their order is not given."""

    def assignment(self) -> tuple[tuple[int, ...], ...] | None:
        """The foundation of every card on a stack; None unless all are given."""
        found = tuple(tuple(each for each in stack if each is not None) for stack in self.targets)
        return found if list(map(len, found)) == list(map(len, self.targets)) else None


def read_position(text: str, source: str = "position") -> Told:
    """The position of a text; UserError that names ``source``, line and card when it is wrong."""
    ranks, drawn, pile = RANKS_MAX, None, None
    rows: list[Line] = []
    for line in _parts(text, source):
        head, colon, rest = (part.strip() for part in line.text.partition(":"))
        if pile is not None or (drawn is not None and head.lower() != "pile"):
            last = "drawn:" if pile is None else "pile:"
            raise UserError(line.place, f"nothing comes after {last}, but here is {shown(line.text)}")
        if not colon and head.lower() in _HEADINGS:
            if len(rows) != _HEADINGS[head.lower()]:
                raise UserError(
                    line.place, f"{head!r} comes after {len(rows)} rows; foundations have 0: to 3:"
                )
        elif head.lower() == "ranks":
            if rows:
                raise UserError(line.place, "ranks: comes before all rows")
            ranks = read_ranks(rest, line.place)
        elif head.lower() == "drawn":
            drawn = Line(line.place, rest)
        elif head.lower() == "pile":
            pile = Line(line.place, rest)
        else:
            _numbered(line, len(rows))
            rows.append(line)
    if len(rows) <= FOUNDATIONS:
        raise UserError(source, "needs rows 0: to 3: of 'foundations' and rows 0: and so on of 'stacks'")
    told = read_board(rows, ranks)
    if drawn is not None:
        rank = read_rank(drawn.text, ranks, drawn.place)
        if told.position.pile()[rank] < 1:
            raise UserError(drawn.place, _too_many(rank))
        told = dataclasses.replace(told, position=dataclasses.replace(told.position, drawn=rank))
    return told if pile is None else dataclasses.replace(told, pile=_pile(pile, told.position))


def _parts(text: str, source: str) -> Iterator[Line]:
    """The lines of a position, which may be parts of one."""
    for line in lines_of(text, source):
        for part in filter(None, (part.strip() for part in line.text.split("/"))):
            yield Line(line.place, part)


def _pile(line: Line, position: Position) -> tuple[int, ...]:
    pile = tuple(read_rank(word, position.ranks, line.place) for word in line.text.split())
    for rank, count in position.pile().items():
        if pile.count(rank) != count:
            raise UserError(
                line.place, f"{pile.count(rank)} cards of rank {name_of(rank)}; there are {count} left"
            )
    return pile


def format_position(position: Position, targets: Targets) -> str:
    """The lines of a position; ``read_position`` gives it back."""
    lines = [] if position.ranks == RANKS_MAX else [f"ranks: {position.ranks}"]
    rows = format_board(position, targets)
    lines += ["foundations", *rows[:FOUNDATIONS], "stacks", *rows[FOUNDATIONS:]]
    if position.drawn is not None:
        lines.append(f"drawn: {name_of(position.drawn)}")
    return "\n".join(lines) + "\n"


def format_told(told: Told) -> str:
    """A position on one line, with its pile where that is given; ``read_position`` gives it back."""
    parts = format_position(told.position, told.targets).splitlines()
    pile = [] if told.pile is None else [f"pile: {names_of(told.pile)}".rstrip()]
    return " / ".join([*parts, *pile])


def read_ranks(text: str, place: str) -> int:
    """A number of ranks; UserError when there is no such game."""
    ranks = whole_number(text, RANKS_MAX)
    if ranks is None or ranks < RANKS_MIN:
        raise UserError(place, f"{shown(text)} is no number of ranks from {RANKS_MIN} to {RANKS_MAX}")
    return ranks


def read_board(rows: Sequence[Line], ranks: int) -> Told:
    """Foundations and stacks of rows, more than four; UserError names the line and the card that is wrong."""
    named = [_numbered(line, index) for index, line in enumerate(rows)]
    if len(rows) - FOUNDATIONS > STACKS_MAX:
        raise UserError(rows[FOUNDATIONS + STACKS_MAX].place, f"a game has at most {STACKS_MAX} stacks")
    heights = tuple(_height(line, index, ranks) for index, line in enumerate(named[:FOUNDATIONS]))
    position = Position(ranks, heights, ((),) * (len(rows) - FOUNDATIONS))
    pile = position.pile()
    stacks, targets = [], []
    seen: set[tuple[int, int]] = set()
    for line in named[FOUNDATIONS:]:
        cards = [_card(word, ranks, line.place) for word in line.text.split()]
        for rank, foundation in cards:
            pile[rank] -= 1
            if pile[rank] < 0:
                raise UserError(line.place, _too_many(rank))
            if foundation is None:
                continue
            name = f"{name_of(rank)}-{foundation}"
            if (rank, foundation) in seen:
                raise UserError(line.place, f"{name} lies on the stacks twice")
            if rank in rules.row(foundation, ranks)[: heights[foundation]]:
                raise UserError(
                    line.place, f"{name} has left already: foundation {foundation} does not wait for it"
                )
            seen.add((rank, foundation))
        stacks.append(tuple(rank for rank, _ in cards))
        targets.append(tuple(foundation for _, foundation in cards))
    return Told(dataclasses.replace(position, stacks=tuple(stacks)), tuple(targets))


def format_board(position: Position, targets: Targets, blanks: bool = False) -> list[str]:
    """The rows of foundations and stacks; ``blanks``: in place of cards that are on foundations, as in appendix A.1."""
    rows = []
    for foundation, height in enumerate(position.heights):
        gap = "  " * height if blanks else ""
        rows.append(f"{foundation}: {gap}{names_of(rules.row(foundation, position.ranks)[height:])}".rstrip())
    for stack, (cards, theirs) in enumerate(zip(position.stacks, targets, strict=True)):
        words = [
            name_of(rank) if foundation is None else f"{name_of(rank)}-{foundation}"
            for rank, foundation in zip(cards, theirs, strict=True)
        ]
        rows.append(" ".join([f"{stack}:", *words]))
    return rows


def untold(position: Position) -> Targets:
    """The targets of a position without any assignment."""
    return tuple((None,) * len(stack) for stack in position.stacks)


def _numbered(line: Line, index: int) -> Line:
    """The text after the number of a row, which must be the number of row ``index`` of foundations and stacks."""
    number = index if index < FOUNDATIONS else index - FOUNDATIONS
    head, colon, rest = line.text.partition(":")
    if not colon or whole_number(head.strip(), STACKS_MAX + 1) != number:
        hint = "" if colon else "; a position has a row for each foundation, 0: to 3:, and each stack"
        raise UserError(line.place, f"expected row '{number}:', found {shown(line.text)}{hint}")
    return Line(line.place, rest.strip())


def _height(line: Line, foundation: int, ranks: int) -> int:
    told = [read_rank(word, ranks, line.place) for word in line.text.split()]
    whole = rules.row(foundation, ranks)
    height = ranks - len(told)
    if height < 0 or tuple(told) != whole[height:]:
        raise UserError(
            line.place, f"is not how foundation {foundation} ends; the whole of it is {names_of(whole)}"
        )
    return height


def _card(word: str, ranks: int, place: str) -> tuple[int, int | None]:
    name, dash, target = word.partition("-")
    foundation = whole_number(target, FOUNDATIONS - 1) if dash else None
    if dash and foundation is None:
        raise UserError(place, f"expected RANK or RANK-FOUNDATION (as in 8-2), found {shown(word)}")
    return read_rank(name, ranks, place), foundation


def _too_many(rank: int) -> str:
    return f"a fifth {name_of(rank)}; on foundations, on stacks and drawn there are at most {COPIES}"
