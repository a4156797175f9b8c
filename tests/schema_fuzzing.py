"""Scenario tables that the JSON Schema of a game allows, or nearly: what an editor helps to write, and slips in it."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from hypothesis import strategies as st

from sim.core.registry import ruleset, ruleset_names
from sim.scenario import load, scenario_names
from sim.scenario.shape import scenario_schema
from sim.scenario.toml_writer import to_toml

TEXTS = ["", "x", "plain", "none", "1d6", "L", "2 * L + 1", "hp < 3", "é", "\x1b[31m", "...\n.#.\n...", "level"]
NUMBERS = [0, 1, -1, 2, 9, 2**15, 2**31, 2**63 - 1, -(2**63), 10**18]
DEEPEST = 5
MORE = 3  # entries of a list beyond the fewest


@cache
def shipped(game: str) -> tuple[dict[str, Any], ...]:
    """The built-in scenarios of a game, as they are written."""
    return tuple(load(name).data for name in scenario_names() if name.startswith(f"{game}/"))


@st.composite
def grown_tables(draw: st.DrawFn, game: str) -> bytes:
    """A built-in scenario of a game with a few of its keys drawn anew from the schema."""
    schema = scenario_schema(ruleset(game))
    data = copy.deepcopy(draw(st.sampled_from(shipped(game))))
    for _ in range(draw(st.integers(1, 3))):
        table, part = draw(st.sampled_from(tables_of(data, schema, schema)))
        known = part.get("properties", {})
        if not known:
            continue
        key = draw(st.sampled_from(sorted(known)))
        table[key] = drawn(draw, known[key], schema)
    try:
        return to_toml(data).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError):  # what TOML cannot say
        return repr(data).encode("utf-8", "surrogatepass")


ALL_GAMES = st.sampled_from(sorted(ruleset_names())).flatmap(grown_tables)


def tables_of(value: Any, part: dict[str, Any], whole: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every table of a scenario with the schema that it follows."""
    part = resolved(part, whole, value)
    if isinstance(value, list):
        return [found for entry in value for found in tables_of(entry, part.get("items", {}), whole)]
    if not isinstance(value, dict):
        return []
    found = [(value, part)]
    for key, below in value.items():
        if key in part.get("properties", {}):
            found += tables_of(below, part["properties"][key], whole)
    return found


def resolved(part: dict[str, Any], whole: dict[str, Any], value: Any = None) -> dict[str, Any]:
    """The schema behind references; of several the one that fits the kind of value."""
    while "$ref" in part:
        part = whole["definitions"][part["$ref"].rsplit("/", 1)[1]]
    choices = [resolved(choice, whole, value) for choice in part.get("anyOf", ())]
    kind = {dict: "object", list: "array"}.get(type(value))
    return next((choice for choice in choices if choice.get("type") == kind), part)


def drawn(draw: st.DrawFn, part: dict[str, Any], whole: dict[str, Any], depth: int = 0) -> Any:
    """A value that the schema allows, now and then one that it does not."""
    part = resolved(part, whole)
    if draw(st.integers(0, 11)) == 0 or depth > DEEPEST:
        return draw(st.sampled_from([*NUMBERS, *TEXTS, True, [], {}, [[]], 0.5]))
    if "anyOf" in part:
        return drawn(draw, draw(st.sampled_from(part["anyOf"])), whole, depth + 1)
    if "const" in part:
        return part["const"]
    if "enum" in part:
        return draw(st.sampled_from(part["enum"]))
    match part.get("type"):
        case "integer" | "number":
            least, most = part.get("minimum", 0), part.get("maximum", 99)
            span = [least, most, least - 1, most + 1, (least + most) // 2]
            return draw(st.sampled_from([*span, *NUMBERS, *span, part.get("default", least)]))
        case "boolean":
            return draw(st.booleans())
        case "array":
            size = part.get("minItems", 0) + draw(st.integers(0, MORE))
            return [drawn(draw, part.get("items", {}), whole, depth + 1) for _ in range(min(size, 9))]
        case "object":
            return drawn_table(draw, part, whole, depth)
    return draw(st.sampled_from([*part.get("examples", ()), *TEXTS]))


def drawn_table(draw: st.DrawFn, part: dict[str, Any], whole: dict[str, Any], depth: int) -> dict[str, Any]:
    """All keys that a table needs and some of the others; now and then one is left out."""
    table = {}
    needed = part.get("required", ())
    for key, below in part.get("properties", {}).items():
        if draw(st.integers(0, 19)) < (19 if key in needed else 4):
            table[key] = drawn(draw, below, whole, depth + 1)
    names = part.get("propertyNames", {}).get("enum", ["x"])
    more = part.get("additionalProperties")
    if isinstance(more, dict):
        for _ in range(draw(st.integers(0, 2))):
            table[draw(st.sampled_from(names))] = drawn(draw, more, whole, depth + 1)
    return table
