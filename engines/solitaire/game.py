"""What a solitaire supplies: a few functions on its deals. Its commands, sweeps, figures and reports are made of them.

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
"""No file of deals or solutions is longer: room for 100,000 deals with their solutions."""
LINE = "line"
"""The form of ``format_deal``."""
DECIDE = "decide"
"""The mode that every solitaire has: a win, or the proof that there is none, as fast as possible."""


@dataclass(frozen=True)
class Published:
    """A share of random deals that can be won, as somebody has published it."""

    source: str
    won_share: float
    half_width: float
    """Of its 95% interval."""


class Solitaire(Game, ABC, Generic[Deal, Options, Move]):
    """The declaration of a solitaire. Its ``forms`` have ``deal`` and ``solution``."""

    options: ClassVar[type]
    """Dataclass of what a search can be told besides the deal: rules and the like (``engines.contract.options``)."""
    sizes: ClassVar[tuple[str, ...]] = ()
    """Fields of a job by which random deals differ, such as their number of columns."""
    modes: ClassVar[Mapping[str, str]] = {}
    """What else a command can search for than ``DECIDE``: mode -> help."""
    effort: ClassVar[str] = "states_count"
    """Column in which a search counts its work."""
    of_search: ClassVar[tuple[str, ...]] = ()
    """Options that only a search has, not a replay."""
    counts: ClassVar[Mapping[str, tuple[str, str, str]]] = {}
    """Further counts of ``Found`` -> Arrow type, unit and meaning of their column."""
    memory_bytes: ClassVar[int] = 2 << 30
    """Limit of a command's search when it is not told."""
    rule_sets: ClassVar[Mapping[str, tuple[Any, str]]] = {}
    """Options that have a name together -> them, and help; the first ones are the default."""
    moves_noun: ClassVar[str] = "moves"
    """What the moves of a solution are counted in."""
    moves_counted: ClassVar[str] = ""
    """How they are counted, a sentence, where it is not just how many there are."""
    remark: ClassVar[str] = ""
    """What ``--help`` adds."""
    best_of: ClassVar[str] = ""
    """What ``best`` counts, such as ``cards on foundations``; empty for a game without."""
    proof_form: ClassVar[str] = ""
    """What ``prove`` writes; empty for a game without."""

    @abstractmethod
    def read_deals(self, text: str, source: str) -> list[Deal]:
        """All deals of a text in any of the game's forms; UserError that names ``source``, line and card."""

    written_forms: ClassVar[Mapping[str, str]] = {}
    """Forms besides ``LINE`` that deals are written in -> ``module:function``, which gives the text of a deal, or None
    when the form cannot tell it. ``read_deals`` takes all of them."""

    @abstractmethod
    def format_deal(self, deal: Deal) -> str:
        """A deal on one line, as ``read_deals`` takes it."""

    def draw_deal(self, deal: Deal) -> str:
        """A deal as people look at it."""
        return self.format_deal(deal)

    def picture(self, deal: Deal) -> Picture:
        """A deal as it lies on the table; without one of the game's own, the drawing."""
        from engines.contract.picture import Picture

        return Picture((), text=self.draw_deal(deal))

    def sizes_of(self, deal: Deal) -> dict[str, Any]:
        """The sizes of a deal; those of a file must be their job's."""
        return {}

    @abstractmethod
    def random_deal(self, seed: int, index: int, **sizes: Any) -> Deal:
        """Deal ``index`` of a seed; ``sizes`` are those of the class."""

    @abstractmethod
    def search(self, deal: Deal, options: Options, mode: str, bounds: Bounds) -> Found[Move]:
        """Search a deal. RuntimeError if the referee does not accept the solution."""

    def prove(self, deal: Deal, options: Options, bounds: Bounds, folder: Path, name: str) -> Found[Move]:
        """As ``search``, and write files into ``folder`` by which others can check that a deal is lost.

        Their names begin with ``name``.
        """
        raise NotImplementedError

    def best(self, deal: Deal, options: Options, bounds: Bounds) -> Best[Move]:
        """The most cards that any line of play brings where they are to go (``best_of``), won or not.

        RuntimeError if the referee does not accept the line.
        """
        raise NotImplementedError

    def unknown_count(self, deal: Deal) -> int:
        """Cards of a deal that are not known."""
        return 0

    def sampled(self, deal: Deal, seed: int, stream: int) -> Deal:
        """A deal that fits what is known of one, each as likely; ``stream`` numbers those of a seed from 0.

        A solitaire without it knows all cards. ``search`` and ``best`` ask for deals that are known.
        """
        raise NotImplementedError

    @property
    def may_hide(self) -> bool:
        """Whether cards of a deal may be unknown."""
        return type(self).sampled is not Solitaire.sampled

    def plays(self, deal: Deal, options: Options) -> Iterable[tuple[Move, Deal]]:
        """The legal moves of a position, by the referee, each with the position after it; none when it is won.

        A solitaire without it, or a function of its own, gives no advice.
        """
        raise NotImplementedError

    # A game whose moves have names of their own has these three, and what is below for nothing.
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
        """The position after a legal move; ValueError for any other."""
        for play, after in self.plays(deal, options):
            if play == move:
                return after
        raise ValueError(f"{move} is not legal")

    def is_free(self, move: Move) -> bool:
        """Whether a move counts as none, such as a redeal."""
        return False

    def describe_move(self, deal: Deal, move: Move, after: Deal) -> tuple[str, dict[str, Any]]:
        """A legal move in words, and as JSON values."""
        return self.format_moves(deal, [move], self.options())[0], {}

    def tell_moves(self, deal: Deal, moves: Sequence[Move], options: Options) -> Iterable[ToldMove]:
        """Legal moves with all that is told of each."""
        return tell_moves(self, deal, moves, options)

    def check_search(self, options: Options, mode: str, prefix: str) -> None:
        """UserError where options and mode that are right alone do not go together."""

    def distinct(self, options: Options) -> dict[str, Any]:
        """The options that tell results apart, None for one that makes no difference beside the others."""
        told: dict[str, Any] = asdict(options)  # type: ignore[call-overload]
        return {name: value for name, value in told.items() if name not in self.of_search}

    def published(self, options: Options, **sizes: Any) -> Published | None:
        """What is known of random deals by these options."""
        return None

    def positions(self) -> Positions[Any]:
        """Its deals, if it declares nothing else."""
        from engines.solitaire.positions import SolitairePositions

        return super().positions() or SolitairePositions(self)

    def can(self, verb: str) -> bool:
        """Whether ``verb`` can be asked of the game."""
        if verb == "advise" and type(self).plays is Solitaire.plays:
            return super().can(verb)
        return verb in _MADE or super().can(verb)

    def function(self, verb: str) -> Callable[..., Any]:
        """The game's own function for a verb, or the one that is made of its methods."""
        if verb in self.verbs or verb not in _MADE:
            return super().function(verb)
        found: Callable[..., Any] = load(_MADE[verb])(self, verb)
        return found


_MADE = dict.fromkeys(("solve", "check", "advise", "show"), "engines.solitaire.verbs:function_of") | {
    REPORT: "engines.solitaire.report:report_of",
    SECTIONS: "engines.solitaire.sections:sections_of",
}
"""Verbs that every solitaire can do -> what makes the function for a game and a verb."""
