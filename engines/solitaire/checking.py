"""``check`` of every solitaire, and its first step for every game: reading deals and their solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from engines.contract.answer import Answer, Door
from engines.contract.source import STANDARD_INPUT, Source
from engines.solitaire.answers import Answers, replay_values, replay_words
from engines.solitaire.readback import in_notation
from engines.solitaire.telling import Style, told_moves
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.game import Solitaire

Deal = TypeVar("Deal")
Solution = TypeVar("Solution")


def check(
    game: Solitaire[Any, Any, Any],
    door: Door,
    deal: Source,
    solution: Source,
    options: Any,
    style: Style | None,
    boards: bool,
) -> Iterator[Answer]:
    """Replay the solutions of a text; exit status 1 unless each of them wins, or ends as it claims.

    With a ``style`` or ``boards`` the answer has the moves, too.
    """
    from engines.solitaire.game import FILE_BYTES

    def read_solutions(text: str, source: str) -> list[Any]:
        return game.read_solutions(in_notation(game, text, source), source)

    pairs = list(deals_with_solutions(deal, solution, FILE_BYTES, game.read_deals, read_solutions))
    for number, (each, _) in enumerate(pairs, start=1):
        if game.unknown_count(each):
            raise UserError(f"{deal.name}, deal {number}", "all cards must be known to replay a solution")
    answers = Answers(game, options, door)
    for number, (each, written) in enumerate(pairs, start=1):
        replay = None if written is None else game.replay(each, written, options)
        values, lines = replay_values(replay), [f"deal {number}: {replay_words(game, replay)}"]
        if replay is not None and replay.moves and (style is not None or boards):
            told = told_moves(game, each, replay.moves, options, style or Style.report, boards)
            values |= told.values
            lines += told.lines
        status = 0 if replay is None or replay.problem is None else 1
        yield answers.of(number, each, values, lines, status=status, apart=False)


def deals_with_solutions(
    deal: Source,
    solution: Source,
    size_max: int,
    read_deals: Callable[[str, str], list[Deal]],
    read_solutions: Callable[[str, str], list[Solution]],
) -> Iterator[tuple[Deal, Solution]]:
    """Each deal of the text ``deal`` with its solution in the text ``solution``; UserError unless there are as many.

    The readers take a text and its name. Neither may have more than ``size_max`` bytes; one of the two may be
    standard input.
    """
    if deal.name == solution.name == STANDARD_INPUT:
        raise UserError("SOLUTION", "deals and solutions cannot both be standard input")
    deals = read_deals(deal.read(size_max), deal.name)
    solutions = read_solutions(solution.read(size_max), solution.name)
    if len(deals) != len(solutions):
        raise UserError(
            solution.name,
            f"solutions: {len(solutions)}, deals: {len(deals)}; there must be as many (a solution goes on as "
            "long as arrows join its moves)",
        )
    return zip(deals, solutions, strict=True)
