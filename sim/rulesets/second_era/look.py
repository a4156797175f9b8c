"""The table, for whoever listens to one run: everybody with hit points, statuses and dice, and the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sim.core.telling import Scene, Token
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import EMPTY
from sim.rulesets.second_era.state import State

MARKS = ("bane", "blind", "dazed", "afraid", "maimed", "hidden")  # by status
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def look(s: State) -> Scene:
    """Everybody who is in the battle, standing or fallen; nothing is told before the pool has been drawn."""
    tokens = tuple(token(s, row, name) for row, name in enumerate(names_of(s)))
    return Scene(tokens, s.facts.ground.board, tuple(weather(s)))


def weather(s: State) -> Iterator[str]:
    """What hangs over everybody."""
    begins = s.facts.switches["fatigue_from"]
    if begins != "off":
        yield f"fatigue from round {begins} on" if s.round < begins else "fatigue"


def names_of(s: State) -> list[str]:
    """By row: a name as people say it; of several alike the second one is 'second alpha wolf'."""
    names = [hero.name for hero in s.facts.heroes]
    names += [s.facts.creatures[int(kind) - s.heroes].name for kind in s.kind[s.heroes :, 0]]
    many = Counter(names)
    seen: Counter[str] = Counter()
    told = []
    for name in names:
        seen[name] += 1
        told.append(name if many[name] == 1 else numbered(name, seen[name]))
    return told


def numbered(name: str, number: int) -> str:
    """One of several units of the same name.

    >>> numbered("alpha_wolf", 2), numbered("scamp", 14)
    ('second alpha_wolf', 'scamp 14')
    """
    return f"{ORDINALS[number - 1]} {name}" if number <= len(ORDINALS) else f"{name} {number}"


def token(s: State, row: int, name: str) -> Token:
    """One unit: what everybody has, then what only adventurers or only the others have."""
    who, hp = s.facts.cast.units[row], int(s.hp[row, 0])
    cell = int(max(s.cell[row, 0], s.fell[row, 0]))  # one of them is -1, or both of who waits
    marks = [word for status, word in enumerate(MARKS) if s.status[row, 0] >> status & 1]
    waits = hp > 0 and cell < 0
    kind = s.facts.heroes[row].hero_class if row < s.heroes else s.facts.creatures[int(s.kind[row, 0]) - s.heroes].type
    return Token(
        key=s.tell.names[row] if s.tell else who.name,
        side=who.side,
        hp=hp,
        max_hp=int(s.facts.health[s.kind[row, 0]]),
        place=cell if cell >= 0 else None,
        down=hp == 0,
        marks=(*(marks if hp > 0 else ()), *(("waiting",) if waits else ())),
        notes=() if hp == 0 else tuple(notes_of_hero(s, row) if row < s.heroes else skills_of(s, row)),
        name=name,
        proper=who.name[0].isupper() and who.name != kind,
    )


def skills_of(s: State, row: int) -> Iterator[str]:
    """The chips of an enemy or companion."""
    for name, number in s.facts.creatures[int(s.kind[row, 0]) - s.heroes].skills.items():
        yield f"{name} {number}" if name in data.NUMBERED else name


def notes_of_hero(s: State, hero: int) -> Iterator[str]:
    """Form and dice of an adventurer, active ones with their X, the track from the left; tenacity, bonus HP."""
    yield f"{data.FORMS[int(s.form[hero, 0])]} form"
    ready = [f"{n} {data.CALLED[code]}" for code, n in enumerate(s.available[hero, :, 0]) if n > 0]
    if ready:
        yield "dice: " + ", ".join(ready)
    slots = zip(s.slot_die[hero, :, 0], s.slot_x[hero, :, 0], strict=True)
    active = [data.CALLED[code] + (f" {x}" if x else "") for code, x in slots if code != EMPTY]
    if active:
        yield "active: " + ", ".join(active)
    track = [data.CALLED[code] for code in s.track[hero, :, 0] if code != EMPTY]
    if track:
        yield "track: " + ", ".join(track)
    if s.tenacity[hero, 0]:
        yield f"tenacity {s.tenacity[hero, 0]}"
    if s.bonus[hero, 0]:
        yield f"{s.bonus[hero, 0]} bonus hit points"
