"""Runs: all of them as they go on, and each with its job, its results, its failures and its log."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pages import tasks
from pages.address import number_of
from pages.feed import Feed
from pages.items import item_page, items_page
from pages.section import Section
from pages.templating import page, rendered
from pages.workshop import computed
from yamafuda import Run
from yamafuda.watching import Watch

SHOWN_COUNT = 200
"""Runs on a page, the latest ones; the filter finds the others."""
LOG_LINES_COUNT = 200
REPORTS_COUNT = 16
"""Number of reports that are kept; when a run has gone on, its report is made again."""
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
TRACE_CHARACTERS = 1 << 16
STATES = ("running", "done", "failed", "interrupted")


def section() -> Section:
    """Its pages."""
    pages = _Pages()
    routes = [
        Route("/runs", pages.all),
        Route("/runs.json", pages.all_json),
        Route("/runs/changes.json", pages.changes),
        Route("/runs/{name}", pages.one),
        Route("/runs/{name}/run.json", pages.one_json),
        Route("/runs/{name}/changes.json", pages.one_changes),
        Route("/runs/{name}/log.txt", pages.log),
        Route("/runs/{name}/report.html", pages.report),
        Route("/runs/{name}/items", pages.items),
        Route("/runs/{name}/items/{item}", pages.item),
    ]
    return Section("Runs", "/runs", routes)


class _Pages:
    def __init__(self) -> None:
        self._watch = Watch()
        self._feed = Feed()
        self._reports: dict[str, tuple[Run, str]] = {}

    def all(self, request: Request) -> Response:
        version, _, _ = self._feed.update(self._watch.runs())
        found = self._wanted(request)
        text, state = _asked(request)
        return page(
            "runs.html",
            runs=found[:SHOWN_COUNT],
            found_count=len(found),
            all_count=len(self._watch.runs()),
            version=version,
            text=text,
            state=state,
            states=STATES,
        )

    def all_json(self, request: Request) -> Response:
        return JSONResponse([asdict(run) for run in self._wanted(request)])

    def changes(self, request: Request) -> Response:
        """Rows that have changed since a version; ``again`` when runs came or went."""
        version, changed, is_again = self._feed.update(
            self._watch.runs(), number_of(request.query_params, "since")
        )
        rows = {run.name: rendered("run_row.html", run=run) for run in changed}
        return JSONResponse({"version": version, "again": is_again, "rows": rows})

    def one(self, request: Request) -> Response:
        run = self._run(request)
        return page(
            "run.html",
            run=run,
            fields=run.fields,
            failures=run.failures(),
            log=run.log(LOG_LINES_COUNT),
            lines_count=LOG_LINES_COUNT,
            trace_characters=TRACE_CHARACTERS,
        )

    def one_json(self, request: Request) -> Response:
        run = self._run(request)
        told = {"fields": dict(run.fields), "summary": dict(run.summary), "failures": run.failures()}
        return JSONResponse(asdict(run) | told)

    def one_changes(self, request: Request) -> Response:
        run = self._run(request)
        return JSONResponse({"state": run.state, "html": rendered("run_standing.html", run=run)})

    def log(self, request: Request) -> Response:
        lines = self._run(request).log()
        return PlainTextResponse("".join(f"{_line(line)}\n" for line in lines))

    async def items(self, request: Request) -> Response:
        return await items_page(request, await asyncio.to_thread(self._run, request))

    async def item(self, request: Request) -> Response:
        return await item_page(request, await asyncio.to_thread(self._run, request))

    async def report(self, request: Request) -> Response:
        """A separate page of text and drawings; no script in it can run."""
        run = await asyncio.to_thread(self._run, request)
        known = self._reports.get(run.folder)
        if known is None or known[0] != run:
            html = await computed(request, tasks.report, run=run.folder)
            if len(self._reports) >= REPORTS_COUNT:
                self._reports.pop(next(iter(self._reports)))
            known = self._reports[run.folder] = (run, html)
        return HTMLResponse(known[1], headers={"content-security-policy": REPORT_POLICY})

    def _run(self, request: Request) -> Run:
        found = self._watch.run(request.path_params["name"])
        if found is None:
            raise HTTPException(404, "there is no run of this name")
        return found

    def _wanted(self, request: Request) -> list[Run]:
        text, state = _asked(request)
        words = text.lower().split()
        return [
            run
            for run in reversed(self._watch.runs())
            if (not state or run.state == state)
            and not [word for word in words if word not in f"{run.name} {run.label}".lower()]
        ]


def _asked(request: Request) -> tuple[str, str]:
    """The filter: a text in names or labels of runs, and their state."""
    state = request.query_params.get("state", "")
    return request.query_params.get("text", "")[:200], state if state in STATES else ""


def _line(line: dict[str, Any]) -> str:
    return rendered("log_line.txt", line=line)
