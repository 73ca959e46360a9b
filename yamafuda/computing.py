"""A job computed in this process, or on a cluster that this process drives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.display import Opener
    from yamafuda.runs import Run


def run(
    job: str,
    *,
    cluster: str = "serial",
    label: str = "",
    words: Sequence[str] = (),
    config_dir: str | Path | None = None,
    progress: bool = True,
    **fields: Any,
) -> Run:
    """Compute a job, or go on with it; what is done is not done again.

    ``fields`` are those of the job (``yamafuda jobs NAME`` lists them); one that is itself a group takes a dict:
    ``limits={"states": 1000}``. ``cluster``: ``serial`` computes in this process, ``local`` on all its
    processors by Ray. ``words`` are further words of the command line, such as ``cluster.cpus=2``; ``config_dir`` is
    a folder with your own job files. UserError when any of these is wrong. After an interruption the same call goes
    on.

        yamafuda.run("klondike_sweep", deals=100, redeals=2)
    """
    from pipeline.config import composing
    from pipeline.display import NoDisplay
    from pipeline.series import complete, make_runner
    from pipeline.status import read_status
    from yamafuda.runs import run_of

    with composing(None if config_dir is None else Path(config_dir)) as composer:
        config = composer.compose([f"job={job}", f"cluster={cluster}", *_words("job", fields), *words])
    config.label = label or config.label
    runner = make_runner(config.cluster)
    try:
        ended = complete(config, runner, _opener() if progress else NoDisplay)
    finally:
        runner.close()
    return run_of(read_status(ended.run.layout.run_dir))


def _opener() -> Opener:
    from yamafuda.notebook import NotebookDisplay, is_notebook

    if is_notebook():
        return NotebookDisplay
    from pipeline.display import open_display

    return open_display


def _words(prefix: str, fields: Mapping[str, Any]) -> Iterator[str]:
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from _words(f"{prefix}.{name}", value)
        else:
            yield f"{prefix}.{name}={_written(value)}"


def _written(value: Any) -> str:
    """A value in Hydra's grammar."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_written, value))}]"
    # Within Hydra's quotes a backslash stands for itself, unless a quote follows.
    text = re.sub(r"(\\*)'", lambda found: 2 * found[1] + "\\'", str(value))
    return "'" + re.sub(r"\\+$", lambda found: 2 * found[0], text) + "'"
