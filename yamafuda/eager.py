"""Importing this module does all slow imports of the front door at once: for a process from which others are
forked."""

import duckdb  # noqa: F401
import pyarrow.parquet  # noqa: F401
import scipy.stats  # noqa: F401

import pipeline.query.answer
import pipeline.report.page
import pipeline.status  # noqa: F401
from engines.contract.game import load
from engines.contract.registry import games

for _game in games():
    for _function in _game.verbs.values():
        load(_function)
    _game.positions()
    _game.explorer()
