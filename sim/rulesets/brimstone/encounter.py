"""A Brimstone fight ready to be played, and what it yields (BF-F10)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.engine import Encounter
from sim.core.lanes import Lanes
from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Ability, Cast, Ending, Unit
from sim.core.telling import Recorder
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import NO_CAP, Plot, build_plot
from sim.rulesets.brimstone.lines import card_list
from sim.rulesets.brimstone.plans import Plan
from sim.rulesets.brimstone.policy import Posse
from sim.rulesets.brimstone.rules.setup import set_up
from sim.rulesets.brimstone.rules.turn import play_turn
from sim.rulesets.brimstone.schema import BrimstoneScenario, most
from sim.rulesets.brimstone.state import BY_DARKNESS, BY_FLIGHT, Facts, State
from sim.rulesets.brimstone.weighing import Scales

COUNTS = {
    "standing": "heroes standing at the end",
    "kos": "how often heroes were knocked out",
    "dead": "heroes dead for good (hard_core)",
    "removed": "allies removed",
    "wounds_taken": "wounds placed on heroes",
    "sanity_taken": "sanity damage placed on heroes",
    "loot": "loot cards drawn",
    "grit_gained": "Grit gained",
    "grit_spent": "Grit spent",
    "tokens_used": "side bag tokens used",
    "injuries": "injury rolls",
    "madness": "madness rolls",
    "corruption": "Corruption points",
    "revivals": "revive tokens spent",
    "threat_cards": "threat cards that brought enemies",
    "darkness": "where the darkness marker stands",
    "depth_events": "depth events",
    "ignored": "models that found no place",
    "escaped": "fights lost because the darkness escaped",
    "fled": "fights lost because the posse ran away",
}


class BrimstoneEncounter(Encounter[State]):
    """A compiled fight. Holds facts and look-up tables; all that changes is in the State."""

    def __init__(self, scenario: BrimstoneScenario, switches: dict[str, Any], plans: tuple[Plan, ...]) -> None:
        plot = build_plot(scenario, switches)
        self.facts = make_facts(scenario, switches, plot, plans)
        self.cast = self.facts.cast
        self.posse = Posse(Scales(plot))

    def start(self, luck: Luck, tell: Recorder | None) -> State:
        """Section 3."""
        return set_up(self.facts, luck, tell)

    def play_round(self, s: State) -> None:
        """Section 4."""
        play_turn(s, self.posse)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        """BF-F10: what is counted per run. The row of a kind is about all its models together."""
        heroes, units = s.heroes, len(self.cast.units)
        shape = (units, len(at))
        hp, present, dead = np.zeros(shape, np.int32), np.zeros(shape, bool), np.zeros(shape, bool)
        for hero in range(heroes):
            hp[hero] = s.health_left(hero, at)
        present[:heroes] = True
        dead[:heroes] = s.dead.take(at, axis=1) | s.removed.take(at, axis=1)
        book.damage_dealt[:heroes] = s.dealt.take(at, axis=1)
        book.damage_taken[:heroes] = s.taken.take(at, axis=1)
        book.healing[:heroes] = (s.healed + s.restored).take(at, axis=1)
        book.kills[:heroes] = s.kills.take(at, axis=1)
        book.downs[:heroes] = s.ko_count.take(at, axis=1)
        for kind, row in self.facts.unit_row.items():
            left = (s.alive.take(at, axis=1) & (s.kind.take(at, axis=1) == kind)).sum(axis=0)
            hp[row] = left
            present[row] = s.made[kind].take(at) > 0
            dead[row] = present[row] & (left == 0)
            book.damage_dealt[row] = s.group_dealt[kind].take(at)
            book.downs[row] = s.killed[kind].take(at)
        return Ending(
            xp=s.xp.take(at, axis=1).sum(axis=0, dtype=np.int32),
            counts=self.counts(s, at),
            hp=hp,
            present=present,
            dead=dead,
        )

    def counts(self, s: State, at: Lanes) -> dict[str, NDArray[np.int32]]:
        """BF-F10: the game's own columns."""

        def total(table: NDArray[Any]) -> NDArray[np.int32]:
            return table.take(at, axis=1).sum(axis=0, dtype=np.int32)

        sums = {
            "standing": s.standing,
            "kos": s.ko_count,
            "dead": s.dead,
            "removed": s.removed,
            "wounds_taken": s.taken,
            "sanity_taken": s.sanity_taken,
            "loot": s.loot,
            "grit_gained": s.grit_gained,
            "grit_spent": s.grit_spent,
            "tokens_used": s.tokens_used,
            "injuries": s.injuries,
            "madness": s.madness,
            "corruption": s.corruption,
            "revivals": s.revivals,
        }
        counts = {name: total(table) for name, table in sums.items()}
        singles = {"threat_cards": s.cards, "darkness": s.marker, "depth_events": s.depth, "ignored": s.ignored}
        counts |= {name: table.take(at).astype(np.int32) for name, table in singles.items()}
        counts["escaped"] = ((s.cause == BY_DARKNESS) & ~s.live).take(at).astype(np.int32)
        counts["fled"] = ((s.cause == BY_FLIGHT) & ~s.live).take(at).astype(np.int32)
        return counts


