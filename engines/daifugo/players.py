"""Players of Daihinmin by name and options, as jobs and commands have them. ``conf/players`` has those with names."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.daifugo.rules import PLAYERS
from engines.text.textfile import whole_number
from storage.errors import UserError

if TYPE_CHECKING:  # commands that only read their options do without the core
    from engines.daifugo.core import Generator, Player
    from engines.daifugo.he_table import HeTable
    from engines.daifugo.policy import Weights

BUDGET_SIGN = "@"
PLAYOUTS_MAX = 1_000_000_000
PACKAGE_WEIGHTS = Path(__file__).parent / "policies" / "mixed.json"
LEARNT_LIKELIHOOD = "_learnt"
"""How the names of generators end that need the learnt policy's weights."""
_NAME = re.compile(r"[\w.+@-]+")
"""Names are words of a record, where # and / mean something else."""
DECISIONS = 14
"""Decisions of a Monte-Carlo player in a game that playouts are made for, those on gifts included."""
PLAYOUT_S = {
    "reject": 13e-6,
    "reject_uniform": 13e-6,
    "reject_learnt": 26e-6,
    "chain": 2.7e-6,
    "chain_uniform": 2.7e-6,
    "chain_learnt": 5e-6,
}
"""Seconds of a playout in the mean, for estimates; 1.4e-6 by the generators that are not named."""
POLICY_S = {"uniform": 0.0, "rule": 4e-6, "learnt": 5e-6}
"""What a playout by a policy takes beyond that."""
SIMPLE_GAME_S = 15e-6
"""Seconds that a random or rule-based player takes in a game, for estimates."""


@dataclass
class PlayerOptions:
    """A player. All but ``kind`` are options of the Monte-Carlo player (section 2.3 of the paper)."""

    kind: str = "mc"
    """random, rule or mc."""
    playouts: int | None = None
    """For each decision; either they or ``time_s`` are told."""
    time_s: float | None = None
    """Processor time for each decision. Games by time do not repeat."""
    exchange_playouts: int | None = None
    """For each card that might be given in the exchange; None: as many as for a decision."""
    bandit: str = "ucb1"
    """Which play is looked at next: ucb1, as in the paper, ucb1_tuned, thompson or even."""
    c: float = 4.0
    """Weight of the term for plays that were looked at little."""
    policy: str = "uniform"
    """Who plays in playouts: uniform (each play as likely), rule or learnt."""
    policy_passes: bool = False
    """Whether the learnt policy may pass where a play is legal."""
    weights: str | None = None
    """Of the learnt policy: a file (``policy``), which all nodes must find there; None: the one of the package."""
    weights_sha256: str | None = None
    """Of the weights, as that of the table."""
    generator: str = "rand"
    """How hidden cards are dealt in playouts: rand, rand_d, rand_dr, he, exchange, reject, chain and so on.

    reject_learnt and chain_learnt ask the learnt policy how likely plays were, reject and chain the rule-based player.
    """
    table: str | None = None
    """What he has learnt: a table or a run of ``job=daifugo_learn``; all nodes must find it there."""
    table_sha256: str | None = None
    """Of its counts, so that a run does not go on with others; found out when the job begins."""
    tries: int = 16
    """Worlds that reject tries for one."""
    swaps: int = 4
    """Of cards that chain tries from one world to the next."""
    endgame_positions: int = 0
    """Positions that an exact search of two players' ends may look at; 0: no such search."""


