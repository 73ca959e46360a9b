"""Numbers as people read them."""

from engines.text.words import count_of, duration, rate, size
from pipeline.report.numbers import time_words

__all__ = ["count_of", "duration", "rate", "size", "time_words"]
