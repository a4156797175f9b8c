"""The state of a batch of fights: who stands where, with how much health, and how many monsters are left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch, Blank, Carried, beginning
from sim.core.lanes import Lanes, Mask, Row, Small, Wide, cut, is_still, put, written
from sim.core.luck import Luck
from sim.core.telling import Recorder
from sim.rulesets.overhill import data
from sim.rulesets.overhill.facts import Facts

NO_TONGUE = -99  # the talk of a group that cannot be talked to


@dataclass(slots=True)
class State(Batch):
    """All fights of a batch. Heroes in roster order, groups in list order; the last axis is the run."""

    facts: Facts

    health: Small  # (heroes, runs)
    began: Small  # (heroes, runs) health as the fight began
    vigor: Small  # (heroes, runs) current die: may be drained
    front: Mask  # (heroes, runs) in the front guard, standing or not
    stance: Small  # (heroes, runs)
    paralysed: Small  # (heroes, runs) hero phases still to lose
    blessed: Mask  # (attributes, heroes, runs)
    bless_given: bool  # whether anybody was blessed yet in any run of the batch; saves looking
    lapsed: Mask  # (heroes, runs) no more prayers
    silenced: Mask  # (heroes, runs) no more spells
    strained: Mask  # (heroes, runs) no spells next round
    cast_blocked: Mask  # (heroes, runs) no spells this round
    accepted: Mask  # (heroes, runs) has used Accept the Blade this round
    risen: Mask  # (heroes, runs) stood up this round and acts from the next one on
    items: Small  # (items, heroes, runs)
    tonic: Small  # (heroes, runs) bonus to attack totals
    oil: Small  # (heroes, runs) bonus to defence totals

    n: Small  # (groups, runs) how many monsters are left
    started: Small  # (groups, runs) how many there were
    rear_group: Mask  # (groups, runs) stands in the rear guard
    attack: Small  # (groups, runs) attack value before aura and smoke
    defence: Small  # (groups, runs)
    blunt_defence: Small  # (groups, runs) the defence where the type has no other against blunt weapons
    attack_mod: Small  # (groups, runs)
    defence_mod: Small  # (groups, runs)
    kin: Small  # (groups, runs) the family by whose leaders it gains, as its place in facts.families; 0 if by nobody's
    leads: Small  # (groups, runs) the family that gains by it; 0 if it leads nobody
    touch: Small  # (groups, runs) bits of data.TOUCHES
    talk: Small  # (groups, runs) modifier of the reaction roll; NO_TONGUE where nobody can talk to it
    alert: Small  # (groups, runs)
    xp: Small  # (groups, runs) per monster
    bashed: Small  # (groups, runs) monsters that lose their attack this round
    emptied: Small  # (groups, runs) round in which the last monster fell; -1 before
    unit: Wide  # (groups, runs) row in the cast
    deed: Wide  # (groups, runs) row of its attack in the cast's abilities

    kills_now: Small  # (heroes, groups, runs) OU-U7
    kills_prev: Small  # (heroes, groups, runs)
    regained: Wide  # (heroes, runs) health regained so far

    mishaps: Wide  # (runs,) OU-Z4
    lapses: Wide
    friendly: Wide

    @property
    def heroes(self) -> int:
        """How many heroes there are, standing or not."""
        return len(self.health)

    @property
    def groups(self) -> int:
        """How many groups there can be in a run."""
        return len(self.n)

    def standing(self, at: Lanes) -> Mask:
        """(heroes, lanes). OU-U4: above 0 health."""
        return cut(self.health, at) > 0

    def standing_in_front(self, at: Lanes) -> Mask:
        """(heroes, lanes). Standing heroes of the front guard."""
        return (cut(self.health, at) > 0) & cut(self.front, at)

    def standing_count(self, at: Lanes) -> Small:
        """(lanes,). OU-U6: HN."""
        if self.most(at):
            return cut((self.health > 0).sum(axis=0, dtype=np.int16), at)
        return self.standing(at).sum(axis=0, dtype=np.int16)

    def monster_count(self, at: Lanes) -> Small:
        """(lanes,). OU-U6: MN."""
        if self.most(at):
            return cut(self.n.sum(axis=0, dtype=np.int16), at)
        return cut(self.n, at).sum(axis=0, dtype=np.int16)

    def front_weight(self, at: Lanes) -> Small:
        """(lanes,). OU-U6: HF, standing front heroes each with its weight."""
        return (self.standing_in_front(at) * self.facts.weight).sum(axis=0, dtype=np.int16)

    def front_count(self, at: Lanes) -> Small:
        """(lanes,). Standing front heroes, each counted once."""
        return self.standing_in_front(at).sum(axis=0, dtype=np.int16)

    def rear_count(self, at: Lanes) -> Small:
        """(lanes,). Standing rear heroes."""
        return self.standing_count(at) - self.front_count(at)

    def front_monsters(self, at: Lanes) -> Small:
        """(lanes,). OU-U6: MF, living front monsters, at most `front_max`."""
        living = cut(self.n, at)
        if self.facts.archers:
            living = living * ~cut(self.rear_group, at)
        return np.minimum(living.sum(axis=0, dtype=np.int16), self.facts.front_max)

    def can_talk(self, at: Lanes) -> Mask:
        """(lanes,). Whether every group that is there can be talked to."""
        return ~((cut(self.n, at) > 0) & (cut(self.talk, at) == NO_TONGUE)).any(axis=0)

    def rear_capacity(self, front_weight: Small) -> Small:
        """OU-P2, OU-U9: how many heroes may stand in the rear behind a front of this weight."""
        room = self.facts.room
        return front_weight * room.rear // room.per_front

    def take_stance(self, hero: int, at: Lanes, stance: int | NDArray[np.integer]) -> None:
        """OU-R3: the hero takes a stance."""
        self.stance = written(self.stance)
        self.stance[hero][at] = stance

    def stay_neutral(self, hero: Row, at: Lanes) -> None:
        """OU-R8: neutral until the end of the round, as everybody is who never took a stance."""
        if not is_still(self.stance):
            put(self.stance, hero, at, data.NEUTRAL)

    def unit_of(self, group: int, at: Lanes) -> int | Wide:
        """Row of a group in the cast: the same in all lanes unless the groups are drawn."""
        return self._row(self.unit[group], at)

    def deed_of(self, group: int, at: Lanes) -> int | Wide:
        """Row of a group's attack in the ledger, likewise."""
        return self._row(self.deed[group], at)

    def _row(self, rows: Wide, at: Lanes) -> int | Wide:
        return int(rows[0]) if self.facts.always_the_same and len(at) else cut(rows, at)

    def ability(self, unit: int, name: str) -> int:
        """Row of an ability in the ledger."""
        return self.facts.ability_row[unit, name]


