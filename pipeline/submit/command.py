"""``yamafuda submit``: a job's driver on a cluster's head, followed from here."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from pipeline.config import composing
from pipeline.logs.lines import lines_of
from pipeline.shipping.package import NAME, machine_of
from pipeline.submit.client import FIELD, Client, Job
from pipeline.submit.follow import Follower, json_line
from pipeline.submit.sending import send
from pipeline.version import required
from storage.errors import UserError
from storage.stores.objects import refuse_credentials

INTERRUPTED = 130


@dataclass(frozen=True)
class Request:
    """The request of the command line."""

    words: list[str]
    """Words of the job, without those of the cluster."""
    address: str
    options: list[str]
    """Options of ``yamafuda run``."""
    config_dir: Path | None
    wheel: Path | None
    as_json: bool

    @property
    def prefix(self) -> str:
        """The beginning of this request's submission ids: the same words are the same request."""
        job = next((word.partition("=")[2] for word in self.words if word.startswith("job=")), "")
        digest = hashlib.sha256(json.dumps(sorted(self.words)).encode()).hexdigest()[:8]
        return f"{NAME}-{re.sub('[^A-Za-z0-9_]+', '-', job)[:60]}-{digest}-"

    def again(self, *more: str) -> str:
        """The command line of this request, with more options."""
        words = shlex.join([*self.words, f"{FIELD}={self.address}"])
        multirun = ["-m"] if "--multirun" in self.options else []
        own = [f"--config-dir {shlex.quote(str(self.config_dir))}"] if self.config_dir is not None else []
        return " ".join(["yamafuda submit", *multirun, words, *own, *more])


def request_of(
    words: list[str], multirun: bool, label: str, config_dir: Path | None, wheel: Path | None, as_json: bool
) -> Request:
    """Split words into those of the cluster and the others. UserError when the address is missing or not a URL."""
    address, rest = "", []
    for word in words:
        key, _, value = word.partition("=")
        if key == FIELD:
            address = value
        elif key == "cluster" and value != "address":
            raise UserError("cluster", f"what is submitted runs on the cluster at {FIELD}; leave out {word}")
        elif key != "cluster":
            refuse_credentials(value)  # everybody who may look at the cluster's jobs sees their words
            rest.append(word)
    if not re.fullmatch(r"https?://[^/\s]+/?", address):
        given = f"{address!r} is not" if address else "give"
        raise UserError(FIELD, f"{given} the address of the cluster's dashboard: {FIELD}=http://HEAD:8265")
    options = [*(["--multirun"] if multirun else []), *(["--label", label] if label else [])]
    return Request(rest, address, options, config_dir, wheel, as_json)


def submit(request: Request, follows: bool) -> int:
    """Start the driver of a request, unless it is at work already, and follow it; returns the exit status."""
    client = _client(request)
    _check_words(request)
    running = [job for job in _jobs_of(client, request) if not job.has_ended]
    if running:
        name = running[-1].name
        print(f"{name} is at work already", file=sys.stderr, flush=True)
    else:
        name = _start(client, request, None)
    try:
        follower = Follower(client, name)
        follower.until_begun()
        if not follows:
            print(json.dumps({"submission": name, "runs": follower.runs}) if request.as_json else name)
            return 0
        print(f"{name} is at work on {client.address}", file=sys.stderr, flush=True)
        _show(follower, request.as_json)
        return follower.status()
    except KeyboardInterrupt:
        print(
            f"{name} goes on there; to follow it: {request.again()}; to stop it: {request.again('--stop')}",
            file=sys.stderr,
            flush=True,
        )
        return INTERRUPTED


def show_status(request: Request) -> int:
    """Print the submissions of these words, or all where no words name a job; the latest last."""
    client = _client(request)
    for job in _jobs_of(client, request):
        if request.as_json:
            told = {"submission": job.name, "state": job.state, "status": job.status, "begun_s": job.begun_s}
            print(json.dumps(told))
            continue
        begun = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(job.begun_s)) if job.begun_s else ""
        status = f"status {job.status}" if job.status is not None else ""
        said = [line for line in client.log(job.name).splitlines() if line.strip() and not json_line(line)]
        # Not the commands that go on from there.
        said = [line for line in said if not line.startswith(("next: ", " "))]
        print("  ".join(filter(None, [job.name, job.state.lower(), begun, status, *said[-1:]])))
    return 0


def stop(request: Request) -> int:
    """Ask the driver of a request to stop."""
    client = _client(request)
    running = [job for job in _jobs_of(client, request) if not job.has_ended]
    if not running:
        raise UserError(FIELD, "no driver of these words is at work there (--status)")
    for job in running:
        client.stop(job.name)
        print(f"asked {job.name} to stop; the same command goes on with it", file=sys.stderr)
    return 0


def show_logs(request: Request, unit: str) -> int:
    """Print the kept log of a unit; a small job on the head reads it."""
    client = _client(request)
    follower = Follower(client, _start(client, request, unit))
    follower.until_begun()
    count = 0
    for line in lines_of("\n".join(follower.lines()).encode()):
        print(line.as_json() if request.as_json else line.as_text())
        count += 1
    if not count:
        print(
            f"nothing is kept of unit {unit}: what units say is kept when a try fails or warns",
            file=sys.stderr,
        )
    return follower.status()


def _client(request: Request) -> Client:
    """UserError when the cluster is not there, does not let us in, or has another Ray."""
    client = Client(request.address)
    _check_ray(client.ray_version())
    return client


def _check_ray(version: str) -> None:
    from packaging.requirements import Requirement

    needed = Requirement(required("ray")).specifier
    if not needed.contains(version, prereleases=True):
        raise UserError(FIELD, f"the cluster has Ray {version}; {needed} is needed")


def _check_words(request: Request) -> None:
    """UserError for words that no driver would take; what only the head can know is checked there."""
    with composing(request.config_dir) as composer:
        is_series = "--multirun" in request.options
        for words in composer.expand(request.words) if is_series else [request.words]:
            composer.compose_unchecked(words).job.limits.check()


def _jobs_of(client: Client, request: Request) -> list[Job]:
    has_job = any(word.startswith("job=") for word in request.words)
    prefix = request.prefix if has_job else f"{NAME}-"
    return [job for job in client.jobs() if job.name.startswith(prefix) and "-logs-" not in job.name]


def _start(client: Client, request: Request, logs: str | None) -> str:
    """Send the package and start the job there; returns the submission id."""
    package = send(client, request.wheel, request.config_dir)
    kind = "" if logs is None else "logs-"
    numbers = [
        job.name.rpartition("-")[2] for job in client.jobs() if job.name.startswith(request.prefix + kind)
    ]
    name = f"{request.prefix}{kind}{max((int(each) for each in numbers if each.isdigit()), default=0) + 1}"
    told = {
        "machine": machine_of(request.wheel),
        "words": request.words,
        "options": request.options,
        "logs": logs,
    }
    python = "$(command -v python || command -v python3)"
    client.submit(name, f"exec {python} -m pipeline.submit.there {shlex.quote(json.dumps(told))}", package)
    return name


def _show(follower: Follower, as_json: bool) -> None:
    """Results on stdout, all else on stderr, as ``yamafuda run`` does."""
    for line in follower.lines():
        told = json_line(line)
        if "job" not in told or "status" not in told:
            print(line, file=sys.stderr, flush=True)
        elif as_json:
            print(line, flush=True)
        elif "run" in told:
            print(told["run"], flush=True)
