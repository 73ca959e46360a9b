"""The Parquet dataset of a table: one row for each layer and shard, from the records of its units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storage.layout import RunLayout


def write_layer_rows(layout: RunLayout, plan: Mapping[str, Any], records: list[dict[str, Any]]) -> None:
    """Write ``data/part-layers.parquet``, unless it is there.

    Columns: run_id, attempt, index, the job's values, layer, shard, size_bytes and the figures of the last
    unit of the shard, then seconds and figures of the units before it (prefixed with their kind; a crash may
    have lost them, so they do not count for the content digest).
    """
    import pyarrow as pa

    from storage.dataset import VOLATILE_COLUMNS, Provenance, common_columns, write_part

    path = layout.part("layers", 1)
    rows = layer_rows(plan, records)
    if path.exists() or not rows:
        return
    kinds = {kind for kind, _, _ in plan["phases"]}
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = pa.table({name: pa.array([row.get(name) for row in rows]) for name in names})
    known = {field.name: field for field in common_columns()}
    table = table.cast(pa.schema([known.get(field.name, field) for field in table.schema]))
    volatile = [name for name in names if any(name.startswith(f"{kind}_") for kind in kinds)]
    provenance = Provenance(
        plan["run_id"], plan["engine_version"], plan["job"], (*VOLATILE_COLUMNS, *volatile)
    )
    write_part(path, layout.staging, table, provenance)


def layer_rows(plan: Mapping[str, Any], records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, layers in the order of enumeration, then by shard."""
    last_kind = {layer: kind for kind, layer, _ in plan["phases"]}
    by_cell: dict[tuple[int, int], dict[str, dict[str, Any]]] = {}
    for record in records:
        unit = record["unit"]
        by_cell.setdefault((unit["first"], unit["last"]), {})[unit["kind"]] = record
    order = {entry["layer"]: place for place, entry in enumerate(plan["layers"])}
    job = {key: value for key, value in plan["job"].items() if isinstance(value, int | float | str)}
    del job["name"]
    rows: list[dict[str, Any]] = []
    for layer, shard in sorted(by_cell, key=lambda cell: (order[cell[0]], cell[1])):
        cell = by_cell[layer, shard]
        final = cell.get(last_kind[layer])
        if final is None:
            continue
        row = {"run_id": plan["run_id"], "attempt": 1, "index": len(rows), **job}
        row |= {"layer": layer, "shard": shard, "size_bytes": final["size_bytes"]}
        row |= {key: value for key, value in final["figures"].items() if _is_column(value) and key not in row}
        row |= {"elapsed_s": 0.0, "peak_bytes": 0, "host": final.get("host")}
        for kind, record in cell.items():
            row["elapsed_s"] += record.get("elapsed_s", 0.0)
            row["peak_bytes"] = max(row["peak_bytes"], record.get("peak_bytes", 0))
            row[f"{kind}_elapsed_s"] = record.get("elapsed_s")
            if record is not final:
                row |= {
                    f"{kind}_{key}": value for key, value in record["figures"].items() if _is_column(value)
                }
        rows.append(row)
    return rows


def _is_column(value: object) -> bool:
    return isinstance(value, int | float | str) or (
        isinstance(value, list) and all(isinstance(entry, int | float) for entry in value)
    )
