"""Documents as JSON: one object for scripts, in which what JSON does not have is null."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(document: Mapping[str, Any]) -> str:
    """The document as one JSON object."""
    return json.dumps(json_values(document), indent=2, ensure_ascii=False, allow_nan=False)


def json_values(value: Any) -> Any:
    """The value as JSON has it: numbers of NumPy as plain ones; null for what is no number, or without end.

    >>> json_values({"win_rate": float("nan"), "runs": (1, 2)})
    {'win_rate': None, 'runs': [1, 2]}
    """
    if hasattr(value, "item"):  # a number out of a NumPy array
        value = value.item()
    if isinstance(value, Mapping):
        return {str(key): json_values(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_values(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
