"""The games of a tournament that were written down, with a row for each turn, and as texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from engines.daifugo.columns import shared
from engines.daifugo.numbers import play_numbers
from engines.daifugo.record import read_records
from engines.daifugo.text import format_play
from storage.chunks import ROW_GROUP_COUNT
from storage.columns import column, common_columns
from storage.dataset import read_rows
from storage.place import Place

FILE_GAMES = 4_000
"""Games of a text file and of a row group, so that ``yamafuda check daifugo`` takes each file."""
_NAMES = ("seed", "game", "match", "variant", "variant_name", "record")


def turns_schema() -> pa.Schema:
    """A row for each turn. ``card_set`` and ``stands`` are the numbers of the play (``numbers``)."""
    return pa.schema(
        [
            common_columns().field("seed"),
            *shared("game", "match", "variant", "variant_name", "turn", "seat", "player_name"),
            column("play", "string", "", "The play, as records write it."),
            column(
                "card_set",
                "uint64",
                "",
                "The cards of the play: bit 4 * (column - 1) + suit, the joker's is 52.",
            ),
            column("stands", "int8", "", "What the joker stands for, 4 * column + suit; -1 without."),
        ]
    )


def export_games(run_dir: Place, variants_count: int, out_dir: Path) -> list[Path]:
    """Write ``turns-VARIANT.parquet`` and ``games-VARIANT-NUMBER.record`` into a folder; the files."""
    rows = read_rows(run_dir, _NAMES)
    rows = rows.filter(pc.is_valid(rows["record"]))
    written = []
    for variant in range(variants_count):
        chosen = rows.filter(pc.equal(rows["variant"], variant)).sort_by("game")
        path = out_dir / f"turns-{variant}.parquet"
        written.append(path)
        with pq.ParquetWriter(path, turns_schema(), compression="zstd") as writer:
            for begin in range(0, len(chosen), FILE_GAMES):
                games = chosen.slice(begin, FILE_GAMES).to_pylist()
                turns = pa.Table.from_pylist([row for game in games for row in _turns(game)], turns_schema())
                writer.write_table(turns, row_group_size=ROW_GROUP_COUNT)
                texts = out_dir / f"games-{variant}-{begin // FILE_GAMES:03d}.record"
                texts.write_text("\n\n".join(game["record"] for game in games) + "\n")
                written.append(texts)
    return written


def _turns(game: dict[str, Any]) -> Iterator[dict[str, Any]]:
    text = game.pop("record")
    (record,) = read_records(text)
    names = record.players or ()
    for number, turn in enumerate(record.turns):
        cards, stands = play_numbers(turn.play)
        yield game | {
            "turn": number,
            "seat": turn.seat,
            "player_name": names[turn.seat],
            "play": format_play(turn.play),
            "card_set": cards,
            "stands": stands,
        }
    game["record"] = text
