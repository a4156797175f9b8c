"""Named changes of a fight: variants, and knobs with their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sim.errors import InputError, Problem, ScenarioError
from sim.scenario import Scenario, as_scenario
from sim.scenario.overrides import from_text, places
from sim.scenario.shape import Shape

AnyScenario: TypeAlias = str | Path | Mapping[str, Any] | Scenario

SPEC_KEYS = ("scenario", "set", "preset", "policy")  # of a variant that says more than values


def as_fight(scenario: AnyScenario) -> Scenario:
    """The fight that a question is about: a name, a path, a table or a Scenario."""
    return as_scenario(scenario)


def variant(base: Scenario, change: Any, name: str = "") -> Scenario:
    """A variant of a fight.

    The change is a table of values ({"enemies.skeleton.count": 4}), a table with any of `scenario`, `set`, `preset` and
    `policy`, a list of settings as on the command line (["enemies.skeleton.count=4"]), or a whole Scenario.
    """
    if isinstance(change, Scenario):
        return change
    if isinstance(change, Mapping) and set(change) <= set(SPEC_KEYS) and not isinstance(change.get("set", {}), str):
        other = as_scenario(change["scenario"]) if "scenario" in change else base
        return as_scenario(
            other, values=change.get("set"), preset=change.get("preset"), policy=change.get("policy")
        )
    if isinstance(change, Mapping):
        return base.changed(values=change)
    if isinstance(change, Sequence) and not isinstance(change, str):
        return base.changed(sets=change)
    raise InputError(Problem(f"variants.{name}", f"expected a table of values, found {change!r}"))


def variants(base: Scenario, changes: Mapping[str, Any], taken: str = "") -> dict[str, Scenario]:
    """All variants by name; every problem of every variant at once. `taken` is what the fight as it is is called."""
    found: dict[str, Scenario] = {}
    problems: list[Problem] = []
    if taken in changes:
        problems.append(Problem(f"variants.{taken}", "is the name of the fight as it is; give the variant another one"))
    for name, change in changes.items():
        try:
            found[name] = variant(base, change, name)
        except InputError as error:
            problems += [
                Problem(f"variants.{name}", ": ".join(filter(None, (one.file, one.key, one.message))))
                for one in error.problems
            ]
    if not changes:
        problems.append(Problem("variants", "nothing to compare with: give at least one variant"))
    if problems:
        raise ScenarioError(problems)
    return found


@dataclass(frozen=True, slots=True)
class Knob:
    """A value of a fight that is turned, and what it is turned to."""

    path: str
    values: tuple[Any, ...]


def parse_knob(text: str) -> Knob:
    """A knob as typed: `path=1..9`, `path=1..9/2` (every second), `path=0.5..2/0.25` or `path=low,high,all`.

    >>> parse_knob("enemies.skeleton.count=2..4")
    Knob(path='enemies.skeleton.count', values=(2, 3, 4))
    >>> parse_knob("policy=plain,cautious").values
    ('plain', 'cautious')
    """
    path, equals, typed = text.partition("=")
    if not equals or not path.strip() or not typed.strip():
        example = "enemies.skeleton.count=2..9 or policy=plain,cautious"
        raise InputError(Problem("", f"expected PATH=VALUES, as in {example}", text))
    return Knob(path.strip(), knob_values(typed.strip(), text))


def knob_values(typed: str, place: str = "") -> tuple[Any, ...]:
    """The values of a knob as typed: a span or a list."""
    if ".." not in typed:
        settings = [from_text(f"x={part.strip()}") for part in typed.split(",")]
        return tuple(setting.value for setting in settings if not isinstance(setting, Problem))
    span, _, step = typed.partition("/")
    first, _, last = span.partition("..")
    try:
        return span_values(_number(first), _number(last), _number(step) if step else None)
    except ValueError:
        raise InputError(Problem("", f"expected a span such as 2..9 or 0.5..2/0.25, found {typed!r}", place)) from None


def span_values(first: float, last: float, step: float | None = None) -> tuple[Any, ...]:
    """All values from the first to the last one; whole numbers one by one, others in nine steps if not told.

    >>> span_values(1, 2, 0.25)
    (1, 1.25, 1.5, 1.75, 2.0)
    """
    whole = float(first).is_integer() and float(last).is_integer()
    stride = (1 if whole else (last - first) / 9) if step is None else step
    if stride <= 0 or last < first:
        raise ValueError("a span goes upward")
    count = int((last - first) / stride + 1e-9) + 1
    if count > 10_000:
        raise ValueError("more than 10,000 values")
    return tuple(first if at == 0 else round(first + at * stride, 12) for at in range(count))


def _number(text: str) -> float:
    text = text.strip()
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def bounds(scenario: Scenario, path: str) -> tuple[float | None, float | None]:
    """The least and the most that the schema lets a number at this path be; None where it has no bound."""
    shape = Shape.of(scenario.ruleset)
    found = places(scenario.in_full(), path, scenario.ruleset)
    options = [option for place in found for option in shape.at(place).options]
    least = [option["minimum"] for option in options if "minimum" in option]
    most = [option["maximum"] for option in options if "maximum" in option]
    return max(least, default=None), min(most, default=None)
