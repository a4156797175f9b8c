"""A policy of Brimstone, read and checked: whom to prefer, when to pay Grit, which tokens, where to go, what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sim.core.expr import Expression
from sim.core.policy import Line, read_each, read_entry, read_formula, read_lines, read_yes_no, split_dial, with_slips
from sim.errors import Problem, ScenarioError
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.schema import BrimstoneScenario
from sim.rulesets.brimstone.vocabulary import ENEMY_NAMES, NAMES, ROLL_NAMES, STEPS, TREATMENTS, VOCABULARY

YES_OR_NO = ("saves", "last_chance", "fortune", "mend", "fanning", "items")
BY_LOT = "random_legal"  # the policy by which a careless hero acts
KEYS = ("about", "order", "share", "reroll", "escape", *YES_OR_NO, *STEPS)

Order = tuple[tuple[Expression, bool], ...]  # keys, and whether the largest comes first


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed."""

    name: str
    order: Order
    by_lot: bool  # no order: hits go to any legal target
    share: tuple[int, int]
    reroll: Expression
    escape: Expression
    saves: bool
    last_chance: bool
    fortune: bool
    mend: bool
    fanning: bool
    items: bool
    start: tuple[Line, ...]  # `treat` lines have a token and a share among their options
    move: tuple[Line, ...]
    action: tuple[Line, ...]


def read_plan(name: str, policies: Mapping[str, Any], place: str = "policy") -> Plan:
    """The plan of a policy; raises ScenarioError with all that is wrong in it."""
    name, slip = split_dial(name, place)
    entry, problems = read_entry(name, policies, KEYS, place)
    where = f"policies.{name}"
    order: list[tuple[Expression, bool]] = []
    for number, text in enumerate(entry.get("order", [])):
        direction, _, words_of_key = str(text).partition(" ")
        if direction not in ("least", "most"):
            problems.append(Problem(f"{where}.order[{number}]", f"expected 'least ...' or 'most ...', found {text!r}"))
            continue
        rank = read_formula(words_of_key, set(ENEMY_NAMES), f"{where}.order[{number}]", problems)
        if rank is not None:
            order.append((rank, direction == "most"))
    share = _share(entry.get("share", [0, 1]), f"{where}.share", problems)
    reroll = read_formula(entry.get("reroll", "false"), set(ROLL_NAMES), f"{where}.reroll", problems)
    escape = read_formula(entry.get("escape", "false"), set(NAMES), f"{where}.escape", problems)
    lines = {step: _lines(entry.get(step, []), step, share, f"{where}.{step}", problems) for step in STEPS}
    for step in ("move", "action"):
        lines[step] = with_slips(lines[step], data.table("policies.toml")[BY_LOT][step], VOCABULARY, slip)
    words = {key: read_yes_no(entry, key, where, problems) for key in YES_OR_NO}
    if problems or reroll is None or escape is None:
        raise ScenarioError(problems)
    return Plan(
        name=name,
        order=tuple(order),
        by_lot=not order,
        share=share,
        reroll=reroll,
        escape=escape,
        **words,
        start=lines["start"],
        move=lines["move"],
        action=lines["action"],
    )


def plans_of(scenario: BrimstoneScenario) -> tuple[Plan, ...]:
    """The plan of every hero; policies of the scenario go before the built-in ones."""
    policies = data.table("policies.toml") | scenario.policies
    own = [hero.policy for hero in scenario.heroes]
    return tuple(read_each(own, scenario.policy, lambda name, key: read_plan(name, policies, key)))


def _lines(entries: Any, step: str, share: tuple[int, int], place: str, problems: list[Problem]) -> tuple[Line, ...]:
    """The lines of one step of an activation; a `treat` line without a share of its own has the policy's."""
    shares: dict[int, tuple[int, int]] = {}
    plain: list[Any] = []  # without shares, which are no formulas, so that the policy language does not know them
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        plain.append(entry)
        do = entry.get("do") if isinstance(entry, dict) else None
        right = next((name for name, verbs in STEPS.items() if do in verbs), step)
        if right != step:
            problems.append(Problem(f"{place}[{number}].do", f"'{do}' belongs under '{right}', not '{step}'"))
        if do == "treat":
            plain[number] = {key: value for key, value in entry.items() if key != "share"}
            own = _share(entry["share"], f"{place}[{number}].share", problems) if "share" in entry else share
            shares[number] = own
            if "token" not in entry:
                known = ", ".join(TREATMENTS)
                problems.append(Problem(f"{place}[{number}].token", f"'treat' needs a token, one of {known}"))
    lines, found = read_lines(plain if isinstance(entries, list) else entries, VOCABULARY, place)
    problems += found
    return tuple(
        replace(line, options={**line.options, "share": shares.get(number, share)}) if line.do == "treat" else line
        for number, line in enumerate(lines)
    )


def _share(value: Any, place: str, problems: list[Problem]) -> tuple[int, int]:
    """[a, b], a part of the whole; [0, 1] where something is wrong with it."""
    whole = isinstance(value, list) and len(value) == 2 and all(type(number) is int for number in value)
    if not (whole and 0 <= value[0] <= value[1] and value[1] > 0):
        expected = "two whole numbers, a part of a whole such as [1, 3]"
        problems.append(Problem(place, f"expected {expected}, found {value!r}"))
        return 0, 1
    return value[0], value[1]
