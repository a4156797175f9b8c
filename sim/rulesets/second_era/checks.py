"""What is wrong with a scenario beyond its schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sim.errors import Problem, ScenarioError, did_you_mean
from sim.rulesets.second_era import data
from sim.rulesets.second_era.bestiary import bestiary_of, problems_with_enemies
from sim.rulesets.second_era.build import build_hero, party_xp
from sim.rulesets.second_era.facts import RETREAT, make_facts
from sim.rulesets.second_era.plan import plans_of
from sim.rulesets.second_era.schema import Companion, Enemy, SecondEraScenario


def problems(scenario: SecondEraScenario, switches: Mapping[str, Any] | None) -> list[Problem]:
    """Contradictions that the schema cannot see.

    Without good switches (None) nobody knows the XP of a part of the campaign, so what depends on it is not looked at.
    """
    found = problems_with_enemies(scenario) + problems_with_units(scenario)
    if switches is not None:
        found += problems_with_tracks(scenario, switches)
        found += problems_with_the_ban(switches["ban"])
    found += problems_with_retreat(scenario)
    found += _raised_by(lambda: plans_of(scenario))
    if not found and switches is not None:
        found += _raised_by(lambda: make_facts(scenario, switches))
    return found


def _raised_by(attempt: Callable[[], object]) -> list[Problem]:
    """The problems that an attempt ends with."""
    try:
        attempt()
    except ScenarioError as error:
        return list(error.problems)
    return []


def problems_with_units(scenario: SecondEraScenario) -> list[Problem]:
    """Somebody to fight, an objective to eliminate, one unit on a hex."""
    found = []
    if not scenario.enemies and scenario.pool is None:
        found.append(Problem("enemies", "nobody to fight: add [[enemies]] or a [pool]"))
    bestiary = bestiary_of(scenario)
    marked = any(enemy.objective for enemy in scenario.enemies)
    quest = any(bestiary.of(enemy, "level") == "quest" for enemy in scenario.enemies)
    if scenario.objective == "eliminate" and not marked and not quest:
        found.append(Problem("objective", "'eliminate' needs an enemy marked as objective, or a quest unit"))
    sides: dict[str, Sequence[Companion | Enemy]] = {"companions": scenario.companions, "enemies": scenario.enemies}
    for side, entries in sides.items():
        for number, entry in enumerate(entries):
            found += too_healthy(entry.hp, bestiary.of(entry, "health"), f"{side}[{number}].hp")
            if entry.count > 1 and entry.hex is not None:
                found.append(Problem(f"{side}[{number}].hex", "only one unit can stand on a hex; leave out count"))
    return found


def too_healthy(hp: int | None, health: int, place: str) -> list[Problem]:
    """Nobody begins with more hit points than health."""
    if hp is None or hp <= health:
        return []
    return [Problem(place, f"expected at most its health of {health}, found {hp}")]


def problems_with_tracks(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> list[Problem]:
    """Skill dice in a track must be among the adventurer's dice, and a status lies there once."""
    found = []
    xp, bestiary = party_xp(scenario, switches), bestiary_of(scenario)
    for number, entry in enumerate(scenario.heroes):
        hero = build_hero(entry, bestiary, scenario.policy, xp)
        found += too_healthy(entry.hp, hero.health, f"heroes[{number}].hp")
        for code, left in enumerate(hero.available):
            if left < 0:
                message = f"holds more {data.DICE[code]} dice than the adventurer has"
                found.append(Problem(f"heroes[{number}].track", message))
        for status in data.STATUSES:
            if entry.track.count(status) > 1:
                found.append(Problem(f"heroes[{number}].track", f"holds {status} twice"))
    return found


def problems_with_the_ban(banned: Sequence[str]) -> list[Problem]:
    """Only what the party could do without has a name there."""
    return [
        Problem("switches.ban", f"unknown ability '{name}'{did_you_mean(name, data.BANNED) or _known(data.BANNED)}")
        for name in banned
        if name not in data.BANNED
    ]


def _known(names: Sequence[str]) -> str:
    return f" (known: {', '.join(names)})"


def problems_with_retreat(scenario: SecondEraScenario) -> list[Problem]:
    """SE-X6: the switch is a formula of one kind only."""
    retreat = scenario.switches.get("retreat", "never")
    if retreat == "never" or RETREAT.fullmatch(str(retreat)):
        return []
    return [Problem("switches.retreat", f"expected 'never' or 'hp<k' such as 'hp<5', found {retreat!r}")]
