"""What a player of ours would have played in games of others, and what that is worth beside what was played.

    python tests/slow/weigh_daifugo_choices.py games.record --by b --player champion@2000 [--times 24] [--games N]

Each turn of the players ``--by`` is put to ``--player``, which knows what they knew. Where it plays something else, the
game goes on from both plays, with the true hands, as often as ``--times`` says; ``--on`` plays for all from there. The
points are those of the seat, where a rank counts what it counts for ``--player``. Records are those of a
tournament, also of one over a network (``yamafuda export RUN``).
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engines.daifugo import core, rules
from engines.daifugo.core import Player
from engines.daifugo.numbers import play_numbers
from engines.daifugo.record import read_records
from engines.daifugo.replay import Record, Turn, known, replay
from engines.daifugo.rules import PASS, Play, Position
from engines.daifugo.uecda.named import named_options, named_player
from engines.daifugo.view import View, without_hidden
from storage.errors import UserError

SEED_MAX = 1 << 32


@dataclass(frozen=True)
class Differing:
    """A turn at which the player plays something else."""

    theirs: Play
    ours: Play
    gain: float
    """Mean points after ours, less those after theirs."""


def own_view(record: Record, position: Position, number: int) -> View:
    """What the player whose turn it is knows. Over a network the first and the second do not learn which cards they
    got, so that nobody's gifts are told here to them."""
    view = without_hidden(known(record, position, number))
    rank = None if view.before is None else view.before.index(view.turn)
    return replace(view, got=frozenset()) if rank in (0, 1) else view


def known_of_turn(record: Record, position: Position, number: int, leader: int) -> core.Knowledge:
    """The same with the order of all turns, the first of ``leader``, for players who ask how likely they were."""
    turns = [(turn.seat, *play_numbers(turn.play)) for turn in record.turns[:number]]
    return core.knowledge_of(own_view(record, position, number), turns, leader)


def rank_after(
    record: Record, number: int, position: Position, play: Play, player: Player, chance: random.Random
) -> int:
    """The rank, from 0, of the seat whose turn it is when the game goes on after its play."""
    seat, turns = position.turn, list(record.turns[:number])
    while seat not in position.finished:
        turns.append(Turn(position.turn, play))
        position = rules.apply(position, play)
        if rules.is_stalled(position):
            order = rules.in_game(position)
            chance.shuffle(order)
            position = rules.draw_lots(position, order)
        if seat not in position.finished:
            so_far = replace(record, turns=tuple(turns))
            view = own_view(so_far, position, len(turns))
            play = core.choose(core.known_of(view), player, chance.randrange(SEED_MAX))
    return position.finished.index(seat)


def weigh(
    record: Record,
    names: Sequence[str],
    player: Player,
    on: Player,
    worth: Sequence[float],
    times: int,
    chance: random.Random,
) -> Iterator[Differing | None]:
    """For each turn of a legal record that is one of ``names``'; None where the player plays the same."""
    assert record.players is not None
    positions = replay(record).positions
    for number, turn in enumerate(record.turns):
        if record.players[turn.seat] not in names:
            continue
        position = positions[number]
        ours = core.choose(
            known_of_turn(record, position, number, positions[0].turn), player, chance.randrange(SEED_MAX)
        )
        if ours == turn.play:
            yield None
            continue
        mean = [
            statistics.fmean(
                worth[rank_after(record, number, position, play, on, chance)] for _ in range(times)
            )
            for play in (ours, turn.play)
        ]
        yield Differing(turn.play, ours, mean[0] - mean[1])


def kind_of(found: Differing) -> str:
    """Who of the two passes."""
    words = ["passes" if play == PASS else "plays" for play in (found.ours, found.theirs)]
    return f"ours {words[0]}, theirs {words[1]}"


def told(name: str, gains: Sequence[float], seats_count: int) -> str:
    """A line: turns, the mean gain of one, and what all come to for a seat and game."""
    error = statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else float("nan")
    share = len(gains) / seats_count
    return (
        f"{name:<26} {len(gains):>6} {statistics.fmean(gains):>+8.3f} ± {error:.3f}"
        f" {share * statistics.fmean(gains):>+8.4f} ± {share * error:.4f}"
    )


def read(path: Path, names: Sequence[str]) -> list[Record]:
    """The games of a file; UserError if it has none of ``names``, or a game that is not legal."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(str(path), f"cannot be read: {error}") from None
    records = list(read_records(text, str(path)))
    for number, record in enumerate(records, start=1):
        problem = "names no players" if record.players is None else replay(record).problem
        if problem is not None:
            raise UserError(f"{path}, game {number}", problem)
    there = {name for record in records for name in record.players or ()}
    if not there.intersection(names):
        raise UserError(
            "--by", f"no game of {path} is of {', '.join(names)}; there are: {', '.join(sorted(there))}"
        )
    return records


def main() -> int:
    """Print what differing plays are worth; 2 for what is wrong with the words or the games."""
    try:
        return compare()
    except UserError as error:
        print(error, file=sys.stderr)
        return 2


def compare() -> int:
    """The same; UserError for what is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--by", nargs="+", required=True, help="names of players, as records have them")
    parser.add_argument("--player", default="champion@2000", help="who is asked: a name of conf/players")
    parser.add_argument("--on", default="strong@48", help="who plays on")
    parser.add_argument("--times", type=int, default=24, help="games played on from each play")
    parser.add_argument("--games", type=int, default=None, help="the first so many alone")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for name in ("times", "games"):
        if (number := getattr(arguments, name)) is not None and number < 1:
            raise UserError(f"--{name}", f"must be 1 or more; got {number}")
    player, on = named_player(arguments.player, "--player"), named_player(arguments.on, "--on")
    worth = named_options(arguments.player, "--player").worth
    records = [record for path in arguments.records for record in read(path, arguments.by)]
    records = records[: arguments.games]
    chance = random.Random(arguments.seed)
    turns_count = seats_count = 0
    gains: dict[str, list[float]] = defaultdict(list)
    for number, record in enumerate(records):
        seats_count += sum(name in arguments.by for name in record.players or ())
        for found in weigh(record, arguments.by, player, on, worth, arguments.times, chance):
            turns_count += 1
            if found is not None:
                gains["all"].append(found.gain)
                gains[kind_of(found)].append(found.gain)
        print(f"\r{number + 1} of {len(records)} games", end="", file=sys.stderr, flush=True)
    print(f"\n{turns_count} turns of {', '.join(arguments.by)}; {arguments.player} plays otherwise at")
    print(f"{'':26} {'turns':>6} {'points more at each':>17} {'a game':>17}")
    for name in sorted(gains):
        print(told(name, gains[name], seats_count))
    return 0


if __name__ == "__main__":
    sys.exit(main())
