"""The few requests of Ray's Jobs API that are needed, over HTTP. Ray itself is not imported.

Source: Ray documentation, "Ray Jobs REST API", and for packages ``PUT /api/packages/gcs/NAME.zip``, which is what Ray's
own client does with a folder of ``py_modules``.
"""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from pipeline.runners.token import refusal, token
from storage.errors import UserError

FIELD = "cluster.address"
ANSWER_S = 30.0
"""Seconds to wait for an answer."""
ENDED = ("SUCCEEDED", "FAILED", "STOPPED")


class SilentError(UserError):
    """No answer, for now or for good."""


class NoHttpError(UserError):
    """The answer is not HTTP, or stopped in the middle."""


class RefusedError(UserError):
    """The cluster does not let us in."""


@dataclass(frozen=True)
class Job:
    """A job as the cluster describes it."""

    name: str
    """Its submission id."""
    state: str
    """PENDING, RUNNING, SUCCEEDED, FAILED or STOPPED."""
    message: str
    status: int | None
    """Exit status of its driver, once it has ended by itself."""
    begun_s: float
    """Seconds since 1970."""

    @property
    def has_ended(self) -> bool:
        """Whether it has ended."""
        return self.state in ENDED


class Client:
    """A cluster's dashboard at ``http://HOST:PORT``."""

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token()}"} if token() else {}

    @property
    def address(self) -> str:
        """Its URL."""
        return self._address

    def ray_version(self) -> str:
        """The cluster's Ray version. UserError when there is no cluster at the address, or it does not let us in."""
        try:
            return str(self._ask("GET", "/api/version")["ray_version"])
        except (SilentError, RefusedError):
            raise
        except (KeyError, TypeError, UserError) as error:
            raise UserError(
                FIELD,
                f"{self._address} answers, but not as the dashboard of a Ray cluster does (its port is 8265 as a rule)",
            ) from error

    def has_package(self, name: str) -> bool:
        """Whether the cluster keeps a package of this name."""
        return self._ask("GET", f"/api/packages/gcs/{name}", missing=False) is not False

    def put_package(self, name: str, data: bytes) -> None:
        """Have the cluster keep a package."""
        self._ask("PUT", f"/api/packages/gcs/{name}", data)

    def submit(self, name: str, entrypoint: str, package: str) -> None:
        """Start a job whose processes have a package on their path."""
        request = {
            "submission_id": name,
            "entrypoint": entrypoint,
            "runtime_env": {"py_modules": [f"gcs://{package}"]},
        }
        self._ask("POST", "/api/jobs/", json.dumps(request).encode())

    def jobs(self) -> list[Job]:
        """All jobs that were submitted, also those that have ended, the latest last."""
        found = [_job(each) for each in self._ask("GET", "/api/jobs/") if each.get("submission_id")]
        return sorted(found, key=lambda job: job.begun_s)

    def job(self, name: str) -> Job:
        """One job."""
        return _job(self._ask("GET", f"/api/jobs/{name}"))

    def log(self, name: str) -> str:
        """What its driver wrote so far, stdout and stderr in one."""
        return str(self._ask("GET", f"/api/jobs/{name}/logs")["logs"] or "")

    def stop(self, name: str) -> None:
        """Ask its driver to stop."""
        self._ask("POST", f"/api/jobs/{name}/stop", b"{}")

    def _ask(self, method: str, path: str, data: bytes | None = None, missing: Any = None) -> Any:
        """The JSON of an answer; ``missing`` for "not found". SilentError, or UserError when it is refused."""
        request = urllib.request.Request(self._address + path, data, self._headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_S) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            if error.code == 404 and missing is not None:
                return missing
            refusal = _refusal(self._address, error)
            is_busy = error.code >= 500 and method == "GET"
            raise SilentError(FIELD, refusal.message) if is_busy else refusal from error
        except http.client.HTTPException as error:
            raise NoHttpError(FIELD, f"{self._address} does not speak HTTP ({error!r})") from error
        except OSError as error:
            reason = getattr(error, "reason", error)
            described = getattr(reason, "strerror", None) or reason
            raise SilentError(FIELD, f"{self._address} cannot be reached: {described}") from error
        try:
            return json.loads(text) if text else {}
        except ValueError as error:
            raise UserError(FIELD, f"{self._address} answers with what is no JSON") from error


def _refusal(address: str, error: urllib.error.HTTPError) -> UserError:
    if error.code in (401, 403):
        return RefusedError(FIELD, refusal())
    said = " ".join(error.read(2000).decode(errors="replace").split())
    # Ray answers with a traceback; its last words are what matters.
    return UserError(FIELD, f"{address} answers with status {error.code}: {said[-300:]}")


def _job(told: dict[str, Any]) -> Job:
    return Job(
        name=str(told["submission_id"]),
        state=str(told["status"]),
        message=str(told.get("message") or ""),
        status=told.get("driver_exit_code"),
        begun_s=(told.get("start_time") or 0) / 1000,
    )
