"""An Overhill fight ready to be played, and what it yields (OU-Z4, OU-Z5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.engine import Encounter
from sim.core.lanes import Lanes, cut, put
from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Ability, Cast, Ending, Unit
from sim.core.telling import Recorder
from sim.rulesets.overhill import data
from sim.rulesets.overhill.build import Gathering, HeroFacts, build_gatherings, build_heroes, party_level
from sim.rulesets.overhill.plans import Plan
from sim.rulesets.overhill.policy import Heroes
from sim.rulesets.overhill.rules.rounds import play_round
from sim.rulesets.overhill.rules.setup import set_up
from sim.rulesets.overhill.schema import OverhillScenario
from sim.rulesets.overhill.state import Facts, State
from sim.rulesets.overhill.weighing import Scales

NO_LIMIT = 10_000
EVERYBODYS = ("melee", "ranged", "move")  # what no class, feat or item brings

COUNTS = {
    "standing": "heroes standing at the end",
    "dodged": "attacks dodged by heroes",
    "mishaps": "spell mishaps",
    "lapses": "priests who lapsed",
    "restored": "health restored to heroes",
    "friendly": "encounters with monsters that turned out friendly",
}


class OverhillEncounter(Encounter[State]):
    """A compiled fight. Holds facts and look-up tables; all that changes is in the State."""

    def __init__(self, scenario: OverhillScenario, switches: Mapping[str, Any], plan: Plan) -> None:
        self.facts = make_facts(scenario, switches)
        self.cast = self.facts.cast
        self.heroes = Heroes(plan, Scales(self.facts))

    def start(self, luck: Luck, tell: Recorder | None) -> State:
        """Section 3."""
        return set_up(self.facts, self.heroes, luck, tell)

    def play_round(self, s: State) -> None:
        """Section 4."""
        play_round(s, self.heroes)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        """OU-Z4: what is counted per run. Damage and kills of a hero are those of its abilities."""
        heroes, units = s.heroes, len(self.cast.units)
        hp = np.zeros((units, len(at)), dtype=np.int32)
        present = np.zeros((units, len(at)), dtype=bool)
        dead = np.zeros((units, len(at)), dtype=bool)
        hp[:heroes] = cut(s.health, at)
        present[:heroes] = True
        for deed, ability in enumerate(self.cast.abilities):
            book.damage_dealt[ability.unit] += book.damage[deed]
        book.kills[:heroes] = book.damage_dealt[:heroes]  # every hit removes a monster
        starting = np.array([[hero.health] for hero in self.facts.heroes])
        book.damage_taken[:heroes] = starting + cut(s.regained, at) - hp[:heroes]
        for group in range(s.groups):
            started, left = cut(s.started[group], at), cut(s.n[group], at)
            there = np.flatnonzero(started > 0)
            started, left = cut(started, there), cut(left, there)
            row = cut(s.unit[group], at[there])
            put(hp, row, there, left)
            put(present, row, there, True)
            put(dead, row, there, left == 0)
            put(book.damage_taken, row, there, started - left)
            put(book.downs, row, there, left == 0)
            put(book.down_round, row, there, cut(s.emptied[group], at[there]))
        return Ending(
            xp=experience(s, at),
            counts=self.counts(s, at, book),
            hp=hp,
            present=present,
            dead=dead,
        )

    def counts(self, s: State, at: Lanes, book: Ledger) -> dict[str, NDArray[np.int32]]:
        """OU-Z4: the game's own columns."""
        return {
            "standing": s.standing_count(at).astype(np.int32),
            "dodged": s.dodged[at],
            "mishaps": s.mishaps[at],
            "lapses": s.lapses[at],
            "restored": book.healing[: s.heroes].sum(axis=0, dtype=np.int32),
            "friendly": s.friendly[at],
        }


def experience(s: State, at: Lanes) -> NDArray[np.int32]:
    """(lanes,). OU-Z5: xp of the killed monsters, if at least one hero stands at the end."""
    killed = (cut(s.started, at) - cut(s.n, at)).astype(np.int32)
    return (killed * cut(s.xp, at)).sum(axis=0, dtype=np.int32) * s.standing(at).any(axis=0)


def make_facts(scenario: OverhillScenario, switches: Mapping[str, Any]) -> Facts:
    """OU-S1, OU-S5: everything that is the same in all runs."""
    heroes = build_heroes(scenario, switches)
    roll, leads_to, gatherings = build_gatherings(scenario, heroes, switches)
    room = data.rooms()[scenario.room]
    cast, unit_row, ability_row = make_cast(heroes, gatherings)
    groups = [group for gathering in gatherings for group in gathering.groups]
    return Facts(
        heroes=tuple(heroes),
        roll=roll,
        leads_to=leads_to,
        gatherings=tuple(gatherings),
        switches=switches,
        party_level=party_level(heroes),
        rear=room["rear"],
        per_front=room["per_front"],
        front_max=room.get("front_max", NO_LIMIT),
        narrow="front_max" in room,
        weight=np.array([[hero.weight] for hero in heroes], dtype=np.int16),
        dice=np.array([[getattr(hero, name) for hero in heroes] for name in data.ATTRIBUTES], dtype=np.int16),
        max_health=np.array([[hero.max_health] for hero in heroes], dtype=np.int16),
        cast=cast,
        unit_row=unit_row,
        ability_row=ability_row,
        items=any(any(hero.items) for hero in heroes),
        led=any(group.leader for group in groups),
        archers=any(group.rear for group in groups),
        touches=any(group.touch for group in groups),
    )


def make_cast(
    heroes: list[HeroFacts], gatherings: list[Gathering]
) -> tuple[Cast, dict[str, int], dict[tuple[int, str], int]]:
    """The rows of the tables: heroes, then every monster that may be met; and what each can do."""
    units = [Unit(hero.name, "party", hero.hero_class, hero.max_health) for hero in heroes]
    abilities = [
        Ability(row, name, common=name in EVERYBODYS) for row, hero in enumerate(heroes) for name in abilities_of(hero)
    ]
    unit_row: dict[str, int] = {}
    for gathering in gatherings:
        for group in gathering.groups:
            if group.name not in unit_row:
                unit_row[group.name] = len(units)
                abilities.append(Ability(len(units), "attack"))
                units.append(Unit(group.name, "enemy", group.type))
    rows = {(ability.unit, ability.name): row for row, ability in enumerate(abilities)}
    return Cast(tuple(units), tuple(abilities), COUNTS), unit_row, rows


def abilities_of(hero: HeroFacts) -> list[str]:
    """What a hero can do in a fight: the rows of its abilities."""
    known = ["melee"]
    known += ["ranged"] if hero.ranged_tag != "none" else []
    known += {"rogue": ["sneak"], "magic_user": ["dart"], "priest": ["heal", "bless"], "warrior": []}[hero.hero_class]
    feats = {"frenzy": "frenzy", "dual_wield": "dual", "shield_bash": "bash", "accept_the_blade": "accept_the_blade"}
    known += [name for feat, name in feats.items() if hero.knows(feat)]
    known += [item for item, number in zip(data.ITEMS, hero.items, strict=True) if number]
    return [*known, "move"]
