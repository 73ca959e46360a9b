"""What the player of Calculation gives away in the last draws, beside the best play; figures, no check.

    python tests/slow/calculation_beside_best.py RANKS STACKS LEFT GAMES

Decks of seed 1 from 0 on. Each play with no more than LEFT cards in the pile is compared with all others of its card,
by the chance that the best play has after it. The player is that of ``job=calculation_sweep``, 200 assignments kept;
its table is built below ``YAMAFUDA_TABLES`` (or ``results``) when it is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

from engines.calculation import rules
from engines.calculation.best import best
from engines.calculation.chance import turns
from engines.calculation.core import open_player, random_deck
from engines.calculation.player import Options
from engines.calculation.record import ends_of_turns
from engines.calculation.rules import FOUNDATIONS, Position
from engines.solitaire.limits import Bounds

SEED = 1
PLACES = ("to a foundation", "to a stack", "to a stack though it fits")


def chance_of(position: Position) -> Fraction:
    """Of the best play."""
    found = best(position, Bounds()).chance
    assert found is not None, "no limit was set"
    return found


def place(before: Position, after: Position, rank: int) -> str:
    """Where the drawn card went: onto a stack, if one has a card more now or another than before."""
    stacked = any(new[:-1] == old for old, new in zip(before.stacks, after.stacks, strict=True) if new)
    fits = any(before.waits_for(foundation) == rank for foundation in range(FOUNDATIONS))
    return PLACES[stacked + (stacked and fits)]


def main() -> None:
    """Print how much is given away, by cards in the pile and by where the drawn card goes."""
    ranks, stacks, left_most, games = map(int, sys.argv[1:])
    yamafuda = [sys.executable, "-c", "from pipeline.cli import main; main()"]
    words = ["run", "job=stackgame_table", f"job.stacks={stacks}", f"job.cards={ranks - 1}", "cluster=serial"]
    subprocess.run([*yamafuda, *words], check=True, stdout=subprocess.DEVNULL)
    tables = Path(os.environ.get("YAMAFUDA_TABLES") or os.environ.get("YAMAFUDA_RESULTS") or "results")
    player = open_player(Options(ranks=ranks, stacks=stacks), tables)
    plays, worse, given = Counter[int](), Counter[int](), defaultdict[int, Fraction](Fraction)
    kinds, given_by = Counter[tuple[str, str]](), defaultdict[tuple[str, str], Fraction](Fraction)
    won = 0
    for index in range(games):
        deck = random_deck(SEED, index, ranks)
        (played,) = player.play([deck])
        won += played.outcome == "won"
        ends = [rules.start(ranks, stacks), *ends_of_turns(deck, played.moves, ranks, stacks)]
        for number, rank in enumerate(deck):
            left = len(deck) - number - 1
            if left > left_most or number + 1 >= len(ends):
                continue
            before, after = ends[number], ends[number + 1]
            chances = {turn: chance_of(turn) for turn in set(turns(before, rank))}
            most = max(chances.values())
            plays[left] += 1
            if chances[after] < most:
                worse[left] += 1
                given[left] += most - chances[after]
                other = max(chances, key=chances.__getitem__)
                kind = place(before, after, rank), place(before, other, rank)
                kinds[kind] += 1
                given_by[kind] += most - chances[after]
    print(f"{ranks} ranks, {stacks} stacks: {won} of {games} games won")
    for left in sorted(plays, reverse=True):
        points = float(100 * given[left] / games)
        print(f"{left} left: {worse[left]} of {plays[left]} plays are worse, {points:.3f} points a game")
    print(f"all: {float(100 * sum(given.values()) / games):.3f} points a game")
    for kind, count in kinds.most_common():
        points = float(100 * given_by[kind] / games)
        print(f"{kind[0]}, best {kind[1]}: {count} plays, {points:.3f} points a game")


if __name__ == "__main__":
    main()
