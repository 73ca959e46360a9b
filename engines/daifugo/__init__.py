"""Daihinmin (Daifugo): five players, 53 cards, who gets rid of the own ones first."""
