"""Golf: cards of neighbouring ranks leave the columns for the waste."""
