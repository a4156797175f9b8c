"""What of a good scenario is not played as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.rulesets.p52 import data
from sim.rulesets.p52.build import HeroFacts, build_heroes, can_use
from sim.rulesets.p52.schema import P52Scenario


def remarks(scenario: P52Scenario, switches: Mapping[str, Any]) -> list[str]:
    """A sentence for everything that a hero cannot use, and for cards that it cannot hold."""
    found = []
    start, most = switches["stamina_start"], switches["stamina_max"]
    if start > most:
        found.append(f"Heroes begin with {most} stamina cards, not with {start}: they hold no more (stamina_max).")
    for entry, hero in zip(scenario.heroes, build_heroes(scenario, switches), strict=True):
        for item in entry.gear or ():
            found += _unusable(hero, "gear", item, "leaves the {} at home", switches)
        for item in entry.consumables or ():
            found += _unusable(hero, "consumables", item, "cannot use the {}", switches)
    return found


def _unusable(hero: HeroFacts, what: str, item: str, so: str, switches: Mapping[str, Any]) -> list[str]:
    entry = data.of_set(switches["data_set"], what)[item]
    if can_use(entry, hero.cores):
        return []
    words = dict(zip(data.CORES, data.CORE_NAMES, strict=True))
    lacking = {core: least for core, least in entry["needs"].items() if hero.cores[core] < least}
    needs = " and ".join(f"{words[core]} {least} (has {hero.cores[core]})" for core, least in lacking.items())
    return [f"{hero.name} {so.format(item.replace('_', ' '))}: it needs {needs}."]
