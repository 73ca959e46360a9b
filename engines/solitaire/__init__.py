"""Shared by all solitaires: limits of searches, the sweep, commands, figures, the report."""
