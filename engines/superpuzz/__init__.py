"""Superpuzz: one pack dealt into four rows, kings taken out; cards move into the holes until rows are sorted."""
