"""A player's knowledge of a position of Daihinmin: its own hand, the numbers of cards of the others, and all plays."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.daifugo.rules import PACK, PASS, PLAYERS, Field, Hand, Play, Position, has_eight, suits_of

GIFT_COUNTS = (2, 1, 0, 1, 2)
"""Cards that are given and got in the exchange, by rank in the game before."""


@dataclass(frozen=True)
class View:
    """A position as the player whose turn it is knows it, or with all hands known."""

    hands: tuple[Hand | None, ...]
    """By seat; None where the cards are not known."""
    counts: tuple[int, ...]
    """Cards of each hand."""
    turn: int
    last: int
    """As in a ``Position``."""
    gone: Hand
    """Cards that were played, those on the field included."""
    field: Field
    passed: frozenset[int] = frozenset()
    finished: tuple[int, ...] = ()
    passes_count: int = 0
    before: tuple[int, ...] | None = None
    """The seats by their ranks in the game before; None without ranks."""
    plays: tuple[tuple[Play, ...], ...] = ((),) * PLAYERS
    """The known plays of each seat in order, without passes."""
    gave: Hand = frozenset()
    got: Hand = frozenset()
    """The cards that the player whose turn it is gave and got in the exchange, as far as given."""

    @property
    def hidden(self) -> Hand:
        """The cards of all hands that are not known."""
        return frozenset(PACK).difference(self.gone, *(hand for hand in self.hands if hand is not None))

    def whole(self) -> Position | None:
        """The position, if all hands are known."""
        hands = tuple(hand for hand in self.hands if hand is not None)
        if len(hands) < PLAYERS:
            return None
        return Position(
            hands, self.turn, self.last, self.field, self.passed, self.finished, self.passes_count
        )


def view_of(position: Position) -> View:
    """All of a position."""
    return View(
        hands=position.hands,
        counts=tuple(map(len, position.hands)),
        turn=position.turn,
        last=position.last,
        gone=frozenset(PACK).difference(*position.hands),
        field=position.field,
        passed=position.passed,
        finished=position.finished,
        passes_count=position.passes_count,
    )


def without_hidden(view: View) -> View:
    """What the player whose turn it is knows of it: the hands of others are not known, unless they are empty."""
    hands = tuple(
        hand if seat == view.turn or not count else None
        for seat, (hand, count) in enumerate(zip(view.hands, view.counts, strict=True))
    )
    return replace(view, hands=hands)


def problem(view: View) -> str | None:
    """Why a position is impossible, None when it may be. Doubled cards are not checked here."""
    playing = [seat for seat in range(PLAYERS) if view.counts[seat]]
    done = [seat for seat in range(PLAYERS) if not view.counts[seat]]
    if len(playing) < 2:
        return "fewer than two seats have cards: the game is over"
    if view.turn in done:
        return f"turn: seat {view.turn} has no cards"
    if view.hands[view.turn] is None:
        return f"the cards of seat {view.turn}, whose turn it is, must be known"
    if sorted(view.finished) != done:
        told = " ".join(map(str, done)) or "none"
        return f"finished: must have the seats without cards, in the order in which they finished: {told}"
    if not view.passed <= set(playing):
        return f"passed: seat {min(view.passed - set(playing))} has no cards"
    if view.turn in view.passed:
        return f"passed: seat {view.turn} has the turn"
    if view.field.play != PASS and view.last in view.passed:
        return f"passed: seat {view.last} played last"
    if has_eight(view.field.play):
        return "field: a play with an 8 does not stay there"
    if view.field.lock and view.field.lock != suits_of(view.field.play):
        return "lock: must be the suits of the play on the field"
    return _wrong_passes(view) or _wrong_gifts(view)


def _wrong_passes(view: View) -> str | None:
    """Why passes cannot be as given."""
    if view.field.play == PASS:
        if len(view.passed) > view.passes_count:
            told = f"{len(view.passed)} seats passed in a row on an empty field"
            return f"passed: {told}, but passes: says {view.passes_count}"
        return None
    if view.passes_count > len(view.passed):
        return f"passes: {view.passes_count} in a row since the last play, by {len(view.passed)} seats"
    seat = (view.last + 1) % PLAYERS
    while seat not in (view.turn, view.last):
        if view.counts[seat] and seat not in view.passed:
            return f"turn: it is that of seat {seat}, which has not passed"
        seat = (seat + 1) % PLAYERS
    return None


def _wrong_gifts(view: View) -> str | None:
    for name, given in (("gave", view.gave), ("got", view.got)):
        if given and view.before is None:
            return f"{name}: without ranks (before:) nothing is given"
        count = 0 if view.before is None else GIFT_COUNTS[view.before.index(view.turn)]
        if given and len(given) != count:
            return f"{name}: {len(given)} cards; for this rank it is {count}"
    if (view.hands[view.turn] or frozenset()) & view.gave - view.got:
        return "gave: a card that was given away is in the hand"
    return None
