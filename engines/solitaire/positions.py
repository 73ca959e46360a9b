"""Positions of every solitaire whose positions are deals, made from its declaration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engines.contract.picture import Picture
from engines.contract.positions import NOT_FINISHED, Play, Positions, Replayed, only_one
from engines.solitaire.readback import in_notation
from engines.solitaire.rule_sets import RULES, options_given
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.game import Solitaire


class SolitairePositions(Positions[Any]):
    """The game's deals as positions, with the moves of its referee."""

    def __init__(self, game: Solitaire[Any, Any, Any]) -> None:
        self._game = game
        self.options = game.options

    def rules(self, values: Mapping[str, Any]) -> Any:
        """The named set ``rules``, changed by the other options."""
        named = {name: value for name, value in values.items() if name == RULES}
        others = {name: value for name, value in values.items() if name != RULES}
        return super().rules(vars(options_given(self._game, named)) | others)

    def read(self, text: str, name: str) -> list[Any]:
        """In any of the game's forms."""
        return self._game.read_deals(text, name)

    def write(self, position: Any) -> str:
        """As ``format_deal``."""
        return self._game.format_deal(position)

    def picture(self, position: Any) -> Picture:
        """The game's own picture, or its drawing."""
        return self._game.picture(position)

    def draw(self, position: Any) -> str:
        """As ``show`` does."""
        return self._game.draw_deal(position)

    def is_known(self, position: Any) -> bool:
        """As the game counts its unknown cards."""
        return not self._game.unknown_count(position)

    def plays(self, position: Any, rules: Any) -> Iterator[Play[Any]]:
        """The game's ``plays``; none while cards are unknown, because one of them might be turned up."""
        if not self.is_known(position):
            return
        for move, after in self._game.plays(position, rules):
            yield self._play(position, move, after, rules)

    def replay(self, deal: str, moves: str, rules: Any) -> Replayed[Any]:
        """One deal and one solution, which need not win; an empty text means no moves."""
        game = self._game
        start = only_one(game.read_deals(deal, "deal"), "deal")
        if not moves.strip():
            return Replayed(start, (), None, self._ending(start, rules))
        if game.unknown_count(start):
            raise UserError("deal", "all cards must be known to replay a solution")
        solution = only_one(game.read_solutions(in_notation(game, moves, "moves"), "moves"), "moves")
        if solution is None:
            return Replayed(start, (), None, self._ending(start, rules))
        found = game.replay(start, solution, rules)
        steps = tuple(self._steps(start, found.moves, rules))
        if found.problem is None:
            return Replayed(start, steps, None, found.ending)
        # Legal moves need not lead to a win here.
        return Replayed(start, steps, None if len(steps) == len(solution) else found.problem, NOT_FINISHED)

    def _ending(self, position: Any, rules: Any) -> str:
        """No moves yet."""
        if self._game.unknown_count(position):
            return NOT_FINISHED
        found = self._game.replay(position, (), rules)
        return NOT_FINISHED if found.problem else found.ending

    def join(self, written: Sequence[str]) -> str:
        """As a solution of the game."""
        return self._game.join_moves(written, " ")

    def _steps(self, position: Any, moves: Sequence[Any], rules: Any) -> Iterator[Play[Any]]:
        written = self._game.format_moves(position, moves, rules)
        for move, name in zip(moves, written, strict=True):
            after = self._game.played(position, move, rules)
            yield self._play(position, move, after, rules, name)
            position = after

    def _play(self, before: Any, move: Any, after: Any, rules: Any, written: str = "") -> Play[Any]:
        words, _ = self._game.describe_move(before, move, after)
        written = written or self._game.format_moves(before, [move], rules)[0]
        return Play(written, words, after, self._game.is_free(move))
