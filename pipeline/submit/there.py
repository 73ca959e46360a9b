"""What a submitted job does on the head: it checks that it can run, then becomes the driver (``python -m
pipeline.submit.there``).

Before the check it imports only what every Python has, and Python 3.9 must be able to read this file.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

CONFIG_FOLDER = "_config"
"""The user's own configurations, beside the packages that were sent."""
MARK = "yamafuda-begins"
"""Key of the JSON line that is written when the check has passed; lines before it are not the run's."""


def main() -> None:
    """Do the request that is the first argument, as JSON: ``machine``, ``words``, ``options``, and ``logs`` or null."""
    request = json.loads(sys.argv[1])
    problem = _problem(request["machine"])
    if problem:
        print(f"yamafuda: cluster.address: {problem}", flush=True)
        sys.exit(2)
    from storage.errors import UserError

    words = [*request["words"], "cluster=address", "cluster.address=auto"]
    try:
        layouts = _layouts(words, request["options"])
    except UserError as error:
        print(f"yamafuda: {error}", flush=True)
        sys.exit(2)
    print(json.dumps({MARK: [str(layout.run_dir) for layout in layouts]}), flush=True)
    if request["logs"] is not None:
        from pipeline.logs.run_log import read_log

        for layout in layouts:
            for line in read_log(layout, request["logs"]):
                print(line.as_json())
        return
    driver = [
        sys.executable,
        "-m",
        "pipeline",
        "run",
        *words,
        "--json",
        *request["options"],
        *_config_words(),
    ]
    os.execv(sys.executable, driver)


def _config_words() -> list[str]:
    folder = Path(__file__).parents[2] / CONFIG_FOLDER
    return ["--config-dir", str(folder)] if folder.is_dir() else []


def _layouts(words: list[str], options: list[str]) -> list[Any]:
    """The folders of the runs. UserError for a wrong configuration, and for folders that no other process finds."""
    from pipeline.config import composing
    from pipeline.run import plan_run
    from storage.errors import UserError

    config_words = _config_words()
    with composing(Path(config_words[1]) if config_words else None) as composer:
        series = composer.expand(words) if "--multirun" in options else [words]
        configs = [composer.compose(one) for one in series]
    for name, root in vars(configs[0].paths).items():
        if isinstance(root, str) and "://" not in root and not Path(root).is_absolute():
            raise UserError(
                f"paths.{name}",
                f"would be {root} there, in a folder that is removed with the job; give the whole path of a folder "
                f"that all nodes see, or set YAMAFUDA_{name.upper()} for Ray on the head",
            )
    return [plan_run(config).layout for config in configs]


def _problem(machine: str) -> str:
    """Why the driver cannot work here, in words; empty when it can."""
    if platform.machine() != machine:
        return f"the head is of the architecture {platform.machine()}, and what was sent is for {machine} (--wheel)"
    told = metadata.distribution("yamafuda").metadata
    try:
        from packaging.requirements import Requirement
        from packaging.specifiers import SpecifierSet
    except ImportError:
        return f"{sys.executable}, the first Python on the head's PATH, is not the one that has Ray"
    if platform.python_version() not in SpecifierSet(told["Requires-Python"]):
        return f"the head has Python {platform.python_version()}; {told['Requires-Python']} is needed"
    lacking: list[str] = []
    for text in told.get_all("Requires-Dist") or []:
        needed = Requirement(text)
        if needed.marker is None or needed.marker.evaluate({"extra": ""}):
            here = _version(needed.name)
            if here is None or not needed.specifier.contains(here, prereleases=True):
                lacking.append(f"{needed.name}{needed.specifier}" + (f" (has {here})" if here else ""))
    return f"the head lacks what is needed: {', '.join(lacking)}; install it on all nodes" if lacking else ""


def _version(name: str) -> Any:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
