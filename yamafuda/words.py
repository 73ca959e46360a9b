"""Numbers and values of fields as people read and type them."""

from engines.contract.job import typed
from engines.text.words import count_of, duration, rate, size
from pipeline.report.numbers import time_words

__all__ = ["count_of", "duration", "rate", "size", "time_words", "typed"]
