"""Verification of a shard file to the last byte: checksum, pages, every block, their order, their counts."""

from __future__ import annotations

from collections.abc import Iterator

from storage.block import INDEXED, VALUE_TYPES, decode_block, order_key, read_header
from storage.errors import DamagedFileError
from storage.place import Place
from storage.record import FileRecord, verify_file
from storage.shardfile import ShardFile, open_shard


def verify_shard(path: Place, record: FileRecord) -> Iterator[str]:
    """Read all of a shard file; yields one line for each problem, none for a sound file.

    If the file's checksum is wrong, its content is not checked.
    """
    try:
        verify_file(path, record)
        with open_shard(path, record) as shard:
            yield from _verify_blocks(shard)
    except DamagedFileError as error:
        yield str(error)


def _verify_blocks(shard: ShardFile) -> Iterator[str]:
    count = 0
    last = -1
    for position, (key, packed) in enumerate(shard.blocks()):
        place = f"{shard.path}: block {position}"
        try:
            header = read_header(packed)
            block = decode_block(packed)
            key_found = order_key(packed)
        except DamagedFileError as error:
            yield f"{place}: {error.message}"
            continue
        if key != key_found:
            yield f"{place}: stands under {key.hex()}, its last key is {key_found.hex()}"
        if block.first <= last:
            yield f"{place}: begins at {block.first:#x}, behind {last:#x} of the block before"
        if block.codec == INDEXED and last >= 0 and block.first != last + 1:
            yield f"{place}: begins at index {block.first}, the block before ends at {last}"
        if block.key_bits != shard.footer["key_bits"]:
            yield f"{place}: has keys of {block.key_bits} bits, the footer says {shard.footer['key_bits']}"
        if VALUE_TYPES[header.value_type] != shard.footer["value_type"]:
            yield f"{place}: its value type is not the footer's"
        count += block.count
        last = block.last
    if count != shard.count:
        yield f"{shard.path}: has {count} states, its footer says {shard.count}"
