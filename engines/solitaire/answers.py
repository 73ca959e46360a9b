"""Results of searches and replays as the verbs of solitaires give them: as JSON values, and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engines.contract.answer import Answer, Door
from engines.contract.options import options_of

if TYPE_CHECKING:
    from engines.solitaire.found import Found, Replay
    from engines.solitaire.game import Solitaire


class Answers:
    """The answers of a verb, one for each deal, all by the same rules; the door gets the rules first."""

    def __init__(self, game: Solitaire[Any, Any, Any], options: Any, door: Door) -> None:
        self._game = game
        self._options = options
        door.head(f"# rules: {rules_words(game, options) or game.title}")

    def of(
        self,
        number: int,
        deal: Any,
        values: Mapping[str, Any],
        lines: Sequence[str],
        *,
        status: int = 0,
        apart: bool = True,
    ) -> Answer:
        """The answer for a deal; the deal and the rules are the first of its values."""
        head = {
            "deal_number": number,
            "deal": self._game.format_deal(deal),
            "rules": self._game.distinct(self._options),
        }
        return Answer(head | dict(values), tuple(lines), status, apart)


def rules_words(game: Solitaire[Any, Any, Any], options: Any) -> str:
    """The options that make a difference, as in a command: ``draw 3, redeals unlimited``; or ``""``.

    If this is a named set of rules, its name follows.
    """
    told = game.distinct(options)
    words = [
        _option_words(each.name.replace("_", " "), told[each.name], each.none)
        for each in options_of(game.options)
        if each.name in told and (told[each.name] is not None or each.none)
    ]
    names = [name for name, (rules, _) in game.rule_sets.items() if game.distinct(rules) == told]
    return ", ".join(words) + "".join(f" ({name})" for name in names)


def found_values(game: Solitaire[Any, Any, Any], found: Found[Any]) -> dict[str, Any]:
    """The result of a search, without its moves."""
    return {
        "outcome": found.outcome,
        "limit": found.limit,
        game.effort: found.effort_count,
        "moves_count": found.moves_count,
        **({} if found.fewest_count is None else {"fewest_count": found.fewest_count}),
        **found.counts,
        "cpu_s": found.cpu_s,
    }


def found_words(game: Solitaire[Any, Any, Any], found: Found[Any]) -> str:
    """Outcome and solution: ``won, 102 moves and draws, 3 redeals``."""
    counts = {"moves_count": found.moves_count, **found.counts}
    outcome = found.outcome if found.limit is None else f"{found.outcome} (limit: {found.limit})"
    words = [", ".join([outcome, *counted(game, counts)])]
    if found.fewest_count is not None and found.fewest_count != found.moves_count:
        words.append(f"the fewest lie in {found.fewest_count}..{found.moves_count}")
    return "; ".join(words + ([found.remark] if found.remark else []))


def effort_words(game: Solitaire[Any, Any, Any], found: Found[Any]) -> str:
    """The work of a search: ``12345 states, 0.12 s of processor time``."""
    (work,) = counted(game, {game.effort: found.effort_count})
    return f"{work}, {found.cpu_s:.2f} s of processor time"


def replay_values(replay: Replay[Any] | None) -> dict[str, Any]:
    """The result of a replay; None where no solution was given."""
    if replay is None:
        return {"won": None, "ending": None, "moves_count": None, "problem": None}
    return {
        "won": replay.is_win,
        "ending": None if replay.problem is not None else replay.ending,
        "moves_count": replay.moves_count,
        **replay.counts,
        "problem": replay.problem,
    }


def replay_words(game: Solitaire[Any, Any, Any], replay: Replay[Any] | None) -> str:
    """The same in words."""
    if replay is None:
        return "no solution is given"
    if replay.problem is not None:
        return f"wrong: {replay.problem}"
    counts = {name: count for name, count in replay.counts.items() if name.endswith("_count")}
    words = ", ".join(counted(game, {"moves_count": replay.moves_count, **counts}))
    return f"{replay.ending} after {words}" + (f"; {replay.remark}" if replay.remark else "")


def counted(game: Solitaire[Any, Any, Any], counts: Mapping[str, int | None]) -> list[str]:
    """The counts that are there, in words: ``states_count`` and 12 as ``12 states``."""
    nouns = {"moves_count": game.moves_noun}
    return [
        f"{count} {nouns.get(name, name.removesuffix('_count').replace('_', ' '))}"
        for name, count in counts.items()
        if count is not None
    ]


def _option_words(name: str, value: Any, none: str) -> str:
    if isinstance(value, bool):
        return name if value else f"no {name}"
    return f"{name} {none if value is None else value}"
