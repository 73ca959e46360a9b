"""What the searches of single deals share, whatever the game: limits, sweep, commands, figures, report."""
