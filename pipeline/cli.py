"""The command line. Each command imports what it needs when it runs, so that small ones start quickly."""

from __future__ import annotations

import errno
import io
import json
import os
import shlex
import sys
import traceback as tracebacks
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from engines.contract.failures import reason_of
from engines.contract.game import REPORT, VERBS
from pipeline.arguments import ConfigDir, Json, RunName
from pipeline.game_commands import Commands, commands_of
from pipeline.query.formats import Format
from pipeline.report.command import ReportCommands
from pipeline.submit.arguments import submit
from storage.errors import UserError

app = typer.Typer(
    cls=Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    help="Compute card games in bulk: tables of exact probabilities, sweeps of deals, tournaments. "
    "Results go to stdout, everything else to stderr. RUN is a run's folder, its label, or the beginning of its name "
    "or id.",
)

for _verb, (_help, _words) in (
    VERBS
    | {REPORT: ("Show what runs have found, beside published figures", "superpuzz --html superpuzz.html")}
).items():
    app.add_typer(
        typer.Typer(
            cls=ReportCommands if _verb == REPORT else commands_of(_verb),
            rich_markup_mode=None,
            subcommand_metavar="GAME|RUN... ..." if _verb == REPORT else "GAME ...",
        ),
        name=_verb,
        help=f"{_help}. See yamafuda {_verb} GAME --help.",
        epilog=f"Example: yamafuda {_verb} {_words}",
    )


def _tell_version(asked: bool) -> None:
    if asked:
        from pipeline.version import versions

        print(versions())
        raise typer.Exit(0)


@app.callback()
def options(
    ctx: typer.Context,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show the traceback of an error; anywhere on the line.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_tell_version, help="Show the versions of all parts."
        ),
    ] = False,
) -> None:
    """Compute card games in bulk."""
    ctx.obj = traceback


@app.command(epilog="Example: yamafuda run -m job=stackgame_table job.cards=1,2,3 cluster=local")
def run(
    ctx: typer.Context,
    words: Annotated[
        list[str], typer.Argument(metavar="KEY=VALUE...", help="job=NAME and overrides (Hydra).")
    ],
    multirun: Annotated[
        bool, typer.Option("-m", "--multirun", help="A series: job.cards=1,2,3 or range(1,9).")
    ] = False,
    config_dir: ConfigDir = None,
    label: Annotated[str, typer.Option("--label", help="What you call the run; it may stand for RUN.")] = "",
    dry: Annotated[bool, typer.Option("--dry-run", help="Show what the run needs; compute nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Compute a job, or go on with it. Ends by printing the run's folder."""
    from pipeline.launching import launch

    launch(
        words,
        multirun=multirun,
        config_dir=config_dir,
        label=label,
        dry=dry,
        as_json=as_json,
        show_trace=ctx.obj,
    )


app.command(epilog="Example: yamafuda submit job=klondike_million cluster.address=http://HEAD:8265")(submit)


@app.command(epilog="Example: yamafuda jobs klondike_sweep")
def jobs(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A job, to see its fields; or a game.")
    ] = None,
    config_dir: ConfigDir = None,
    as_json: Json = False,
) -> None:
    """List all jobs, or one job's fields.

    Of each field: the values that it takes, its default, and what it means.
    """
    from pipeline.jobs import jobs_by_game, print_jobs

    listed = jobs_by_game(config_dir)
    of_game = [each for each in listed if each.game is not None and each.game.name == name]
    if name is None or of_game:
        print_jobs(of_game or listed, as_json)
        return
    from pipeline.jobhelp import job_help, print_job_help

    print_job_help(job_help(name, config_dir), as_json)


@app.command(epilog="Example: yamafuda status --all; yamafuda status klondike_sweep-redeals2")
def status(
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="One run; if not given, those that are not done.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All runs, also those that are done.")] = False,
    as_json: Json = False,
) -> None:
    """Show how far runs are, the latest last."""
    from pipeline.status_report import show_status

    show_status(run, everything, as_json)


@app.command(epilog="Example: yamafuda cancel 3f2a")
def cancel(run: RunName) -> None:
    """Ask a run's driver to stop.

    The command that began the run goes on with it later.
    """
    from pipeline.upkeep import cancel_run

    print(cancel_run(run), file=sys.stderr)


