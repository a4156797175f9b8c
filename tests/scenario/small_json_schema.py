"""A JSON Schema checker for the words that our schemas use: enough to hold them against scenario files."""

from __future__ import annotations

import re
from typing import Any

KINDS = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
NOTES = {"$schema", "title", "description", "default", "examples", "definitions"}
KNOWN = NOTES | {
    "type", "enum", "const", "properties", "required", "additionalProperties", "propertyNames", "items", "minItems",
    "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern",
    "anyOf", "$ref",
}  # fmt: skip


def misfits(schema: dict[str, Any], value: Any) -> list[str]:
    """The places where a value does not fit the schema, as dotted paths."""
    return list(dict.fromkeys(_misfits(schema, schema, value, "")))


def _misfits(root: dict[str, Any], schema: Any, value: Any, path: str) -> list[str]:
    if schema is True or schema is False:
        return [] if schema else [path]
    assert set(schema) <= KNOWN, f"a word that editors may not know: {set(schema) - KNOWN}"
    if "$ref" in schema and _misfits(root, root["definitions"][schema["$ref"].rpartition("/")[2]], value, path):
        return _misfits(root, root["definitions"][schema["$ref"].rpartition("/")[2]], value, path)
    if "anyOf" in schema and all(_misfits(root, option, value, path) for option in schema["anyOf"]):
        return [path]
    if "type" in schema and (not isinstance(value, KINDS[schema["type"]]) or _odd_truth(schema["type"], value)):
        return [path]
    wrong = [
        "enum" in schema and value not in schema["enum"],
        "const" in schema and value != schema["const"],
        "minimum" in schema and value < schema["minimum"],
        "maximum" in schema and value > schema["maximum"],
        "minLength" in schema and len(value) < schema["minLength"],
        "pattern" in schema and not re.search(schema["pattern"], value),
        "minItems" in schema and len(value) < schema["minItems"],
        "maxItems" in schema and len(value) > schema["maxItems"],
        any(key not in value for key in schema.get("required", ())),
    ]
    found = [path] if any(wrong) else []
    if isinstance(value, dict):
        for key, part in value.items():
            below = f"{path}.{key}" if path else key
            found += _misfits(root, schema.get("propertyNames", True), key, below)
            other = schema.get("additionalProperties", True)
            found += _misfits(root, schema.get("properties", {}).get(key, other), part, below)
    if isinstance(value, list):
        for place, part in enumerate(value):
            found += _misfits(root, schema.get("items", True), part, f"{path}.{place}")
    return found


def _odd_truth(kind: str, value: Any) -> bool:
    """In Python true is a whole number, in JSON it is not."""
    return isinstance(value, bool) and kind in ("integer", "number")
