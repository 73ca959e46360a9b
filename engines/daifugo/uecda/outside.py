"""What connected players did in the rows of a run: faults, refused plays, processor time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engines.daifugo.rules import PLAYERS

if TYPE_CHECKING:
    import pyarrow as pa

OUTSIDE_COLUMNS = (
    "variant",
    "player",
    "player_name",
    "fault",
    "refused_count",
    "exit_status",
    "program_s",
    "client",
    "turns_count",
)
"""What is read of the rows."""


def outside_summary(rows: pa.Table, line_ups: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """By variant and connected player: games, those with a fault by its name, refused plays, how programs ended."""
    import pyarrow.compute as pc

    found = []
    for variant, line_up in enumerate(line_ups):
        for player in range(PLAYERS):
            chosen = _rows_of(rows, variant, player)
            chosen = chosen.filter(pc.is_valid(chosen["client"]))
            if not len(chosen):
                continue
            faults = chosen["fault"].drop_null().to_pylist()
            statuses = sorted(set(chosen["exit_status"].drop_null().to_pylist()))
            found.append(
                {
                    "variant": variant,
                    "player": player,
                    "player_name": line_up[player],
                    "clients": sorted(set(chosen["client"].to_pylist())),
                    "games_count": len(chosen),
                    "faults": {name: faults.count(name) for name in sorted(set(faults))},
                    "refused_count": int(pc.sum(chosen["refused_count"]).as_py()),
                    "exit_statuses": statuses,
                    "program_s_a_game": pc.mean(chosen["program_s"]).as_py(),
                }
            )
    return found


def turns_a_game(rows: pa.Table, variants_count: int) -> list[list[float]]:
    """Turns of each player, by variant and player."""
    import pyarrow.compute as pc

    return [
        [pc.mean(_rows_of(rows, variant, player)["turns_count"]).as_py() for player in range(PLAYERS)]
        for variant in range(variants_count)
    ]


def _rows_of(rows: pa.Table, variant: int, player: int) -> pa.Table:
    import pyarrow.compute as pc

    return rows.filter(pc.and_(pc.equal(rows["variant"], variant), pc.equal(rows["player"], player)))


def outside_lines(outside: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each connected player with a fault."""
    for each in outside:
        told = [f"{name} in {count} games" for name, count in each["faults"].items()]
        if each["refused_count"]:
            told.append(f"{each['refused_count']} plays refused")
        told += [f"ended with status {status}" for status in each["exit_statuses"] if status]
        if told:
            variant = f" in variant {each['variant']}" if each["variant"] else ""
            yield f"{each['player_name']} (player {each['player']}{variant}): {', '.join(told)}"
