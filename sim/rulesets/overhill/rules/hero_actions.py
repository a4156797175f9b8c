"""The kinds of attack that a hero has: on whom each may be made, and making it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sim.core.lanes import Lanes, Mask, Whole, cut
from sim.rulesets.overhill.rules import hero_attacks, magic
from sim.rulesets.overhill.state import State

WITH_WEAPONS: dict[str, Callable[[State, int, Whole, Lanes], None]] = {
    "melee": hero_attacks.melee,
    "sneak": hero_attacks.sneak_attack,
    "frenzy": hero_attacks.frenzy,
    "dual": hero_attacks.dual_wield,
    "ranged": hero_attacks.ranged,
    "bash": hero_attacks.shield_bash,
}


def reach(s: State, hero: int, kind: str, at: Lanes) -> Mask:
    """(groups, lanes). OU-A0, OU-A3, OU-A5, OU-A7: the groups on which this kind of attack is legal."""
    if len(at) < s.size and s.most(at):
        return cut(reach(s, hero, kind, s.everyone), at)
    if kind == "ranged":
        return hero_attacks.ranged_reach(s, hero, at)
    if kind == "dart":
        return magic.dart_reach(s, hero, at)
    return hero_attacks.melee_reach(s, hero, at) if knows(s, hero, kind) else np.zeros((s.groups, len(at)), dtype=bool)


def knows(s: State, hero: int, kind: str) -> bool:
    """OU-A8, OU-C4, OU-F1: whether class, feats and round allow this way to strike."""
    facts = s.facts.heroes[hero]
    return {
        "melee": True,
        "sneak": facts.hero_class == "rogue" and (s.round == 1 or s.facts.is_on("sneak_attack_use", "any_round")),
        "frenzy": facts.knows("frenzy"),
        "dual": facts.knows("dual_wield"),
        "bash": facts.knows("shield_bash") and facts.shield,
    }[kind]


def attack(s: State, hero: int, kind: str, group: Whole, at: Lanes, push: Whole) -> None:
    """OU-A0, OU-A8: make an attack of this kind; `push` are the extra casting dice of a dart."""
    if kind == "dart":
        magic.magic_dart(s, hero, group, at, push)
    else:
        WITH_WEAPONS[kind](s, hero, group, at)
