"""Front guard and rear guard: formation, stepping up, moving."""

from __future__ import annotations

from tests.oracle.overhill.data import Room
from tests.oracle.overhill.state import Fight, Hero, hero_front, standing_heroes, tell


def rear_capacity(front_weight: int, room: Room) -> int:
    """OU-P2: one rear hero per `rear_per` front heroes, rounded down."""
    return front_weight * room.rear // room.rear_per


def rear_count(fight: Fight) -> int:
    return sum(1 for hero in fight.heroes if not hero.front and hero.health > 0)


def front_count(fight: Fight) -> int:
    return sum(1 for hero in fight.heroes if hero.front and hero.health > 0)


def front_has_room(fight: Fight) -> bool:
    """OU-P3: heroes are counted here, not weights."""
    return fight.room.front_max is None or front_count(fight) < fight.room.front_max


def may_fall_back(fight: Fight, hero: Hero) -> bool:
    """OU-A9, OU-P2: the rear has room for one more once this hero no longer screens it."""
    return rear_count(fight) + 1 <= rear_capacity(hero_front(fight) - hero.weight, fight.room)


def may_move(fight: Fight, hero: Hero) -> bool:
    """OU-A9."""
    return may_fall_back(fight, hero) if hero.front else front_has_room(fight)


def of_class(fight: Fight, *jobs: str) -> list[Hero]:
    """Standing heroes, class by class, in roster order inside a class."""
    return [hero for job in jobs for hero in fight.heroes if hero.job == job and hero.health > 0]


def form_up(fight: Fight) -> None:
    """OU-S6: guards that the scenario gives, the policy's formation around them, then the room's front (OU-P3)."""
    for hero in fight.heroes:
        hero.front = hero.guard != "rear"
    policy = fight.prepared.policy
    if policy == "random_legal":
        for hero in standing_heroes(fight):
            tails = fight.luck.below(2, "formation", 0, hero.index) == 1
            if tails and hero.guard == "policy" and may_fall_back(fight, hero):
                hero.front = False
    elif policy == "aggressive":
        for hero in of_class(fight, "magic_user"):
            if hero.guard == "policy" and may_fall_back(fight, hero):
                hero.front = False
    else:
        for hero in of_class(fight, "magic_user", "rogue", "priest"):
            if hero.guard == "policy" and hero.has_rear_attack and may_fall_back(fight, hero):
                hero.front = False
    limit = fight.room.front_max
    if limit is not None:
        for hero in of_class(fight, "magic_user", "rogue", "priest", "warrior"):
            if hero.guard == "policy" and hero.front and front_count(fight) > limit:
                hero.front = False


def step_up(fight: Fight) -> None:
    """OU-P5: while the rear is too full, its healthiest hero who can move goes to the front."""
    while rear_count(fight) > rear_capacity(hero_front(fight), fight.room) and front_has_room(fight):
        able = [hero for hero in fight.heroes if not hero.front and hero.health > 0 and hero.paralysed == 0]
        if not able:
            return
        hero = max(able, key=lambda hero: (hero.health, -hero.index))
        hero.front = True
        if fight.trace is not None:
            tell(fight, f"{hero.name} steps up")


def move(fight: Fight, hero: Hero) -> None:
    """OU-A9, OU-R8: to the other guard, neutral until the end of the round."""
    hero.front = not hero.front
    hero.stance = "neutral"
    if fight.trace is not None:
        tell(fight, f"{hero.name} moves to the {'front' if hero.front else 'rear'}")
