"""The monster phase: who attacks whom."""

from __future__ import annotations

from tests.oracle.overhill.addresses import ENEMIES
from tests.oracle.overhill.enemy_attacks import monster_attack
from tests.oracle.overhill.hero_moves import front_count
from tests.oracle.overhill.state import Fight, Group, Hero, hero_front, monster_front, standing_heroes


def legal_targets(fight: Fight, group: Group) -> list[Hero]:
    """OU-E3, OU-E4, OU-E5: whom a monster of this group may attack now."""
    standing = standing_heroes(fight)
    if not group.front:
        return standing
    if fight.rules.rear_protection == "outnumbered":
        rear_open = monster_front(fight) > hero_front(fight)
    else:
        rear_open = front_count(fight) == 0
    if rear_open:
        return standing
    return [hero for hero in standing if hero.front]


def threat(fight: Fight, hero: Hero, group: Group) -> int:
    """OU-E6: the kills a monster of this group remembers."""
    table = fight.kills_prev if fight.rules.threat_window == "previous_round" else fight.kills_now
    kills = table[hero.index]
    return kills[group.index] if fight.rules.threat_scope == "group" else sum(kills)


def most_threatening(fight: Fight, group: Group, legal: list[Hero]) -> list[Hero]:
    """OU-E6: the legal heroes with the highest score."""
    scores = [threat(fight, hero, group) for hero in legal]
    highest = max(scores)
    return [hero for hero, score in zip(legal, scores, strict=True) if score == highest]


def choose_target(fight: Fight, group: Group, legal: list[Hero], m: int, order: list[int]) -> Hero:
    """OU-E6 to OU-E8: the target of the group's m-th attack of this phase."""
    targeting = fight.rules.monster_targeting
    if targeting == "spread":
        ranked = sorted(legal, key=lambda hero: (-threat(fight, hero, group), order.index(hero.index)))
        return ranked[m % len(ranked)]
    candidates = legal
    if targeting == "focus":
        candidates = most_threatening(fight, group, legal)
        if fight.rules.party_choice == "best_for_party":
            return max(candidates, key=lambda hero: (hero.health, -hero.index))
    if len(candidates) == 1:
        return candidates[0]
    return candidates[fight.luck.below(len(candidates), "OU-E7", fight.round, ENEMIES + group.index, m)]


def monster_phase(fight: Fight) -> None:
    """OU-E1, OU-E2, OU-R6: groups in list order, each monster that is not bashed attacks once."""
    places = fight.room.front_max
    for group in fight.groups:
        attacks = max(0, group.n - group.bashed)
        if group.front and places is not None:
            attacks = min(attacks, places)
            places -= attacks
        order: list[int] = []
        if attacks and fight.rules.monster_targeting == "spread":
            order = fight.luck.order(range(len(fight.heroes)), "OU-E8", fight.round, ENEMIES + group.index)
        for m in range(attacks):
            target = choose_target(fight, group, legal_targets(fight, group), m, order)
            monster_attack(fight, group, target, m)
            if fight.outcome:
                return
