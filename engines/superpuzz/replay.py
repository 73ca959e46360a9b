"""Does a written solution win a deal? Moves are the referee's; the names of kings are a preference, not a condition.
A card other than an ace goes right of the card before it in its suit, so its pair means one move. An ace may go to
any leftmost hole; the king's name says to which, but printed names can be wrong. So all positions that fit the cards
of the pairs are followed, each with the number of wrong names on the way to it. If several ways lead to one position,
the one with the fewest wrong names is kept. The solution is right if one of the last positions is won; its moves are
those of the way with the fewest wrong names.

If every king is named and the names are consistent, those are exactly the moves that were written: card and tracked
king determine each move, so that at most one way is without a wrong name; and that way is never given up for another,
since none has fewer.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.solitaire.found import Replay
from engines.superpuzz import rules
from engines.superpuzz.deal import Deal
from engines.superpuzz.rules import Move, Position
from engines.superpuzz.solution import Pair, Solution
from engines.text.cards import card_name, card_number, rank_of
from storage.errors import UserError

POSITIONS_MAX = 10_000
"""Most positions that are followed at once. A solution with right names needs only a few."""


@dataclass(frozen=True)
class _Way:
    """One way to play the pairs so far."""

    position: Position
    kings: tuple[tuple[int, int], ...]
    """For each hole its cell and its king's suit."""
    wrong_count: int
    before: _Way | None = None
    move: Move = (0, 0)
    wrong: bool = False


def replay(deal: Deal, solution: Solution) -> Replay[Move]:
    """Play a solution from a deal. UserError when a pair is not a card of the deal and a king.

    ``wrong_kings`` of its counts: the moves, from 1 on, that name a wrong king.
    """
    steps = [_split(pair, deal) for pair in solution]
    ways = [_Way(deal.position, tuple(deal.kings_by_cell().items()), 0)]
    for number, (pair, (card, king)) in enumerate(zip(solution, steps, strict=True), start=1):
        following: dict[tuple[int, ...], _Way] = {}
        for way in ways:
            for after in _played(way, card, king):
                known = following.get(after.position.cells)
                if known is None or after.wrong_count < known.wrong_count:
                    following[after.position.cells] = after
        if not following:
            best = min(ways, key=lambda way: way.wrong_count)
            reason = _reason(best.position, deal, card)
            return _result(deal, best, f"move {number}, {pair} on line {pair.line}: {reason}")
        if len(following) > POSITIONS_MAX:
            raise UserError(
                pair.place,
                f"more than {POSITIONS_MAX} positions fit up to move {number}, {pair}; name the right kings",
            )
        ways = list(following.values())
    won = [way for way in ways if rules.is_won(way.position)]
    if won:
        return _result(deal, min(won, key=lambda way: way.wrong_count), None)
    best = min(ways, key=lambda way: way.wrong_count)
    return _result(deal, best, f"the position after move {len(solution)} is not won")


def _split(pair: Pair, deal: Deal) -> tuple[int, int | None]:
    """The number of the card that moves, and the suit of the king that is named."""
    columns = deal.position.columns
    for card in (pair.first, pair.second):
        if card is not None and columns < card[1] < 13:
            raise UserError(
                pair.place, f"{pair}: {card_name(*card)} is no card of a deal of {columns} columns"
            )
    parts = pair.split(deal)
    if parts is None:
        what, whole = ("an ace", "aces") if deal.aces_out else ("a king", "kings")
        ends = f"{whole} are {deal.hole_name(0)} to {deal.hole_name(3)}"
        raise UserError(pair.place, f"{pair} must be a card and {what} ({ends})")
    card, king = parts
    return card_number(*card), king


def _played(way: _Way, card: int, king: int | None) -> list[_Way]:
    """All ways to move ``card``."""
    source = way.position.where[card]
    kings = dict(way.kings)
    found = []
    for move in rules.legal_moves(way.position):
        if move[0] == source:
            hole = move[1]
            wrong = king is not None and kings[hole] != king
            moved = tuple((source if cell == hole else cell, suit) for cell, suit in way.kings)
            after = rules.play(way.position, move)
            found.append(_Way(after, moved, way.wrong_count + wrong, way, move, wrong))
    return found


def _reason(position: Position, deal: Deal, card: int) -> str:
    name = deal.name_of(card)
    if rank_of(card) == rules.ACE:
        return f"{name} cannot move, there is no hole in the leftmost column"
    return f"{name} cannot move, there is no hole right of {deal.name_of(card - 1)}"


def _result(deal: Deal, way: _Way, problem: str | None) -> Replay[Move]:
    moves: list[Move] = []
    wrong: list[bool] = []
    while way.before is not None:
        moves.append(way.move)
        wrong.append(way.wrong)
        way = way.before
    moves.reverse()
    wrong.reverse()
    wrong_kings = [number for number, each in enumerate(wrong, start=1) if each]
    what = "ace" if deal.aces_out else "king"
    remark = f"the {what} is another one in moves {', '.join(map(str, wrong_kings))}" if wrong_kings else ""
    return Replay(tuple(moves), problem, {"wrong_kings": wrong_kings}, remark)
