"""The jobs of one ``run`` command: all composed first, then run one after another in one Ray session."""

from __future__ import annotations

import contextlib
import errno
import json
import shlex
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.closing import closing_lines, next_lines, result_of
from pipeline.config import AddressCluster, Cluster, Config, LocalCluster, composing
from pipeline.display import Opener, open_display
from pipeline.dry_run import dry_run, dry_run_lines
from pipeline.run import FAILED, INTERRUPTED, USER_ERROR, Ended, complete_run
from pipeline.runners.base import Runner
from pipeline.runners.watch import ClusterLostError
from pipeline.signals import was_asked_to_stop
from pipeline.version import required
from storage.errors import DiskFullError, UserError


def run_series(
    words: list[str],
    *,
    multirun: bool,
    config_dir: Path | None,
    label: str = "",
    dry: bool,
    as_json: bool,
    show_trace: bool,
) -> int:
    """Run all jobs that ``words`` name; returns the worst exit status.

    UserError when any configuration is wrong. ClusterLostError ends the series, because the cluster is gone.
    """
    with composing(config_dir) as composer:
        series = composer.expand(words) if multirun else [words]
        configs = [composer.compose(one) for one in series]
    if label:
        for config in configs:
            config.label = label
    if dry:
        for config in configs:
            facts = dry_run(config)
            print(json.dumps(facts) if as_json else "\n".join(dry_run_lines(facts, config)))
        return 0
    worst = 0
    with _runners() as runners:
        for number, (one, config) in enumerate(zip(series, configs, strict=True), start=1):
            if multirun:
                print(f"{number} of {len(configs)}: {shlex.join(one)}", file=sys.stderr, flush=True)
            try:
                status = _run_one(
                    config, runners.of(config.cluster), as_json, show_trace, is_last=number == len(configs)
                )
            except KeyboardInterrupt:
                if as_json:
                    print(json.dumps({"job": config.job.name, "status": INTERRUPTED}), flush=True)
                return INTERRUPTED
            worst = max(worst, status)
    return worst


def _run_one(config: Config, runner: Runner, as_json: bool, show_trace: bool, is_last: bool) -> int:
    try:
        ended = complete(config, runner)
    except UserError as error:
        is_lost = isinstance(error, ClusterLostError)
        if not is_lost:
            print(f"yamafuda: {error}", file=sys.stderr, flush=True)
        if show_trace:
            traceback.print_exc()
        if as_json:
            print(json.dumps({"job": config.job.name, "status": USER_ERROR, "error": str(error)}), flush=True)
        if is_lost:
            raise
        return USER_ERROR
    run, folder = ended.run, ended.run.layout.run_dir
    result = result_of(run.engine, run.layout)
    print("\n".join(closing_lines(ended, result)), file=sys.stderr)
    if ended.status == FAILED:
        print(f"some units failed; see {folder / 'failed'}", file=sys.stderr)
    elif is_last:
        print("\n".join(next_lines(ended)), file=sys.stderr)
    sys.stderr.flush()
    if as_json:
        line = {
            "job": config.job.name,
            "status": ended.status,
            "run": str(folder),
            "run_id": run.plan["run_id"],
            "was_done": ended.was_done,
            "result": result.figures,
        }
        print(json.dumps(line), flush=True)
    else:
        print(folder, flush=True)
    return ended.status


def complete(config: Config, runner: Runner, opener: Opener = open_display) -> Ended:
    """``complete_run``; system errors that a user can mend become UserError, and a stop becomes an interrupt."""
    try:
        return complete_run(config, runner, opener)
    except Exception as error:
        if was_asked_to_stop() and not isinstance(error, UserError):
            raise KeyboardInterrupt from error
        described = _in_words(config, error)
        if described is error:
            raise
        raise described from error


def _in_words(config: Config, error: Exception) -> Exception:
    """A UserError for a system error that names a file; any other error stays as it is."""
    if not isinstance(error, OSError):
        return error
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFullError(str(error.filename or config.paths.results), "no room left")
    if error.filename is None:
        return error
    return UserError(str(error.filename), str(error.strerror))


class _Runners:
    """One runner for each cluster that the jobs of a command name."""

    def __init__(self) -> None:
        self._by_cluster: dict[str, Runner] = {}

    def of(self, cluster: Cluster) -> Runner:
        key = repr(cluster)
        if key not in self._by_cluster:
            self.close()  # Ray knows one session at a time
            self._by_cluster[key] = make_runner(cluster)
        return self._by_cluster[key]

    def close(self) -> None:
        while self._by_cluster:
            self._by_cluster.popitem()[1].close()


@contextmanager
def _runners() -> Iterator[_Runners]:
    runners = _Runners()
    try:
        yield runners
    finally:
        with contextlib.suppress(KeyboardInterrupt):
            runners.close()


def make_runner(cluster: Cluster) -> Runner:
    """The runner of a cluster. Nothing is started yet, and Ray is not imported for a serial one.

    UserError when Ray is not installed and the cluster needs it.
    """
    if isinstance(cluster, LocalCluster | AddressCluster):
        try:
            from pipeline.runners.ray import RayRunner
        except ModuleNotFoundError as error:
            if error.name != "ray":
                raise
            raise UserError(
                "cluster",
                f"{cluster.kind} needs Ray, which is not installed here; install it "
                f"(pip install '{required('ray')}'), or run with cluster=serial",
            ) from error

        if isinstance(cluster, LocalCluster):
            return RayRunner(cpus=cluster.cpus)
        return RayRunner(address=cluster.address)
    from pipeline.runners.serial import SerialRunner

    return SerialRunner()
