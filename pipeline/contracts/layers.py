"""The Parquet dataset of a table: one row for each layer and shard, from the records of its units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.contract.table import Table
from storage.layout import RunLayout


def write_layer_rows(
    engine: Table, layout: RunLayout, plan: Mapping[str, Any], records: Iterable[dict[str, Any]]
) -> None:
    """Write ``data/part-layers.parquet``, unless it is there, with the engine's columns (``Table.all_columns``).

    Columns of phases are left out of the content digest, because a crash may have lost them.
    """
    import pyarrow as pa

    from storage.dataset import VOLATILE_COLUMNS, Provenance, write_part

    path = layout.part("layers", 1)
    rows = layer_rows(plan, records, engine.told_as)
    if path.exists() or not rows:
        return
    table = pa.Table.from_pylist(rows, schema=engine.all_columns())
    volatile = [field.name for field in engine.phase_columns()]
    provenance = Provenance(
        plan["run_id"], plan["engine_version"], plan["job"], (*VOLATILE_COLUMNS, *volatile)
    )
    write_part(path, layout.staging, table, provenance)


def layer_rows(
    plan: Mapping[str, Any], records: Iterable[dict[str, Any]], told_as: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The rows, layers in the order of enumeration, then by shard; ``told_as``: columns of fields of the job."""
    last_kind = {layer: kind for kind, layer, _ in plan["phases"]}
    by_cell: dict[tuple[int, int], dict[str, dict[str, Any]]] = {}
    for record in records:
        unit = record["unit"]
        by_cell.setdefault((unit["first"], unit["last"]), {})[unit["kind"]] = record
    order = {entry["layer"]: place for place, entry in enumerate(plan["layers"])}
    job = {told_as.get(key, key): value for key, value in plan["job"].items()}
    rows: list[dict[str, Any]] = []
    for layer, shard in sorted(by_cell, key=lambda cell: (order[cell[0]], cell[1])):
        cell = by_cell[layer, shard]
        final = cell.get(last_kind[layer])
        if final is None:
            continue
        row = {"run_id": plan["run_id"], "attempt": 1, "index": len(rows), **job}
        row |= {"layer": layer, "shard": shard, "size_bytes": final["size_bytes"]}
        row |= {key: value for key, value in final["figures"].items() if key not in row}
        row |= {"elapsed_s": 0.0, "peak_bytes": 0, "host": final.get("host")}
        for kind, record in cell.items():
            row["elapsed_s"] += record.get("elapsed_s", 0.0)
            row["peak_bytes"] = max(row["peak_bytes"], record.get("peak_bytes", 0))
            row[f"{kind}_elapsed_s"] = record.get("elapsed_s")
            if record is not final:
                row |= {f"{kind}_{key}": value for key, value in record["figures"].items()}
        rows.append(row)
    return rows
