"""Numbers as people read them."""

from engines.text.words import count_of, duration, rate, size

__all__ = ["count_of", "duration", "rate", "size"]
