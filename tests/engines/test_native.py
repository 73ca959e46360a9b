"""The border of the compiled core: bad input is a ValueError or TypeError that says what, never a panic.

A panic would show as ``pyo3_runtime.PanicException``, which is no ``Exception``, so that no test here takes it.
That codec and digest agree with their plain versions is in tests/storage/test_twins.py.
"""

from __future__ import annotations

import contextlib
import mmap
import re
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from engines import _native

NARROW = _native.Game(3, 2, 4)
WIDE = _native.Game(3, 3, 3)
GAMES = pytest.mark.parametrize("game", [NARROW, WIDE], ids=["narrow", "wide"])

BAD_ARRAYS: list[Any] = [
    np.zeros(3, np.int64),
    np.zeros(3, np.float64),
    np.zeros(3, np.uint32),
    np.zeros((2, 3), np.uint64),
    np.zeros((2, 4, 1), np.uint64),
    np.array(7, np.uint64),
    [1, 2, 3],
    None,
    "keys",
]
OF_THE_OTHER_FORM = {"narrow": np.zeros((1, 4), np.uint64), "wide": np.zeros(1, np.uint64)}


@contextlib.contextmanager
def naming(*fields: str) -> Iterator[None]:
    """What is inside works, or ends in a ValueError that begins with one of ``fields``."""
    try:
        yield
    except ValueError as error:
        if str(error).split(":")[0] not in fields:
            raise AssertionError(f"{error} names none of {fields}") from error


def bad_arrays(game: _native.Game) -> list[Any]:
    return [*BAD_ARRAYS, OF_THE_OTHER_FORM["narrow" if game.words == 1 else "wide"]]


def layer_blocks(game: _native.Game, layer: int) -> tuple[Any, list[Any]]:
    """All keys of a layer of the game, and blocks of 30 with 0.5 for every value."""
    keys = game.start()
    for above in range(game.boards * game.cards, layer, -1):
        successors = _native.Successors(game, above, 1_000_000)
        successors.push(keys)
        keys = successors.take()
    bits = game.key_bits(layer)
    parts = [keys[i : i + 30] for i in range(0, len(keys), 30)]
    encoded = [_native.encode_block(part, np.full(len(part), 0.5), "float32", bits) for part in parts]
    return keys, [np.frombuffer(block, np.uint8) for block in encoded]


