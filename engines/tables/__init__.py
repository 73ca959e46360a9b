"""Shards of keys and values: tables by key, tables by rank."""
