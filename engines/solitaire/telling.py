"""The moves of a solution in answers: in the report's notation, in words, as JSON, with the position after each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.solitaire.game import Solitaire


class Style(StrEnum):
    """How moves are written."""

    report = "report"
    """In the game's notation, which ``check`` reads."""
    words = "words"
    json = "json"


@dataclass(frozen=True)
class ToldMove:
    """A move, and the position after it."""

    written: str
    """In the game's notation."""
    words: str
    values: dict[str, Any]
    """JSON values."""
    position: str
    """The position as text."""
    board: str
    """The position, drawn."""
    is_free: bool = False
    """Whether the move is not counted."""

    def told(self, style: Style) -> Any:
        """The move without its position."""
        return {Style.report: self.written, Style.words: self.words, Style.json: self.values}[style]


def tell_moves(
    game: Solitaire[Any, Any, Any], deal: Any, moves: Sequence[Any], options: Any
) -> Iterator[ToldMove]:
    """Moves of a game whose positions are deals; they must be legal."""
    for move, written in zip(moves, game.format_moves(deal, moves, options), strict=True):
        after = game.played(deal, move, options)
        words, values = game.describe_move(deal, move, after)
        yield ToldMove(
            written,
            words,
            {"move": written} | values,
            game.format_deal(after),
            game.draw_deal(after),
            game.is_free(move),
        )
        deal = after


def told_move(game: Solitaire[Any, Any, Any], deal: Any, move: Any, options: Any, style: Style) -> Any:
    """One legal move alone."""
    if style == Style.report:
        return game.format_moves(deal, [move], options)[0]
    (found,) = game.tell_moves(deal, [move], options)
    return found.told(style)


def move_text(told: Any) -> str:
    """The result of ``told_move``, as text."""
    return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)


@dataclass(frozen=True)
class ToldMoves:
    """The moves of a solution as an answer has them."""

    values: dict[str, Any]
    """JSON values."""
    lines: list[str]
    """Lines of text."""


def told_moves(
    game: Solitaire[Any, Any, Any],
    deal: Any,
    moves: Sequence[Any],
    options: Any,
    style: Style,
    boards: bool,
) -> ToldMoves:
    """Legal moves, with ``boards`` also the position after each; only counted moves get numbers."""
    if style == Style.report and not boards:
        written = game.format_moves(deal, moves, options)
        return ToldMoves({"moves": written}, [game.join_moves(written)])
    told = list(game.tell_moves(deal, moves, options))
    values: dict[str, Any] = {"moves": [each.told(style) for each in told]}
    if boards:
        values["positions"] = [each.position for each in told]
    elif style == Style.json:
        return ToldMoves(values, [json.dumps(values["moves"], ensure_ascii=False)])
    return ToldMoves(values, list(_numbered(told, style, boards)))


def _numbered(told: Sequence[ToldMove], style: Style, boards: bool) -> Iterator[str]:
    width, number = len(str(len(told))), 0
    for each in told:
        number += not each.is_free
        yield f"{'' if each.is_free else number:>{width}}  {move_text(each.told(style))}"
        if boards:
            yield from ("", *(f"    {line}".rstrip() for line in each.board.splitlines()), "")
