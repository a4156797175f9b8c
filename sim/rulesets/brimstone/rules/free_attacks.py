"""Free Attacks: the hold-out pistol, the Hatchet and the Shiv (BF-H24, BF-H25)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Wide, anyone, columns, cut, keep, lookup, which
from sim.core.telling import dice
from sim.rulesets.brimstone.data import HATCHET, SHIV
from sim.rulesets.brimstone.rules.damage import still_up
from sim.rulesets.brimstone.rules.explosions import go_off
from sim.rulesets.brimstone.rules.hero_attacks import strike
from sim.rulesets.brimstone.rules.models import Blow, armor_of_model, endured, hurt_model
from sim.rulesets.brimstone.rules.modes import legal_targets
from sim.rulesets.brimstone.state import State
from sim.rulesets.brimstone.worth import Scales, preferred_enemy

MOST_ENDURANCE = 60
# Expected wounds of a plain D6 by the Endurance of the model, in 576ths; 0 is no Endurance at all.
SHIV_WORTH = np.array(
    [96 * sum(min(face, most or 6) for face in range(1, 7)) for most in range(MOST_ENDURANCE + 1)], dtype=np.int32
)


def use_free_items(s: State, scales: Scales, hero: int, at: Lanes) -> None:
    """BF-H24, BF-P9: the first ready item that has a legal target: free items, then Hatchet, then Shiv.

    As many as are left of the turn's Free Attacks.
    """
    plot = s.facts.plot.heroes[hero]
    holdout, hatchet = len(plot.modes), len(plot.modes) + 1
    activated = at
    for attack in range(1, s.facts.switches["free_attack_limit"] + 1):
        at = still_up(s, hero, activated)
        at = keep(at, cut(s.free_used[hero], at) == attack - 1)
        undecided = np.ones(len(at), dtype=bool)
        holds_pistol = cut(s.holdouts[hero], at) > 0
        holds_hatchet = cut(s.bag[HATCHET, hero], at) > 0
        cell = cut(s.cell[hero], at)
        for mode, ready in ((holdout, holds_pistol), (hatchet, holds_hatchet)):
            some = which(undecided & ready)
            if len(some):
                legal = legal_targets(s, hero, scales.modes[hero][mode], at[some], cell[some])
                some = keep(some, anyone(legal))
            if len(some):
                undecided[some] = False
                if mode == holdout:
                    s.holdouts[hero, at[some]] -= 1
                else:
                    s.bag[HATCHET, hero, at[some]] -= 1
                    s.tokens_used[hero, at[some]] += 1
                s.free_used[hero, at[some]] += 1
                strike(s, scales, hero, mode, at[some], attack)
        if "shiv" in plot.talents:
            use_shiv(s, scales, hero, keep(at, undecided & (cut(s.bag[SHIV, hero], at) > 0)), attack)


def use_shiv(s: State, scales: Scales, hero: int, at: Lanes, number: int) -> None:
    """BF-H25, BF-A13: D6 wounds to an adjacent enemy, ignoring Defense; no roll to hit, no bonus of the level."""
    at = keep(at, cut(s.live, at))
    if not len(at):
        return
    cell = cut(s.cell[hero], at)
    legal = legal_targets(s, hero, scales.modes[hero][0], at, cell)
    stabbed = preferred_enemy(s, hero, legal, at, cell, shiv_worth(s, at))
    at, slot = at[stabbed >= 0], stabbed[stabbed >= 0]
    if not len(at):
        return
    s.bag[SHIV, hero, at] -= 1
    s.tokens_used[hero, at] += 1
    s.free_used[hero, at] += 1
    row = s.facts.ability_row[hero, "shiv"]
    s.ledger.uses[row][at] += 1
    s.ledger.hits[row][at] += 1
    if "xp_each" in s.facts.any_has:
        s.marked[:, at] = False
    die = s.luck.die(6, "BF-A11", s.round, hero, 100 * number, at)
    blow = Blow("BF-H25", "stabs", (dice(die, 6, purpose="damage"),) if s.tell else ())
    wounds = endured(s, slot, at, die)
    wounds = armor_of_model(s, slot, at, wounds, "BF-A11/armor", hero, 10_000 * number)
    _, placed = hurt_model(s, slot, at, wounds, hero, blow)
    s.ledger.damage[row][at] += placed
    go_off(s, at)


def shiv_worth(s: State, at: Lanes) -> Wide:
    """(slots, lanes). The expected wounds of a Shiv, in 576ths: a plain D6, at most the Endurance."""
    most = s.figure("endurance", columns(s.profile, at))
    return lookup(SHIV_WORTH, np.minimum(most, MOST_ENDURANCE))
