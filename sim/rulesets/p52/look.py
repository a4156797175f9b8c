"""The table of one run as whoever listens sees it: who stands where, in what condition, holding what."""

from __future__ import annotations

from sim.core.telling import Scene, Token
from sim.rulesets.p52.names import enemy_in_words
from sim.rulesets.p52.state import IN_HAND, ROUTED, STANDING, State


def look(s: State) -> Scene:
    """The first run of the batch, in the encounter that it is in."""
    heroes = [hero_token(s, hero) for hero in range(s.heroes)]
    enemies = [enemy_token(s, slot) for slot in range(s.space.slots)]
    return Scene((*heroes, *enemies), s.space.ground.board, tuple(table_notes(s)))


def table_notes(s: State) -> list[str]:
    """What belongs to nobody: the encounter of a gauntlet, the piles."""
    notes = []
    if len(s.facts.spaces) > 1:
        title = f": {s.space.title}" if s.space.title else ""
        notes.append(f"room {int(s.stage[0]) + 1} of {len(s.facts.spaces)}{title}")
    if s.deck is not None:
        notes.append(counted(int(s.deck.left[0]), "card in the draw pile", "cards in the draw pile"))
    return notes


def hero_token(s: State, hero: int) -> Token:
    """A hero, dead or alive."""
    name, hp = s.facts.cast.units[hero].name, int(s.hp[hero, 0])
    return Token(
        key=name,
        side="party",
        hp=hp,
        max_hp=s.facts.kits[hero].facts.max_hp,
        place=int(s.spot[hero, 0]),
        down=hp < 0,
        marks=tuple(hero_marks(s, hero)) if hp >= 0 else ("dead",),
        notes=tuple(hero_notes(s, hero)),
        proper=name[0].isupper(),
    )


def hero_marks(s: State, hero: int) -> list[str]:
    """The conditions of a hero who lives."""
    marks = {
        "stunned": s.hp[hero, 0] == 0,
        "frozen": s.lost[hero, 0] > 0,
        "aiming": s.aim[hero, 0] > 0,
        "on guard": s.stance[hero, 0] > 0,
        "wading": s.wade[hero, 0] >= 0,
        "hidden": s.space.ground.hidden[s.spot[hero, 0]],
    }
    return [mark for mark, applies in marks.items() if applies]


def hero_notes(s: State, hero: int) -> list[str]:
    """What a hero holds, and how far aim and stance have come."""
    notes = [counted(int(s.cards[hero, 0]), "stamina card", "stamina cards")]
    if s.aim[hero, 0] > 0:
        notes.append(f"aim {int(s.aim[hero, 0])} at {name_of(s, int(s.aim_at[hero, 0]))}")
    if s.stance[hero, 0] > 0:
        notes.append(f"stance {int(s.stance[hero, 0])}")
    kit = s.facts.kits[hero]
    if kit.has_bow and s.facts.is_on("arrows", "tracked"):
        sharp, plain = int(s.sharp[hero, 0]), int(s.arrows[hero, 0])
        notes += [counted(sharp, "sharp arrow", "sharp arrows")] if sharp else []
        notes += [counted(plain, "arrow", "arrows")] if plain or not sharp else []
    if kit.has_knife and s.knife_at[hero, 0] != IN_HAND:
        notes.append(f"knife at {s.space.ground.board.names[int(s.knife_at[hero, 0])]}")
    for place, item in enumerate(s.facts.stock_names):
        if number := int(s.stock[place, hero, 0]):
            notes.append(item.replace("_", " ") + (f" x{number}" if number > 1 else ""))
    return notes


def enemy_token(s: State, slot: int) -> Token:
    """An enemy of this encounter; who has fled for good is on the board no more."""
    unit = int(s.heroes + s.kind[slot, 0])
    facts, key = s.facts.types[int(s.kind[slot, 0])], s.facts.cast.units[unit].name
    gone = int(s.gone[slot, 0])
    return Token(
        key=key,
        side="enemy",
        hp=int(s.foe_hp[slot, 0]),
        max_hp=facts.max_hp,
        place=None if gone == ROUTED else int(s.foe_spot[slot, 0]),
        down=gone != STANDING,
        marks=tuple(enemy_marks(s, slot)) if gone == STANDING else ("routed",) if gone == ROUTED else (),
        notes=tuple(enemy_notes(s, slot)) if gone == STANDING else (),
        name=name_of(s, slot),
        proper=facts.card == "calico" if facts.name == facts.card else key[0].isupper(),
    )


def name_of(s: State, slot: int) -> str:
    """An enemy as players call it: 'queen of clubs', or the name that the scenario gives it."""
    facts = s.facts.types[int(s.kind[slot, 0])]
    key = s.facts.cast.units[int(s.heroes + s.kind[slot, 0])].name
    return enemy_in_words(facts.card) + key[len(facts.card) :] if facts.name == facts.card else key


def enemy_marks(s: State, slot: int) -> list[str]:
    """The conditions of an enemy who stands."""
    most = int(s.facts.type_max_hp[int(s.kind[slot, 0])])
    marks = {
        "frozen": s.frozen[slot, 0] > 0 or s.iced[slot, 0],
        "burning": s.burn[slot, 0] > 0,
        "weak": 4 * int(s.foe_hp[slot, 0]) < most,
        "wading": s.foe_wade[slot, 0] >= 0,
        "hidden": s.space.ground.hidden[s.foe_spot[slot, 0]],
    }
    return [mark for mark, applies in marks.items() if applies]


def enemy_notes(s: State, slot: int) -> list[str]:
    """What else heroes keep an eye on."""
    loads = any(attack.loads for attack in s.facts.types[int(s.kind[slot, 0])].attacks)
    notes = ["bow not ready"] if loads and not s.loaded[slot, 0] else []
    last = int(s.last[slot, 0])
    return notes + ([f"last attacked by {s.facts.cast.units[last].name}"] if last >= 0 else [])


def counted(number: int, one: str, several: str) -> str:
    """'1 arrow', '3 arrows', 'no arrows'."""
    return f"{number or 'no'} {one if number == 1 else several}"
