"""Names in a run folder, and finding a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.errors import UserError
from storage.layout import RunLayout, find_run, part_of, run_folders, run_place


def make_run(root: Path, name: str) -> Path:
    run = root / name
    run.mkdir(parents=True)
    RunLayout(run).plan.write_text("{}")
    return run


def test_names_are_pinned() -> None:
    layout = RunLayout(Path("RUN"))
    assert [
        str(path)
        for path in (
            layout.plan,
            layout.summary,
            layout.manifest,
            layout.lock,
            layout.cancel,
            layout.staging,
            layout.shard(7, 3),
            layout.keys(7, 3),
            layout.exchange(16, 1000),
            layout.part("u0001", 1),
            layout.part("u0001", 2),
        )
    ] == [
        "RUN/plan.json",
        "RUN/summary.json",
        "RUN/manifest.json",
        "RUN/driver.lock",
        "RUN/cancel",
        "RUN/staging",
        "RUN/shards/L07-S003.lmdb",
        "RUN/work/keys/L07-S003.lmdb",
        "RUN/work/exchange/L16-S1000.lmdb",
        "RUN/data/part-u0001.parquet",
        "RUN/data/part-u0001-a2.parquet",
    ]


def test_a_run_is_found_by_folder_and_by_beginning(tmp_path: Path) -> None:
    tables, results = tmp_path / "tables", tmp_path / "results"
    one = make_run(tables, "ab12")
    two = make_run(results, "ab34")
    make_run(results, "ab12")  # the same run's other folder
    (results / "notes").mkdir()
    roots = [tables, results, tmp_path / "missing"]
    assert run_folders(roots) == [one, two]
    assert find_run(roots, str(two)) == two
    assert find_run(roots, "ab3") == two
    assert find_run(roots, "ab12") == one


def test_runs_lie_below_their_kind_or_as_earlier_versions_had_them(tmp_path: Path) -> None:
    old = make_run(tmp_path, "00aa00aa00aa1111")
    named = make_run(tmp_path / "toy", "toy-deals5-abcdefabcdef")
    rates = make_run(tmp_path / "toy", "toy-deals2-abc123abc123")
    make_run(tmp_path / "toy" / "deep", "toy-0123456789ab")
    assert run_folders([tmp_path]) == [old, rates, named]
    for text, run in (
        ("00aa", old),
        ("00aa00aa00aa1111", old),
        ("toy-deals5", named),
        ("abcd", named),
        ("abcdefabcdef9999", named),
        (str(rates), rates),
    ):
        assert find_run([tmp_path], text) == run
    for text in ("toy-", "abc"):
        with pytest.raises(UserError, match="could be toy-deals2-abc123abc123, toy-deals5-abcdefabcdef"):
            find_run([tmp_path], text)
    with pytest.raises(UserError, match="no run"):
        find_run([tmp_path], "00aa00aa00aa2222"[:11] + "f")


def test_a_run_is_where_it_was_begun(tmp_path: Path) -> None:
    def place(run_id: str) -> Path:
        return run_place(tmp_path, "toy", run_id, f"toy-{run_id[:12]}")

    assert place("00aa00aa00aa1111") == tmp_path / "toy" / "toy-00aa00aa00aa"
    old = make_run(tmp_path, "00aa00aa00aa1111")
    assert place("00aa00aa00aa1111") == old
    named = make_run(tmp_path / "toy", "toy-before-00aa00aa00aa")
    assert place("00aa00aa00aa1111") == named
    assert place("00aa00aa00ab1111") == tmp_path / "toy" / "toy-00aa00aa00ab"


def test_names_of_parts_are_read_as_they_are_written() -> None:
    layout = RunLayout(Path("RUN"))
    for unit, attempt in (("000001", 1), ("000001", 2), ("layers", 1), ("a-b", 12)):
        assert part_of(layout.part(unit, attempt).name) == (unit, attempt)
    for name in ("part-000001.parquet.tmp", "000001.parquet", "part-.parquet", "notes"):
        assert part_of(name) is None


def test_runs_that_someone_named_without_ids_hide_no_others(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / kind, name) for kind in ("one", "two") for name in ("first-try", "my-try")]
    assert sorted(run_folders([tmp_path])) == sorted(runs)


def test_an_exact_id_wins_over_longer_ones(tmp_path: Path) -> None:
    exact = make_run(tmp_path, "ab")
    make_run(tmp_path, "abc")
    assert find_run([tmp_path], "ab") == exact


def test_a_run_is_found_by_its_label(tmp_path: Path) -> None:
    names = ("toy-abc", "toy-deals5-abcdefabcdef", "full-0123456789ab")
    one, two, full = (make_run(tmp_path, name) for name in names)
    labels = {one: "toy-abc or so", two: "my try", full: "my"}

    def found(text: str) -> Path:
        place = find_run([tmp_path], text, lambda run: labels[Path(run)])
        assert isinstance(place, Path)
        return place

    assert found("my try") == two
    assert found("my") == full  # no beginning of a label
    labels[one] = "my"
    with pytest.raises(
        UserError, match="'my' could be full-0123456789ab, toy-abc; give more of a name or id"
    ):
        found("my")
    # The label of one and the beginning of another's name; only a whole name is clear.
    labels[one] = "full"
    with pytest.raises(UserError, match="'full' could be full-0123456789ab, toy-abc"):
        found("full")
    labels[two] = "toy-abc"
    assert found("toy-abc") == one
    with pytest.raises(UserError, match="and none has this label"):
        found("my t")


def test_unclear_and_unknown_runs_are_the_users_error(tmp_path: Path) -> None:
    make_run(tmp_path, "ab12")
    make_run(tmp_path, "ab34")
    with pytest.raises(UserError, match="could be ab12, ab34"):
        find_run([tmp_path], "ab")
    with pytest.raises(UserError, match="no run's name or id begins with 'x'"):
        find_run([tmp_path], "x")
    with pytest.raises(UserError, match="is empty"):
        find_run([tmp_path], "")
    with pytest.raises(UserError, match="no run's name or id begins"):
        find_run([tmp_path], str(tmp_path))