def make_facts(
    scenario: BrimstoneScenario, switches: dict[str, Any], plot: Plot, plans: tuple[Plan, ...]
) -> Facts:
    """Everything that is the same in all runs."""
    bestiary = plot.bestiary
    kind_has: dict[int, frozenset[str]] = {}
    one_profile: dict[int, int] = {}
    for kind in bestiary.wanted:
        rows = np.array([number for number, entry in enumerate(bestiary.profiles) if entry[0] == kind])
        kind_has[kind] = frozenset(name for name, values in bestiary.table.items() if values[rows].any())
        if len(rows) == 1:
            one_profile[kind] = int(rows[0])
    any_has = frozenset(name for has in kind_has.values() for name in has)
    cap = switches["max_attack_dice"]
    cast, unit_row, ability_row = make_cast(plot)
    marking = any(name.startswith(("wound:", "melee_wound:")) for name in any_has) or "tail" in any_has
    return Facts(
        plot=plot,
        switches=switches,
        plans=plans,
        ground=plot.ground,
        figure=bestiary.table,
        any_has=any_has,
        kind_has=kind_has,
        one_profile=one_profile,
        dice_cap=NO_CAP if cap == "none" else cap,
        modes=max(len(hero.modes) for hero in plot.heroes),
        cast=cast,
        unit_row=unit_row,
        ability_row=ability_row,
        stage=scenario.stage,
        flee_turn=scenario.flee_turn,
        enemy_tile=scenario.enemy_tile,
        ambush=scenario.ambush,
        darkness=scenario.darkness,
        markers=marking or any(hero.status for hero in plot.heroes),
        mixed=len(bestiary.wanted) > 1,
        reuse=may_reuse(plot, switches),
    )


def may_reuse(plot: Plot, switches: dict[str, Any]) -> bool:
    """Whether more than 40 models may enter, so that places are used twice (BF-G9)."""
    grows = any(plot.bestiary.table[name].any() for name in ("hordes", "spawn_on")) and switches["spawners"] == "on"
    if grows:
        return True
    number = sum(most(line.count) for line in plot.lines)
    number += sum(most(line.count) for arrival in plot.arrivals for line in arrival.lines)
    full = sum(not hero.ally for hero in plot.heroes)
    small = full + (len(plot.heroes) - full) // 3 <= 2
    number += sum(largest_card(name, plot.posse_list, small) for name in plot.threats)
    return number > data.MOST_MODELS


def largest_card(name: str, posse: str, small: bool) -> int:
    """The most models that one card can bring, further cards included."""
    name, _, place = name.partition(":")
    cards = data.threats()[name if place else card_list(name, posse, small)]

    def models(card: dict[str, Any]) -> int:
        own = sum(most(text) for _, text in card.get("enemies", ()))
        return own + sum(largest_card(more, posse, small) for more in card.get("cards", ()))

    return models(cards[int(place) - 1]) if place else max(models(card) for card in cards)


def make_cast(plot: Plot) -> tuple[Cast, dict[int, int], dict[tuple[int, str], int]]:
    """The rows of the tables: heroes, then every kind that may be met; and what each of them can do."""
    units = [Unit(hero.name, "party", hero.hero_class, hero.figures["health"]) for hero in plot.heroes]
    abilities: list[Ability] = []
    for row, hero in enumerate(plot.heroes):
        carried = (*hero.free_items, *(token for token, number in hero.bag.items() if number))
        names = dict.fromkeys((*(mode.name for mode in hero.modes), *carried))
        abilities += [Ability(row, name, common=name == "melee") for name in names]
    unit_row: dict[int, int] = {}
    for kind in plot.bestiary.wanted:
        unit_row[kind] = len(units)
        units.append(Unit(plot.kinds[kind].name, "enemy", plot.kinds[kind].base))
        if "spawn" in plot.kinds[kind].abilities:
            abilities.append(Ability(unit_row[kind], "spawn"))
    rows = {(ability.unit, ability.name): row for row, ability in enumerate(abilities)}
    return Cast(tuple(units), tuple(abilities), COUNTS), unit_row, rows
