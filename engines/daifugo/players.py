"""Players of Daihinmin by name and options, as jobs and commands have them. ``conf/players`` has those with names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engines.daifugo.player_files import read_table, read_weights, with_files
from engines.daifugo.player_options import LEARNT_LIKELIHOOD, PLAYOUTS_MAX, PlayerOptions, check_options
from engines.daifugo.rules import PLAYERS
from engines.text.textfile import whole_number
from storage.errors import UserError

if TYPE_CHECKING:  # commands that only read their options do without the core
    from engines.daifugo.core import Generator, Player

BUDGET_SIGN = "@"
_NAME = re.compile(r"[\w.+@-]+")
"""Allowed names: in a record, # and / have other meanings."""


def resolve(
    kinds: Mapping[str, PlayerOptions | Mapping[str, Any]], names: Sequence[str], field: str
) -> dict[str, PlayerOptions]:
    """The options of the players ``names``, checked, with the digests of the tables that they use.

    ``kinds``: options by name, which may be plain values; all of them are checked, also those that are not named.
    UserError naming ``field`` for a name that is not known, ``job.kinds.NAME.OPTION`` for an option.
    """
    check_names(names, field)
    known = {
        name: options if isinstance(options, PlayerOptions) else PlayerOptions(**options)
        for name, options in kinds.items()
    }
    for name, options in known.items():
        _check_kind(options, f"job.kinds.{name}.")
    found = {name: _resolve_name(known, name, field) for name in dict.fromkeys(names)}
    for name, options in found.items():
        prefix = f"job.kinds.{name.partition(BUDGET_SIGN)[0]}."
        found[name] = options = with_files(options, prefix)
        make_player(options, prefix)
    return found


def check_names(names: Sequence[str], field: str) -> None:
    """UserError naming ``field`` for a name that records cannot hold."""
    for name in names:
        if not _NAME.fullmatch(name):
            raise UserError(
                field, f"{name!r}: a record holds no such name; letters, digits and _ . + - @ are allowed"
            )


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
            policy_weights=read_weights(options.weights) if options.policy == "learnt" else None,
            policy_passes=options.policy == "learnt" and options.policy_passes,
            sure=options.sure,
            sure_playouts=options.sure_playouts,
            pool=options.pool,
            prior=options.prior,
            lead=options.lead,
            joint=options.joint,
            worth=list(options.worth),
        )
    except ValueError as error:
        raise _named(error, prefix) from None


def make_checked(options: PlayerOptions, prefix: str) -> Player:
    """The player of options that were not checked yet; UserError naming the option after ``prefix``."""
    check_options(options, prefix)
    options = with_files(options, prefix)
    return make_player(options, prefix)


def make_generator(options: PlayerOptions) -> Generator:
    """The core's way to make worlds, of a Monte-Carlo player's options that were checked."""
    from engines.daifugo.core import Generator, he_generator

    if options.generator.endswith(LEARNT_LIKELIHOOD):
        return Generator(
            options.generator,
            tries=options.tries,
            swaps=options.swaps,
            policy_weights=read_weights(options.weights),
            policy_passes=options.policy_passes,
        )
    if options.generator != "he":
        return Generator(options.generator, tries=options.tries, swaps=options.swaps)
    assert options.table is not None
    table = read_table(options.table)
    return he_generator(table.seen, table.held)


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
    _check_kind(options, f"{field}: {name}: ")
    return options


def _check_kind(options: PlayerOptions, prefix: str) -> None:
    """UserError naming the option that is out of range, also for the core, as far as no file is needed for that."""
    check_options(options, prefix)
    if options.generator != "he" and options.weights is None:
        make_player(options, prefix)


def _named(error: ValueError, prefix: str) -> UserError:
    """The core's error of an argument, as that of an option."""
    name, _, message = str(error).partition(": ")
    return UserError(f"{prefix}{name}", message)
