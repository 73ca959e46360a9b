"""Calculation: four foundations built in steps of one to four, a pile drawn card by card, and a few stacks."""
