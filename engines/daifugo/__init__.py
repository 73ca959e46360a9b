"""Daihinmin (Daifugo): five players, 53 cards; the first to get rid of all cards wins."""
