"""The heroes as small tuples: where they stand, what ails them, and how they step up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from sim.rulesets.overhill.build import GroupFacts, HeroFacts, RoomFacts
from sim.rulesets.overhill.data import Mishap

LADDER = (2, 4, 6, 8, 10, 12)


class Body(NamedTuple):
    """What can change of a hero in a fight under the policy `plain`."""

    health: int
    vigor: int  # die; may be drained
    front: bool
    paralysed: int = 0  # hero phases still to lose
    silenced: bool = False
    blocked: bool = False  # no spells in the coming (or present) round


DOWN = Body(0, 0, False)  # all heroes who are down are alike
Party: TypeAlias = tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class Fight:
    """What does not change: heroes, groups, room, switches, and the options of the policy."""

    heroes: tuple[HeroFacts, ...]
    groups: tuple[GroupFacts, ...]
    trap: bool
    room: RoomFacts
    switches: Mapping[str, Any]
    mishaps: tuple[Mishap, ...]
    stance: int  # of every front hero: what it adds to attack totals
    rogue_sneak: bool
    warrior_frenzy: bool

    def front_weight(self, party: Party) -> int:
        """OU-U6: HF, standing front heroes, a Shield Wall counting for two."""
        return sum(facts.weight for facts, hero in zip(self.heroes, party, strict=True) if hero.health and hero.front)

    def front_monsters(self, n: tuple[int, ...]) -> int:
        """OU-U6: MF, living front monsters, at most as many as the room has places."""
        living = sum(number for group, number in zip(self.groups, n, strict=True) if not group.rear)
        return living if self.room.front_max is None else min(living, self.room.front_max)

    def on(self, switch: str, value: Any) -> bool:
        """Whether a switch has this value."""
        return bool(self.switches[switch] == value)


def fresh_party(fight: Fight) -> Party:
    """OU-S1, OU-S6, OU-P3: everybody as the scenario has them, the others in the standard formation."""
    rear = {h for h, hero in enumerate(fight.heroes) if hero.guard == "rear"}
    free = [(h, hero) for h, hero in enumerate(fight.heroes) if hero.guard == "policy"]

    def weight_in_front(without: int) -> int:
        return sum(hero.weight for h, hero in enumerate(fight.heroes) if h not in rear and h != without)

    for job in ("magic_user", "rogue", "priest"):
        for h, hero in free:
            covered = len(rear) + 1 <= fight.room.capacity(weight_in_front(without=h))
            if hero.hero_class == job and hero.rear_attack and covered:
                rear.add(h)
    if fight.room.front_max is not None:
        for job in ("magic_user", "rogue", "priest", "warrior"):
            for h, hero in free:
                if hero.hero_class == job and len(fight.heroes) - len(rear) > fight.room.front_max:
                    rear.add(h)
    return tuple(Body(hero.health, hero.vigor, h not in rear) for h, hero in enumerate(fight.heroes))


def step_up(fight: Fight, party: Party) -> Party:
    """OU-P5: while too many stand in the rear, the healthiest able one goes to the front if there is a place."""
    while True:
        rear = [h for h, hero in enumerate(party) if hero.health and not hero.front]
        front = sum(1 for hero in party if hero.health and hero.front)
        crowded = len(rear) > fight.room.capacity(fight.front_weight(party))
        full = fight.room.front_max is not None and front >= fight.room.front_max
        able = [h for h in rear if not party[h].paralysed]
        if not crowded or full or not able:
            return party
        chosen = max(able, key=lambda h: (party[h].health, -h))
        party = changed(party, chosen, front=True)


def changed(party: Party, h: int, **parts: Any) -> Party:
    """The party with one hero changed."""
    return (*party[:h], party[h]._replace(**parts), *party[h + 1 :])


def hurt(party: Party, h: int, damage: int) -> Party:
    """OU-D4: health falls; at 0 the hero is down and nothing else about him matters."""
    left = party[h].health - damage
    body = party[h]._replace(health=left) if left > 0 else DOWN
    return (*party[:h], body, *party[h + 1 :])


def drained(vigor: int) -> int:
    """OU-D8, OU-U1: one step down the ladder, d2 being its end."""
    return LADDER[max(LADDER.index(vigor) - 1, 0)]
