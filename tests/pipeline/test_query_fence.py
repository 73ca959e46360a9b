"""What SQL cannot do: change anything, read files that are no runs' rows, reach a network."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from query_helpers import asked, run_of

from pipeline.query.fence import connect, lock, one_line, statements
from storage.errors import UserError

READS = [
    "SELECT 1",
    "  -- a remark\nSELECT 1",
    "WITH a AS (SELECT 1 AS n) SELECT n FROM a",
    "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 3) SELECT n FROM a",
    "FROM range(3)",
    "VALUES (1), (2)",
    "TABLE runs",
    "DESCRIBE runs",
    "DESCRIBE SELECT 1",
    "SUMMARIZE toy_sweep",
    "SHOW TABLES",
    "SHOW ALL TABLES",
    "EXPLAIN SELECT * FROM toy_sweep",
    "EXPLAIN ANALYZE SELECT * FROM toy_sweep",
    "/* a remark */ EXPLAIN (ANALYZE, FORMAT json) SELECT 1",
    "SELECT * FROM information_schema.tables",
    "PIVOT toy_sweep ON outcome IN ('won', 'lost') USING count(*)",
    "SELECT * FROM toy_sweep UNION SELECT * FROM toy_sweep ORDER BY 1 LIMIT 3",
    "SELECT (SELECT max(seed) FROM toy_sweep), unnest([1, 2])",
]
ESCAPES = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    'SELECT * FROM "/etc/passwd"',
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM glob('{root}/*')",
    "SELECT * FROM read_text('{root}/*/plan.json')",
    "SELECT * FROM read_parquet('{outside}')",
    "SELECT * FROM read_parquet('file://{outside}')",
    "SELECT * FROM '{outside}'",
    "SELECT * FROM parquet_metadata('{outside}')",
    "SELECT * FROM '{root}/link/secret.parquet'",
    "SELECT * FROM '{part}/../../../link/secret.parquet'",
    "SELECT (SELECT max(content) FROM read_text('/etc/passwd'))",
    "WITH a AS (SELECT * FROM read_text('/etc/passwd')) SELECT * FROM a",
    "DESCRIBE SELECT * FROM read_csv('/etc/passwd')",
    "SUMMARIZE SELECT * FROM read_csv('/etc/passwd')",
    "EXPLAIN ANALYZE SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM read_duckdb('{outside}')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('runs')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
    "SELECT * FROM 'http://127.0.0.1:9/x.parquet'",
    "SELECT * FROM read_csv('https://127.0.0.1:9/x.csv')",
    "SELECT * FROM 's3://bucket/x.parquet'",
    "SELECT getenv('HOME')",
    "SELECT * FROM secret_of_python",
    "SELECT * FROM python_arrow_scan(1)",
    "COPY (SELECT 1) TO '{root}/new.csv'",
    "COPY toy_sweep TO '{part}' (FORMAT parquet, USE_TMP_FILE false)",
    "COPY t FROM '/etc/passwd'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{part}' (FORMAT csv, USE_TMP_FILE false)",
    "WITH a AS (COPY (SELECT 1) TO '{part}' (FORMAT csv, USE_TMP_FILE false)) SELECT * FROM toy_sweep",
    "EXPLAIN ANALYZE WITH a AS (COPY (SELECT 1) TO '{part}' (FORMAT csv, USE_TMP_FILE false)) SELECT 1",
    "SELECT * FROM (WITH a AS (COPY (SELECT 1) TO '{part}' (FORMAT csv, USE_TMP_FILE false)) SELECT 1)",
    "/* /* */ EXPLAIN SELECT 1 -- */\nEXPLAIN ANALYZE COPY (SELECT 1) TO '{part}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPLAIN (ANALYZE /*) SELECT 1 /**/ ) COPY (SELECT 1) TO '{part}' (FORMAT csv, USE_TMP_FILE false)",
    "WITH a AS (INSERT INTO runs VALUES (1) RETURNING *) SELECT * FROM a",
    "ATTACH '{root}/new.db'",
    "ATTACH ':memory:' AS other",
    "DETACH memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{root}/x.duckdb_extension'",
    "UPDATE EXTENSIONS",
    "SET enable_external_access = true",
    "SET allowed_paths = ['/etc/passwd']",
    "SET lock_configuration = false",
    "RESET lock_configuration",
    "PRAGMA enable_profiling",
    "CALL enable_logging()",
    "SELECT * FROM enable_logging()",
    "SELECT * FROM checkpoint()",
    "EXPORT DATABASE '{root}/new'",
    "IMPORT DATABASE '{root}/new'",
    "CREATE TABLE t AS SELECT 1",
    "CREATE SECRET (TYPE s3)",
    "DROP VIEW runs",
    "INSERT INTO runs VALUES (1)",
    "UPDATE runs SET job = 'x'",
    "DELETE FROM runs",
    "BEGIN",
    "USE memory",
    "PREPARE a AS SELECT 1",
    "VACUUM",
    "CHECKPOINT",
]


def test_what_reads_is_done() -> None:
    run_of("job=toy_sweep")
    for sql in READS:
        assert asked(sql), sql


@pytest.fixture
def places(workspace: Path) -> dict[str, str]:
    """The only part of a run, the root, and a Parquet file outside to which a link in the root leads."""
    run = run_of("job=toy_sweep", "job.unit_items=100")
    (part,) = (run / "data").iterdir()
    outside = workspace / "outside"
    outside.mkdir()
    (outside / "secret.parquet").write_bytes(part.read_bytes())
    (run.parent / "link").symlink_to(outside)
    return {"part": str(part), "root": str(run.parent), "outside": str(outside / "secret.parquet")}


def listing(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_nothing_gets_out(places: dict[str, str], workspace: Path) -> None:
    secret_of_python = [1]
    before = listing(workspace)
    for sql in ESCAPES:
        with pytest.raises(UserError) as caught:
            asked(sql.format(**places))
        assert caught.value.field == "SQL", sql
        assert "\n" not in str(caught.value), sql
        assert listing(workspace) == before, sql
    assert secret_of_python


def test_nothing_gets_out_of_the_inner_wall(places: dict[str, str], workspace: Path) -> None:
    """What DuckDB itself would do with statements that were let through: it reads and writes no other file."""
    part = Path(places["part"])
    content = part.read_bytes()
    before = listing(workspace)
    for sql in ESCAPES:
        with closing(connect([places["part"]])) as connection:
            lock(connection)
            try:
                found = connection.execute(sql.format(**places)).fetchall()
            except duckdb.Error:
                found = []
        assert "root:" not in str(found), sql
        part.write_bytes(content)
        assert listing(workspace) == before, sql


def test_a_part_that_is_a_link_out_of_its_run_is_not_read(
    places: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    part = Path(places["part"])
    part.unlink()
    part.symlink_to(places["outside"])
    capfd.readouterr()
    assert asked("SELECT count(*) FROM toy_sweep_rows") == [(0,)]
    assert capfd.readouterr().err == f"yamafuda: {part}: is no file of this run; left out\n"


def test_files_of_other_runs_are_closed(places: dict[str, str]) -> None:
    """Only what the views of a statement need is open."""
    other = run_of("job=toy_hands")
    part = next((other / "data").iterdir())
    with pytest.raises(UserError):
        asked(f"SELECT * FROM toy_sweep, '{part}'")


def test_what_does_not_fit_into_memory_leaves_nothing_behind(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(workspace))
    with closing(connect([])) as connection:
        connection.execute("SET memory_limit = '40MB'")
        lock(connection)
        sql = "SELECT count(DISTINCT n) FROM (SELECT i % 3000000 AS n FROM range(6000000) t(i))"
        assert connection.execute(sql).fetchall() == [(3_000_000,)]
    assert list(workspace.iterdir()) == []


def test_errors_are_one_line() -> None:
    for sql in ("SELEC 1", "SELECT nothing FROM runs", "SELECT * FROM runs WHERE", "SELECT 'a"):
        with pytest.raises(UserError) as caught:
            asked(sql)
        assert "\n" not in str(caught.value)
        assert "LINE" not in str(caught.value)
        assert "^" not in str(caught.value)
    with pytest.raises(UserError, match="there is no view toy_swep; there are runs"):
        asked("SELECT * FROM toy_swep")
    assert one_line(ValueError("a\n\n b")) == "a b"


def test_several_statements() -> None:
    found = statements("SELECT ';'; -- a remark; and more\n; VALUES (1);")
    assert ["SELECT" in each.sql for each in found] == [True, False]
    with pytest.raises(UserError, match="no statement"):
        statements(" ; -- nothing\n")
