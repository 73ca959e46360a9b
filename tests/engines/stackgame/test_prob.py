"""``yamafuda prob``: values from built tables and by itself, the choice between them, and the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE_S
from refusals import complaint

from engines import _native
from engines.stackgame import prob, rules, text
from engines.stackgame.chains import fewest_chains
from engines.stackgame.computed import compute
from engines.stackgame.rules import State
from engines.stackgame.sharded import integers
from engines.stackgame.table import StackgameTable
from pipeline.cli import main
from pipeline.roots import roots
from storage.block import encode_block, order_key
from storage.errors import UserError
from storage.layout import RunLayout
from storage.manifest import Manifest, write_manifest
from storage.record import FileRecord, make_file_record
from storage.shardfile import ShardWriter

KNOWN: dict[State, Fraction] = {}


def build_table(
    tables_dir: Path,
    name: str,
    boards: int,
    cards: int,
    *,
    value_type: str = "float64",
    shift: float = 0.0,
    **plan: Any,
) -> Path:
    """A finished table run for 3 stacks with the referee's values plus ``shift``, to tell tables apart."""
    layout = RunLayout(tables_dir / name)
    layout.staging.mkdir(parents=True)
    layout.shards.mkdir()
    game = _native.Game(3, boards, cards)
    layers, records = [], {}
    for states in rules.enumerate_layers(3, boards, cards):
        layer = next(iter(states)).cards_count
        shards_count = 1 + layer % 3
        bits = game.key_bits(layer)
        values = {}
        for state in states:
            [key] = integers(game.encode(list(state.before), list(state.forbidden)))
            values[key] = float(rules.probability(state, KNOWN)) + shift
        assert len(values) == len(states)
        layers.append({"layer": layer, "shards_count": shards_count, "key_bits": bits})
        for shard in range(shards_count):
            first, end = (s * 2**bits // shards_count for s in (shard, shard + 1))
            keys = sorted(key for key in values if first <= key < end)
            record = write_shard(layout, layer, shard, keys, values, game, value_type)
            records[f"shards/{record.name}"] = record
    job = {"name": "stackgame_table", "stacks": 3, "boards": boards, "cards": cards, "form": "auto"}
    whole = {
        "job": job,
        "layers": layers,
        "value_type": value_type,
        "engine_version": StackgameTable.version,
    }
    layout.plan.write_text(json.dumps(whole | plan))
    records["plan.json"] = make_file_record(layout.plan)
    write_manifest(layout.run_dir, Manifest(name, records))
    layout.summary.write_text("{}")
    return layout.run_dir


def write_shard(
    layout: RunLayout,
    layer: int,
    shard: int,
    keys: list[int],
    values: dict[int, float],
    game: Any,
    value_type: str,
) -> FileRecord:
    writer = ShardWriter(layout.shard(layer, shard), layout.staging)
    for i in range(0, len(keys), 5):  # several blocks a shard
        part = keys[i : i + 5]
        if game.words == 1:
            packed = np.array(part, np.uint64)
        else:
            packed = np.frombuffer(b"".join(key.to_bytes(32, "big") for key in part), ">u8").reshape(-1, 4)
        block = encode_block(
            packed.astype(np.uint64),
            np.array([values[key] for key in part], value_type),
            game.key_bits(layer),
        )
        writer.append(order_key(block), block)
    return writer.finish({"key_bits": game.key_bits(layer), "value_type": value_type})


def referee(state: State) -> list[tuple[int | None, float]]:
    return [(each.stack, float(each.probability)) for each in rules.best_placements(state, KNOWN)]


def check(found: prob.Known, stacks: int, tolerance: float) -> None:
    """Hold an answer against the referee."""
    form = text.read(found.state, stacks)
    assert found.probability == pytest.approx(float(rules.probability(form.state, KNOWN)), abs=tolerance)
    assert [(each.chain, each.index) for each in found.placements] == [
        (chain, index) for chain, cards in enumerate(form.chains) for index in range(len(cards))
    ]
    expected = referee(form.state)
    assert [each.probability for each in found.placements] == pytest.approx(
        [p for _, p in expected], abs=tolerance
    )
    if tolerance < 1e-9:
        for card, each in enumerate(found.placements):
            assert each.stack == expected[card][0] or is_as_good(
                form.state, card, each.stack, expected[card][1]
            )
    assert found.canonical is not None
    assert rules.same(text.parse(found.canonical, stacks), form.state)


def is_as_good(state: State, card: int, stack: int | None, best: float) -> bool:
    """Equal values may differ in their last bits, so that another stack is the first of the best."""
    after = None if stack is None else rules.place(state, card, stack)
    return after is not None and float(rules.probability(after, KNOWN)) == pytest.approx(best, abs=1e-12)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tables of 3 stacks: two boards of 3 cards in float64, two boards of 4 in float32."""
    folder = tmp_path_factory.mktemp("tables")
    build_table(folder, "small", 2, 3)
    build_table(folder, "large", 2, 4, value_type="float32")
    return folder


TYPED = [
    "[7{}] -> [1{1}]",
    "[3{}] -> [1{1}]",
    "[2{}] -> [1{0}] -> [6{0}]",
    "[3{}]; [3{}]",
    "[2{}] -> [1{2}]; [1{0}]; 0.1 < 1.0",
    "[1{}]; [1{}]; [1{}]; [1{}]",
    "[1{0}]; [1{0,2}]; [1{1,2}]; 0.0 < 1.0",
]


@pytest.mark.parametrize("typed", TYPED)
def test_by_itself_as_the_referee_says(typed: str, tmp_path: Path) -> None:
    found = prob.answer(typed, 3, tmp_path)
    assert found.source == "computed"
    check(found, 3, 1e-12)


@pytest.mark.parametrize("stacks", [2, 4, 5, 6])
def test_other_numbers_of_stacks(stacks: int, tmp_path: Path) -> None:
    check(prob.answer("[2{1}]; [3{}]; 1.0 < 0.1", stacks, tmp_path), stacks, 1e-12)


@given(st.integers(1, 4), st.lists(st.tuples(st.integers(0, 31), st.integers(0, 15)), min_size=1, max_size=5))
def test_any_small_state_by_itself(stacks: int, cards: list[tuple[int, int]]) -> None:
    """States that no start leads to as well, and such whose successors are all dead."""
    before = [mask & ((1 << card) - 1) for card, (mask, _) in enumerate(cards)]
    state = rules.close(stacks, before, [mask & ((1 << stacks) - 1) for _, mask in cards])
    assert state is not None
    if len(fewest_chains(state)) <= prob.BOARDS_MAX:
        assert compute(state) == pytest.approx(float(rules.probability(state)), abs=1e-12)


def test_every_state_of_a_table_is_answered_from_it(tables: Path) -> None:
    for layer in rules.enumerate_layers(3, 2, 3):
        for state in layer:
            found = prob.answer(text.format(state), 3, tables)
            assert found.source == "table small"
            check(found, 3, 1e-15)


def test_values_of_a_float32_table_show_its_digits(tables: Path) -> None:
    found = prob.answer("[4{}]; [4{}]", 3, tables)
    assert found.source == "table large"
    check(found, 3, 5e-7)
    assert repr(found.probability) == "0.9184028"


def test_a_state_that_no_table_has_is_computed(tables: Path) -> None:
    found = prob.answer("[7{1}]; [1{0}]", 3, tables)
    assert found.source == "computed"
    check(found, 3, 1e-12)


def test_only_finished_tables_of_this_version_with_these_stacks_are_asked(tmp_path: Path) -> None:
    def source() -> str:
        return prob.answer("[2{}]", 3, tmp_path).source

    job = {"name": "stackgame_table", "stacks": 4, "boards": 1, "cards": 2, "form": "auto"}
    build_table(tmp_path, "a-stacks", 1, 2, job=job)
    build_table(tmp_path, "b-play", 1, 2, job=job | {"stacks": 3, "name": "stackgame_play"})
    build_table(tmp_path, "c-version", 1, 2, engine_version=StackgameTable.version + 1)
    RunLayout(build_table(tmp_path, "d-unfinished", 1, 2)).manifest.unlink()
    build_table(tmp_path, "e-small", 1, 1)
    (tmp_path / "f-damaged").mkdir()
    (tmp_path / "f-damaged" / "plan.json").write_text("{")
    assert source() == "computed"
    build_table(tmp_path, "g-rounded", 1, 2, value_type="float32")
    assert source() == "table g-rounded"
    build_table(tmp_path, "h-large", 1, 3)
    assert source() == "table h-large"
    build_table(tmp_path, "i-exact", 1, 2, shift=-0.25)
    assert source() == "table i-exact"
    assert prob.answer("[2{}]", 3, tmp_path).probability == 0.75


def test_wide_keys(tmp_path: Path) -> None:
    build_table(tmp_path, "three", 3, 2)
    found = prob.answer("[2{}]; [1{}]; [2{}]", 3, tmp_path)
    assert found.source == "table three"
    check(found, 3, 1e-15)


def test_a_damaged_shard_is_named(tmp_path: Path) -> None:
    layout = RunLayout(build_table(tmp_path, "damaged", 1, 2))
    for path in layout.shards.iterdir():
        data = bytearray(path.read_bytes())
        block = data.rfind(b"YMB1")
        if block >= 0:
            data[block + 50] ^= 1
            path.write_bytes(data)
    with pytest.raises(UserError, match=r"L0[12]-S00\d\.lmdb"):
        prob.answer("[2{}]", 3, tmp_path)


def test_the_same_states_have_one_canonical_text(tmp_path: Path) -> None:
    same = ["[2{}] -> [1{2}]; [1{0}]; 0.1 < 1.0", "[1{1}]; [3{}]; [1{0}] ; 1.0 < 0.0", "[2{0}]; [1{1}]"]
    assert rules.same(text.parse(same[0], 3), text.parse("[1{1}]; [2{}] -> [1{0}]; 1.1 < 0.0", 3))
    one = prob.answer(same[0], 3, tmp_path).canonical
    assert prob.answer("[1{1}]; [2{}] -> [1{0}]; 1.1 < 0.0", 3, tmp_path).canonical == one
    assert prob.answer("[1{1}]; [2{}] -> [1{0}]; 1.0 < 0.0", 3, tmp_path).canonical != one
    # Two chains that have become one order are one chain.
    assert prob.answer("[1{}]; [1{}]; 0.0 < 1.0", 3, tmp_path).canonical == "[2{}]"


def test_a_dead_state(tmp_path: Path) -> None:
    found = prob.answer("[1{}] -> [1{0,1,2}]", 3, tmp_path)
    assert (found.probability, found.canonical, found.source) == (0.0, None, "dead")
    assert found.placements == [prob.Placement(0, 0, None, 0.0), prob.Placement(0, 1, None, 0.0)]


@pytest.mark.parametrize(
    ("typed", "stacks", "message"),
    [
        ("[12{}]; [12{}]", 4, "yamafuda run job=stackgame_table job.stacks=4 job.boards=2 job.cards=12"),
        ("[12{}]; [12{}]", 6, "job.stacks=6 job.boards=2 job.cards=12 job.form=general"),
        (
            "[11{}] -> [1{1}]; [11{}]",
            4,
            "no table is large enough (all boards together have at most 24 cards)",
        ),
        ("[1{}]; [1{}]; [1{}]; [1{}]; [1{}]", 3, "takes 5 chains at least; a game has at most 4 boards"),
        ("[1{}]", 0, "--stacks: must be 1 to 8; got 0"),
        ("[1{}]", 9, "--stacks: must be 1 to 8; got 9"),
    ],
)
def test_what_cannot_be_answered(typed: str, stacks: int, message: str, tmp_path: Path) -> None:
    assert message in complaint(lambda: prob.answer(typed, stacks, tmp_path))


def yamafuda(
    *words: str, folder: Path, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("YAMAFUDA_")}
    return subprocess.run(
        [sys.executable, "-c", "from pipeline.cli import main; main()", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        input=stdin,
        env=clean | environment,
        timeout=PATIENCE_S,
        check=False,
    )


def test_how_many_stacks_a_state_has_may_stand_before_it(tmp_path: Path) -> None:
    told = yamafuda("prob", "stacks=4; [5{}]; [5{3}]", "--json", folder=tmp_path)
    given = yamafuda("prob", "[5{}]; [5{3}]", "--stacks", "4", "--json", folder=tmp_path)
    assert (told.returncode, told.stdout) == (0, given.stdout)
    both = yamafuda("prob", "--stacks", "3", "stacks=4; [5{}]", folder=tmp_path)
    assert (both.returncode, both.stderr) == (2, "yamafuda: --stacks: the state says 4; got 3\n")
    wrong = yamafuda("prob", "stacks=4; [5{}]; [5{9}]", folder=tmp_path)
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "yamafuda: state, column 21: stack 9 is not one of 0 to 3\n",
    )


def test_the_command(tmp_path: Path) -> None:
    done = yamafuda("prob", "--stacks", "3", "[7{}] -> [1{1}]", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0.39104663" in done.stdout
    assert "0.7    0      " in done.stdout


def test_json(tables: Path, tmp_path: Path) -> None:
    words = ("prob", "--stacks", "3", "--json")
    done = yamafuda(*words, "[2{}] ;  [1{}]", folder=tmp_path, YAMAFUDA_TABLES=str(tables))
    [line] = done.stdout.splitlines()
    found = json.loads(line)
    assert list(found) == ["stacks", "state", "canonical", "probability", "source", "placements"]
    assert list(found["placements"][0]) == ["chain", "index", "stack", "probability"]
    assert (found["stacks"], found["state"], found["source"]) == (3, "[2{}]; [1{}]", "table small")
    again = yamafuda(
        *words, "--tables", str(tables), "--file", "-", folder=tmp_path, stdin="[2{}]\n[1{}] # two\n"
    )
    assert again.stdout == done.stdout
    (tmp_path / "a.state").write_text("[2{}]\n[1{}]\n")
    again = yamafuda(*words, "--tables", str(tables), "--file", "a.state", folder=tmp_path)
    assert again.stdout == done.stdout


def test_advice_tells_every_stack_of_every_card(tmp_path: Path) -> None:
    """Each play with the referee's value of what follows it; the best is what ``prob`` tells."""
    for typed in ("[3{}] -> [1{1}]; [2{}]", "[2{0}] -> [2{1}]"):
        told, plays = prob.advice(typed, 2, tmp_path)
        form = text.read(typed, 2)
        expected = {
            (*form.name(card), stack): float(rules.probability(after, KNOWN))
            for card in range(form.state.cards_count)
            for stack in range(2)
            if (after := rules.place(form.state, card, stack)) is not None
        }
        found = {(each.chain, each.index, each.stack): each.probability for each in plays}
        assert found == pytest.approx(expected)
        for each in told.placements:
            worth = [value for (*card, _), value in found.items() if card == [each.chain, each.index]]
            assert each.probability == max(worth, default=0.0)


def test_the_advice(tmp_path: Path) -> None:
    done = yamafuda("advise", "stackgame", "--stacks", "2", "[2{}] -> [1{1}]", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].startswith("2 stacks, probability ")
    done = yamafuda("advise", "stackgame", "--stacks", "2", "[2{}] -> [1{1}]", "--json", folder=tmp_path)
    told = json.loads(done.stdout)
    assert told["rules"] == {"stacks": 2}
    assert told["source"] == "computed"
    assert list(told["plays"][0]) == ["chain", "index", "stack", "probability"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["[7{}] -> [1{1}"], "yamafuda: state, column 15: expected ']', found the end"),
        (["[7{}] -> [1{3}]"], "yamafuda: state, column 13: stack 3 is not one of 0 to 2"),
        (["[2{}]; 0.1 < 0.0"], "yamafuda: state, column 8: 0.1 < 0.0 makes the order cyclic"),
        (["--stacks", "9", "[1{}]"], "yamafuda: --stacks: must be 1 to 8; got 9"),
        ([], "yamafuda: STATE: give either the state or --file"),
        (["--file", "missing"], "yamafuda: missing: cannot be read: No such file or directory"),
    ],
)
def test_errors_are_one_line_and_status_2(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["yamafuda", "prob", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, *capsys.readouterr()) == (2, "", message + "\n")


def test_nothing_slow_is_imported(tables: Path) -> None:
    code = (
        "import sys; sys.argv = ['yamafuda', 'prob', '--stacks', '3', '[4{}]; [4{}]']\n"
        "from pipeline.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    environment = os.environ | {"YAMAFUDA_TABLES": str(tables)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=PATIENCE_S,
    )
    assert "table large" in done.stdout
    imported = set(done.stdout.splitlines()[-1].split())
    assert {"numpy", "lmdb", "engines"} <= imported
    assert not imported & {"ray", "pyarrow", "hydra", "omegaconf", "duckdb", "pandas", "polars"}


@pytest.mark.parametrize(
    "environment", [{}, {"YAMAFUDA_RESULTS": "r"}, {"YAMAFUDA_RESULTS": "r", "YAMAFUDA_TABLES": "t"}]
)
def test_tables_are_looked_for_where_jobs_put_them(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    build_table(tmp_path / roots()["tables"], "here", 1, 2)
    assert "table here" in yamafuda("prob", "[2{}]", folder=tmp_path, **environment).stdout
