"""Makes data.md, the columns of all data: ``python docs/make_data.py`` (``make docs``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from engines.contract.columns import all_columns, columns_of, export_columns_of
from engines.contract.game import Game
from engines.contract.registry import games
from storage.columns import MEANING, UNIT

if TYPE_CHECKING:
    import pyarrow as pa

PAGE = Path(__file__).with_name("data.md")
HEAD = """\
# The columns of all data

Made by `make docs`; `yamafuda query --schema JOB` prints the same of one kind of job.

A run's rows are Parquet files in its folder `data/`. A name has one type, one unit and one meaning in all of them, and
in what `yamafuda export` writes. Unit and meaning also stand in the files, in the metadata of each field of the Arrow
schema. A type with a question mark may be null. Columns that may differ between two runs of one job are named in the
files' metadata (`yamafuda.volatile`, [FORMAT.md](../storage/FORMAT.md)).
"""


def page() -> str:
    """The text of the page: a table for each job of the games of this tree, and for what it exports."""
    all_columns()
    return "\n".join([HEAD, *(line for game in games() if _is_ours(game) for line in _of_game(game))])


def _is_ours(game: Game) -> bool:
    return type(game).__module__.startswith("engines.")


def _of_game(game: Game) -> Iterator[str]:
    yield f"## {game.title}\n"
    for job in game.jobs:
        yield from _table(f"`{job}`", columns_of(job))
        if exported := export_columns_of(job):
            yield from _table(f"`{job}`, exported", exported)


def _table(title: str, columns: pa.Schema) -> Iterator[str]:
    yield f"### {title}\n"
    yield "| column | type | unit | meaning |\n|---|---|---|---|"
    for field in columns:
        unit, meaning = (field.metadata[key].decode() for key in (UNIT, MEANING))
        yield f"| `{field.name}` | {_type(field.type)}{'?' if field.nullable else ''} | {unit} | {meaning} |"
    yield ""


def _type(kind: pa.DataType) -> str:
    import pyarrow as pa

    return f"list of {_type(kind.value_type)}" if pa.types.is_list(kind) else str(kind)


if __name__ == "__main__":
    PAGE.write_text(page())
