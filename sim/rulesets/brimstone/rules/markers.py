"""Status markers on heroes: gaining them, and what they do when the hero is activated (BF-X1, BF-H3)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, cut, keep
from sim.core.telling import dice
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import BLEEDING, BURNING, ENSNARED, POISON, STUNNED, WEBBED
from sim.rulesets.brimstone.elite_words import MARKER_WORDS
from sim.rulesets.brimstone.look import health_shown
from sim.rulesets.brimstone.rules.armor import take_wounds
from sim.rulesets.brimstone.rules.damage import still_up, wound
from sim.rulesets.brimstone.rules.grit import spend_grit
from sim.rulesets.brimstone.rules.skills import skill_dice, skill_shown
from sim.rulesets.brimstone.state import State

BURNING_WOUNDS = 2
FREES_ITSELF = 5  # Strength against Ensnared and Webbed


def give_marker(s: State, hero: int, at: Lanes, marker: int) -> None:
    """BF-X1: a marker; Death Mark and Ensnared at most one."""
    before = health_shown(s, hero) if s.tell else 0
    s.status[marker, hero, at] += 1
    if data.MARKERS[marker] in data.SINGLE_MARKERS:
        s.status[marker, hero, at] = 1
    if s.tell:
        word, damage = MARKER_WORDS[data.MARKERS[marker]], before - health_shown(s, hero)
        s.tell.event("BF-X1", "is_marked", at, who=hero, marker=word, damage=damage)


def status_markers(s: State, hero: int, at: Lanes) -> Lanes:
    """BF-X1: the markers in the order of their table; Bleeding by BF-P11. Returns where the hero stands."""
    mend(s, hero, at)
    at = burn(s, hero, at)
    ensnared = marked(s, hero, ENSNARED, at)
    if len(ensnared):
        free = skill_dice(s, s.strength, hero, ensnared, FREES_ITSELF, "Ensnared", 0) > 0
        s.status[ENSNARED, hero, keep(ensnared, free)] = 0
        if s.tell:
            strength = skill_shown(s, "strength", hero, FREES_ITSELF, "Ensnared")
            s.tell.event("BF-X1", "struggles", ensnared, who=hero, rolls=[strength], marker="ensnared", free=free)
    at = suffer_poison(s, hero, at)
    stunned = marked(s, hero, STUNNED, at)
    if len(stunned):
        die = s.luck.die(6, "Stunned", s.round, hero, 0, stunned)
        s.status[STUNNED, hero, stunned] -= die >= 4
        if s.tell:
            free = s.status[STUNNED, hero, stunned] == 0
            shaken = dice(die, 6, 4, purpose="to come round")
            s.tell.event("BF-X1", "struggles", stunned, who=hero, rolls=[shaken], marker="stunned", free=free)
    webbed = marked(s, hero, WEBBED, at)
    if len(webbed):
        passed = skill_dice(s, s.strength, hero, webbed, FREES_ITSELF, "Webbed", 0)
        s.status[WEBBED, hero, webbed] -= np.minimum(passed, s.status[WEBBED, hero, webbed]).astype(np.int8)
        if s.tell:
            strength = skill_shown(s, "strength", hero, FREES_ITSELF, "Webbed")
            free = s.status[WEBBED, hero, webbed] == 0
            s.tell.event("BF-X1", "struggles", webbed, who=hero, rolls=[strength], marker="webbed", free=free)
    return at


def marked(s: State, hero: int, marker: int, at: Lanes) -> Lanes:
    """The lanes in which the hero has such a marker."""
    return keep(at, cut(s.status[marker, hero], at) > 0)


def mend(s: State, hero: int, at: Lanes) -> None:
    """BF-P11, BF-H5: some policies remove a Bleeding marker while the hero holds all the Grit it can."""
    if s.facts.plans[hero].mend and s.facts.is_on("grit_use"):
        bleeding = marked(s, hero, BLEEDING, at)
        grit = cut(s.grit[hero], bleeding)
        mending = keep(bleeding, (grit > 0) & (grit == cut(s.max_grit[hero], bleeding)))
        spend_grit(s, hero, mending, "mending")
        before = health_shown(s, hero) if s.tell else 0
        s.status[BLEEDING, hero, mending] -= 1
        if s.tell:
            healed = health_shown(s, hero) - before
            s.tell.event("BF-H5", "mends", mending, who=hero, healed=healed)


def burn(s: State, hero: int, at: Lanes) -> Lanes:
    """BF-X1: Burning goes out by one and does 2 wounds. Returns the lanes in which the hero stands."""
    burning = marked(s, hero, BURNING, at)
    if not len(burning):
        return at
    s.status[BURNING, hero, burning] -= 1
    take_wounds(s, hero, burning, BURNING_WOUNDS, "Burning", 0)
    return still_up(s, hero, at)


def suffer_poison(s: State, hero: int, at: Lanes) -> Lanes:
    """BF-X1: a D6 per Poison marker: a wound on 1 or 2, cured on 6; no Armor. Returns where the hero stands."""
    sick = marked(s, hero, POISON, at)
    if not len(sick):
        return at
    markers = cut(s.status[POISON, hero], sick)
    wounds = np.zeros(len(sick), dtype=np.int64)
    cured = np.zeros(len(sick), dtype=np.int8)
    rolled = []
    for i in range(int(markers.max())):
        die = s.luck.die(6, "Poison", s.round, hero, i, sick)
        rolled.append(die)
        wounds += (die <= 2) & (markers > i)
        cured += (die == 6) & (markers > i)
    s.status[POISON, hero, sick] -= cured
    if s.tell:
        shown = [dice(np.array(rolled), 6, purpose="against the poison")]
        s.tell.event("BF-X1", "is_poisoned", sick, who=hero, rolls=shown, cured=cured, wounds=wounds)
    wound(s, hero, keep(sick, wounds > 0), keep(wounds, wounds > 0), "Poison")
    return still_up(s, hero, at)
