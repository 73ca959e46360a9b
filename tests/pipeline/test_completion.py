"""Completion of words: what shells are told, by the script of bash itself too."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from patience import PATIENCE_S
from toy_helpers import CONF, Yamafuda

from pipeline.cli import app
from pipeline.completion import completions
from pipeline.completion_scripts import SCRIPTS


def complete(*words: str, shell: str = "zsh") -> list[str]:
    """What the last word may become."""
    environment = {"_YAMAFUDA_COMPLETE": f"complete_{shell}", "COMP_WORDS": "\n".join(words)}
    return completions(typer.main.get_command(app), {**environment, "COMP_CWORD": str(len(words) - 1)})


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("ru", ["run"]),
        ("--tr", ["--traceback"]),
        ("--traceback so", ["solve"]),
        ("solve k", ["klondike"]),
        ("solve stack", []),
        ("nothing ", []),
        ("solve klondike --redeal-rule ", ["carry", "standard"]),
        ("solve klondike --redeal-rule s", ["standard"]),
        ("solve klondike --redeals ", ["unlimited"]),
        ("solve klondike --deal", ["--deal-last"]),
        ("solve klondike --no", ["--no-deal-last", "--no-foundation-back"]),
        ("solve klondike file", []),
        ("jobs tricks_", ["tricks_table", "tricks_table_14", "tricks_theorems"]),
        ("jobs superpuzz", [*(f"superpuzz_{name}" for name in
            ("census", "full", "full_10min", "full_2h", "redeals", "sweep")), "superpuzz"]),
        ("completion z", ["zsh"]),
        ("run ", ["job=", "cluster="]),
        ("run job=tricks_table ", ["cluster=", "job.cards=", "job.points=", "job.aim=", "job.limits.memory_bytes=",
            "job.limits.retries_count="]),
        ("run job=klondike_r", ["job=klondike_rates"]),
        ("run job=klondike_rates job.re", ["job.redeals=", "job.redeal_rule="]),
        ("run job=klondike_rates job.limits.s", ["job.limits.states="]),
        ("run job=klondike_rates job.name", []),
        ("run --json job=klondike_rates job.mo", ["job.mode="]),
        ("run --label x job=klondike_rates job.mo", ["job.mode="]),
        ("run cluster=l", ["cluster=local"]),
        ("run cluster=local cluster.", ["cluster.cpus="]),
        ("run job=tricks_table job.cards=", []),
        ("run --js", ["--json"]),
        ("report klo", ["klondike"]),
        ("report klondike --h", ["--html", "--help"]),
        ("report a_run another --h", ["--html", "--help"]),
        ("query SEL", []),
        ("query --example hardest", ["hardest-deals"]),
        ("query --schema stackgame", ["stackgame_play", "stackgame_table"]),
        (f"run --config-dir {CONF} job=toy_t", ["job=toy_table"]),
        ("run --config-dir /nowhere job=tricks_t", ["job=tricks_table", "job=tricks_table_14", "job=tricks_theorems"]),
    ],
)  # fmt: skip
def test_words(words: str, found: list[str]) -> None:
    assert complete("yamafuda", *words.split(" ")) == found


def test_names_of_runs(yamafuda: Yamafuda) -> None:
    run = Path(yamafuda("run", "job=toy_table").stdout.splitlines()[-1])
    for command in ("status", "verify", "cancel", "logs", "remove", "export", "report"):
        assert complete("yamafuda", command, run.name[:5]) == [run.name]
    assert complete("yamafuda", "verify", run.name, "") == []
    assert complete("yamafuda", "report", "another", "toy_t") == [run.name]
    assert complete("yamafuda", "verify", "toy_s") == []


def test_bash_parts_words_at_equal_signs() -> None:
    assert complete("yamafuda", "run", "job", "=", "tricks_th", shell="bash") == ["tricks_theorems"]
    assert complete("yamafuda", "run", "cluster", "=", shell="bash") == ["address", "local", "serial"]
    assert complete("yamafuda", "run", "job", "=", "tricks_table", "job.ca", shell="bash") == ["job.cards="]
    # Where it has been told not to, or quotes.
    assert complete("yamafuda", "run", "job=tricks_th", shell="bash") == ["job=tricks_theorems"]


def in_shell(program: list[str], tmp_path: Path, shell: str, script: str) -> list[str]:
    found = shutil.which(program[0])
    if found is None:
        pytest.skip(f"{program[0]} is not installed")
    path = tmp_path / "script"
    path.write_text(SCRIPTS[shell])
    folders = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [found, *program[1:], script.replace("SCRIPT", str(path))],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, "PATH": folders},
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_script_of_bash(tmp_path: Path) -> None:
    script = """
        source SCRIPT
        complete -p yamafuda
        told() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _yamafuda yamafuda; echo "${COMPREPLY[*]}"; }
        told yamafuda run job = tricks_th
        told yamafuda run job = tricks_table job.c
        told yamafuda so
        told yamafuda query "SELECT 'a b"
    """
    assert in_shell(["bash", "-c"], tmp_path, "bash", script) == [
        "complete -o default -F _yamafuda yamafuda", "tricks_theorems", "job.cards=", "solve", ""
    ]  # fmt: skip


def test_the_script_of_zsh(tmp_path: Path) -> None:
    script = """
        compdef() { }; compadd() { print -r -- $@ }; _files() { print files }
        source SCRIPT
        told() { words=("$@"); CURRENT=$#; _yamafuda }
        told yamafuda run job=tricks_th
        told yamafuda run job=tricks_table job.c
        told yamafuda query SEL
    """
    assert in_shell(["zsh", "-fc"], tmp_path, "zsh", script) == [
        "-- job=tricks_theorems", "-S -- job.cards=", "files"
    ]  # fmt: skip


def test_the_script_of_fish(tmp_path: Path) -> None:
    script = "source SCRIPT; complete -C 'yamafuda run job=tricks_th'; complete -C 'yamafuda so'"
    assert in_shell(["fish", "--no-config", "-c"], tmp_path, "fish", script) == [
        "job=tricks_theorems", "solve"
    ]  # fmt: skip


def test_the_command_prints_scripts(yamafuda: Yamafuda) -> None:
    for shell, script in SCRIPTS.items():
        assert yamafuda("completion", shell).stdout == script.strip() + "\n"
    done = yamafuda("completion", "tcsh")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "yamafuda: completion: there is no script for 'tcsh'; there are: bash, zsh, fish\n"


def test_completion_loads_nothing_big() -> None:
    program = (
        "import os, sys; sys.argv = ['yamafuda']\n"
        "os.environ |= {'_YAMAFUDA_COMPLETE': 'complete_bash', 'COMP_CWORD': '3',\n"
        "  'COMP_WORDS': 'yamafuda run job=klondike_rates job.redeal_'}\n"
        "from pipeline.cli import main\n"
        "main()\n"
        "big = ('ray', 'hydra', 'omegaconf', 'pyarrow', 'numpy', 'duckdb', 'engines._native')\n"
        "print([m for m in big if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["job.redeal_rule=", "[]"]
