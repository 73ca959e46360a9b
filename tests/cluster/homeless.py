"""As ``toy_cli.py``, but shards of tables have no homes: python homeless.py ARGS."""

from __future__ import annotations

from toy_cli import main

from pipeline.runners import ray


def nowhere(*_: object) -> None:
    """Any node will do."""


ray.home_of = nowhere
main()
