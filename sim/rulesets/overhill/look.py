"""The table as it stands, for whoever listens to one run: who stands in which guard, and what ails them."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

from sim.core.board import Board, zone_board
from sim.core.telling import Scene, Token
from sim.rulesets.overhill import data
from sim.rulesets.overhill.rules.enemy_attacks import attack_value
from sim.rulesets.overhill.rules.enemy_turns import rear_exposed
from sim.rulesets.overhill.rules.hero_attacks import weapon_defence
from sim.rulesets.overhill.state import State

FIRST = np.zeros(1, dtype=np.int64)  # the lane that is looked at
GUARDS = ("monsters, rear guard", "monsters, front guard", "heroes, front guard", "heroes, rear guard")
FOES_REAR, FOES_FRONT, FRONT, REAR = range(4)
STANCES = {value: name for name, value in data.STANCES.items()}


@cache
def guards() -> Board:
    """OU-P1: the four guards, one behind the other."""
    return zone_board(GUARDS, pairwise(GUARDS))


def look(s: State) -> Scene:
    """Heroes in roster order, groups in list order."""
    heroes = [hero_token(s, hero) for hero in range(s.heroes)]
    groups = [group_token(s, group) for group in range(s.groups) if s.started[group, 0]]
    return Scene(tuple(heroes + groups), guards(), scene_notes(s))


def scene_notes(s: State) -> tuple[str, ...]:
    """What belongs to nobody: how wide the room is, and whether the front still covers the rear."""
    wide = s.facts.room.front_max
    notes = [] if wide is None else [f"room for {wide} in front, on either side"]
    front_monsters = s.front_monsters(FIRST)
    behind = s.rear_count(FIRST)[0] > 0
    if behind and front_monsters[0] > 0 and rear_exposed(s, s.standing_in_front(FIRST), front_monsters)[0]:
        notes.append("the front is outnumbered: monsters in front can reach the rear guard")
    return tuple(notes)


def hero_token(s: State, hero: int) -> Token:
    """A hero; who is down stays where he fell."""
    facts = s.facts.heroes[hero]
    return Token(
        key=facts.name,
        side="party",
        hp=int(s.health[hero, 0]),
        max_hp=facts.max_health,
        place=FRONT if s.front[hero, 0] else REAR,
        down=bool(s.health[hero, 0] == 0),
        marks=tuple(conditions(s, hero)),
        notes=tuple(hero_notes(s, hero)),
        proper=facts.name[0].isupper(),
    )


def conditions(s: State, hero: int) -> list[str]:
    """What ails a hero, or helps him."""
    marks = {
        "paralysed": s.paralysed[hero, 0] > 0,
        "drained": s.vigor[hero, 0] < s.facts.heroes[hero].vigor,
        "silenced": s.silenced[hero, 0],
        "strained": s.strained[hero, 0] or s.cast_blocked[hero, 0],
        "lapsed": s.lapsed[hero, 0],
        "getting up": s.risen[hero, 0],
    }
    blessed = [name for number, name in enumerate(data.ATTRIBUTES) if s.blessed[number, hero, 0]]
    return [mark for mark, holds in marks.items() if holds] + [f"blessed on {name}" for name in blessed]


def hero_notes(s: State, hero: int) -> list[str]:
    """Stance, what is left of dice and turns, and what a hero carries."""
    stance, turns = int(s.stance[hero, 0]), int(s.paralysed[hero, 0])
    notes = [STANCES[stance]] if s.health[hero, 0] and s.front[hero, 0] and stance != data.NEUTRAL else []
    notes += [f"loses {turns} turn{'s' if turns > 1 else ''}"] if turns else []
    if s.vigor[hero, 0] < s.facts.heroes[hero].vigor:
        notes.append(f"vigor d{s.vigor[hero, 0]}")
    drunk = {"attack": int(s.tonic[hero, 0]), "defence": int(s.oil[hero, 0])}
    notes += [f"{what} +{bonus}" for what, bonus in drunk.items() if bonus]
    for number, item in enumerate(data.ITEMS):
        if left := int(s.items[number, hero, 0]):
            notes.append(item.replace("_", " ") if left == 1 else f"{left} {item.replace('_', ' ')}s")
    return notes


def group_token(s: State, group: int) -> Token:
    """A group of monsters: one token with a count. Who attacks and defends better or worse than usual is marked."""
    left, row = int(s.n[group, 0]), int(s.unit[group, 0])
    attack, usual = int(attack_value(s, group, FIRST)[0]), int(s.attack[group, 0] + s.attack_mod[group, 0])
    defence = int(weapon_defence(s, np.array([group]), FIRST, blunt=False)[0])
    marks = {
        "leader": s.leads[group, 0] > 0,
        "led": attack > max(usual, 0),
        "bashed": s.bashed[group, 0] > 0,
        "in smoke": s.attack_mod[group, 0] < 0,
        "eaten by acid": s.defence_mod[group, 0] < 0,
    }
    return Token(
        key=s.facts.cast.units[row].name,
        side="enemy",
        hp=left,
        max_hp=int(s.started[group, 0]),
        place=FOES_REAR if s.rear_group[group, 0] else FOES_FRONT,
        down=left == 0,
        count=left,
        marks=tuple(mark for mark, holds in marks.items() if holds and left),
        notes=(f"attack {attack}", f"defence {defence}"),
        proper=s.facts.cast.units[row].name[0].isupper(),
    )
