"""Switches: house rules and doubtful readings by name, and presets that set several at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.errors import Problem, did_you_mean


@dataclass(frozen=True, slots=True)
class Switch:
    """One named choice of a ruleset.

    `values` lists the choices; a switch without a list takes a whole number from `least` to `most`, or a text
    (a formula, or a list of names) where `kind` says so; `number` is any number above 0 up to `most`. `also` are words
    that a whole number switch takes besides. `behaviour` marks what `improve --side enemies` may turn.
    """

    name: str
    about: str
    default: Any
    kind: str = "choice"  # choice, whole, number, formula, names
    values: tuple[Any, ...] = ()
    least: int = 0
    most: int = 999
    also: tuple[str, ...] = ()
    behaviour: bool = False  # whether it says how enemies behave: whom they go for, where they go

    @property
    def expected(self) -> str:
        """What may be written, in words."""
        if self.kind == "choice":
            return "one of " + ", ".join(repr(value) for value in self.values)
        if self.kind == "whole":
            span = f"a whole number from {self.least} to {self.most}"
            return " or ".join([span, *(repr(word) for word in self.also)])
        above = f"a number above 0, at most {self.most}"
        return {"number": above, "formula": "a formula", "names": "a list of names"}[self.kind]

    def problem_with(self, value: Any) -> str | None:
        """What is wrong with a value, or None."""
        if self.kind == "choice":
            if any(value == known and type(value) is type(known) for known in self.values):
                return None
            nearest = did_you_mean(str(value), (str(known) for known in self.values))
            return f"expected {self.expected}, found {value!r}{nearest}"
        if self.kind == "whole":
            whole = isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most
            return None if whole or value in self.also else f"expected {self.expected}, found {value!r}"
        if self.kind == "number":
            number = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= self.most
            return None if number else f"expected {self.expected}, found {value!r}"
        if self.kind == "names":
            good = isinstance(value, list) and all(isinstance(name, str) for name in value)
            return None if good else f"expected {self.expected}, found {value!r}"
        return None if isinstance(value, (str, int)) else f"expected {self.expected}, found {value!r}"


@dataclass(frozen=True, slots=True)
class Switchboard:
    """All switches and presets of a ruleset."""

    switches: dict[str, Switch]
    presets: dict[str, dict[str, Any]]  # name -> the values that differ from the defaults
    about: dict[str, str]  # preset -> one line
    default_preset: str

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Switchboard:
        """From a parsed `switches.toml`: `[switches.NAME]` and `[presets.NAME]`.

        A preset's own values stand in `[presets.NAME.set]`.
        """
        switches = {}
        for name, entry in table["switches"].items():
            parts = dict(entry)
            for key in ("values", "also"):
                parts[key] = tuple(parts.get(key, ()))
            switches[name] = Switch(name=name, **parts)
        presets = {name: dict(entry.get("set", {})) for name, entry in table["presets"].items()}
        about = {name: entry["about"] for name, entry in table["presets"].items()}
        return cls(switches, presets, about, table["default_preset"])

    def problems(self, preset: str | None, values: Mapping[str, Any]) -> list[Problem]:
        """Everything that is wrong with a choice of preset and switches."""
        found = []
        if preset is not None and preset not in self.presets:
            known = ", ".join(repr(name) for name in self.presets)
            found.append(
                Problem("preset", f"expected one of {known}, found {preset!r}{did_you_mean(preset, self.presets)}")
            )
        for name, value in values.items():
            if name not in self.switches:
                found.append(Problem(f"switches.{name}", f"unknown switch{did_you_mean(name, self.switches)}"))
            elif message := self.switches[name].problem_with(value):
                found.append(Problem(f"switches.{name}", message))
        return found

    def settings(self, preset: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
        """The value of every switch: defaults, then the preset, then the values given."""
        chosen = {name: switch.default for name, switch in self.switches.items()}
        return chosen | self.presets[preset or self.default_preset] | dict(values)
