"""Plays judged by playouts: ``advise daifugo``. What takes time to import is imported when it is asked."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.contract.answer import Answer, Door
from engines.contract.asking import answers_each
from engines.contract.game import example
from engines.contract.limit import TIME, LimitHitError, check_time, undecided, within
from engines.contract.source import Source
from engines.daifugo.game import Daifugo
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.daifugo.core import Evaluated

FILE_BYTES = 1 << 24
"""Longest file of positions, in bytes."""


@example(
    "Example: yamafuda advise daifugo positions.txt; yamafuda solve daifugo is the same command. "
    f"{Daifugo.forms['position']} engines/TEXT.md has all of it."
)
@answers_each("a position")
def advise(
    door: Door,
    positions: Annotated[Source, typer.Argument(metavar="FILE", help="Positions; - is standard input.")],
    playouts: Annotated[int, typer.Option(help="Playouts for each position.")] = 10_000,
    generator: Annotated[
        str,
        typer.Option(
            help="How hidden cards are dealt. rand: at random; rand_d: strong cards rather to those with few cards; "
            "rand_dr: the strongest to the first three of the game before (Yanagisawa and Matsuzaki, section 3.1); "
            "he: as players held them in recorded games (section 3.2). Not in the paper: exchange, reject, chain, "
            "chain_learnt and others."
        ),
    ] = "rand",
    table: Annotated[
        Path | None,
        typer.Option(help="For the generator he: its table, a file or run of job=daifugo_learn."),
    ] = None,
    policy: Annotated[
        str, typer.Option(metavar="uniform|rule|learnt", help="The policy that plays in playouts.")
    ] = "uniform",
    weights: Annotated[
        Path | None,
        typer.Option(
            help="File of weights of the learnt policy; some generators use it, too.",
            show_default="the package's",
        ),
    ] = None,
    passes: Annotated[
        bool, typer.Option("--policy-passes", help="Let the learnt policy pass where a play is legal.")
    ] = False,
    bandit: Annotated[
        str,
        typer.Option(
            metavar="ucb1|ucb1_tuned|thompson|even", help="The bandit that chooses which play to try next."
        ),
    ] = "ucb1",
    c: Annotated[
        float, typer.Option(help="Weight of exploration: how much plays with few visits are preferred.")
    ] = 4.0,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 1,
    time_s: TIME = None,
) -> Iterator[Answer]:
    """Judge all legal plays by playouts.

    Prints the visits, mean score and standard error of each play, the best first. The score is 5 for finishing first,
    down to 1 for finishing last. Only what the player to move knows is used, even if the file says more.
    """
    from engines.daifugo.core import evaluate, known_of
    from engines.daifugo.player_options import PlayerOptions
    from engines.daifugo.players import make_checked
    from engines.daifugo.position import read_positions

    check_time(time_s)
    options = PlayerOptions(
        playouts=playouts,
        generator=generator,
        table=None if table is None else str(table),
        policy=policy,
        policy_passes=passes,
        weights=None if weights is None else str(weights),
        bandit=bandit,
        c=c,
    )
    if not 0 <= seed < 1 << 64:
        raise UserError("--seed", f"{seed} is not in 0..2**64-1")
    try:
        player = make_checked(options, "--")
    except UserError as error:
        field = error.field.replace("_", "-") if error.field.startswith("--") else error.field
        raise UserError(field, error.message) from None
    views = read_positions(positions.read(FILE_BYTES), positions.name)
    if not views:
        raise UserError(positions.name, "there is no position in it")
    at = door.waiting("position", len(views), f"{playouts:,} playouts")
    for number, view in enumerate(views, start=1):
        try:
            known = known_of(view)
        except ValueError as error:
            raise UserError(f"{positions.name}, position {number}", str(error)) from error
        with at(number):
            evaluated = within(time_s, partial(evaluate, known, player, seed))
        if isinstance(evaluated, LimitHitError):
            yield undecided(f"position {number}", evaluated)
            continue
        found = sorted(evaluated, key=_worth)
        values = {"turn": view.turn, "plays": list(map(_values, found))}
        yield Answer(values, tuple(_lines(number, view.turn, found)))


def _worth(each: Evaluated) -> tuple[float, int]:
    """Best mean first, plays without a visit last."""
    return (math.inf if math.isnan(each.mean) else -each.mean), -each.visits_count


def _values(each: Evaluated) -> dict[str, Any]:
    from engines.daifugo.text import format_play

    return {
        "play": format_play(each.play),
        "visits_count": each.visits_count,
        "score_mean": None if math.isnan(each.mean) else each.mean,
        "score_se": None if math.isnan(each.error) else each.error,
    }


def _lines(number: int, turn: int, found: list[Evaluated]) -> list[str]:
    from engines.daifugo.text import format_play

    lines = [f"position {number}: seat {turn}, {len(found)} plays", "  visits   mean  error  play"]
    for each in found:
        mean, error = ("-" if math.isnan(value) else f"{value:.3f}" for value in (each.mean, each.error))
        lines.append(f"{each.visits_count:>8}  {mean:>5}  {error:>5}  {format_play(each.play)}")
    return lines
