"""Positions of Calculation for every door: boards, with the pile where it is known.

In a replay the drawn card is part of the position before its move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace as changed

from engines.calculation import rules
from engines.calculation.describing import places_of
from engines.calculation.options import STACKS, Ranks, Rules
from engines.calculation.picture import picture
from engines.calculation.position import Told, format_told, read_position, untold
from engines.calculation.record import Game, read_solutions, written_moves
from engines.calculation.replay import replay
from engines.calculation.rules import COPIES, DRAWN, Move
from engines.calculation.text import lines_of, name_of, rank_of_card, ranks_of, read_decks
from engines.contract.blank import Blank
from engines.contract.picture import Picture
from engines.contract.positions import NOT_FINISHED, Play, Positions, Replayed, only_one
from engines.solitaire.found import WON
from storage.errors import UserError

LOST = "lost"


class CalculationPositions(Positions[Told]):
    """Boards; a deck is one before its first card is drawn."""

    options = Rules
    sizes = Ranks
    asks = ("advise",)

    def blank(self, sizes: Ranks) -> Blank:
        """The pile."""
        names = {name_of(rank): COPIES for rank in range(1, sizes.ranks + 1)}
        return Blank((("pile, as it is drawn", COPIES * sizes.ranks),), names, "7 or K")

    def card(self, word: str) -> str | None:
        """Its rank; a suit may be typed, too."""
        rank = rank_of_card(word)
        return None if rank is None else name_of(rank)

    def filled(self, sizes: Ranks, names: Sequence[Sequence[str]]) -> str:
        """A deck."""
        return " ".join(names[0])

    def read(self, text: str, name: str) -> list[Told]:
        """A position, or decks, which get the default number of stacks."""
        if _has_board(text, name):
            return [read_position(text, name)]
        return [_dealt(deck, STACKS) for deck in read_decks(text, name)]

    def write(self, position: Told) -> str:
        """Rows joined by slashes."""
        return format_told(position)

    def picture(self, position: Told) -> Picture:
        """Foundations, stacks, pile."""
        return picture(position)

    def plays(self, position: Told, options: Rules) -> Iterator[Play[Told]]:
        """Plays of the drawn card; without one, of stack tops, and of the next card where the pile is known."""
        if position.position.drawn is None:
            yield from (_play(position, move) for move in rules.legal_moves(position.position))
            if not position.pile:
                return
            position = _with_drawn(position, position.pile[0])
        yield from (_play(position, move) for move in rules.legal_moves(position.position))

    def replay(self, deal: str, moves: str, options: Rules) -> Replayed[Told]:
        """A game of moves from a deck or a position, or one of boards from a deck."""
        game = only_one(read_solutions(moves, "moves"), "moves") if moves.strip() else None
        game = game or Game()
        if _has_board(deal, "deal"):
            start = read_position(deal, "deal")
            if game.turns:
                raise UserError("moves", "a game of boards is replayed from a deck")
            played, problem = _legal(start, game)
            free_count = 0
        else:
            deck = only_one(read_decks(deal, "deal"), "deal")
            start = _dealt(deck, options.stacks)
            found = replay(deck, game, options)
            played, problem, free_count = found.moves, found.problem, found.free_count
        draws = game.drawn or tuple(turn.rank for turn in game.turns)
        positions = _positions(start, played, draws)
        steps = [
            _play(before, move, number < free_count)
            for number, (before, move) in enumerate(zip(positions, played, strict=False))
        ]
        after = positions[1:]
        told = tuple(changed(step, after=now) for step, now in zip(steps, after, strict=True))
        return Replayed(positions[0], told, problem, _ending(positions[-1]))


def _has_board(text: str, name: str) -> bool:
    return any(":" in line.text for line in lines_of(text, name))


def _dealt(deck: Sequence[int], stacks: int) -> Told:
    position = rules.start(ranks_of(deck), stacks)
    return Told(position, untold(position), tuple(deck))


def _with_drawn(told: Told, rank: int) -> Told:
    """With a card drawn; ValueError when it cannot be the next one."""
    if told.pile is not None and told.pile[:1] != (rank,):
        right = f"the next card is {name_of(told.pile[0])}" if told.pile else "the pile is empty"
        raise ValueError(f"{name_of(rank)} is drawn, but {right}")
    pile = None if told.pile is None else told.pile[1:]
    return Told(rules.draw(told.position, rank), told.targets, pile)


def _play(told: Told, move: Move, is_free: bool = False) -> Play[Told]:
    """A move, of a card that is drawn already; ValueError when it is against the rules."""
    after = rules.play(told.position, move)
    stack_tops = told.position.stacks
    rank = told.position.drawn if move.source == DRAWN else stack_tops[move.source][-1]
    assert rank is not None, "the referee has made the move"
    targets = tuple(
        known[: len(cards)] + (None,) * (len(cards) - len(known))
        for cards, known in zip(after.stacks, told.targets, strict=True)
    )
    (written,) = written_moves([rank], [move])
    return Play(written, places_of(name_of(rank), move)[2], Told(after, targets, told.pile), is_free)


def _legal(start: Told, game: Game) -> tuple[tuple[Move, ...], str | None]:
    """The moves of a game up to the first that is illegal, and why that is."""
    now, ranks = start, iter(game.drawn)
    for number, move in enumerate(game.moves):
        try:
            if move.source == DRAWN:
                now = _in_hand(now, next(ranks))
            now = _play(now, move).after
        except ValueError as error:
            return game.moves[:number], f"move {number + 1}: {error}"
    return game.moves, None


def _in_hand(told: Told, rank: int) -> Told:
    drawn = told.position.drawn
    if drawn is None:
        return _with_drawn(told, rank)
    if drawn != rank:
        raise ValueError(f"{name_of(drawn)} is in hand, not {name_of(rank)}")
    return told


def _positions(start: Told, moves: Sequence[Move], draws: Sequence[int]) -> list[Told]:
    """Before each of legal moves, and after the last."""
    found, ranks = [start], iter(draws)
    for move in moves:
        if move.source == DRAWN:
            found[-1] = _in_hand(found[-1], next(ranks))
        found.append(_play(found[-1], move).after)
    return found


def _ending(told: Told) -> str:
    position = told.position
    if position.is_won():
        return WON
    is_empty = not any(position.pile().values())
    return LOST if is_empty and not rules.legal_moves(position) else NOT_FINISHED