@app.command(epilog="Example: yamafuda logs 3f2a; yamafuda logs 3f2a 000017")
def logs(
    run: RunName,
    unit: Annotated[
        str | None, typer.Argument(metavar="UNIT", help="One unit, by its name in the log.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what the driver and the workers of a run said.

    Each line names run, unit and try. What units say is kept when a try fails or warns.
    """
    from pipeline.logs.show import show_log

    show_log(run, unit, as_json)


@app.command(epilog="Example: yamafuda verify 3f2a --samples 10000")
def verify(
    run: RunName,
    samples: Annotated[int, typer.Option(min=0, help="How many values to compute anew.")] = 1000,
    mend: Annotated[
        bool,
        typer.Option("--repair", help="Remove damaged files; the run's own command computes them again."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Check a finished run's files and values.

    Checks sizes, checksums, and what the engine can check. Prints a line for each problem, and ends with status
    1 if there is one.
    """
    from pipeline.upkeep import repair_run, verify_run

    removed = repair_run(run) if mend else []
    problems = removed or verify_run(run, samples)
    for problem in problems:
        print(json.dumps({"problem": problem}) if as_json else problem)
    if not problems:
        print(json.dumps({"problem": None}) if as_json else "no problem found")
    elif not mend:
        print(
            f"to go on: yamafuda verify {shlex.quote(run)} --repair, then the run's own command",
            file=sys.stderr,
        )
    raise typer.Exit(1 if problems else 0)


@app.command(epilog="Example: yamafuda remove 3f2a --yes")
def remove(run: RunName, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Remove a run with all its files."""
    from pipeline.roots import locate
    from pipeline.upkeep import remove_run

    folder = locate(run)
    if not yes:
        print(f"remove {folder} and all its files? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise UserError("remove", "nothing is removed; answer y, or give --yes")
    remove_run(folder)


@app.command(epilog='Example: yamafuda query "SELECT outcome, count(*) FROM klondike_sweep GROUP BY ALL"')
def query(
    sql: Annotated[
        str | None,
        typer.Argument(metavar="SQL", help="SQL statements; if not given, a shell, or standard input."),
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option("--schema", metavar="JOB", help="Show the columns of a kind of job."),
    ] = None,
    example: Annotated[
        str | None, typer.Option("--example", metavar="EXAMPLE", help="Run a worked example, by its name.")
    ] = None,
    examples: Annotated[
        bool, typer.Option("--examples", help="List the worked examples, with the jobs that they need.")
    ] = False,
    show_sql: Annotated[bool, typer.Option("--show", help="Print the example's SQL instead.")] = False,
    with_unfinished: Annotated[
        bool, typer.Option("--partial", help="Include runs that are not finished, as far as they are.")
    ] = False,
    form: Annotated[
        Format | None, typer.Option("--format", help="If not given: by the name of FILE, or a table.")
    ] = None,
    file: Annotated[Path | None, typer.Option("-o", metavar="FILE", help="Write the answer there.")] = None,
    as_json: Json = False,
) -> None:
    """Ask all runs with SQL.

    The views: runs; JOB, each item of a kind of job once; JOB_rows, all rows of all its runs; and one for each run,
    by its name.
    """
    from pipeline.query import command

    command.query(sql, schema, example, examples, show_sql, with_unfinished, form, as_json, file)


@app.command(epilog="Example: yamafuda export 3f2a --to probabilities")
def export(
    run: RunName,
    to: Annotated[
        Path | None, typer.Option("--to", help="A new or empty folder; if not given, export/ in the run's.")
    ] = None,
) -> None:
    """Write what a run has as Parquet files.

    All states of a table, the turns of recorded games, deals that can be won, or what HE has learnt. Prints the files.
    """
    from pipeline.upkeep import export_run

    for path in export_run(run, to):
        print(path)


@app.command(epilog="Example: yamafuda completion bash >> ~/.bashrc")
def completion(shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish")]) -> None:
    """Print a completion script for a shell.

    It completes commands, games, runs, jobs and their fields.
    """
    from pipeline.completion_scripts import SCRIPTS

    if shell not in SCRIPTS:
        raise UserError("completion", f"there is no script for {shell!r}; there are: {', '.join(SCRIPTS)}")
    print(SCRIPTS[shell].strip())


def main() -> None:
    """Entry point of ``yamafuda``."""
    _settle_streams()
    if os.environ.get("_YAMAFUDA_COMPLETE"):
        from pipeline.completion import completions

        print("\n".join(completions(typer.main.get_command(app), os.environ)))
        return
    words = sys.argv[1:] or ["--help"]
    show_trace = "--traceback" in words
    if show_trace:
        words = ["--traceback", *(word for word in words if word != "--traceback")]
    try:
        status = _do(words)
        sys.stdout.flush()
    except UserError as error:
        _fail(str(error), 2, show_trace)
    except typer.TyperException as error:
        described = error.format_message() if hasattr(error, "format_message") else str(error)
        described = described.replace("Value error, ", "").rstrip(".")
        context = getattr(error, "ctx", None)
        command = "yamafuda" if context is None else context.command_path
        _fail(f"{described} ({command} --help)", 2, show_trace)
    except KeyboardInterrupt:
        _fail("interrupted", 130, show_trace)
    except BrokenPipeError:
        # The reader of stdout (head, less) has closed it: end as if by SIGPIPE, also for what is still in buffers.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
    except OSError as error:
        if error.filename is None and error.errno == errno.ENOSPC:
            # What is still in buffers cannot be written either, not even when the interpreter ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            _fail("no space left on the device", 2, show_trace)
        if error.filename is None:
            _fail_unexpectedly(error, show_trace)
        _fail(f"{error.filename}: {error.strerror}", 2, show_trace)
    except SystemExit:
        raise
    except BaseException as error:  # a panic of the native core is not an Exception
        _fail_unexpectedly(error, show_trace)
    sys.exit(status)


def _settle_streams() -> None:
    """Make sure that the streams exist and take any character, whatever shell and locale say."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It was closed, and the next file that is opened would get its number.
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 (stays open)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _do(words: list[str]) -> int:
    command = typer.main.get_command(app)
    try:
        with command.make_context("yamafuda", words) as ctx:
            command.invoke(ctx)
    except typer.Exit as end:
        return int(end.exit_code)
    return 0


def _fail_unexpectedly(error: BaseException, show_trace: bool) -> NoReturn:
    _fail(f"unexpected {reason_of(error)} (--traceback shows more)", 1, show_trace)


def _fail(message: str, status: int, show_trace: bool) -> NoReturn:
    if show_trace:
        tracebacks.print_exc()
    print("yamafuda: " + " ".join(message.split()), file=sys.stderr)
    sys.exit(status)
