"""Phase B of a group: every model with a target attacks (BF-A1, BF-A2, BF-A4)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sim.core import telling
from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, columns, cut, each, either, keep, lookup, rows_of, which
from sim.rulesets.brimstone.look import model_key
from sim.rulesets.brimstone.rules.credit import BLOWS, FLAIL, SHOTS, credit
from sim.rulesets.brimstone.rules.places import heroes_in_range
from sim.rulesets.brimstone.rules.saves import Hits, Source, take_batch
from sim.rulesets.brimstone.state import MODEL, State

NO_AIM, MELEE_AIM, RANGED_AIM = 0, 1, 2
OPENING_SHOTS = 2  # more in the first turn of a group
FREE_SHOT_RANGE, FREE_SHOT_DICE, FREE_SHOT_NUMBER = 5, 2, 5

Figure = int | NDArray[np.integer]  # one for all lanes, or (lanes,)


@dataclass(frozen=True, slots=True)
class Attacker:
    """A model that attacks, in every lane one hero."""

    kind: int
    slot: int
    at: Lanes
    target: NDArray[np.integer]  # (lanes,) a hero


@dataclass(frozen=True, slots=True)
class Blow:
    """What every hit of an attack does."""

    damage: Figure
    dice: Mask  # (lanes,) and a D6
    melee: bool
    horror: Figure = 0  # sanity damage of its Horror Hit; 0 for none
    doubled: Mask | None = None  # (lanes,) the first hit of a batch does double damage


@dataclass(slots=True)
class Volley:
    """Hits as they fall, gathered model by model and die by die; sorted out by hero afterwards."""

    hero: list[NDArray[np.integer]] = field(default_factory=list)
    parts: list[Hits] = field(default_factory=list)

    def add(self, hero: NDArray[np.integer], hits: Hits) -> None:
        """More hits, each on a hero."""
        if len(hero):
            self.hero.append(hero)
            self.parts.append(hits)

    def by_hero(self, heroes: int) -> list[Hits]:
        """The hits on every hero, those of a lane side by side in the order in which they fell; [] without any."""
        if not self.parts:
            return []
        hero = np.concatenate(self.hero).astype(np.int8)
        lane = np.concatenate([part.lane for part in self.parts])
        # Numbers of 16 bits and less are sorted digit by digit, in a third of the time.
        order = np.argsort(lane.astype(np.uint16) if lane.max() < 1 << 16 else lane, kind="stable")
        order = columns(order, np.argsort(columns(hero, order), kind="stable"))
        together = (np.concatenate([getattr(part, name) for part in self.parts]) for name in Hits.__slots__)
        fallen = Hits(*(columns(column, order) for column in together))
        ends = np.cumsum(np.bincount(hero, minlength=heroes)).tolist()
        return [fallen.part(slice(begin, end)) for begin, end in zip([0, *ends], ends, strict=False)]


class Story:
    """The dice of one model's attack, for whoever listens."""

    def __init__(self, needed: Figure) -> None:
        self.needed = needed
        self.faces: list[NDArray[np.integer]] = []
        self.hits = 0  # of all lanes; there is one when somebody listens

    def roll(self, face: NDArray[np.integer]) -> None:
        """A die (lanes,), 0 where it was not rolled."""
        self.faces.append(face)

    def tell(self, s: State, model: Attacker, kind: str) -> None:
        """The attack with its hits; nothing where no die was rolled."""
        if not s.tell or not len(model.at) or not np.any(self.faces):
            return
        shown = telling.dice(np.array(self.faces), 6, np.asarray(self.needed), purpose="to hit")
        who = model_key(s, model.slot)
        s.tell.event("BF-A1", kind, model.at, who=who, whom=model.target, rolls=[shown], hits=self.hits)


def attack_phase(s: State, kind: int, at: Lanes, aim: Tiny) -> None:
    """BF-A1, BF-A2: all dice are rolled, then the heroes take their batches in posse order. `aim` is (slots, runs)."""
    volley = Volley()
    acting = cut(s.alive, at) & (cut(s.kind, at) == kind)
    aims = cut(aim, at) * (cut(s.target, at) >= 0)
    flailing = s.kind_has("flail", kind, at)
    for slot in rows_of(acting).tolist():
        mine = acting[slot]
        if s.kind_may(kind, "flail"):
            flail(s, kind, slot, keep(at, mine & flailing), volley)
            mine = mine & ~flailing
        fighting = keep(at, mine & (aims[slot] == MELEE_AIM))
        if len(fighting):
            melee_dice(s, kind, slot, fighting, volley)
        shooting = keep(at, mine & (aims[slot] == RANGED_AIM))
        if len(shooting):
            ranged_dice(s, kind, slot, shooting, volley)
    deliver(s, volley, Source("BF-A2", kind, kind))


def deliver(s: State, volley: Volley, source: Source) -> None:
    """BF-A2: the heroes who still stand take their batches in posse order."""
    for hero, hits in enumerate(volley.by_hero(s.heroes)):
        open_to = columns(s.live & s.standing[hero], hits.lane)
        if open_to.any():
            take_batch(s, hero, hits.only(open_to), source)


