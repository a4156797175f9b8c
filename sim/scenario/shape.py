"""What may stand where in a scenario: the ruleset's model as a plain JSON Schema, and questions to it.

One declaration, the pydantic model of a ruleset, gives the checks, the words of the messages, the overrides of `--set`,
the commented starter file and the completion in editors. Everything but the checks goes through this module.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from sim.core.ruleset import Ruleset
from sim.core.schema import OWN
from sim.core.switches import Switch, Switchboard
from sim.scenario.values import KeyPath

Schema = dict[str, Any]


@lru_cache(maxsize=32)
def scenario_schema(ruleset: Ruleset[Any]) -> Schema:
    """The JSON Schema of a ruleset's scenario files: draft 7, which every TOML editor reads.

    Plain on purpose: no `prefixItems`, no `null` (TOML has none), no made-up titles. Names that are data of the ruleset
    (presets, policies, switches) are spelled out.
    """
    written = ruleset.scenario_model.model_json_schema()
    definitions = {name: _for_editors(part) for name, part in written.pop("$defs", {}).items()}
    schema: Schema = _for_editors(written)
    properties = schema["properties"]
    board = ruleset.switchboard
    properties["ruleset"] |= {"const": ruleset.name}
    properties["preset"] = _described(properties["preset"], {"type": "string", "enum": list(board.presets)})
    properties["switches"] = _described(properties["switches"], _switches_schema(board))
    own_policies = "policies" in properties  # where a file may bring policies of its own, other names are right too
    if not own_policies:
        properties["policy"] |= {"enum": list(ruleset.policies)}
    properties["policy"].setdefault("examples", list(ruleset.policies))
    head: Schema = {"$schema": "http://json-schema.org/draft-07/schema#", "title": f"A scenario of {ruleset.title}"}
    return head | schema | {"definitions": definitions}


def model_shape(model: type[BaseModel]) -> Shape:
    """The shape of any model of ours."""
    written = model.model_json_schema()
    definitions = {name: _for_editors(part) for name, part in written.pop("$defs", {}).items()}
    schema: Schema = _for_editors(written) | {"definitions": definitions}
    return Shape(schema, [schema])


def _for_editors(schema: Any) -> Any:
    """The schema without what editors do not read and TOML does not have."""
    if isinstance(schema, list):
        return [_for_editors(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept: Schema = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str):
            continue  # pydantic's own, made from the key
        if key == "$ref":
            kept[key] = value.replace("#/$defs/", "#/definitions/")
        elif key in ("properties", "patternProperties"):
            kept[key] = {name: _for_editors(part) for name, part in value.items()}
        elif key == "prefixItems":
            kept["items"] = {"anyOf": [_for_editors(part) for part in value]}
        elif key == "default" and value is None:
            continue
        elif key in ("default", "const", "enum", "examples", "required"):
            kept[key] = value
        elif key != "discriminator":
            kept[key] = _for_editors(value)
    if "anyOf" in kept:
        kept["anyOf"] = [option for option in kept["anyOf"] if option != {"type": "null"}]
        if len(kept["anyOf"]) == 1:
            kept = kept.pop("anyOf")[0] | kept
    return kept


def _described(old: Schema, new: Schema) -> Schema:
    return {key: old[key] for key in ("description", "default") if key in old} | new


def _switches_schema(board: Switchboard) -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _switch_schema(switch) for name, switch in board.switches.items()},
    }


def _switch_schema(switch: Switch) -> Schema:
    about: Schema = {"description": switch.about, "default": switch.default}
    if switch.kind == "choice":
        return about | {"enum": list(switch.values)}
    if switch.kind == "whole":
        number: Schema = {"type": "integer", "minimum": switch.least, "maximum": switch.most}
        if switch.also:
            return about | {"anyOf": [number, {"type": "string", "enum": list(switch.also)}]}
        return about | number
    if switch.kind == "number":
        return about | {"type": "number", "exclusiveMinimum": 0, "maximum": switch.most}
    if switch.kind == "names":
        return about | {"type": "array", "items": {"type": "string"}}
    return about | {"anyOf": [{"type": "string"}, {"type": "integer"}]}


class Shape:
    """What may stand at one place: schemas of which a value must fit one. It is false where nothing may stand."""

    def __init__(self, root: Schema, options: Iterable[Schema], required: bool = False) -> None:
        self.root = root
        self.options = tuple(part for option in options for part in self._parts(option))
        self.required = required

    @classmethod
    def of(cls, ruleset: Ruleset[Any]) -> Shape:
        """The shape of a whole scenario."""
        schema = scenario_schema(ruleset)
        return cls(schema, [schema])

    def _parts(self, option: Any) -> list[Schema]:
        """The schema with references followed and alternatives laid side by side."""
        if option is True:
            return [{}]
        if not isinstance(option, dict):
            return []
        notes = {key: option[key] for key in ("description", "default", "examples") if key in option}
        if "$ref" in option:
            return [part | notes for part in self._parts(self.root["definitions"][option["$ref"].rpartition("/")[2]])]
        for word in ("anyOf", "oneOf", "allOf"):
            if word in option:
                return [part | notes for branch in option[word] for part in self._parts(branch)]
        return [option]

    def __bool__(self) -> bool:
        return bool(self.options)

    def at(self, path: KeyPath) -> Shape:
        """What may stand further down."""
        shape = self
        for step in path:
            shape = shape._below(step)
        return shape

    def _below(self, step: str | int) -> Shape:
        found: list[Any] = []
        required = False
        for option in self.options:
            if not option:
                found.append({})  # anything goes, at any depth
            elif isinstance(step, int):
                found += [option["items"]] if "items" in option else []
            elif step in option.get("properties", {}):
                found.append(option["properties"][step])
                required = required or step in option.get("required", ())
            elif step in option.get("propertyNames", {}).get("enum", [step]):
                found.append(option.get("additionalProperties", False))
        return Shape(self.root, found, required)

    @property
    def keys(self) -> list[str]:
        """The keys that a table may have here, as far as they have names of their own."""
        named: dict[str, None] = {}
        for option in self.options:
            named |= dict.fromkeys(option.get("properties", ()))
            named |= dict.fromkeys(option.get("propertyNames", {}).get("enum", ()))
        return list(named)

    def takes(self, kind: str) -> bool:
        """May a value of this kind (a type of JSON Schema) stand here?"""
        return any(not option or kind in self._kinds(option) for option in self.options)

    @staticmethod
    def _kinds(option: Schema) -> set[str]:
        kinds = option.get("type", [])
        found = {kinds} if isinstance(kinds, str) else set(kinds)
        for value in option.get("enum", [option["const"]] if "const" in option else []):
            found.add(kind_of(value))
        return found | ({"integer"} if "number" in found else set())

    @property
    def counts_as_a_whole(self) -> bool:
        """Is this a list or an open table, which takes the place of that of class or type as soon as it is written?

        A table with keys of its own is read key by key, and what it leaves out remains as it is.
        """

        def is_whole(option: Schema) -> bool:
            kinds = self._kinds(option)
            return "array" in kinds or ("object" in kinds and not option.get("properties"))

        return any(not option or is_whole(option) for option in self.options)

    def note(self, key: str) -> Any:
        """The description, the default or the examples, if the schema has one."""
        return next((option[key] for option in self.options if key in option), None)

    @property
    def choices(self) -> list[Any]:
        """The values that are listed one by one."""
        listed = [option.get("enum", [option["const"]] if "const" in option else []) for option in self.options]
        return list(dict.fromkeys(value for values in listed for value in values))

    @property
    def expected(self) -> str:
        """What may be written here, in words: 'a whole number from 1 to 10'."""
        return " or ".join(dict.fromkeys(in_words(option) for option in self.options)) or "nothing"


def kind_of(value: Any) -> str:
    """The JSON Schema type of a value."""
    if isinstance(value, bool):
        return "boolean"
    kinds = {int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return kinds.get(type(value), "null")


def in_words(schema: Schema) -> str:
    """One schema without alternatives, in words.

    >>> in_words({"type": "integer", "minimum": 1, "maximum": 10})
    'a whole number from 1 to 10'
    """
    if "const" in schema:
        return shown(schema["const"])
    if "enum" in schema:
        words = [shown(value) for value in schema["enum"]]
        return words[0] if len(words) == 1 else "one of " + ", ".join(words)
    if OWN in schema:
        return f"one of your own under [{schema[OWN]}]"
    kind = schema.get("type", "")
    if kind in ("integer", "number"):
        return ("a whole number" if kind == "integer" else "a number") + _span(schema)
    if kind == "string":
        examples = schema.get("examples", [])
        such_as = f" such as {' or '.join(shown(example) for example in examples[:2])}" if examples else ""
        form = f" of the form {schema['pattern']}" if "pattern" in schema and not examples else ""
        empty = " that is not empty" if schema.get("minLength") == 1 and not such_as and not form else ""
        return "a text" + (such_as or form or empty)
    if kind == "array":
        names = schema.get("items", {}).get("enum")
        return "a list" + _entries(schema) + (f" with any of {', '.join(map(shown, names))}" if names else "")
    if kind == "object":
        names = schema.get("propertyNames", {}).get("enum")
        return f"a table with any of {', '.join(names)}" if names else "a table"
    return "true or false" if kind == "boolean" else "a value"


def _span(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if least is not None and most is not None:
        return f" from {least} to {most}"
    parts = [
        f"from {least} up" if least is not None else "",
        f"above {above}" if above is not None else "",
        f"up to {most}" if most is not None else "",
        f"below {below}" if below is not None else "",
    ]
    bounds = " and ".join(part for part in parts if part)
    return f" {bounds}" if bounds else ""


def _entries(schema: Schema) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    if least is not None and least == most:
        return f" of {_count(least)}"
    if least is not None and most is not None:
        return f" of {least} to {_count(most)}"
    if least is not None:
        return f" of at least {_count(least)}"
    return f" of at most {_count(most)}" if most is not None else ""


def _count(entries: int) -> str:
    return f"{entries} entry" if entries == 1 else f"{entries} entries"


def shown(value: Any) -> str:
    """A value as a message shows it: short, and never a whole table."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"a list of {_count(len(value))}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:45]}... ({len(text):,} characters)"
