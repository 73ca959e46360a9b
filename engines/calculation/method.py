"""The paper's player as it is described, on exact values: slow, for tiny games, to compare the core with.

The value of a position at the end of a turn is the largest value (``estimate.value``) of its assignments, or as the
options say; with look-ahead, the mean over the next card of the value of the best reply. Every play is tried: the
drawn card to a foundation that takes it or to a stack, then any stack tops to foundations or none. (Tanaka, section
3.) When no assignment is left, all are searched for once more; a game without any is still played to its end.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from engines.calculation import estimate, rules
from engines.calculation.estimate import Assignment, Value
from engines.calculation.player import (
    LAST_HOPE,
    Alike,
    Misfits,
    Options,
    Play,
    Played,
    PositionValue,
    Recast,
    Ties,
)
from engines.calculation.playouts import chance, playout_order
from engines.calculation.rules import DRAWN, FOUNDATIONS, Move, Position
from engines.stackgame.rules import State, probability

PLAYOUTS_KEEP = 10
"""Assignments that the player of playouts keeps."""
PLAYOUTS_DRAWS = 10
"""Draws of a playout."""
MOST_TRIED = 5
"""So many plays are tried by playouts, if they are worth at least LEAST_PART of the best one."""
LEAST_PART = Fraction(3, 10)
WEIGHT = 1.0
"""So much times the logarithm of a play's value comes to the sum of its chances."""
ROUND = 16
"""After so many playouts, and so many more, plays may be given up."""
SURE = 2.5
"""So many standard errors of the differences to the best play are sure."""
TRIFLE = 0.004
"""A play that is surely no better than the best one by so much chance is given up."""
EQUAL = 1e-4
"""Sums of chances that differ by less than this are equal."""

Kept = tuple[tuple[Assignment, Fraction], ...]
"""Assignments without contradiction with their values, best first."""


@dataclass(frozen=True)
class Candidate:
    """A way to finish a turn."""

    moves: tuple[Move, ...]
    position: Position
    kept: Kept


