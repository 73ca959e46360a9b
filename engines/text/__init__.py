"""Shared by the text forms of all games: cards, numbers, files, lists of moves."""
