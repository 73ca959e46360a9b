"""The game that the paper prints in appendix A.1: which of its plays are ours, by draws of look-ahead.

    python tests/slow/check_appendix.py [LOOK_AHEAD ...]

A printed play is a turn whose turn before is printed too and in which not all is won already: turns 8, 19 and 27. The
player is the paper's: the largest value, 200 assignments kept, which are found anew for each position. It plays by the
table for three stacks below ``YAMAFUDA_TABLES`` (or ``results``), which is built there when it is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from engines.calculation import rules
from engines.calculation.core import open_player
from engines.calculation.estimate import Edges
from engines.calculation.paper import example
from engines.calculation.player import Alike, Options, PositionValue, Recast
from engines.calculation.record import format_moves, read_turns

OURS = {
    (Edges.own, 0): {8: 2, 19: 2, 27: 1},
    (Edges.own, 1): {8: 3, 19: 1, 27: 1},
    (Edges.all, 0): {8: 3, 19: 2, 27: 1},
    (Edges.all, 1): {8: 1, 19: 1, 27: 1},
    (Edges.all, 2): {8: 1, 19: 1, 27: 1},
}
"""Edges and look-ahead -> turn -> place of the printed play among ours."""


def places(options: Options, tables: Path) -> dict[int, int]:
    """Turn -> place of the printed play among all plays of its position, from 1; prints each."""
    player, found = open_player(options, tables), {}
    turns = {turn.number: turn for turn in read_turns(example("appendix-a1.turns"))}
    for number in (8, 19, 27):
        before, after = (turns[each].told(options.ranks).position for each in (number - 1, number))
        plays = player.advise(rules.draw(before, turns[number].rank))
        printed = next(play for play in plays if play.position == after)
        found[number] = plays.index(printed) + 1
        print(
            f"edges {options.edges}, look-ahead {options.look_ahead}, turn {number}: the printed play, "
            f"{format_moves([turns[number].rank], printed.moves)}, is number {found[number]} of {len(plays)}: "
            f"{printed.value:.4g}, the best of the others {plays[found[number] == 1].value:.4g}"
        )
    return found


def main() -> None:
    """Print the places; 1 if they are not those of the page."""
    yamafuda = [sys.executable, "-c", "from pipeline.cli import main; main()"]
    words = ["run", "job=stackgame_table", "job.stacks=3", "job.cards=12", "cluster=serial"]
    subprocess.run([*yamafuda, *words], check=True, stdout=subprocess.DEVNULL)
    tables = Path(os.environ.get("YAMAFUDA_TABLES") or os.environ.get("YAMAFUDA_RESULTS") or "results")
    paper = Options(keep=200, value=PositionValue.max, alike=Alike.all, recast=Recast.none)
    wanted = [int(word) for word in sys.argv[1:]] or [0, 1, 2]
    for (edges, look_ahead), expected in OURS.items():
        if (
            look_ahead in wanted
            and places(replace(paper, edges=edges, look_ahead=look_ahead), tables) != expected
        ):
            sys.exit("the plays are in another order than the page says")


if __name__ == "__main__":
    main()
