"""Games of Calculation, played again by the referee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as changed

from engines.calculation import rules
from engines.calculation.laid import laying_moves
from engines.calculation.options import Rules
from engines.calculation.record import Game, Turn, written_moves
from engines.calculation.rules import DRAWN, Move, Position
from engines.calculation.text import name_of, ranks_of
from engines.solitaire.found import Replay
from storage.errors import UserError

ENDINGS = {"won": "won", "lost": "lost", "undecided": "not finished"}


def replay(deck: Sequence[int], game: Game, options: Rules) -> Replay[Move]:
    """The result of a written game; one that keeps to the rules has no problem, however it ends."""
    found = check_game(deck, game, ranks_of(deck), options.stacks)
    counts = {
        "outcome": found.outcome,
        "draws_count": found.draws_count,
        "left_count": found.left_count,
    }
    problem, laying = found.problem, laying_moves(deck)
    if problem is None and found.moves[: len(laying)] != laying:
        problem = f"the game begins with {' '.join(written_moves(deck, laying))}, cards on the foundations"
    free_count = min(len(laying), len(found.moves))
    return Replay(found.moves, problem, counts, ending=ENDINGS[found.outcome], free_count=free_count)


def check_game(deck: Sequence[int], game: Game, ranks: int, stacks: int) -> rules.Replay:
    """Play a written game again; UserError when one of its boards is impossible."""
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
        found = changed(found, outcome="undecided", problem=problem)
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
    """False when cards have left stacks, or are on foundations, and ``after`` does not have them so. (There is no
    drawn card.)"""
    return all(now <= then for now, then in zip(position.heights, after.heights, strict=True)) and all(
        now[: len(then)] == then for now, then in zip(position.stacks, after.stacks, strict=True)
    )
