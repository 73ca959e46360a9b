"""The stack game of Tanaka's Calculation paper: exact tables, random play, single states."""