class LiteralPlayer:
    """A ``Player``; positions of a few cards only."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._edges = options.edges
        self._known: dict[State, Fraction] = {}
        self._states: dict[State, Fraction] = {}
        self._values: dict[tuple[Position, Assignment], Fraction] = {}

    def play(self, decks: Sequence[Sequence[int]], assignments: bool = False) -> list[Played]:
        """Play decks, one after another."""
        return [self._play(deck, assignments) for deck in decks]

    def advise(self, position: Position) -> list[Play]:
        """Every play, by the best assignments that the cards on stacks can have, best first."""
        ways = self._ordered(position, self.assign(position))
        made, chances = self._try_out(position, ways) if self.options.playouts else (0, [])
        chances += [[]] * (len(ways) - len(chances))
        plays = [
            Play(
                each.moves,
                each.position,
                _told(self.worth(each)),
                each.kept[0][0] if each.kept else None,
                tuple(its_chances),
            )
            for each, its_chances in zip(ways, chances, strict=True)
        ]
        return [plays.pop(made), *plays]

    def evaluate(self, position: Position, assignment: Assignment) -> Value:
        """The paper's estimate by exact values of the stack game's states."""
        return estimate.value(
            position, assignment, lambda state: float(self._probability(state)), self._edges
        )

    def candidates(self, position: Position, kept: Kept) -> list[Candidate]:
        """All ways to finish the turn; ``position`` may have a drawn card.

        First the drawn card to foundations, then to stacks (of empty ones to the first), then what stack tops can do
        after each of these, fewer moves before more. Where several ways lead to one position, the first counts. When
        the pile is empty, what stack tops do follows from the best assignment: see ``finish``.
        """
        if position.drawn is not None:
            kept = self.recast(replace(position, drawn=None), kept, position.drawn)
        ways = [Candidate((), position, kept)]
        if position.drawn is not None:
            empty = [FOUNDATIONS + stack for stack, cards in enumerate(position.stacks) if not cards]
            ways = [
                self._after(ways[0], move)
                for move in rules.legal_moves(position)
                if move.target not in empty[1:]
            ]
        if not any(position.pile().values()):
            return ways
        for way in ways:  # grows as it goes
            for move in rules.legal_moves(way.position):
                following = self._after(way, move)
                if all(following.position != other.position for other in ways):
                    ways.append(following)
        if self.options.eager:
            ways = [way for way in ways if not rules.legal_moves(way.position)]
        return ways

    def choose(self, position: Position, kept: Kept) -> Candidate:
        """The best way to finish the turn."""
        ways = self._ordered(position, kept)
        return ways[self._try_out(position, ways)[0] if self.options.playouts else 0]

    def _ordered(self, position: Position, kept: Kept) -> list[Candidate]:
        """All ways to finish the turn, best first by value."""
        numbered = enumerate(self.candidates(position, kept))
        return [way for _, way in sorted(numbered, key=lambda each: self._order(each[1], each[0]))]

    def _try_out(self, position: Position, ways: Sequence[Candidate]) -> tuple[int, list[list[float]]]:
        """Of ways, best first, the number of the one after which chances are best with some piles; these chances, of
        the first ways."""
        largest = self.worth(ways[0])
        tried = [
            way
            for way in ways[:MOST_TRIED]
            if largest > LAST_HOPE and self.worth(way) >= LEAST_PART * largest
        ]
        cards = [rank for rank, count in sorted(position.pile().items()) for _ in range(count)]
        if len(tried) < 2 or not cards:
            return 0, []
        few = min(self.options.keep, PLAYOUTS_KEEP)
        player = LiteralPlayer(replace(self.options, keep=few, look_ahead=0, playouts=0))
        player._states, player._values = self._states, self._values
        known = [WEIGHT * math.log(float(self.worth(way)) / float(largest)) for way in tried]
        chances: list[list[float]] = [[] for _ in tried]
        open_ones = list(range(len(tried)))
        for number in range(self.options.playouts):
            if number and number % ROUND == 0:
                best = _best(open_ones, chances, known)
                open_ones = [
                    n
                    for n in open_ones
                    if n == best or not _is_behind(chances[n], chances[best], known[best] - known[n])
                ]
                if len(open_ones) == 1:
                    break
            pile = [cards[card] for card in playout_order(number, len(cards))]
            for n in open_ones:
                chances[n].append(player._chance(replace(tried[n], kept=tried[n].kept[:few]), pile))
        return _best(open_ones, chances, known), chances

    def _chance(self, way: Candidate, pile: Sequence[int]) -> float:
        """The chance to win after the next draws from a pile in this order."""
        for number, rank in enumerate(pile):
            best = way.kept[0][1] if way.kept else Fraction(0)
            if best <= LAST_HOPE or best == 1:
                return float(best == 1)
            if number == PLAYOUTS_DRAWS:
                part = Fraction(len(pile) - number, FOUNDATIONS * way.position.ranks)
                return chance(len(way.position.stacks), float(self.worth(way)), float(part))
            way = self.choose(rules.draw(way.position, rank), way.kept)
        position = way.position
        for move in self.finish(way):
            position = rules.play(position, move)
        return float(position.is_won())

    def recast(self, before: Position, kept: Kept, rank: int) -> Kept:
        """Assignments with other targets for stacked cards of the drawn card's rank, in the position before the
        draw."""
        places = [
            (stack, place)
            for stack, cards in enumerate(before.stacks)
            for place, card in enumerate(cards)
            if card == rank
        ]
        if self.options.recast == Recast.none or not places:
            return kept
        found = [assignment for assignment, _ in kept]
        for assignment, _ in kept:
            for stack, place in places:
                for free in _free(before, assignment, rank):
                    found.append(_with(assignment, stack, place, free))
            for one, other in combinations(places, 2):
                first, second = (assignment[stack][place] for stack, place in (one, other))
                found.append(_with(_with(assignment, *one, second), *other, first))
        return self.keep_best(before, found)

    def finish(self, candidate: Candidate) -> list[Move]:
        """When the pile is empty: all possible moves, by the best assignment as long as there is one."""
        moves = []
        position, kept = candidate.position, candidate.kept[:1]
        while legal := rules.legal_moves(position):
            meant = [move for move in legal if kept and kept[0][0][move.source][-1] == move.target]
            move = (meant or legal)[0]
            moves.append(move)
            kept = self._after(Candidate((), position, kept), move).kept if meant else ()
            position = rules.play(position, move)
        return moves

    def assign(self, position: Position) -> Kept:
        """The best assignments of all that the cards on stacks can have."""
        return self.keep_best(position, all_assignments(position))

    def worth(self, candidate: Candidate, ahead: int | None = None) -> Fraction:
        """The value of the position at the end of a turn, with so many draws of look-ahead."""
        ahead = self.options.look_ahead if ahead is None else ahead
        pile = {rank: count for rank, count in candidate.position.pile().items() if count}
        if ahead == 0 or not pile:
            return self._now(candidate.kept)
        total = Fraction(0)
        for rank, count in pile.items():
            replies = self.candidates(rules.draw(candidate.position, rank), candidate.kept)
            total += count * max(self.worth(reply, ahead - 1) for reply in replies)
        return total / sum(pile.values())

    def _play(self, deck: Sequence[int], told: bool) -> Played:
        start_s, evaluations = time.thread_time(), len(self._values)
        position = rules.start(self.options.ranks, self.options.stacks)
        kept: Kept = ()
        moves: list[Move] = []
        best: list[Assignment | None] = []
        draws_count = 0
        hopeless = False
        for rank in deck:
            if not kept and not hopeless:
                kept = self.assign(position)
                hopeless = not kept
            chosen = self.choose(rules.draw(position, rank), kept)
            moves += chosen.moves
            position, kept = chosen.position, chosen.kept
            draws_count += bool(kept) and kept[0][1] > LAST_HOPE
            best.append(kept[0][0] if kept else None)
        moves += (rest := self.finish(chosen))
        if rest:
            best[-1] = None
        found = rules.replay(deck, moves, self.options.ranks, self.options.stacks)
        assert found.problem is None
        if found.outcome == "won":
            best[-1] = ((),) * self.options.stacks
        return Played(
            outcome=found.outcome,
            moves=tuple(moves),
            left_count=found.left_count,
            draws_count=draws_count,
            evaluations_count=len(self._values) - evaluations,
            lookups_count=len(self._states),
            missing_count=0,
            elapsed_s=time.thread_time() - start_s,
            assignments=tuple(best) if told else (),
        )

    def _order(self, candidate: Candidate, number: int) -> tuple[Fraction, int, int]:
        """A key for choosing among ways: the smallest is taken; ``number`` is the place in ``candidates``."""
        height, ties = sum(candidate.position.heights), self.options.ties
        return (
            -self.worth(candidate),
            height if ties == Ties.stack else -height,
            -number if ties == Ties.last_stack else number,
        )

    def _after(self, candidate: Candidate, move: Move) -> Candidate:
        """The position and its assignments after a move."""
        after = rules.play(candidate.position, move)
        moved = [new for old, _ in candidate.kept for new in self._moved(candidate.position, old, move)]
        return Candidate((*candidate.moves, move), after, self.keep_best(after, moved))

    def _now(self, kept: Kept) -> Fraction:
        best = kept[0][1] if kept else Fraction(0)
        if self.options.value == PositionValue.max:
            return best
        if self.options.value == PositionValue.norm:
            if best <= LAST_HOPE:
                return best
            exponent = self.options.exponent
            total = sum(math.pow(value / best, exponent) for _, value in kept)
            # Equal values must come out equal, in whatever order they are added.
            norm = float(best) * math.pow(total, 1 / exponent)
            return Fraction(float(f"{norm:.9g}"))
        missed = Fraction(1)
        for _, value in kept:
            missed *= 1 - value
        return 1 - missed

    def keep_best(self, position: Position, assignments: Iterable[Assignment]) -> Kept:
        """The best of open assignments; the first of equal ones."""
        valued = [(each, self._value(position, each)) for each in dict.fromkeys(assignments)]
        valued = sorted((each for each in valued if each[1] > 0), key=lambda each: -each[1])
        if self.options.alike == Alike.once:
            first = {self._leaves(position, each[0], each[1] >= LAST_HOPE): each for each in reversed(valued)}
            valued = [each for each in valued if each in first.values()]
        return tuple(valued[: self.options.keep])

    def _leaves(self, position: Position, assignment: Assignment, is_open: bool) -> object:
        """A key that is equal for assignments that are alike."""
        pile = tuple(
            rank
            for foundation, height in enumerate(position.heights)
            for rank in (*rules.row(foundation, position.ranks)[height + 1 :], None)
            if rank is None or _meant_for(position.stacks, assignment, rank, foundation) is None
        )
        boards = [*combinations(range(FOUNDATIONS), 1), *combinations(range(FOUNDATIONS), 2)]
        if not is_open:
            return pile
        return pile, *(estimate.state(position, assignment, each, self._edges) for each in boards)

    def _value(self, position: Position, assignment: Assignment) -> Fraction:
        key = position, assignment
        if key not in self._values:
            self._values[key] = self._product(position, assignment)
        return self._values[key]

    def _product(self, position: Position, assignment: Assignment) -> Fraction:
        """``estimate.value`` in fractions; 0 for contradictions, and for states that the table cannot have.

        By ``LAST_HOPE`` where some card of the pile has no stack, or has none after any draw.
        """
        whole = estimate.state(position, assignment, range(FOUNDATIONS))
        if whole is None or estimate.has_first(position, assignment):
            return Fraction(0)
        stuck = sum(mask == (1 << whole.stacks) - 1 for mask in whole.forbidden)
        if stuck:
            return LAST_HOPE / (1 << stuck)

        def of(*boards: int) -> Fraction:
            state = estimate.state(position, assignment, boards, self._edges)
            assert state is not None, "an open position has no cycle"
            return self._probability(state)

        singles = [of(board) for board in range(FOUNDATIONS)]
        product = Fraction(1)
        for single in singles:
            product *= single
        for a, b in combinations(range(FOUNDATIONS), 2):
            if product:
                product *= of(a, b) / (singles[a] * singles[b])
        return product or LAST_HOPE

    def _probability(self, state: State) -> Fraction:
        if state not in self._states:
            self._states[state] = probability(state, self._known)
        return self._states[state]

    def _moved(self, before: Position, assignment: Assignment, move: Move) -> Iterator[Assignment]:
        """The assignments that follow from one by a move: none, one or several."""
        if move.target >= FOUNDATIONS:
            assert before.drawn is not None
            stack = move.target - FOUNDATIONS
            for free in _free(before, assignment, before.drawn, stacked=True):
                yield _with(assignment, stack, len(assignment[stack]), free)
            return
        if move.source == DRAWN:
            assert before.drawn is not None
            rank, meant, left = before.drawn, None, assignment
        else:
            rank, meant = before.stacks[move.source][-1], assignment[move.source][-1]
            left = tuple(
                theirs[:-1] if stack == move.source else theirs for stack, theirs in enumerate(assignment)
            )
        if meant == move.target:
            yield left
            return
        stacks = [cards[:-1] if stack == move.source else cards for stack, cards in enumerate(before.stacks)]
        other = _meant_for(stacks, left, rank, move.target)
        drops = self.options.misfits == Misfits.drop
        if other is None:
            # A card of the pile was meant for this place; the two are alike.
            yield left
        elif not drops:
            theirs = _free(before, assignment, rank) if meant is None else [meant]
            for target in theirs:
                yield _with(left, *other, target)


def _told(value: Fraction) -> float:
    """A last hope is shown as 0."""
    return float(value) if value > LAST_HOPE else 0.0


def all_assignments(position: Position) -> list[Assignment]:
    """All assignments of the cards on stacks, open or not."""
    found: list[Assignment] = [((),) * len(position.stacks)]
    for number, cards in enumerate(position.stacks):
        for place in range(len(cards)):
            below = Position(
                position.ranks,
                position.heights,
                (*position.stacks[:number], cards[:place], *((),) * (len(position.stacks) - number - 1)),
            )
            found = [
                _with(assignment, number, place, free)
                for assignment in found
                for free in _free(below, assignment, cards[place])
            ]
    return found


def _free(position: Position, assignment: Assignment, rank: int, stacked: bool = False) -> list[int]:
    """The foundations that wait for a card of this rank which is not on a stack.

    ``stacked``: without those that take it at once: a card that fits is played, and not put on a stack for the same
    foundation.
    """
    return [
        foundation
        for foundation, height in enumerate(position.heights)
        if rank in rules.row(foundation, position.ranks)[height + stacked :]
        and _meant_for(position.stacks, assignment, rank, foundation) is None
    ]


def _best(open_ones: Sequence[int], chances: Sequence[Sequence[float]], known: Sequence[float]) -> int:
    """Of ways with as many playouts the one with the largest sum of chances and of what is known of it, the first of
    nearly equal ones."""
    best = open_ones[0]
    for n in open_ones:
        if known[n] + sum(chances[n]) > known[best] + sum(chances[best]) + EQUAL:
            best = n
    return best


def _is_behind(chances: Sequence[float], best: Sequence[float], known: float) -> bool:
    """Whether a way is surely not worth more tries, by chances on the same piles and by what is known to be between it
    and the best one."""
    differences = [mine - other for mine, other in zip(best, chances, strict=True)]
    total = sum(differences)
    spread = sum(each * each for each in differences) - total * total / len(differences)
    return known + total + TRIFLE * len(differences) > SURE * math.sqrt(max(spread, 0.0))


def _meant_for(
    stacks: Sequence[Sequence[int]], assignment: Assignment, rank: int, foundation: int
) -> tuple[int, int] | None:
    """Stack and place of the card of a rank that is meant for a foundation; None when it is not on a stack."""
    for stack, cards in enumerate(stacks):
        for place, card in enumerate(cards):
            if (card, assignment[stack][place]) == (rank, foundation):
                return stack, place
    return None


def _with(assignment: Assignment, stack: int, place: int, foundation: int) -> Assignment:
    """An assignment with one card meant for ``foundation``, one that it has or the next on a stack."""
    changed = list(assignment[stack])
    changed[place : place + 1] = [foundation]
    return (*assignment[:stack], tuple(changed), *assignment[stack + 1 :])
