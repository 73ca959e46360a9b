"""Calculation."""
