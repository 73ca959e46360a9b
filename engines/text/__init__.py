"""What the text forms of all games share: cards, numbers, files, lists of moves."""
