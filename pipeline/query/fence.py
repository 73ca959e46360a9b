"""What SQL may do here: read the views of runs, and nothing else on this machine or elsewhere.

There are two walls. Statements are parsed, and only those that read are let through: none with a function that
opens files, none that writes in a WITH. And DuckDB itself opens only the parts that the views read: no other
file, no network, no extension.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from storage.errors import UserError

READING = "SELECT, VALUES, PIVOT with IN, DESCRIBE, SHOW, SUMMARIZE, and EXPLAIN of these"
QUERY_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
TABLE_FUNCTIONS = {
    "duckdb_columns",
    "duckdb_functions",
    "duckdb_keywords",
    "duckdb_tables",
    "duckdb_types",
    "duckdb_views",
    "generate_series",
    "json_each",
    "json_tree",
    "range",
    "repeat",
    "repeat_row",
    "unnest",
}
"""Functions that make rows from their arguments, or list what there is."""
LISTING = {"duckdb_columns", "duckdb_tables", "duckdb_views", "columns", "tables", "views"}
"""Functions and views of the catalog that list tables."""
_EXPLAIN = re.compile(
    r"(?:\s|--[^\n]*\n|/\*.*?\*/)*(EXPLAIN\b\s*(?:\([\w\s,]*\)|ANALYZE\b)?)(.*)", re.IGNORECASE | re.DOTALL
)
_STRICT: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}


@dataclass(frozen=True)
class Statement:
    """A statement that only reads."""

    sql: str
    tables: frozenset[str]
    """Names that it reads, in lower case."""
    lists_tables: bool
    """Whether it asks which tables there are."""
    explains: bool
    """Whether the answer is a plan of the query, as text."""

    def names(self, table: str) -> bool:
        """Whether it reads a table of this name."""
        return table.lower() in self.tables

    def reads(self, table: str) -> bool:
        """Whether its answer depends on whether a table of this name exists."""
        return self.lists_tables or self.names(table)


def connect(paths: Iterable[str]) -> duckdb.DuckDBPyConnection:
    """A database in memory that can read the files ``paths`` and no other; to be locked once its views are made."""
    connection = duckdb.connect(":memory:", config=_STRICT)
    # Data that do not fit into memory go there instead of the working directory; DuckDB makes and removes the
    # folder.
    overflow = Path(tempfile.gettempdir()) / f"yamafuda-query-{os.getpid()}"
    connection.execute(f"SET temp_directory = {quoted(str(overflow))}")
    # The bar would be drawn on standard output, into the answer. A notebook without the library that draws it
    # refuses even this setting.
    if connection.execute("SELECT current_setting('enable_progress_bar')").fetchall() != [(False,)]:
        connection.execute("SET enable_progress_bar = false")
    connection.execute("SET parquet_metadata_cache = true")  # each file's is looked at several times
    connection.execute(f"SET allowed_paths = [{', '.join(map(quoted, paths))}]")
    connection.execute("SET enable_external_access = false")
    return connection


def lock(connection: duckdb.DuckDBPyConnection) -> None:
    """Nothing that is executed from now on can open the fence."""
    connection.execute("SET lock_configuration = true")


def statements(sql: str) -> list[Statement]:
    """The statements of a text, in order; UserError when one does more than read, or there is none."""
    with duckdb.connect(":memory:", config=_STRICT) as parser:
        try:
            texts = [each.query for each in parser.extract_statements(sql)]
        except (duckdb.Error, ValueError) as error:
            raise UserError("SQL", one_line(error)) from error
        found = [_checked(parser, text) for text in texts]
    if not found:
        raise UserError("SQL", "holds no statement; try: SELECT * FROM runs")
    return found


def one_line(error: BaseException) -> str:
    """The error, without DuckDB's copy of the place in the statement."""
    text = re.split(r"\n\s*\n(?=LINE \d+:)|\n(?=LINE \d+:)", str(error))[0]
    return " ".join(text.split())


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as SQL writes it, whatever characters it has."""
    return '"' + name.replace('"', '""') + '"'


def _checked(parser: duckdb.DuckDBPyConnection, sql: str) -> Statement:
    explain = _EXPLAIN.fullmatch(sql)
    if explain:
        # The parsed statement itself is run, whatever DuckDB would make of comments before it.
        sql = f"{explain[1]} {explain[2]}"
    tree = _tree(parser, explain[2] if explain else sql)
    if tree is None:
        word = (sql.split() or ["it"])[0].upper()
        raise UserError("SQL", f"{word}: only {READING} are allowed here")
    tables, lists_tables = set(), False
    for node in _nodes(tree):
        kind = node.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in QUERY_NODES:
            raise UserError("SQL", f"{kind.split('_')[0]}: only reading is allowed here, also in WITH")
        if kind == "TABLE_FUNCTION":
            name = str(node["function"]["function_name"]).lower()
            if name not in TABLE_FUNCTIONS:
                raise UserError(
                    "SQL", f"{name} is not available here: runs are read through their views (SHOW TABLES)"
                )
            lists_tables |= name in LISTING
        elif kind == "BASE_TABLE":
            tables.add(str(node["table_name"]).lower())
        elif kind == "SHOW_REF":
            lists_tables |= node["query"] is None
    return Statement(sql, frozenset(tables), lists_tables or bool(tables & LISTING), explain is not None)


def _tree(parser: duckdb.DuckDBPyConnection, sql: str) -> Any:
    """A statement that reads, as DuckDB's parser gives it; None for any other."""
    (text,) = parser.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone() or ("",)
    tree = json.loads(text)
    return None if tree["error"] or len(tree["statements"]) != 1 else tree


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects in it."""
    if isinstance(tree, dict):
        yield tree
    for each in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _nodes(each)
