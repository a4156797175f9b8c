"""Levels rolled on the chart in every run (`level_model` = chart)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Small, cut, keep, which
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import HeroFacts
from sim.rulesets.brimstone.state import State

ATTEMPTS = 20
MOST_SKILL, MOST_DICE = 6, 5


def raise_levels(s: State, figures: dict[str, Small], hero: int, facts: HeroFacts) -> None:
    """2D6 for every level that has not been rolled yet; a roll that can give nothing is repeated."""
    for level in range(2, facts.level + 1):
        waiting = which(s.raised[hero] < level)
        for attempt in range(ATTEMPTS):
            if not len(waiting):
                break
            waiting = one_roll(s, figures, hero, facts, 100 * level, attempt, waiting)


def better(figures: dict[str, Small], name: str, hero: int, at: Lanes) -> Lanes:
    """One better, not below 3+. Returns the lanes in which nothing changed."""
    able = cut(figures[name][hero], at) > 3
    figures[name][hero, keep(at, able)] -= 1
    return keep(at, ~able)


def one_roll(
    s: State, figures: dict[str, Small], hero: int, facts: HeroFacts, index: int, attempt: int, at: Lanes
) -> Lanes:
    """One roll on the chart. Returns the lanes that have to roll again."""
    roll = s.luck.die(6, "11.7", 0, hero, index + 2 * attempt, at)
    roll += s.luck.die(6, "11.7", 0, hero, index + 2 * attempt + 1, at)
    main = facts.main_to_hit
    other = "th_melee" if main == "th_ranged" else "th_ranged"
    again = [
        better(figures, other, hero, better(figures, main, hero, at[roll == 2])),
        better(figures, "willpower", hero, better(figures, "defense", hero, at[roll == 3])),
    ]
    tough = at[(roll == 4) | (roll == 5) | (roll == 9) | (roll == 10)]
    figures["health"][hero, tough] += s.luck.die(3, "11.7", 0, hero, index + 90, tough).astype(np.int8)
    figures["sanity"][hero, tough] += s.luck.die(3, "11.7", 0, hero, index + 91, tough).astype(np.int8)
    figures["move_bonus"][hero, at[(roll == 4) | (roll == 5)]] += 1
    if not facts.ally:
        figures["max_grit"][hero, at[(roll == 9) | (roll == 10)]] += 1
    skilled = at[(roll >= 6) & (roll <= 8)]
    skill = s.luck.below(len(data.SKILLS), "11.7", 0, hero, index + 92, skilled)
    for number, name in enumerate(data.SKILLS):
        learns = skilled[skill == number]
        figures[name][hero, learns] += figures[name][hero, learns] < MOST_SKILL
    points = s.luck.die(6, "11.7", 0, hero, index + 93, skilled)
    figures["health"][hero, skilled] += ((points + 1) // 2).astype(np.int8)
    figures["sanity"][hero, skilled] += (points // 2).astype(np.int8)
    quick = at[roll >= 11]
    guns = facts.class_guns
    if guns:
        shots = data.guns()[guns[0]]["shots"] + cut(figures["shot_bonus"][hero], quick)
        gains, name = shots < MOST_DICE, "shot_bonus"
    else:
        gains, name = cut(figures["combat"][hero], quick) < MOST_DICE, "combat"
    figures[name][hero, quick[gains]] += 1
    figures["init"][hero, quick[~gains]] += 1
    return np.sort(np.concatenate(again))
