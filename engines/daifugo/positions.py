"""Positions of Daihinmin for every door. A game is replayed from its deal, or from a position with all hands known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as changed
from typing import Any

from engines.contract.blank import Blank
from engines.contract.picture import Picture
from engines.contract.positions import NOT_FINISHED, NoRules, Play, Positions, Replayed, only_one
from engines.daifugo import rules
from engines.daifugo.dealing import deal_counts
from engines.daifugo.picture import picture
from engines.daifugo.position import format_position, read_positions
from engines.daifugo.record import is_games, read_game, read_turns
from engines.daifugo.replay import Turn, known, replay, wrong_result, wrong_turn
from engines.daifugo.rules import PACK, PASS, Position
from engines.daifugo.showing import drawing
from engines.daifugo.text import format_play, format_seats, name_of, read_card
from engines.daifugo.view import View, view_of
from storage.errors import UserError

OVER = "over"


class DaifugoPositions(Positions[View]):
    """What is known before a turn."""

    asks = ("advise",)

    def blank(self, sizes: NoRules) -> Blank:
        """The hands as they are dealt from seat 0 on."""
        piles = tuple((f"seat {seat}", count) for seat, count in enumerate(deal_counts(0)))
        return Blank(piles, {name_of(card): 1 for card in PACK}, "S3, 10H or JK")

    def card(self, word: str) -> str | None:
        """The joker is one, too."""
        found = read_card(word)
        return None if found is None else name_of(found)

    def filled(self, sizes: NoRules, names: Sequence[Sequence[str]]) -> str:
        """A game before its first turn."""
        return "\n".join(f"deal {seat}: {' '.join(hand)}" for seat, hand in enumerate(names))

    def read(self, text: str, name: str) -> list[View]:
        """Positions, or a game: what is known before its first turn."""
        return [_replayed(text, name).start] if is_games(text) else read_positions(text, name, True)

    def write(self, position: View) -> str:
        """Parts joined by slashes."""
        return format_position(position, " / ")

    def picture(self, position: View) -> Picture:
        """The table and the hands."""
        return picture(position)

    def draw(self, position: View) -> str:
        """As ``show`` does."""
        return drawing(format_position(position))

    def plays(self, position: View, options: NoRules) -> Iterator[Play[View]]:
        """A pass, and all plays that beat the field; empty while hands are unknown."""
        now = position.whole()
        if now is None or rules.is_over(now) or rules.is_stalled(now):
            return
        for play in (PASS, *rules.legal_plays(now.hands[now.turn], now.field)):
            yield _played(position, now, Turn(now.turn, play))

    def replay(self, deal: str, moves: str, options: NoRules) -> Replayed[View]:
        """A game, whose turns may be in either text, or turns from a position."""
        if is_games(deal):
            return _replayed(f"{deal}\n{moves}", "game")
        start = only_one(read_positions(deal, "deal", True), "deal")
        if not moves.strip():
            return Replayed(start, (), None, NOT_FINISHED)
        if start.whole() is None:
            raise UserError("deal", "all hands must be known to play on")
        steps: list[Play[View]] = []
        problem = None
        turns, result = read_turns(moves, "moves")
        for number, turn in enumerate(turns, start=1):
            view = steps[-1].after if steps else start
            now = view.whole()
            assert now is not None, "a play hides nothing"
            problem = wrong_turn(now, turn)
            if problem is not None:
                problem = f"turn {number}, seat {turn.seat}, {format_play(turn.play)}: {problem}"
                break
            steps.append(_played(view, now, turn))
        end = steps[-1].after if steps else start
        last = end.whole()
        if result and problem is None and last is not None:
            problem = wrong_result(result, last, len(steps))
            if problem is None and rules.is_stalled(last):
                steps.append(_drawn_lots(end, last, result))
                end = steps[-1].after
        return Replayed(start, tuple(steps), problem, OVER if _is_over(end) else NOT_FINISHED)

    def asked(self, position: View) -> tuple[str, Mapping[str, Any]] | None:
        """The position, while somebody has a turn."""
        whole = position.whole()
        is_open = whole is None or not (rules.is_over(whole) or rules.is_stalled(whole))
        return super().asked(position) if is_open else None

    def join(self, written: Sequence[str]) -> str:
        """Turns joined by slashes."""
        return " / ".join(written)


def _replayed(text: str, name: str) -> Replayed[View]:
    """A game of which the end may be missing."""
    record = read_game(text, name)
    found = replay(record)
    if not found.positions:
        raise UserError(name, found.problem or "")
    views = [known(record, position, number) for number, position in enumerate(found.positions)]
    steps = [
        Play(_written(turn), _words(turn), view) for turn, view in zip(record.turns, views[1:], strict=False)
    ]
    last = found.positions[-1]
    all_played = len(steps) == len(record.turns)
    if all_played and record.result and rules.is_stalled(last) and found.problem is None:
        end = rules.draw_lots(last, record.result[len(last.finished) :])
        told = f"result: {format_seats(record.result)}"
        steps.append(
            Play(told, "ranks are drawn by lot", known(record, end, len(record.turns)), is_free=True)
        )
    problem = None if all_played and not record.result else found.problem
    is_over = _is_over(steps[-1].after if steps else views[0])
    return Replayed(views[0], tuple(steps), problem, OVER if is_over else NOT_FINISHED)


def _drawn_lots(view: View, now: Position, result: tuple[int, ...]) -> Play[View]:
    """The end of a game in which all have passed too often."""
    end = view_of(rules.draw_lots(now, result[len(now.finished) :]))
    after = changed(end, before=view.before, plays=view.plays, gave=view.gave, got=view.got)
    return Play(f"result: {format_seats(result)}", "ranks are drawn by lot", after, is_free=True)


def _is_over(view: View) -> bool:
    return len(view.finished) == rules.PLAYERS


def _played(view: View, now: Position, turn: Turn) -> Play[View]:
    """The position after a legal turn; gifts are only known for the player who had the turn."""
    after = view_of(rules.apply(now, turn.play))
    plays = tuple(
        (*each, turn.play) if seat == turn.seat and turn.play != PASS else each
        for seat, each in enumerate(view.plays)
    )
    same = after.turn == view.turn
    told = changed(
        after,
        before=view.before,
        plays=plays,
        gave=view.gave if same else frozenset(),
        got=view.got if same else frozenset(),
    )
    return Play(_written(turn), _words(turn), told)


def _written(turn: Turn) -> str:
    return f"{turn.seat}: {format_play(turn.play)}"


def _words(turn: Turn) -> str:
    if turn.play == PASS:
        return f"seat {turn.seat} passes"
    return f"seat {turn.seat} plays {drawing(format_play(turn.play))}"
