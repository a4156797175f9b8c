"""The skill dial: `--policy cautious@0.2` is the policy `cautious` of somebody who in one turn of five does anything.

With the chance after the @ a hero's turn is played by the lines of the game's floor of skill (its first policy, which
does anything that is legal, by lot); otherwise the policy is what it is, and with a chance of 0 always. The dialled
policy is put among the scenario's own ones under its name, and everything else follows from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sim.core.policy import inherit
from sim.core.ruleset import Ruleset
from sim.errors import did_you_mean
from sim.scenario.checks import Misfit
from sim.scenario.values import KeyPath

DIAL = "@"
LINES = ("move", "action", "turn")  # the lists of lines of a policy that the dial may put others before
STOP = "stop"  # the verb that ends a turn in a game whose lines are all carried out


def dialled(ruleset: Ruleset[Any], data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Misfit]]:
    """The scenario with the dialled policies that it names written out, and what is wrong with their names."""
    found = dict(data)
    own = data.get("policies")
    if isinstance(own, dict) and any(DIAL in name for name in own):
        found["policies"] = {name: entry for name, entry in own.items() if DIAL not in name}
        if not found["policies"]:
            del found["policies"]
    misfits: list[Misfit] = []
    if "policies" not in ruleset.scenario_model.model_fields:
        return found, misfits
    for path, name in _named(data):
        if DIAL not in name:
            continue
        written = found.get("policies", {})
        known = ruleset.read_table("policies.toml") | (written if isinstance(written, dict) else {})
        base, chance = _parts(name, known)
        if isinstance(chance, str):
            misfits.append(Misfit(path, chance))
        elif isinstance(written, dict):
            found["policies"] = written | {name: _composed(ruleset, known, base, chance)}
    return found, misfits


def _named(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Where the scenario names a policy, and which: the party's, and those of single heroes."""
    heroes = data.get("heroes")
    entries = enumerate(heroes) if isinstance(heroes, list) else ()
    places: list[tuple[KeyPath, Any]] = [(("policy",), data.get("policy"))]
    places += [(("heroes", at, "policy"), hero.get("policy")) for at, hero in entries if isinstance(hero, dict)]
    for path, name in places:
        if isinstance(name, str):
            yield path, name


def _parts(name: str, known: Mapping[str, Any]) -> tuple[str, float | str]:
    """The policy and the chance after the @; a sentence in its place if something is wrong with either."""
    base, _, text = name.rpartition(DIAL)
    try:
        chance = float(text)
    except ValueError:
        chance = -1.0
    if not 0 <= chance <= 1:
        return base, f"expected a chance from 0 to 1 after the {DIAL}, as in plain{DIAL}0.2, found '{text}'"
    if base not in known:
        nearest = did_you_mean(base, known) or f" (known: {', '.join(known)})"
        return base, f"unknown policy '{base}'{nearest}"
    return base, chance


def _composed(ruleset: Ruleset[Any], known: Mapping[str, Any], base: str, chance: float) -> dict[str, Any]:
    """A policy like another one, before whose lines those of the floor of skill stand with a chance."""
    composed: dict[str, Any] = {"like": base, "about": f"as {base}; in {100 * chance:g} % of its turns anything legal"}
    if chance == 0:
        return composed
    full, _ = inherit(known)
    floor = full[next(iter(ruleset.policies))]
    verbs = ruleset.vocabulary.verbs if ruleset.vocabulary is not None else {}
    for key in LINES:
        if isinstance(floor.get(key), list) and isinstance(full[base].get(key), list):
            lines = [line | {"chance": chance} for line in floor[key]]
            lines += [{"do": STOP, "chance": chance}] if STOP in verbs else []
            composed[key] = [*lines, *full[base][key]]
    return composed
