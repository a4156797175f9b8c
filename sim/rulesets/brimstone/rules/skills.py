"""Skill tests of heroes (BF-X2)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Row, Tiny, Whole, cut
from sim.core.telling import Roll, dice
from sim.rulesets.brimstone.state import State


def skill_dice(s: State, skill: Tiny, hero: int, at: Lanes, number: Row, purpose: str, first: int) -> Whole:
    """(lanes,). BF-X2: how many of the skill's dice show the number or more; `first` is the index of the first die."""
    dice = cut(skill[hero], at)
    passed = np.zeros(len(at), dtype=np.int64)
    for i in range(int(dice.max(initial=0))):
        passed += (s.luck.die(6, purpose, s.round, hero, first + i, at) >= number) & (dice > i)
    return passed


def skill_shown(s: State, name: str, hero: int, number: Row, purpose: str, first: int = 0) -> Roll:
    """The same dice of the skill `name` as they lie, for whoever listens."""
    number_of_dice = int(getattr(s, name)[hero, 0])
    faces = [s.luck.die(6, purpose, s.round, hero, first + i, s.everyone[:1]) for i in range(number_of_dice)]
    return dice(np.array(faces), 6, number, purpose=name, measure="successes")
