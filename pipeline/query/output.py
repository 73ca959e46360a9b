"""Writes an answer: as a table, CSV, JSON or Parquet, on standard output or in a file."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from pipeline.query.answer import Answer
from pipeline.query.formats import Format
from pipeline.query.table import table_lines
from pipeline.query.values import as_json, as_text
from storage.errors import UserError
from storage.publish import replace, staged


@dataclass(frozen=True)
class Output:
    """Where answers go, and in which form."""

    format: Format
    file: Path | None = None
    """Standard output if None."""

    @property
    def as_arrow(self) -> bool:
        """Whether it takes answers in Arrow's form."""
        return self.format == Format.parquet

    def give(self, answer: Answer) -> None:
        """Print or write an answer; a file is written as a whole or not at all."""
        if self.format in (Format.json, Format.jsonl):
            _check_names(answer.names)
        if self.file is None:
            _WRITERS[self.format](answer, sys.stdout)
            sys.stdout.flush()
            return
        with _replacing(self.file) as path:
            if self.format == Format.parquet:
                import pyarrow.parquet as pq

                pq.write_table(answer.table, path, compression="zstd")
            else:
                with path.open("w", encoding="utf-8", newline="") as stream:
                    _WRITERS[self.format](answer, stream)


def choose_output(chosen: Format | None, as_json: bool, file: Path | None) -> Output:
    """From the options of the command; UserError for those that contradict each other."""
    if file is not None and not file.resolve().parent.is_dir():
        raise UserError(str(file), "its folder is not there")
    if as_json and chosen not in (None, Format.jsonl):
        raise UserError("--json", f"means --format jsonl; --format {chosen} contradicts it")
    suffix = file.suffix.removeprefix(".").lower() if file else Format.table
    if chosen is None and not as_json and suffix not in list(Format):
        raise UserError(
            str(file),
            f"its name does not say which format; give --format, or end it in .{', .'.join(Format)}",
        )
    found = Output(Format.jsonl if as_json else chosen or Format(suffix), file)
    if found.format == Format.parquet and file is None:
        raise UserError("--format", "parquet needs a file: -o FILE")
    return found


def _check_names(names: Sequence[str]) -> None:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise UserError("SQL", f"two columns are called {twice[0]!r}; rename one with AS")


@contextmanager
def _replacing(file: Path) -> Iterator[Path]:
    """A path to write to; at the end it becomes ``file``, unless that is a device."""
    final = file.resolve()
    if final.exists() and not final.is_file():
        yield final
        return
    with staged(final, final.parent) as temporary:
        yield temporary
        replace(temporary, final)


def _write_table(answer: Answer, stream: TextIO) -> None:
    if answer.is_plan:
        stream.writelines(f"{value.rstrip()}\n" for *_, value in answer.rows)
        return
    width = shutil.get_terminal_size().columns if stream is sys.stdout and stream.isatty() else None
    hidden, lines = table_lines(answer.names, answer.types, answer.rows, width, answer.folds)
    stream.writelines(f"{line}\n" for line in lines)
    if hidden:
        told = f"{hidden[0]} to {hidden[-1]}" if len(hidden) > 1 else hidden[0]
        print(f"not shown: {told}; name columns, or --format csv", file=sys.stderr)


def _write_csv(answer: Answer, stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(answer.names)
    writer.writerows([as_text(value) for value in row] for row in answer.rows)


def _write_json(answer: Answer, stream: TextIO) -> None:
    stream.write("[")
    for number, text in enumerate(_objects(answer)):
        stream.write(f"{',' if number else ''}\n{text}")
    stream.write("\n]\n" if answer.rows else "]\n")


def _write_jsonl(answer: Answer, stream: TextIO) -> None:
    stream.writelines(f"{text}\n" for text in _objects(answer))


def _objects(answer: Answer) -> Iterator[str]:
    for row in answer.rows:
        values = {name: as_json(value) for name, value in zip(answer.names, row, strict=True)}
        yield json.dumps(values, allow_nan=False)


_WRITERS: dict[Format, Callable[[Answer, TextIO], None]] = {
    Format.table: _write_table,
    Format.csv: _write_csv,
    Format.json: _write_json,
    Format.jsonl: _write_jsonl,
}