def no_kills(heroes: int, groups: int, runs: int) -> Small:
    """(heroes, groups, runs). OU-U7: a table in which nobody has removed anything yet."""
    return Blank(runs).still.small(heroes, groups)


def blank_state(facts: Facts, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
    """OU-U2, OU-U4, OU-U7, OU-V1: heroes as they come, no monsters yet, nothing counted.

    A gathering with fewer groups than another leaves its last places empty. What many fights never touch is still.
    """
    blank = Blank(len(luck.keys), facts.cast.variants)
    still = blank.still
    heroes, groups = len(facts.heroes), max(len(gathering.groups) for gathering in facts.gatherings)
    party = {
        "health": still.alike([hero.health for hero in facts.heroes]),
        "items": still.alike(list(zip(*(hero.items for hero in facts.heroes), strict=True))),
    } | {name: table.copy() for name, table in (arriving or {}).items()}
    return State(
        **beginning(luck, facts.cast, tell, unopened=("damage_dealt", "damage_taken", "healing")),
        facts=facts,
        health=party["health"].copy(),
        began=party["health"],
        vigor=still.alike([hero.vigor for hero in facts.heroes]),
        front=blank.mask(heroes, value=True),
        stance=still.small(heroes, value=data.NEUTRAL),
        paralysed=still.small(heroes),
        blessed=still.mask(len(data.ATTRIBUTES), heroes),
        bless_given=False,
        lapsed=still.mask(heroes),
        silenced=still.mask(heroes),
        strained=still.mask(heroes),
        cast_blocked=still.mask(heroes),
        accepted=still.mask(heroes),
        risen=still.mask(heroes),
        items=party["items"],
        tonic=still.small(heroes),
        oil=still.small(heroes),
        n=blank.small(groups),
        started=blank.small(groups),
        rear_group=blank.mask(groups),
        attack=blank.small(groups),
        defence=blank.small(groups, value=1),
        blunt_defence=blank.small(groups, value=1),
        attack_mod=still.small(groups),
        defence_mod=still.small(groups),
        kin=blank.small(groups),
        leads=blank.small(groups),
        touch=blank.small(groups),
        talk=blank.small(groups),
        alert=blank.small(groups),
        xp=blank.small(groups),
        bashed=still.small(groups),
        emptied=blank.small(groups, value=-1),
        unit=blank.wide(groups),
        deed=blank.wide(groups),
        kills_now=no_kills(heroes, groups, blank.runs),
        kills_prev=no_kills(heroes, groups, blank.runs),
        regained=still.wide(heroes),
        mishaps=still.wide(),
        lapses=still.wide(),
        friendly=still.wide(),
    )
