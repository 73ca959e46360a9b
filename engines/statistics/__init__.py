"""Intervals and comparisons of shares and means."""
