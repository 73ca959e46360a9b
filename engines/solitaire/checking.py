"""``yamafuda check`` of every solitaire, and what that of every game does first: read deals and their solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from engines.solitaire.printing import Answers, replay_values, replay_words
from engines.solitaire.readback import in_notation
from engines.solitaire.telling import Style, move_lines, move_values
from engines.text.textfile import read_text
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.game import Solitaire

Deal = TypeVar("Deal")
Solution = TypeVar("Solution")


def check(
    game: Solitaire[Any, Any, Any],
    deal: Path,
    solution: Path,
    options: Any,
    style: Style | None,
    boards: bool,
    as_json: bool,
) -> None:
    """Replay the solutions of a file; exit status 1 unless each of them wins, or is what it says.

    With a ``style`` or ``boards`` the moves that were played are told, too.
    """
    from engines.solitaire.game import FILE_BYTES

    def read_solutions(text: str, source: str) -> list[Any]:
        return game.read_solutions(in_notation(game, text, source), source)

    right = True
    pairs = list(deals_with_solutions(deal, solution, FILE_BYTES, game.read_deals, read_solutions))
    for number, (each, _) in enumerate(pairs, start=1):
        if game.unknown_count(each):
            raise UserError(f"{deal}, deal {number}", "all cards must be known to replay a solution")
    answers = Answers(game, options, as_json, apart=False)
    for number, (each, written) in enumerate(pairs, start=1):
        replay = None if written is None else game.replay(each, written, options)
        right &= replay is None or replay.problem is None
        told = () if replay is None or (style is None and not boards) else replay.moves
        how = (each, told, options, style or Style.report, boards)
        if as_json:
            values = move_values(game, *how) if told else {}
            answers.print_values(number, each, replay_values(replay) | values)
        else:
            lines = move_lines(game, *how) if told else []
            answers.print_lines([f"deal {number}: {replay_words(game, replay)}", *lines])
    raise typer.Exit(0 if right else 1)


def deals_with_solutions(
    deal: Path,
    solution: Path,
    size_max: int,
    read_deals: Callable[[str, str], list[Deal]],
    read_solutions: Callable[[str, str], list[Solution]],
) -> Iterator[tuple[Deal, Solution]]:
    """Each deal of the file ``deal`` with its solution in the file ``solution``; UserError unless there are as many.

    The readers take a text and its name. No file may have more than ``size_max`` bytes; one of the two may be
    standard input, ``-``.
    """
    if str(deal) == str(solution) == "-":
        raise UserError("SOLUTION", "deals and solutions cannot both be standard input")
    deals = read_deals(read_text(deal, size_max), str(deal))
    solutions = read_solutions(read_text(solution, size_max), str(solution))
    if len(deals) != len(solutions):
        raise UserError(
            str(solution),
            f"solutions: {len(solutions)}, deals: {len(deals)}; there must be as many (a solution goes on as "
            "long as arrows join its moves)",
        )
    return zip(deals, solutions, strict=True)