@pytest.mark.parametrize(
    ("stacks", "boards", "cards", "field"),
    [
        (0, 2, 4, "stacks"),
        (6, 2, 4, "stacks"),
        (9, 3, 4, "stacks"),
        (3, 0, 4, "boards"),
        (3, 5, 4, "boards"),
        (3, 2, 0, "cards"),
        (3, 2, 13, "cards"),
        (3, 4, 7, "cards"),
        (10**6, 10**6, 10**6, "stacks"),
    ],
)
def test_a_game_out_of_range_is_named(stacks: int, boards: int, cards: int, field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        _native.Game(stacks, boards, cards)
    with pytest.raises((TypeError, OverflowError)):
        _native.Game(-stacks - 1, boards, cards)


@GAMES
def test_layers_out_of_range(game: _native.Game) -> None:
    key = game.start()
    for layer in (0, game.boards * game.cards + 1, 10**9):
        for call in (
            lambda layer=layer: game.key_bits(layer),
            lambda layer=layer: game.decode(layer, key),
            lambda layer=layer: game.successors(layer, key),
            lambda layer=layer: game.solve(layer, key, 10),
            lambda layer=layer: game.evaluate(layer, key, None),
            lambda layer=layer: _native.LayerReader(game, layer, []),
            lambda layer=layer: _native.Successors(game, layer, 10),
        ):
            with pytest.raises(ValueError, match="layer"):
                call()
    with pytest.raises(ValueError, match="layer"):
        _native.Successors(game, 1, 10)  # nothing follows the last card


@GAMES
def test_keys_of_wrong_shape_or_type(game: _native.Game) -> None:
    layer = game.boards * game.cards - 1
    keys, blocks = layer_blocks(game, layer)
    reader = _native.LayerReader(game, layer, blocks)
    bits = game.key_bits(layer)
    for bad in bad_arrays(game):
        successors = _native.Successors(game, layer, 100)
        for call in (
            lambda bad=bad: game.decode(layer, bad),
            lambda bad=bad: game.successors(layer, bad),
            lambda bad=bad: game.solve(layer, bad, 10),
            lambda bad=bad: game.evaluate(layer + 1, bad, reader),
            lambda bad=bad: reader.lookup(bad),
            lambda bad=bad, successors=successors: successors.push(bad),
            lambda bad=bad: _native.merge([keys, bad], bits),
        ):
            with pytest.raises((ValueError, TypeError), match=r"\S"):
                call()


@GAMES
def test_places_that_no_state_has(game: _native.Game) -> None:
    """They may come from damaged files."""
    layer = game.boards * game.cards - 1
    _, blocks = layer_blocks(game, layer - 1)
    below = _native.LayerReader(game, layer - 1, blocks)
    far = np.full_like(game.start(), 2**64 - 1)
    for call in (
        lambda: game.successors(layer, far),
        lambda: game.solve(layer, far, 10),
        lambda: game.evaluate(layer, far, below),
        lambda: _native.Successors(game, layer, 10).push(far),
    ):
        with pytest.raises(ValueError, match=r"^places: "):
            call()
    values, codes = below.lookup(far)
    assert np.isnan(values).all()
    assert codes.tolist() == [3]


@given(hnp.arrays(np.uint64, 4), st.integers(1, 9))
def test_any_word_decodes_to_a_state_or_to_an_error(words: Any, layer: int) -> None:
    before, forbidden = WIDE.decode(layer, words.reshape(1, 4))
    assert len(before) == len(forbidden) == layer
    with contextlib.suppress(ValueError):
        WIDE.successors(layer, words.reshape(1, 4))
    if layer <= 8:
        place = words[:1] >> np.uint64(64 - NARROW.key_bits(layer))
        with contextlib.suppress(ValueError):
            before, forbidden = NARROW.decode(layer, place)
            assert NARROW.encode(before, forbidden).tolist() == place.tolist()


@given(st.lists(st.integers(0, 2**32 - 1), max_size=13), st.lists(st.integers(0, 255), max_size=13))
def test_encode_takes_states_or_says_what_is_wrong(before: list[int], forbidden: list[int]) -> None:
    for game in (NARROW, WIDE):
        with naming("layer", "before", "forbidden"):
            key = game.encode(before, forbidden)
            assert game.decode(len(before), key)


@pytest.mark.parametrize(
    ("before", "forbidden", "field"),
    [
        ([], [], "layer"),
        ([0, 0], [0], "forbidden"),
        ([0b10, 0b01], [0, 0], "before"),  # a cycle
        ([0b01, 0], [0, 0], "before"),  # before itself
        ([0, 1, 2], [0, 0, 0], "before"),  # not closed
        ([0, 0, 0], [0, 0, 0], "before"),  # three chains
        ([0, 0b100], [0, 0], "before"),  # no such card
        ([0, 1], [1, 0], "forbidden"),  # not handed on
        ([0, 1], [0, 7], "forbidden"),  # dead
        ([0, 1], [0, 8], "forbidden"),  # no such stack
    ],
)
def test_encode_names_what_is_wrong(before: list[int], forbidden: list[int], field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        NARROW.encode(before, forbidden)


def valid_block() -> bytes:
    keys = np.arange(3, 900, 3, dtype=np.uint64)
    return _native.encode_block(keys, np.linspace(0, 1, len(keys)), "float32", 17)


def resealed(block: bytearray) -> Any:
    """With a checksum that fits."""
    struct.pack_into("<I", block, 32, zlib.crc32(block[36:], zlib.crc32(block[:32])))
    return np.frombuffer(bytes(block), np.uint8)


@given(st.binary(max_size=200))
def test_garbage_is_no_block(data: bytes) -> None:
    for start in (b"", valid_block()[:48], b"YMB1"):
        block = np.frombuffer(start + data, np.uint8)
        with pytest.raises(ValueError, match=r"\S"):
            _native.decode_block(block)
        for game in (NARROW, WIDE):
            with pytest.raises(ValueError, match=r"^block 0: "):
                _native.LayerReader(game, 3, [block])


@given(st.data())
def test_a_reader_of_forged_blocks_never_panics(data: st.DataObject) -> None:
    """Headers and bodies changed, with a checksum that fits: an error, or values for keys that it may then have."""
    game = data.draw(st.sampled_from([NARROW, WIDE]))
    layer = game.boards * game.cards - 3
    keys, blocks = layer_blocks(game, layer)
    number = data.draw(st.integers(0, len(blocks) - 1))
    block = bytearray(blocks[number].tobytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, 63) | st.integers(0, len(block) - 1))
        block[place] = data.draw(st.integers(0, 255))
    blocks[number] = resealed(block)
    # A block that says that it goes on further than it does leaves the next one out of order.
    with naming(f"block {number}", f"block {number + 1}"):
        values, codes = _native.LayerReader(game, layer, blocks).lookup(keys)
        assert len(values) == len(codes) == len(keys)
        assert set(codes.tolist()) <= {0, 3}


@GAMES
def test_a_flipped_bit_is_found_when_its_block_is_read(game: _native.Game) -> None:
    layer = game.boards * game.cards - 3
    keys, blocks = layer_blocks(game, layer)
    for place in range(0, len(blocks[0]), 29):
        block = bytearray(blocks[0].tobytes())
        block[place] ^= 16
        changed = [np.frombuffer(bytes(block), np.uint8), *blocks[1:]]
        with pytest.raises(ValueError, match=r"^block 0: "):
            _native.LayerReader(game, layer, changed).lookup(keys)


@GAMES
def test_blocks_out_of_order_or_of_another_layer(game: _native.Game) -> None:
    layer = game.boards * game.cards - 3
    _, blocks = layer_blocks(game, layer)
    assert len(blocks) > 1
    for wrong in (blocks[::-1], [blocks[0], blocks[0]]):
        with pytest.raises(ValueError, match=r"^block 1: "):
            _native.LayerReader(game, layer, wrong)
    with pytest.raises(ValueError, match=r"^block 0: "):
        _native.LayerReader(game, layer - 1, blocks)


@given(
    hnp.arrays(np.uint64, st.integers(0, 40)), st.integers(0, 300), st.sampled_from(["float32", "none", "x"])
)
def test_encode_block_takes_what_it_can_store(keys: Any, key_bits: int, value_type: str) -> None:
    values = None if value_type == "none" else np.zeros(len(keys))
    with naming("keys", "value_type", "key_bits", "values"):
        block = _native.encode_block(keys, values, value_type, key_bits)
        back, _ = _native.decode_block(np.frombuffer(block, np.uint8))
        np.testing.assert_array_equal(back, keys)


def test_values_that_do_not_go_with_the_keys() -> None:
    keys = np.arange(5, dtype=np.uint64)
    for values, value_type in [
        (np.zeros(4), "float32"),
        (None, "float32"),
        (np.zeros(5), "none"),
        (np.zeros(10)[::2], "float32"),
        (np.zeros(5, np.float32), "float32"),
        (np.zeros((5, 1)), "float32"),
    ]:
        with pytest.raises((ValueError, TypeError), match=r"\S"):
            _native.encode_block(keys, values, value_type, 10)
    with pytest.raises((ValueError, TypeError), match=r"\S"):
        _native.table_digest(1, keys, np.zeros(4), "float32")
    with pytest.raises(ValueError, match="value_type"):
        _native.as_stored(np.zeros(1), "float16")


@GAMES
def test_merge_unites(game: _native.Game) -> None:
    layer = game.boards * game.cards - 3
    keys, _ = layer_blocks(game, layer)
    rng = np.random.default_rng(5)
    lists = [keys[np.sort(rng.permutation(len(keys))[: len(keys) // 2])] for _ in range(3)]
    united = _native.merge([*lists, keys[:0]], game.key_bits(layer))
    expected = np.unique(np.concatenate(lists), axis=0)
    np.testing.assert_array_equal(united, expected)


def test_play_needs_all_layers() -> None:
    _, blocks = layer_blocks(NARROW, 8)
    top = _native.LayerReader(NARROW, 8, blocks)
    for layers in ([], [top]):
        with pytest.raises(ValueError, match="layer 7: "):
            NARROW.play(layers, 1, np.arange(3, dtype=np.uint64))
    with pytest.raises(ValueError, match="another form"):
        WIDE.play([top], 1, np.arange(3, dtype=np.uint64))


def bytes_of(kind: str, content: bytes, tmp_path: Path) -> Any:
    """A read-only array with this content that somebody can write to after all, or that nobody can (``fixed``)."""
    match kind:
        case "its own":
            array = np.frombuffer(content, np.uint8).copy()
            array.flags.writeable = False
            return array
        case "a view of a writeable one":
            array = np.frombuffer(content, np.uint8).copy()[:]
            array.flags.writeable = False
            return array[:]
        case "a bytearray":
            return np.frombuffer(memoryview(bytearray(content)).toreadonly(), np.uint8)
        case _:
            path = tmp_path / "block"
            path.write_bytes(content)
            with path.open("r+b") as file:
                access = mmap.ACCESS_READ if kind == "fixed: a mapping" else mmap.ACCESS_WRITE
                mapped = mmap.mmap(file.fileno(), 0, access=access)
            array = np.frombuffer(mapped, np.uint8)
            array.flags.writeable = False
            return array[:]


@pytest.mark.parametrize(
    "kind",
    ["its own", "a view of a writeable one", "a bytearray", "a mapping for writing", "fixed: a mapping"],
)
def test_blocks_that_can_change_are_refused(kind: str, tmp_path: Path) -> None:
    layer = NARROW.boards * NARROW.cards - 3
    _, blocks = layer_blocks(NARROW, layer)
    arrays = [bytes_of(kind, blocks[0].tobytes(), tmp_path), *blocks[1:]]
    if kind.startswith("fixed"):
        assert _native.LayerReader(NARROW, layer, arrays).count > 0
        return
    with pytest.raises(ValueError, match=r"^blocks: .* not writeable ones"):
        _native.LayerReader(NARROW, layer, arrays)


@GAMES
def test_a_damaged_block_is_told_by_type(game: _native.Game) -> None:
    layer = game.boards * game.cards - 3
    keys, blocks = layer_blocks(game, layer)
    block = bytearray(blocks[1].tobytes())
    block[-1] ^= 1
    blocks[1] = np.frombuffer(bytes(block), np.uint8)
    with pytest.raises(_native.DamagedBlockError, match=r"^block 1: checksum does not match$") as caught:
        _native.LayerReader(game, layer, blocks).lookup(keys)
    assert (caught.value.layer, caught.value.block) == (None, 1)
    assert caught.value.reason == "checksum does not match"
    reader = _native.TableReader(game, [_native.LayerReader(game, layer, blocks)])
    with pytest.raises(_native.DamagedBlockError, match=rf"^layer {layer}, block 1: ") as caught:
        reader.lookup(np.full(len(keys), layer, np.uint8), keys)
    assert (caught.value.layer, caught.value.block) == (layer, 1)
    with pytest.raises(_native.DamagedBlockError) as caught:
        _native.decode_block(blocks[1])
    assert (caught.value.layer, caught.value.block) == (None, 0)
    assert caught.value.reason == str(caught.value)


def test_a_panic_has_its_place_and_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """A thread of its own has seen none before."""
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(_native.panic_place).result() is None
        failed = thread.submit(_native._panic_for_tests).exception()
        place = thread.submit(_native.panic_place).result()
    assert failed is not None
    assert not isinstance(failed, Exception)
    assert (type(failed).__name__, str(failed)) == ("PanicException", "for tests")
    assert place is not None
    assert re.fullmatch(r"src/panics\.rs:\d+", place)
    assert capfd.readouterr() == ("", "")