def resolve(
    kinds: Mapping[str, PlayerOptions | Mapping[str, Any]], names: Sequence[str], field: str
) -> dict[str, PlayerOptions]:
    """The options of the players ``names``, checked, with the digests of the tables that they use.

    ``kinds``: options by name, which may be plain values; all of them are checked, also those that are not named.
    UserError naming ``field`` for a name that is not known, ``job.kinds.NAME.OPTION`` for an option.
    """
    for name in names:
        if not _NAME.fullmatch(name):
            raise UserError(
                field, f"{name!r}: a record holds no such name; letters, digits and _ . + - @ are allowed"
            )
    known = {
        name: options if isinstance(options, PlayerOptions) else PlayerOptions(**options)
        for name, options in kinds.items()
    }
    for name, options in known.items():
        _check(options, f"job.kinds.{name}.")
    found = {name: _resolve_name(known, name, field) for name in dict.fromkeys(names)}
    for name, options in found.items():
        prefix = f"job.kinds.{name.partition(BUDGET_SIGN)[0]}."
        found[name] = options = _with_files(options, prefix)
        make_player(options, prefix)
    return found


def five_players(names: Sequence[str], field: str) -> None:
    """UserError naming ``field`` unless there are five names."""
    if len(names) != PLAYERS:
        raise UserError(field, f"{len(names)} names; there are {PLAYERS} players")


def make_player(options: PlayerOptions, prefix: str = "player.") -> Player:
    """The player of the core; UserError naming the option, after ``prefix``, that is out of range."""
    from engines.daifugo.core import Player

    if options.kind != "mc":
        return Player(options.kind)
    playouts = options.playouts or 0
    exchange_playouts = options.exchange_playouts if options.exchange_playouts is not None else playouts
    try:
        return Player(
            "mc",
            generator=make_generator(options),
            playouts=playouts,
            time_s=options.time_s or 0.0,
            exchange_playouts=exchange_playouts,
            c=options.c,
            policy=options.policy,
            endgame_positions=options.endgame_positions,
            bandit=options.bandit,
            policy_weights=_weights(options.weights) if options.policy == "learnt" else None,
            policy_passes=options.policy == "learnt" and options.policy_passes,
        )
    except ValueError as error:
        raise _named(error, prefix) from None


def make_checked(options: PlayerOptions, prefix: str) -> Player:
    """The player of options that were not checked yet; UserError naming the option after ``prefix``."""
    _check(options, prefix)
    options = _with_files(options, prefix)
    return make_player(options, prefix)


def make_generator(options: PlayerOptions) -> Generator:
    """The core's way to make worlds, of a Monte-Carlo player's options that were checked."""
    from engines.daifugo.core import Generator, he_generator

    if options.generator.endswith(LEARNT_LIKELIHOOD):
        return Generator(
            options.generator,
            tries=options.tries,
            swaps=options.swaps,
            policy_weights=_weights(options.weights),
            policy_passes=options.policy_passes,
        )
    if options.generator != "he":
        return Generator(options.generator, tries=options.tries, swaps=options.swaps)
    assert options.table is not None
    table = _table(options.table)
    return he_generator(table.seen, table.held)


def game_s(options: PlayerOptions) -> float:
    """Seconds of one core that a player takes in a game, about."""
    if options.kind != "mc":
        return SIMPLE_GAME_S
    if options.time_s is not None:
        return DECISIONS * options.time_s
    playout_s = PLAYOUT_S.get(options.generator, 1.4e-6) + POLICY_S[options.policy]
    return DECISIONS * (options.playouts or 0) * playout_s


def _resolve_name(known: Mapping[str, PlayerOptions], name: str, field: str) -> PlayerOptions:
    if name in known:
        return known[name]
    base, sign, playouts = name.partition(BUDGET_SIGN)
    if base not in known or not sign:
        raise UserError(field, f"no player is called {name!r}; there are: {', '.join(known)}")
    count = whole_number(playouts, PLAYOUTS_MAX)
    if not count:
        raise UserError(field, f"{name!r}: {playouts!r} is no number of playouts up to {PLAYOUTS_MAX}")
    options = replace(known[base], playouts=count, time_s=None)
    _check(options, f"{field}: {name}: ")
    return options


