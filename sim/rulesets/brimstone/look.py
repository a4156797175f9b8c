"""The table, for whoever listens to one run: heroes, models, markers, and who is after whom."""

from __future__ import annotations

from collections.abc import Iterator

from sim.core.lanes import Whole
from sim.core.telling import Scene, Token
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.elite_words import MARKER_WORDS
from sim.rulesets.brimstone.state import State

DARKNESS_ESCAPES = 16  # where the marker means the end


def look(s: State) -> Scene:
    """Everybody who has come into the fight, standing or fallen."""
    models = [slot for slot in range(s.slots) if s.kind[slot, 0] >= 0]
    tokens = (*(hero_token(s, hero) for hero in range(s.heroes)), *(model_token(s, slot) for slot in models))
    return Scene(tokens, s.ground.drawn if s.has_board else None, tuple(scene_notes(s)))


def hero_token(s: State, hero: int) -> Token:
    """A hero or an ally; the marker of a KO'd one lies where it fell."""
    facts, unit = s.facts.plot.heroes[hero], s.facts.cast.units[hero]
    return Token(
        key=unit.name,
        side=unit.side,
        hp=health_shown(s, hero),
        max_hp=int(s.health[hero, 0]),
        place=place_on_drawing(s, int(s.cell[hero, 0])),
        down=not s.standing[hero, 0],
        marks=tuple(hero_marks(s, hero)),
        notes=tuple(hero_notes(s, hero)),
        proper=facts.name != facts.class_name,
    )


def health_shown(s: State, hero: int) -> int:
    """Remaining Health, which Bleeding can press below 0; nobody sees more than 0 of that."""
    return max(0, int(s.health_left(hero, s.everyone[:1])[0]))


def place_on_drawing(s: State, cell: int) -> int | None:
    """The cell of the drawing on which somebody stands; None without a board."""
    return s.ground.on_drawing[cell] if s.has_board else None


def hero_marks(s: State, hero: int) -> Iterator[str]:
    """The conditions of a hero."""
    if s.dead[hero, 0]:
        yield "dead"
    elif s.removed[hero, 0]:
        yield "out of the fight"
    elif not s.standing[hero, 0]:
        yield "knocked out"
    for number, marker in enumerate(data.MARKERS):
        if count := int(s.status[number, hero, 0]):
            yield MARKER_WORDS[marker] if count == 1 else f"{MARKER_WORDS[marker]} x{count}"
    if s.cigar[hero, 0]:
        yield "smoking"
    if s.spice[hero, 0]:
        yield "spiced"


def hero_notes(s: State, hero: int) -> Iterator[str]:
    """What a player keeps an eye on."""
    yield f"sanity {int(s.sanity[hero, 0] - s.sdmg[hero, 0])} of {s.sanity[hero, 0]}"
    if s.max_grit[hero, 0]:
        yield f"grit {s.grit[hero, 0]}"
    for number, token in enumerate(data.TOKENS):
        if count := int(s.bag[number, hero, 0]):
            yield token if count == 1 else f"{count} {token}"
    if s.holdouts[hero, 0]:
        yield "hold-out pistol"
    if s.fortune[hero, 0]:
        yield f"fortune {s.fortune[hero, 0]}"
    if s.xp[hero, 0]:
        yield f"{s.xp[hero, 0]} XP"


def model_token(s: State, slot: int) -> Token:
    """One model; a dead one lies where it fell until another takes its slot."""
    health = int(s.facts.figure["health"][s.profile[slot, 0]])
    alive = bool(s.alive[slot, 0])
    return Token(
        key=model_key(s, slot),
        side="enemy",
        hp=max(0, health - int(s.hurt[slot, 0])) if alive else 0,
        max_hp=health,
        place=place_on_drawing(s, int(s.spot[slot, 0])),
        down=not alive,
        notes=tuple(model_notes(s, slot)),
        name=model_name(s, slot),
        proper=s.made[s.kind[slot, 0], 0] > 1,
    )


def model_notes(s: State, slot: int) -> Iterator[str]:
    """Whether it is Elite or Brutal, and whom it is after."""
    profile = s.profile[slot, 0]
    if s.facts.plot.bestiary.brutal[int(s.kind[slot, 0])]:
        yield "brutal"
    if s.facts.figure["elites"][profile]:
        yield "elite"
    if s.alive[slot, 0] and s.target[slot, 0] >= 0:
        yield f"after {s.facts.cast.units[s.target[slot, 0]].name}"


def kind_name(s: State, kind: int) -> str:
    """A kind as the tables call it: 'tentacles'."""
    return s.facts.cast.units[s.facts.unit_row[kind]].name


def model_key(s: State, slot: int | Whole) -> str:
    """What tells a model apart from all others of the fight."""
    row = slot if isinstance(slot, int) else int(slot[0])
    kind = int(s.kind[row, 0])
    return f"{kind_name(s, kind)} {s.number[row, 0]}"


def model_name(s: State, slot: int) -> str:
    """A model as people call it: 'tentacle 2', or 'goliath' as long as it is the only one of its kind."""
    kind = int(s.kind[slot, 0])
    plot = s.facts.plot.kinds[kind]
    one = plot.name.removesuffix("s") if plot.name in data.types() else plot.name
    which_kind = kind_name(s, kind).removeprefix(plot.name)  # where two have one name
    if s.made[kind, 0] == 1:
        return one + which_kind
    return f"{one}{which_kind}.{s.number[slot, 0]}" if which_kind else f"{one} {s.number[slot, 0]}"


def scene_notes(s: State) -> Iterator[str]:
    """What belongs to nobody."""
    if s.tokens[0]:
        yield f"{s.tokens[0]} revive {'token' if s.tokens[0] == 1 else 'tokens'}"
    if s.facts.is_on("darkness_track"):
        yield f"darkness {s.marker[0]} of {DARKNESS_ESCAPES}"
    if s.flash_until[0] >= max(1, s.round):
        yield "enemies are blinded by a Flash"
