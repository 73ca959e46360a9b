"""Columns shared by jobs of Daihinmin."""

from __future__ import annotations

from storage.columns import Vocabulary

shared = Vocabulary(
    {
        "class": ("uint16", "", "Class of hands, by cards left and by what the player has played."),
        "game": ("uint64", "", "Number of the game under its seed, from 0."),
        "match": ("uint64", "", "Number of the match, the games between two resets of ranks, from 0."),
        "player_name": ("string", "", "Name of the player that the row is about."),
        "seat": ("uint8", "", "Seat of the player, from 0."),
        "turn": ("uint16", "", "Number of the turn in its game, from 0."),
        "variant": ("uint16", "", "0 for the players as they are, then each variant of the tournament."),
        "variant_name": ("string", "", "Name of the player in the place where variants differ."),
    }
)
