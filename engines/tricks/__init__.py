"""Two-person single-suit trick taking with point cards (Kanehiro's thesis)."""
