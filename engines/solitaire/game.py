"""What a solitaire supplies: a few functions on its deals. Its commands, sweeps, figures and reports are made from
them.

A solitaire is a game of one player in which a search that sees all cards decides deals. Its ``game.py`` declares a
subclass of ``Solitaire``; methods import what takes time when they are called.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from engines.contract.game import REPORT, SECTIONS, Game, load
from engines.solitaire import writing
from engines.solitaire.found import Best, Found, Replay
from engines.solitaire.limits import Bounds
from engines.solitaire.telling import ToldMove, tell_moves
from engines.text.movelist import join_moves

if TYPE_CHECKING:
    from engines.contract.picture import Picture
    from engines.contract.positions import Positions

Deal = TypeVar("Deal")
Options = TypeVar("Options")
Move = TypeVar("Move")

FILE_BYTES = 1 << 26
"""Largest size of a file of deals or solutions, in bytes: room for 100,000 deals with their solutions."""
LINE = "line"
"""The name of the form of ``format_deal``."""
DECIDE = "decide"
"""The mode that every solitaire has: a win, or the proof that there is none, as fast as possible."""


@dataclass(frozen=True)
class Published:
    """A published share of random deals that can be won."""

    source: str
    won_share: float
    half_width: float
    """Half of its 95% interval."""


class Solitaire(Game, ABC, Generic[Deal, Options, Move]):
    """The declaration of a solitaire. Its ``forms`` have ``deal`` and ``solution``."""

    options: ClassVar[type]
    """Dataclass of the options of a search: rules and the like (``engines.contract.options``)."""
    sizes: ClassVar[tuple[str, ...]] = ()
    """Fields of a job by which random deals differ, such as their number of columns."""
    modes: ClassVar[Mapping[str, str]] = {}
    """Further modes of search besides ``DECIDE``: mode -> help."""
    effort: ClassVar[str] = "states_count"
    """Column in which a search counts its work."""
    of_search: ClassVar[tuple[str, ...]] = ()
    """Options that only a search has, not a replay."""
    counts: ClassVar[Mapping[str, tuple[str, str, str]]] = {}
    """Further counts of ``Found`` -> Arrow type, unit and meaning of their column."""
    memory_bytes: ClassVar[int] = 2 << 30
    """Limit of a command's search when none is given."""
    rule_sets: ClassVar[Mapping[str, tuple[Any, str]]] = {}
    """Named sets of rules: name -> its options, and help; the first set is the default."""
    moves_noun: ClassVar[str] = "moves"
    """Noun for the moves of a solution."""
    moves_counted: ClassVar[str] = ""
    """A sentence on how they are counted, where not all of them are."""
    remark: ClassVar[str] = ""
    """Further help."""
    best_of: ClassVar[str] = ""
    """What ``best`` counts, such as ``cards on foundations``; empty for a game without."""
    proof_form: ClassVar[str] = ""
    """What ``prove`` writes; empty for a game without."""

    @abstractmethod
    def read_deals(self, text: str, source: str) -> list[Deal]:
        """All deals of a text in any of the game's forms; UserError that names ``source``, line and card."""

    written_forms: ClassVar[Mapping[str, str]] = {}
    """Further forms of deals besides ``LINE`` -> ``module:function``, which gives the text of a deal, or None when
    the form cannot express it. ``read_deals`` takes all of them."""

    @abstractmethod
    def format_deal(self, deal: Deal) -> str:
        """A deal on one line, as ``read_deals`` takes it."""

    def draw_deal(self, deal: Deal) -> str:
        """A deal as people look at it."""
        return self.format_deal(deal)

    def picture(self, deal: Deal) -> Picture:
        """A deal as it lies on the table; for a game without its own picture, the drawing."""
        from engines.contract.picture import Picture

        return Picture((), text=self.draw_deal(deal))

    def sizes_of(self, deal: Deal) -> dict[str, Any]:
        """The sizes of a deal; deals of a file must have the sizes of their job."""
        return {}

    @abstractmethod
    def random_deal(self, seed: int, index: int, **sizes: Any) -> Deal:
        """Deal ``index`` of a seed; ``sizes`` names the values of the class's ``sizes``."""

    @abstractmethod
    def search(self, deal: Deal, options: Options, mode: str, bounds: Bounds) -> Found[Move]:
        """Search a deal. RuntimeError if the referee does not accept the solution."""

    def prove(self, deal: Deal, options: Options, bounds: Bounds, folder: Path, name: str) -> Found[Move]:
        """As ``search``, and write files into ``folder`` by which others can check that a deal is lost.

        Their names begin with ``name``.
        """
        raise NotImplementedError

    def best(self, deal: Deal, options: Options, bounds: Bounds) -> Best[Move]:
        """The most cards that any line of play brings to their places (``best_of``), won or not.

        RuntimeError if the referee does not accept the line.
        """
        raise NotImplementedError

    def unknown_count(self, deal: Deal) -> int:
        """Number of unknown cards of a deal."""
        return 0

    def sampled(self, deal: Deal, seed: int, stream: int) -> Deal:
        """A random deal that fits the known cards, each with the same probability; ``stream`` numbers those of a seed
        from 0.

        In a solitaire without this method all cards are known. ``search`` and ``best`` ask for deals that are known.
        """
        raise NotImplementedError

    @property
    def may_hide(self) -> bool:
        """Whether cards of a deal may be unknown."""
        return type(self).sampled is not Solitaire.sampled

    def plays(self, deal: Deal, options: Options) -> Iterable[tuple[Move, Deal]]:
        """The legal moves of a position, by the referee, each with the position after it; empty when it is won.

        A solitaire gives advice only with this method, or with its own function.
        """
        raise NotImplementedError

    # A game whose moves are written by name defines these three, and gets the functions below from them.
    move_pattern: ClassVar[str] = ""
    """Regular expression of a written move, without groups; either case."""
    move_example: ClassVar[str] = ""

    def write_move(self, deal: Deal, move: Move) -> str:
        """A legal move as written."""
        raise NotImplementedError

    def is_won(self, deal: Deal) -> bool:
        """Whether a position is won, by the referee."""
        raise NotImplementedError

    def format_moves(self, deal: Deal, moves: Sequence[Move], options: Options) -> list[str]:
        """Each move of legal ones as written, first move first."""
        return writing.format_moves(self, deal, moves, options)

    def join_moves(self, written: Sequence[str], line_end: str = "\n") -> str:
        """A solution of written moves, as ``read_solutions`` takes it."""
        return join_moves(written, writing.MOVES_A_LINE, line_end)

    def read_solutions(self, text: str, source: str) -> list[Any]:
        """The solutions of a text, None for a deal without one; UserError that names the line."""
        return writing.read_solutions(self, text, source)

    def replay(self, deal: Deal, solution: Any, options: Options) -> Replay[Move]:
        """Play what ``read_solutions`` has read from a deal, by the referee."""
        return writing.replay(self, deal, solution, options)

    def played(self, deal: Deal, move: Move, options: Options) -> Deal:
        """The position after a legal move; ValueError for any other move."""
        for play, after in self.plays(deal, options):
            if play == move:
                return after
        raise ValueError(f"{move} is not legal")

    def is_free(self, move: Move) -> bool:
        """Whether a move is not counted, such as a redeal."""
        return False

    def describe_move(self, deal: Deal, move: Move, after: Deal) -> tuple[str, dict[str, Any]]:
        """A legal move in words, and as JSON values."""
        return self.format_moves(deal, [move], self.options())[0], {}

    def tell_moves(self, deal: Deal, moves: Sequence[Move], options: Options) -> Iterable[ToldMove]:
        """Legal moves with all that answers say about each."""
        return tell_moves(self, deal, moves, options)

    def check_search(self, options: Options, mode: str, prefix: str) -> None:
        """UserError where options and mode contradict each other."""

    def distinct(self, options: Options) -> dict[str, Any]:
        """The options that distinguish results; None for one that makes no difference, given the others."""
        told: dict[str, Any] = asdict(options)  # type: ignore[call-overload]
        return {name: value for name, value in told.items() if name not in self.of_search}

    def published(self, options: Options, **sizes: Any) -> Published | None:
        """What others have published about random deals with these options."""
        return None

    def positions(self) -> Positions[Any]:
        """Its deals, if it declares nothing else."""
        from engines.solitaire.positions import SolitairePositions

        return super().positions() or SolitairePositions(self)

    def can(self, verb: str) -> bool:
        """Whether the game has ``verb``."""
        if verb == "advise" and type(self).plays is Solitaire.plays:
            return super().can(verb)
        return verb in _MADE or super().can(verb)

    def function(self, verb: str) -> Callable[..., Any]:
        """The game's own function for a verb, or the one made from its methods."""
        if verb in self.verbs or verb not in _MADE:
            return super().function(verb)
        found: Callable[..., Any] = load(_MADE[verb])(self, verb)
        return found


_MADE = dict.fromkeys(("solve", "check", "advise", "show"), "engines.solitaire.verbs:function_of") | {
    REPORT: "engines.solitaire.report:report_of",
    SECTIONS: "engines.solitaire.sections:sections_of",
}
"""Verbs of every solitaire -> the maker of the function for a game and a verb."""
