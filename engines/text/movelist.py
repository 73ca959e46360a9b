"""Solutions as text: moves joined by arrows, the same for all games; how a move is written is the game's.

    solutions = { remark | solution | unsolved }
    solution  = "()" | move { arrow move }            ("()": no move; all arrows of a solution point one way)
    arrow     = "->" | "<-"                           (with one dash or more; also the arrow characters)
    unsolved  = line that begins with "lost" or "undecided"
    remark    = "#" to the end of the line, or a line that begins with "No." or "won"

Lines of the last two kinds may begin with ``deal N:``, so that the output of ``yamafuda solve`` can be read back,
deal by deal. Line breaks have no other meaning; a solution ends where no arrow follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from storage.errors import UserError


class WrittenMove(NamedTuple):
    """A move of a text."""

    match: re.Match[str]
    """The match of the game's pattern."""
    line: int


class MoveListReader:
    """Reads solutions of moves that match ``pattern`` (either case; its group names must not clash with ours)."""

    def __init__(self, pattern: str, example: str) -> None:
        self._example = example
        self._token = re.compile(
            r"(?P<remark>#[^\n]*|^[^\S\n]*(?:deal[^\S\n]+[0-9]+:[^\S\n]*)?(?:No\.|won\b)[^\n]*)"
            r"|(?P<unsolved>^[^\S\n]*(?:deal[^\S\n]+[0-9]+:[^\S\n]*)?(?:lost|undecided)\b[^\n]*)"
            rf"|(?P<none>\(\s*\))|(?P<move>{pattern})"
            r"|(?P<backward><-+|←)|(?P<forward>-+>|→)"
            r"|(?P<blank>\s+)|(?P<unknown>\S{1,30})",
            re.MULTILINE | re.IGNORECASE,
        )

    def read(self, text: str, source: str) -> list[list[WrittenMove] | None]:
        """The solutions of a text, each first move first, None for a deal without one; UserError names the line."""
        reading = _Reading(source, self._example)
        line = 1
        for match in self._token.finditer(text.replace("\r\n", "\n").replace("\r", "\n")):
            reading.take(match, line)
            line += match.group().count("\n")
        reading.line = line
        reading.end_solution()
        if not reading.solutions:
            raise UserError(source, "there is no solution in it; one without moves is written ()")
        return reading.solutions


def join_moves(moves: Sequence[str], moves_a_line: int, line_end: str = "\n") -> str:
    """A solution of written moves, first move first; ``()`` when there is none."""
    lines = [" -> ".join(moves[i : i + moves_a_line]) for i in range(0, len(moves), moves_a_line)]
    return f" ->{line_end}".join(lines) or "()"


class _Reading:
    """Puts the moves of one text together."""

    def __init__(self, source: str, example: str) -> None:
        self.solutions: list[list[WrittenMove] | None] = []
        self.line = 1
        self._source = source
        self._example = example
        self._moves: list[WrittenMove] = []
        self._arrow = ""
        """The direction of the solution's arrows so far."""
        self._open = False
        """Whether the last token was an arrow, so that a move must follow."""

    def take(self, match: re.Match[str], line: int) -> None:
        self.line = line
        match kind := match.lastgroup:
            case "move":
                if not self._open:
                    self.end_solution()
                self._moves.append(WrittenMove(match, line))
                self._open = False
            case "forward" | "backward":
                if self._open or not self._moves:
                    self._fail("an arrow without a move before it")
                if self._arrow not in ("", kind):
                    self._fail("the arrows of a solution must all point one way")
                self._arrow, self._open = kind, True
            case "unsolved" | "none":
                self.end_solution()
                self.solutions.append([] if kind == "none" else None)
            case "unknown":
                word = match.group()
                self._fail(f"expected a move like {self._example} or an arrow, found {word!r}")

    def end_solution(self) -> None:
        if self._open:
            self._fail("expected a move after the arrow")
        if self._moves:
            self.solutions.append(self._moves[::-1] if self._arrow == "backward" else self._moves)
        self._moves, self._arrow = [], ""

    def _fail(self, message: str) -> NoReturn:
        raise UserError(f"{self._source}, line {self.line}", message)