# Melee.


def melee_dice(s: State, kind: int, slot: int, at: Lanes, volley: Volley) -> None:
    """BF-A1: Combat dice on an adjacent target; Pack adds dice, Zealot damage."""
    target = cut(s.target[slot], at)
    if s.has_board:
        beside = lookup(s.ground.adjacent, each(s.cell, target, at), cut(s.spot[slot], at))
        at, target = keep(at, beside), keep(target, beside)
    if not len(at):
        return
    combat: Figure = s.of_kind("combat", kind, at)
    if s.kind_may(kind, "pack") and s.has_board:
        combat = combat + pack_mates(s, kind, slot, at) * s.of_kind("pack", kind, at)
    rolls = s.kind_has("th_melee", kind, at) & (np.asarray(combat) > 0)
    if rolls.any():
        credit(s, kind, BLOWS, keep(at, rolls), uses=1)
    melee_hits(s, Attacker(kind, slot, at, target), combat, 0, volley)


def pack_mates(s: State, kind: int, slot: int, at: Lanes) -> Small:
    """(lanes,). Pack: other living models of the kind next to this one."""
    near = cut(s.alive, at) & (cut(s.kind, at) == kind)
    near &= lookup(s.ground.adjacent, cut(s.spot, at), cut(s.spot[slot], at))
    return near.sum(axis=0, dtype=np.int16)


def flail(s: State, kind: int, slot: int, at: Lanes, volley: Volley) -> None:
    """Flail: its dice against every standing hero within range and in sight, with or without a target."""
    flailing = np.zeros(s.size, dtype=bool)
    for hero in range(s.heroes):
        near = cut(s.standing[hero], at)
        if s.has_board:
            cell, spot = cut(s.cell[hero], at), cut(s.spot[slot], at)
            near = near & (lookup(s.ground.range, cell, spot) <= s.of_kind("flail_range", kind, at))
            near &= lookup(s.ground.sight, cell, spot)
        struck = keep(at, near)
        if len(struck):
            model = Attacker(kind, slot, struck, np.full(len(struck), hero, dtype=np.int8))
            melee_hits(s, model, s.of_kind("flail", kind, struck), 100 * hero, volley)
            flailing[struck] = True
    credit(s, kind, FLAIL, which(flailing), uses=1)


def melee_hits(s: State, model: Attacker, dice: Figure, first: int, volley: Volley) -> None:
    """BF-A1: melee dice of one model, and what its natural 6s do; `first` is the index of the first die."""
    kind, at = model.kind, model.at
    with_die = s.kind_has("damage_dice", kind, at)
    damage = stated(s.of_kind("damage", kind, at), with_die)
    if s.kind_may(kind, "zealot"):
        damage = damage + np.where(s.kind_has("zealot", kind, at), cut(s.hurt[model.slot], at), np.int16(0))
    scare: Figure = 0
    if s.kind_may(kind, "nightmare"):
        bonus = s.kind_has("nightmare", kind, at) * np.asarray(s.of_kind("horror_bonus", kind, at))
        scare = s.of_kind("nightmare", kind, at) + bonus
    blow = Blow(damage, with_die, True, scare, s.kind_has("double_first", kind, at))
    needed, able = s.of_kind("th_melee", kind, at), s.kind_has("th_melee", kind, at)
    story = Story(needed)
    for i in range(int(np.max(dice, initial=0))):
        face = to_hit(s, model, first + i, "BF-A1")
        if s.tell:
            story.roll(face * (able & (i < np.asarray(dice))))
        hits = which((face >= needed) & able & (i < np.asarray(dice)))
        if not len(hits):
            continue
        if s.kind_may(kind, "six"):
            six = per_hit(s.of_kind("six", kind, at), hits)
            hits = np.repeat(hits, np.where((face[hits] == 6) & (six > 0), six, 1))
        story.hits += len(hits)
        send(s, model, blow, hits, face, volley)
    story.tell(s, model, "flails" if first or s.kind_may(kind, "flail") else "strikes")


# Shooting.


def ranged_dice(s: State, kind: int, slot: int, at: Lanes, volley: Volley) -> None:
    """BF-A1: Shots on a target in range."""
    target = cut(s.target[slot], at)
    if s.has_board:
        cell, spot = each(s.cell, target, at), cut(s.spot[slot], at)
        sees = lookup(s.ground.range, cell, spot) <= s.of_kind("range", kind, at)
        sees &= lookup(s.ground.sight, cell, spot)
        at, target = keep(at, sees), keep(target, sees)
    if not len(at):
        return
    credit(s, kind, SHOTS, at, uses=1)
    model = Attacker(kind, slot, at, target)
    dice: Figure = s.of_kind("shots", kind, at)
    if s.kind_may(kind, "opening"):
        opens = (cut(s.first_turn[kind], at) == s.round) & s.kind_has("opening", kind, at)
        dice = dice + OPENING_SHOTS * opens.astype(np.int16)
    with_die = s.kind_has("shot_dice", kind, at)
    blow = Blow(stated(s.of_kind("shot_damage", kind, at), with_die), with_die, False)
    needed, able = s.of_kind("th_ranged", kind, at), s.kind_has("th_ranged", kind, at)
    story = Story(needed)
    for i in range(int(np.max(dice, initial=0))):
        face = to_hit(s, model, i, "BF-A1")
        if s.tell:
            story.roll(face * (able & (i < np.asarray(dice))))
        hits = which((face >= needed) & able & (i < np.asarray(dice)))
        if not len(hits):
            continue
        shot = blow
        if s.kind_may(kind, "six_shot_bonus"):
            shot = replace(blow, damage=blow.damage + s.of_kind("six_shot_bonus", kind, at) * (face == 6))
        hits = np.repeat(hits, hits_per_shot(s, model, hits, face, i))
        story.hits += len(hits)
        send(s, model, shot, hits, face, volley)
    story.tell(s, model, "shoots")


