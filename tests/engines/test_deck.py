"""Shuffled decks against a second implementation: ChaCha8 as RFC 8439 describes ChaCha, with eight rounds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import _native

MASK = 0xFFFFFFFF
QUARTERS = [
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
]  # fmt: skip


def chacha8(seed: int, stream: int) -> Iterator[int]:
    """32-bit words: the key is the seed (8 bytes, little-endian) and zeros; 64 bits of counter, 64 of stream."""
    constants = [int.from_bytes(b"expand 32-byte k"[i : i + 4], "little") for i in range(0, 16, 4)]
    key = [seed & MASK, seed >> 32, 0, 0, 0, 0, 0, 0]
    counter = 0
    while True:
        start = [*constants, *key, counter & MASK, counter >> 32, stream & MASK, stream >> 32]
        words = list(start)
        for _ in range(4):
            for a, b, c, d in QUARTERS:
                for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    words[x] = (words[x] + words[y]) & MASK
                    mixed = words[z] ^ words[x]
                    words[z] = (mixed << turn | mixed >> (32 - turn)) & MASK
        yield from ((word + first) & MASK for word, first in zip(words, start, strict=True))
        counter += 1


def below(words: Iterator[int], bound: int) -> int:
    """The upper half of word times bound; words whose lower half is among the first 2**32 mod bound are passed over."""
    while True:
        product = next(words) * bound
        if product & MASK >= (1 << 32) % bound:
            return product >> 32


def shuffled_deck(seed: int, index: int, cards_count: int) -> list[int]:
    words = chacha8(seed, index)
    deck = list(range(cards_count))
    for i in range(cards_count - 1, 0, -1):
        j = below(words, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(1, 52))
def test_both_implementations_shuffle_alike(seed: int, index: int, cards_count: int) -> None:
    assert _native.shuffled_deck(seed, index, cards_count).tolist() == shuffled_deck(seed, index, cards_count)


@pytest.mark.parametrize(("seed", "index"), [(1, 0), (1, 1), (2, 0), (2**64 - 1, 2**64 - 1)])
def test_a_whole_pack(seed: int, index: int) -> None:
    deck = _native.shuffled_deck(seed, index, 52).tolist()
    assert sorted(deck) == list(range(52))
    assert deck == shuffled_deck(seed, index, 52)


def test_pinned() -> None:
    """Written down once: no later version may shuffle otherwise."""
    assert _native.shuffled_deck(1, 0, 8).tolist() == [0, 3, 6, 4, 1, 7, 2, 5]
