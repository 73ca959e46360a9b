"""The only way to the Rust player of Calculation. Every game is replayed by the referee before it is returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from engines import _native
from engines.calculation import rules
from engines.calculation.estimate import Assignment, Value
from engines.calculation.player import LAST_HOPE, Options, Play, Played
from engines.calculation.record import ends_of_turns
from engines.calculation.rules import FOUNDATIONS, Move, Position
from engines.calculation.text import name_of
from engines.stackgame.built import BuiltTable, open_table
from engines.stackgame.table import StackgameTableJob
from storage.place import Place

SMALLER_RANKS = 8
"""Ranks of a smaller game that is suggested where the table of a larger one is missing."""
_NO_TARGET = 255
"""The core's value instead of a foundation when no assignment is left."""


def table_job(ranks: int, stacks: int) -> StackgameTableJob:
    """The job of the table that a game is played by: two boards, without each foundation's first card."""
    return StackgameTableJob(
        "stackgame_table", stacks=stacks, boards=2, cards=ranks - 1, value_type="float32"
    )


def open_player(options: Options, tables_dir: Place) -> CorePlayer:
    """A player with the finished table below ``tables_dir``; UserError that says how to build it when there is
    none."""
    smaller = ""
    if options.ranks > SMALLER_RANKS:
        smaller = f"; a game of fewer ranks has a smaller one: A to {name_of(SMALLER_RANKS)}, for example"
    return CorePlayer(options, open_table(tables_dir, table_job(options.ranks, options.stacks), smaller))


def random_deck(seed: int, index: int, ranks: int) -> tuple[int, ...]:
    """Deck ``index`` of a seed, as ranks: the core's shuffled deck, four cards in a row for each rank."""
    cards = _native.shuffled_deck(seed, index, rules.COPIES * ranks).tolist()
    return tuple(card // rules.COPIES + 1 for card in cards)


class CorePlayer:
    """A ``Player`` by a table."""

    def __init__(self, options: Options, table: BuiltTable) -> None:
        self.options = options
        self._table = table
        with table.naming_files():
            self._core = _native.CalculationPlayer(
                _native.TableReader(table.game, table.readers),
                keep=options.keep,
                look_ahead=options.look_ahead,
                playouts=options.playouts,
                value=options.value.value,
                exponent=options.exponent,
                alike=options.alike.value,
                recast=options.recast.value,
                edges=options.edges.value,
                ties=options.ties.value,
                misfits=options.misfits.value,
                eager=options.eager,
                exact_cards=options.exact_cards,
            )

    def play(self, decks: Sequence[Sequence[int]], assignments: bool = False) -> list[Played]:
        """Play decks; RuntimeError if the referee does not accept a game."""
        with self._table.naming_files():
            games = self._core.play(np.array(decks, np.uint8).reshape(len(decks), -1))
        return [self._played(deck, games, number, assignments) for number, deck in enumerate(decks)]

    def advise(self, position: Position) -> list[Play]:
        """All plays, best first, with the best assignments of the cards on stacks."""
        with self._table.naming_files():
            found = self._core.advise(
                list(position.heights), [list(stack) for stack in position.stacks], position.drawn
            )
        plays = []
        for rows, value, targets, _, chances in found:
            moves, after = tuple(Move(*row) for row in rows.tolist()), position
            for move in moves:
                after = rules.play(after, move)
            assignment = None if targets is None else tuple(map(tuple, targets))
            plays.append(Play(moves, after, _told(value), assignment, tuple(chances)))
        return plays

    def evaluate(self, position: Position, assignment: Assignment) -> Value:
        """The value of a position between turns with an assignment; 0 when it cannot be won."""
        boards = range(FOUNDATIONS)
        pairs = list(combinations(boards, 2))
        with self._table.naming_files():
            found = self._core.estimate(
                list(position.heights),
                [list(stack) for stack in position.stacks],
                [list(theirs) for theirs in assignment],
            )
        if found is None:
            return Value(dict.fromkeys(boards, 0.0), dict.fromkeys(pairs, 0.0), 0.0)
        parts, probability = found
        return Value(
            dict(zip(boards, parts, strict=False)),
            dict(zip(pairs, parts[FOUNDATIONS:], strict=True)),
            _told(probability),
        )

    def _played(
        self, deck: Sequence[int], games: _native.CalculationGames, number: int, assignments: bool
    ) -> Played:
        moves = tuple(Move(*row) for row in games.moves(number).tolist())
        won, left_count = bool(games.won[number]), int(games.cards_left[number])
        found = rules.replay(deck, moves, self.options.ranks, self.options.stacks)
        if (found.outcome, found.left_count, found.problem) != ("won" if won else "lost", left_count, None):
            raise RuntimeError(f"the core's game is not as it says, or against the rules: {found.problem}")
        return Played(
            outcome=found.outcome,
            moves=moves,
            left_count=left_count,
            draws_count=int(games.draws_count[number]),
            evaluations_count=int(games.evaluations_count[number]),
            lookups_count=int(games.lookups_count[number]),
            missing_count=int(games.missing_count[number]),
            elapsed_s=float(games.elapsed_s[number]),
            assignments=tuple(self._assignments(deck, moves, games.targets(number).tolist()))
            if assignments
            else (),
        )

    def _assignments(
        self, deck: Sequence[int], moves: Sequence[Move], targets: list[int]
    ) -> Iterator[Assignment | None]:
        """The core's values for the ends of all turns, one after another."""
        rest = iter(targets)
        for position in ends_of_turns(deck, moves, self.options.ranks, self.options.stacks):
            assignment = tuple(tuple(next(rest) for _ in stack) for stack in position.stacks)
            lost = any(target == _NO_TARGET for stack in assignment for target in stack)
            yield None if lost else assignment


def _told(value: float) -> float:
    """A last hope is shown as 0. (Rounded, the largest is above the fraction.)"""
    return value if value > float(LAST_HOPE) else 0.0
