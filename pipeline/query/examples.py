"""Worked examples of queries: files of SQL; those about all runs are in ``examples`` here, a game's in
``queries`` of its package.

Comment lines come first: the title, a line ``Run: COMMAND`` for each command that makes the data, and after an
empty line remarks on the answer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import takewhile

from engines.contract.nearest import did_you_mean
from engines.contract.registry import games, job_names
from pipeline.query.answer import Answer, answer
from pipeline.query.catalog import Catalog
from pipeline.query.fence import Statement, statements
from pipeline.roots import all_runs
from storage.errors import UserError

_COMMENT, _RUN, _SUFFIX = "--", "Run: ", ".sql"


@dataclass(frozen=True)
class Example:
    """A question with its SQL."""

    name: str
    sql: str
    """The whole file."""

    @property
    def title(self) -> str:
        """The question in one line."""
        return self._head[0]

    @property
    def commands(self) -> list[str]:
        """Commands that make the runs it needs."""
        return [line.removeprefix(_RUN) for line in self._head if line.startswith(_RUN)]

    @property
    def notes(self) -> str:
        """Remarks on the answer; empty if there are none."""
        return " ".join(self._head[1 + len(self.commands) :]).strip()

    @cached_property
    def statement(self) -> Statement:
        """What is asked."""
        (found,) = statements(self.sql)
        return found

    @property
    def kinds(self) -> list[str]:
        """The kinds of jobs whose rows it reads."""
        tables = {table.removesuffix("_rows") for table in self.statement.tables}
        return sorted(tables.intersection(job_names()))

    @property
    def _head(self) -> list[str]:
        lines = takewhile(lambda line: line.startswith(_COMMENT), self.sql.splitlines())
        return [line.removeprefix(_COMMENT).strip() for line in lines]


def examples() -> list[Example]:
    """All examples, those of all jobs first, then game by game."""
    return list(_found())


def answer_of(example: Example, with_unfinished: bool, as_arrow: bool = False) -> Answer:
    """Its answer; UserError that says what to run first where the data are missing."""
    catalog = Catalog(all_runs(), with_unfinished)
    lacking = [kind for kind in example.kinds if not catalog.has(kind)]
    if lacking or not catalog.runs:
        kinds = " and ".join(lacking) or "any job"
        raise UserError(
            example.name, f"there is no finished run of {kinds}; make one: {'; '.join(example.commands)}"
        )
    return answer(example.statement, with_unfinished, as_arrow, catalog)


def example_named(name: str) -> Example:
    """An example by its name; UserError when there is none."""
    found = {each.name: each for each in examples()}
    if name not in found:
        raise UserError(
            "--example", f"there is no example {name!r}{did_you_mean(name, found)}; --examples lists them"
        )
    return found[name]


def list_of_examples() -> Answer:
    """A row for each, as ``yamafuda query --examples`` gives them."""
    rows = [(each.name, ", ".join(each.kinds) or "all jobs", each.title) for each in examples()]
    return Answer(("name", "job", "what"), ("VARCHAR",) * 3, rows, folds=True)


def _found() -> Iterator[Example]:
    yield from _in_folder(resources.files("pipeline.query") / "examples")
    for game in games():
        package = sys.modules[type(game).__module__].__package__
        if package:
            yield from _in_folder(resources.files(package) / "queries")


def _in_folder(folder: Traversable) -> Iterator[Example]:
    if not folder.is_dir():
        return
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(_SUFFIX):
            yield Example(file.name.removesuffix(_SUFFIX), file.read_text(encoding="utf-8"))
