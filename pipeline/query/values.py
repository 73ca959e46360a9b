"""Values of an answer as text and in JSON."""

from __future__ import annotations

import json
import math
from typing import Any


def as_text(value: Any) -> str:
    """In a table or CSV: nothing for null; lists and structures in JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple | dict):
        return json.dumps(as_json(value), ensure_ascii=False)
    return str(value)


def as_json(value: Any) -> Any:
    """Values that JSON has no form for become text: infinity and not-a-number as in SQL, dates, bytes as
    hexadecimal digits."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {as_text(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return as_text(value)
