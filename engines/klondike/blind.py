"""A player of Klondike who sees only open cards: neither face-down cards nor the rest of the stock.

**The player** draws some deals that fit what is seen (determinization). In all of them it tries each of its moves and
searches on with all cards known. It makes the move after which most of these deals can be won. (Sampling "in
hindsight", as of R. Bjarnason, A. Fern and P. Tadepalli, "Lower bounding Klondike Solitaire with Monte-Carlo
planning", ICAPS 2009; how moves are chosen is ours.)

- A card that is safe on its foundation (``is_safe``) goes there at once: no deal is lost by it.
- While cards of the stock are unknown, drawing is one of the moves. Whoever knows all cards loses nothing by it, so a
  draw is taken unless another move is as good in the deals that were taken. Once the stock is known, moves of its cards
  are taken together with the draws that they need, and no draw goes for itself.
- Among equally good moves it prefers one that turns a card up, then one to a foundation, then one from the stock.
- Moves that only rearrange are not made: part of a run leaves its column only if the card under it then goes to its
  foundation, a king leaves a column only if a card lies under it, and no card comes back from a foundation. So every
  move but a draw can never be taken back, and a game ends. The searches do not take cards back either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engines.klondike import rules
from engines.klondike.core import Mode, search
from engines.klondike.rules import RED, SUITS, Kind, Move, Position, Rules
from engines.klondike.unknown import UNKNOWN, as_dealt, sampled, turned_up
from engines.solitaire.limits import Bounds
from engines.text.cards import rank_of, suit_of

STREAMS = 1 << 20
"""Streams for each deal of a seed, from which deals that fit are drawn one after another."""

Plan = tuple[Move, ...]
"""Moves that are made together; all are legal."""


@dataclass(frozen=True)
class Patience:
    """How much the player computes."""

    samples_count: int
    """Number of deals that fit, for each choice."""
    search_states: int
    """Most states of each search; a deal that is still open counts as lost."""


@dataclass(frozen=True)
class Game:
    """A game that was played."""

    won: bool
    moves: Plan
    searches_count: int
    states_count: int
    peak_bytes: int


class Player:
    """Plays one deal. ``seed`` and ``index`` are the deal's: deals that fit come from separate streams."""

    def __init__(self, truth: Position, options: Rules, patience: Patience, seed: int, index: int) -> None:
        self._truth = truth
        self._seen = as_dealt(truth)
        self._rules = replace(options, foundation_back=False)
        self._patience = patience
        self._seed, self._stream = seed, index * STREAMS
        self._moves: list[Move] = []
        self._searches_count = self._states_count = self._peak_bytes = 0

    def play(self) -> Game:
        """Play to the end: a sure win, or no move that leads on."""
        while not rules.is_won(self._truth):
            plan = self._next()
            if plan is None:
                break
            for move in plan:
                self._make(move)
        return Game(
            rules.is_won(self._truth),
            tuple(self._moves),
            self._searches_count,
            self._states_count,
            self._peak_bytes,
        )

    def _make(self, move: Move) -> None:
        self._truth = rules.play(self._truth, move, self._rules)
        self._seen = turned_up(rules.play(self._seen, move, self._rules), self._truth)
        self._moves.append(move)

    def _next(self) -> Plan | None:
        safe = safe_move(self._seen)
        if safe is not None:
            return (safe,)
        choices = list(plans(self._seen, self._rules))
        if len(choices) <= 1:
            return choices[0] if choices else None
        won_counts = [0] * len(choices)
        for _ in range(self._patience.samples_count):
            deal = sampled(self._seen, self._seed, self._stream)
            self._stream += 1
            for number, plan in enumerate(choices):
                won_counts[number] += self._wins(rules.replay(deal, plan, self._rules))
        # Choices come in the order of preference.
        return choices[max(range(len(choices)), key=lambda number: (won_counts[number], -number))]

    def _wins(self, position: Position) -> bool:
        found = search(position, self._rules, Mode.decide, Bounds(self._patience.search_states))
        self._searches_count += 1
        self._states_count += found.effort_count
        self._peak_bytes = max(self._peak_bytes, found.peak_bytes)
        return found.outcome == "won"


def is_safe(card: int, foundations: Sequence[int]) -> bool:
    """Whether a card of the columns can go to its foundation without a loss (C. Blake and I. Gent, JAIR 85, 2026).

    It must be the next one there: at most two ranks above both foundations of the other colour, three above the
    other one of its own.
    """
    suit, rank = suit_of(card), rank_of(card)
    if rank != foundations[suit] + 1:
        return False
    return all(
        rank <= foundations[other] + (3 if (other in RED) == (suit in RED) else 2)
        for other in range(SUITS)
        if other != suit
    )


def safe_move(seen: Position) -> Move | None:
    """A move of a safe card."""
    for column, cards in enumerate(seen.columns):
        if cards and is_safe(cards[-1], seen.foundations):
            return Move(Kind.COLUMN_FOUNDATION, column)
    return None


def plans(seen: Position, options: Rules) -> Iterator[Plan]:
    """The moves that the player considers, in the order of preference among equally good ones."""
    moves = [move for move in rules.legal_moves(seen, options) if not _is_same(seen, move)]
    runs = [move for move in moves if move.kind == Kind.COLUMN_COLUMN]
    yield from ((move,) for move in runs if _turns_up(seen, move))
    yield from ((move,) for move in moves if move.kind == Kind.COLUMN_FOUNDATION)
    for move in runs:
        # The card under part of a run goes up.
        after = rules.play(seen, move, options)
        up = Move(Kind.COLUMN_FOUNDATION, move.source)
        if not _is_whole(seen, move) and rules.illegal(after, up, options) is None:
            yield (move, up)
    if UNKNOWN in seen.stock:
        yield from ((move,) for move in moves if move.kind in (Kind.WASTE_FOUNDATION, Kind.WASTE_COLUMN))
        yield from ((move,) for move in moves if move.kind in (Kind.DEAL, Kind.REDEAL))
    else:
        yield from _from_stock(seen, options)


def _from_stock(seen: Position, options: Rules) -> Iterator[Plan]:
    """Plays from the waste with the draws that they need, the nearest first."""
    drawn: list[Move] = []
    known = {(seen.stock, seen.waste)}
    while True:
        for move in rules.legal_moves(seen, options):
            if move.kind in (Kind.WASTE_FOUNDATION, Kind.WASTE_COLUMN) and not _is_same(seen, move):
                yield (*drawn, move)
        draw = next(
            (
                move
                for move in (Move(Kind.DEAL), Move(Kind.REDEAL))
                if rules.illegal(seen, move, options) is None
            ),
            None,
        )
        if draw is None:
            return
        seen = rules.play(seen, draw, options)
        if (seen.stock, seen.waste) in known:
            return
        known.add((seen.stock, seen.waste))
        drawn.append(draw)


def _is_same(seen: Position, move: Move) -> bool:
    """Whether a move goes to an empty column while there is one further left."""
    goes_there = move.kind in (Kind.COLUMN_COLUMN, Kind.WASTE_COLUMN)
    return goes_there and () in seen.columns[: move.target] and not seen.columns[move.target]


def _is_whole(seen: Position, move: Move) -> bool:
    return move.cards_count == len(seen.columns[move.source]) - seen.face_down[move.source]


def _turns_up(seen: Position, move: Move) -> bool:
    """Whether a move takes all that lies face up in its column, and turns a card up or goes onto another column."""
    if not _is_whole(seen, move):
        return False
    return seen.face_down[move.source] > 0 or bool(seen.columns[move.target])