def hits_per_shot(s: State, model: Attacker, hits: Whole, face: Whole, die: int) -> Whole:
    """(hits,). How many hits a die is worth that hits: one, or more for a natural 6 with Hail or Burst."""
    kind, at = model.kind, model.at
    copies = np.ones(len(hits), dtype=np.int64)
    sixes = face[hits] == 6
    if s.kind_may(kind, "hail"):
        hail = per_hit(s.of_kind("hail", kind, at), hits)
        copies = np.where(sixes & (hail > 0), hail, copies)
    if s.kind_may(kind, "burst"):
        bursting = s.kind_has("burst", kind, at)[hits]
        rolled = s.luck.die(6, "Burst", s.round, MODEL + model.slot, die, at[hits])
        copies = np.where(sixes & bursting, rolled, copies)
    return copies


def free_shot(s: State, kind: int, slot: Whole, at: Lanes) -> None:
    """Elite Drowned Dead: at the end of its move two dice, D6 damage, at any hero within 5; a batch of its own."""
    able = s.kind_has("free_shot", kind, at)
    slot, at = keep(slot, able), keep(at, able)
    seen = heroes_in_range(s, each(s.spot, slot, at), at, FREE_SHOT_RANGE)
    target = pick(seen, lot=draw_lot(s.luck, "free_shot/target", s.round, MODEL + slot, 0, at))
    for row in np.unique(slot).tolist():
        some = which((slot == row) & (target >= 0))
        model = Attacker(kind, row, at[some], target[some])
        credit(s, kind, "free_shot", model.at, uses=1)
        shoots = s.kind_has("th_ranged", kind, model.at)
        needed = np.where(shoots, s.of_kind("th_ranged", kind, model.at), FREE_SHOT_NUMBER)
        blow = Blow(0, np.ones(len(some), dtype=bool), False)
        volley, story = Volley(), Story(needed)
        for i in range(FREE_SHOT_DICE):
            face = to_hit(s, model, i, "free_shot")
            if s.tell:
                story.roll(face)
                story.hits += int((face >= needed).sum())
            send(s, model, blow, which(face >= needed), face, volley)
        story.tell(s, model, "shoots_for_free")
        deliver(s, volley, Source("free_shot", row, kind))


# Dice and hits.


def stated(damage: int | Small, with_die: Mask) -> Small:
    """(lanes,). BF-A4: a hit whose damage is not stated does 1."""
    given = np.asarray(damage, dtype=np.int16)
    return either((given == 0) & ~with_die, 1, given)


def to_hit(s: State, model: Attacker, index: int, purpose: str) -> Whole:
    """(lanes,). One To Hit die of a model; some kinds re-roll a 1 once."""
    actor = MODEL + model.slot
    face = s.luck.die(6, purpose, s.round, actor, index, model.at)
    if s.kind_may(model.kind, "again_on_one"):
        again = which((face == 1) & s.kind_has("again_on_one", model.kind, model.at))
        face[again] = s.luck.die(6, f"{purpose}/again", s.round, actor, index, model.at[again])
    return face


def per_hit(value: Figure, hits: Whole) -> NDArray[np.integer]:
    """(hits,). A figure of the lane in which each hit falls."""
    return columns(value, hits) if isinstance(value, np.ndarray) else np.full(len(hits), value)


def send(s: State, model: Attacker, blow: Blow, hits: Whole, face: Whole, volley: Volley) -> None:
    """Put hits into the volley, what natural 6s do included; `hits` are places in the model's lanes, one per hit."""
    kind, at = model.kind, model.at
    no = np.zeros(len(hits), dtype=bool)
    six = face[hits] == 6
    smash = six & s.kind_has("smash", kind, at)[hits] if s.kind_may(kind, "smash") else no
    pierce = six & s.kind_has("six_pierces", kind, at)[hits] if s.kind_may(kind, "six_pierces") else no
    volley.add(
        model.target[hits],
        Hits(
            lane=at[hits],
            damage=per_hit(blow.damage, hits).astype(np.int16),
            dice=blow.dice[hits],
            ignores=smash,
            melee=np.full(len(hits), blow.melee),
            pierces=pierce,
            horror=per_hit(blow.horror, hits).astype(np.int16),
            doubled=no if blow.doubled is None else blow.doubled[hits],
        ),
    )