def _check(options: PlayerOptions, prefix: str) -> None:
    """UserError naming the option that is out of range, as far as no table is needed for that."""
    if options.kind not in ("random", "rule", "mc"):
        raise UserError(f"{prefix}kind", f"{options.kind!r} is none of random, rule, mc")
    if options.kind != "mc":
        usual = PlayerOptions(options.kind)
        for each in fields(options):
            if getattr(options, each.name) != getattr(usual, each.name):
                raise UserError(f"{prefix}{each.name}", f"only mc has it, not {options.kind}")
        return
    if (options.playouts is None) == (options.time_s is None):
        raise UserError(f"{prefix}playouts", "either they or time_s must be told, the other null")
    if options.time_s is not None and not 0 < options.time_s <= 3600:
        raise UserError(f"{prefix}time_s", f"must be above 0 and at most 3600; got {options.time_s}")
    for name, least, most in (
        ("playouts", 1, PLAYOUTS_MAX),
        ("exchange_playouts", 1, PLAYOUTS_MAX),
        ("tries", 1, 1_000_000),
        ("swaps", 1, 1_000_000),
        ("endgame_positions", 0, PLAYOUTS_MAX),
    ):
        value = getattr(options, name)
        if value is not None and not least <= value <= most:
            raise UserError(f"{prefix}{name}", f"must be {least} to {most}; got {value}")
    if options.generator != "he" and options.table is not None:
        raise UserError(f"{prefix}table", f"only the generator he has one, not {options.generator}")
    if not _is_learnt(options):
        for name in ("weights", "policy_passes"):
            if getattr(options, name):
                raise UserError(f"{prefix}{name}", f"only the policy learnt has it, not {options.policy}")
    if options.generator != "he" and options.weights is None:
        make_player(options, prefix)


def _is_learnt(options: PlayerOptions) -> bool:
    """Whether it asks the learnt policy: in playouts, or how likely plays were."""
    return options.policy == "learnt" or options.generator.endswith(LEARNT_LIKELIHOOD)


def _with_files(options: PlayerOptions, prefix: str) -> PlayerOptions:
    """With the whole paths and digests of the files it uses; UserError when one is not told or has changed."""
    if options.generator == "he":
        if options.table is None:
            raise UserError(
                f"{prefix}table", "he needs a table that was learnt: yamafuda run job=daifugo_learn"
            )
        path = str(Path(options.table).resolve())
        options = replace(
            options,
            table=path,
            table_sha256=_same(options.table_sha256, _digest(path), f"{prefix}table", path),
        )
    if _is_learnt(options):
        # The package's own file keeps no path, so that a run has the same name wherever the package is.
        weights = None if options.weights is None else str(Path(options.weights).resolve())
        sha256 = hashlib.sha256(_weights(weights).astype("<f4").tobytes()).hexdigest()
        named = weights or "the package's policy"
        options = replace(
            options,
            weights=weights,
            weights_sha256=_same(options.weights_sha256, sha256, f"{prefix}weights", named),
        )
    return options


def _same(expected: str | None, found: str, field: str, path: str) -> str:
    """The digest, if it is that of the run."""
    if expected not in (None, found):
        raise UserError(field, f"{path} is not the file that the run began with")
    return found


def _digest(path: str) -> str:
    """Of the counts, in whatever file they are."""
    table = _table(path)
    return hashlib.sha256(table.seen.astype("<u8").tobytes() + table.held.astype("<u8").tobytes()).hexdigest()


@functools.lru_cache(maxsize=16)
def _table(path: str) -> HeTable:
    """A table, read once in a process."""
    from engines.daifugo.he_table import load

    return load(path)


@functools.lru_cache(maxsize=16)
def _weights(path: str | None) -> Weights:
    """Weights of a policy, read once in a process; None: those of the package."""
    from engines.daifugo.policy import load

    return load(PACKAGE_WEIGHTS if path is None else Path(path))


def _named(error: ValueError, prefix: str) -> UserError:
    """The core's error of an argument, as that of an option."""
    name, _, message = str(error).partition(": ")
    return UserError(f"{prefix}{name}", message)
