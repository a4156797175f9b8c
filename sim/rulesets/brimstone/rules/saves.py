"""Batches: what a hero saves against, from hits to side effects (BF-A3 to BF-A7).

The hits of a batch are flat: one entry per hit, those of a lane side by side and in order, so that lanes with few hits
cost little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, columns, cut, keep, per_lane, which
from sim.core.telling import Roll, dice
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import BANDAGES, DEATH_MARK, ENSNARED, STUNNED
from sim.rulesets.brimstone.rules.armor import BATCH, armor_saves, armor_shown
from sim.rulesets.brimstone.rules.credit import SHOTS, blow_of, credit, parts, sum_before
from sim.rulesets.brimstone.rules.damage import check_ko, frighten, heal_wounds, place, spend_token, still_up
from sim.rulesets.brimstone.rules.dynamite import set_off
from sim.rulesets.brimstone.rules.grit import spend_grit
from sim.rulesets.brimstone.rules.markers import give_marker
from sim.rulesets.brimstone.state import State


@dataclass(slots=True)
class Hits:
    """Hits on one hero, one entry each; those of a lane side by side, in the order of the batch."""

    lane: Whole
    damage: Small  # fixed part
    dice: Mask  # and a D6
    ignores: Mask  # no Defense roll
    melee: Mask
    pierces: Mask  # no Armor
    horror: Small  # sanity damage of its Horror Hit; 0 for none
    doubled: Mask  # candidates for "the first hit does double damage"

    def only(self, wanted: Mask) -> Hits:
        """Some of the hits."""
        some = which(wanted)
        if len(some) == len(wanted):
            return self
        return Hits(*(columns(getattr(self, name), some) for name in self.__slots__))

    def part(self, part: slice) -> Hits:
        """A stretch of the hits."""
        return Hits(*(getattr(self, name)[part] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Source:
    """Where a batch comes from: the name and the number under which its dice are drawn, and whose hits they are."""

    name: str
    number: int
    kind: int | None = None  # of the enemies

    @property
    def first(self) -> int:
        """The index of the first die."""
        return BATCH * self.number

    @property
    def ability(self) -> str | None:
        """What the kind does it with; None for its own attacks, where every hit tells."""
        return None if self.name == "BF-A2" else self.name.lower()


def plain_hits(lane: Whole, damage: int) -> Hits:
    """Hits without anything special."""
    n = len(lane)
    no = np.zeros(n, dtype=bool)
    return Hits(lane, np.full(n, damage, np.int16), no, no, no, no, np.zeros(n, np.int16), no)


def place_in_lane(lane: Whole, counted: Mask | None = None) -> Whole:
    """(hits,). The place of every hit among the (counted) hits of its lane, from 0."""
    return sum_before(lane, np.ones(len(lane), dtype=bool) if counted is None else counted)


def total(lane: Whole, amount: int | NDArray[np.bool_ | np.integer], n: int) -> Whole:
    """(n,). The sum per lane."""
    if isinstance(amount, np.ndarray):
        return np.bincount(lane, weights=amount, minlength=n).astype(np.int64)
    return np.bincount(lane, minlength=n) * amount


def take_batch(s: State, hero: int, hits: Hits, source: Source) -> None:
    """BF-A3: a hero saves against a batch; its steps (1) to (8)."""
    hits = not_covered(s, hero, hits, source)  # (1)
    if not len(hits.lane):
        return
    shown: list[Roll] = []  # the dice, for whoever listens
    saved = save(s, hero, hits, source, shown)  # (2), (3)
    unsaved = hits.only(~saved)
    if s.facts.plans[hero].last_chance:
        last_bandages(s, hero, unsaved, source)  # (4)
    damage = roll_damage(s, hero, unsaved, source, shown)  # (5)
    placed, revived = place_wounds(s, hero, unsaved, damage, source, Stand(hits, saved, shown))  # (6), (7)
    credit_batch(s, hits, unsaved, parts(unsaved.lane, damage, placed), source)
    follow_up(s, hero, hits, unsaved, placed, revived, source)  # (8)


def not_covered(s: State, hero: int, hits: Hits, source: Source) -> Hits:
    """BF-A3(1): the hits that Cover does not cancel; of those that count double only the first of a lane does."""
    cover = s.own(s.facts.plot.heroes[hero].cover, hits.lane)
    nobody = not np.any(cover)
    if nobody and not hits.doubled.any():
        return hits
    place = place_in_lane(hits.lane)
    hits.doubled = hits.doubled & (place == 0)
    if nobody:
        return hits
    die = s.luck.die(6, f"{source.name}/cover", s.round, hero, source.first + place, hits.lane)
    if s.tell:
        shown = dice(die[:, None], 6, cover, purpose="cover", measure="saves")
        told: dict[str, Any] = {"saved": (die >= cover).sum(), "hits": len(die)}
        s.tell.event("BF-A3", "is_covered", hits.lane, who=hero, rolls=[shown], **told)
    return hits.only((die < cover) | (cover == 0))


def save(s: State, hero: int, hits: Hits, source: Source, shown: list[Roll]) -> Mask:
    """(hits,). BF-A3(2), BF-A3(3): Defense for every hit that allows it, once more for Grit. Returns the saved ones."""
    lane, rolls = hits.lane, ~hits.ignores
    needed = defense_needed(s, hero)
    index = source.first + place_in_lane(lane, rolls)
    saved = np.zeros(len(lane), dtype=bool)

    def roll(some: Whole, purpose: str) -> None:
        runs = columns(lane, some)
        faces = s.luck.die(6, f"{source.name}/{purpose}", s.round, hero, columns(index, some), runs)
        saved[some] = faces >= columns(needed, runs)
        if s.tell and len(some):
            shown.append(dice(faces[:, None], 6, needed[runs], purpose=purpose, measure="saves"))

    roll(which(rolls), "defense")
    paying = pays_for_defense(s, hero, hits, saved)
    if len(paying):
        spend_grit(s, hero, paying, "defense")
        roll(which(rolls & ~saved & np.isin(lane, paying)), "defense again")
    return saved


def pays_for_defense(s: State, hero: int, hits: Hits, saved: Mask) -> Lanes:
    """BF-P6: where failed Defense dice would mean KO and rolling them again could prevent it."""
    n, lane, rolls = s.size, hits.lane, ~hits.ignores
    able = s.facts.plans[hero].saves and s.facts.is_on("grit_use")
    if not able or not (columns(s.grit[hero], lane) > 0).any():
        return np.zeros(0, dtype=np.int64)
    twice = expected_twice(s, hero, hits)
    left = 2 * s.health_left(hero, s.everyone)
    danger = (total(lane, twice * ~saved, n) >= left) & (s.grit[hero] > 0)
    if not danger.any():
        return which(danger)
    hopeless = total(lane, twice * ~rolls, n) >= left
    failed = total(lane, rolls & ~saved, n) > 0
    return which(danger & ~hopeless & failed)


def roll_damage(s: State, hero: int, hits: Hits, source: Source, shown: list[Roll]) -> Whole:
    """(hits,). BF-A3(5): the damage of every unsaved hit: its D6, doubled for the first, Death Mark on top."""
    lane = hits.lane
    damage = hits.damage.astype(np.int64)
    rolled = which(hits.dice)
    if len(rolled):
        index = source.first + place_in_lane(lane)[rolled]
        faces = s.luck.die(6, f"{source.name}/damage", s.round, hero, index, lane[rolled])
        damage[rolled] += faces
        if s.tell:
            shown.append(dice(faces[:, None], 6, purpose="damage"))
    damage *= 1 + hits.doubled
    damage += 2 * (columns(s.status[DEATH_MARK, hero], lane) > 0)
    return damage


@dataclass(frozen=True, slots=True)
class Stand:
    """How a hero stood up to a batch, for whoever listens."""

    hits: Hits
    saved: Mask  # (hits,)
    shown: list[Roll]

    def tell(self, s: State, hero: int, damage: Whole) -> None:
        """All of it in one event, with the wounds placed (runs,)."""
        if not s.tell:
            return
        at, hits, saved = np.unique(self.hits.lane), len(self.saved), int(self.saved.sum())
        s.tell.event(
            "BF-A3",
            "takes_hits",
            at,
            who=hero,
            rolls=self.shown,
            hits=hits,
            saved=saved,
            all_saved=saved == hits,
            sure=self.hits.ignores.sum(),
            damage=damage[at],
            left=s.health_left(hero, at),
        )


def place_wounds(
    s: State, hero: int, hits: Hits, damage: Whole, source: Source, stand: Stand
) -> tuple[Whole, Mask]:
    """(runs,) each. BF-A3(6), BF-A3(7): Armor, then wounds. Returns the wounds placed and who spent a revive token."""
    placed, revived = np.zeros(s.size, dtype=np.int64), np.zeros(s.size, dtype=bool)
    wounds = total(hits.lane, damage, s.size)
    struck = which(wounds > 0)
    if not len(struck):
        stand.tell(s, hero, placed)
        return placed, revived
    open_to_armor = total(hits.lane, damage * ~hits.pierces, s.size)[struck]
    wounds[struck] -= armor_saves(s, hero, struck, open_to_armor, source.name, source.first)
    hurt = which(wounds > 0)
    placed[hurt] = place(s, hero, hurt, wounds[hurt], source.kind)
    if s.tell:
        stand.shown.extend(armor_shown(s, hero, int(open_to_armor[0]), source.name, source.first))
        stand.tell(s, hero, placed)
    revived[hurt] = check_ko(s, hero, hurt)
    if s.facts.is_on("dangerous_dynamite"):
        set_off(s, hero, wounds, source.name, source.number)
    return placed, revived


def credit_batch(s: State, hits: Hits, unsaved: Hits, placed: Whole, source: Source) -> None:
    """The hits of a batch that Cover let through, and the wounds placed of each unsaved one, for who did them."""
    if source.kind is None:
        return
    shot_with = (source.ability,) if source.ability else (blow_of(s, source.kind), SHOTS)
    for number, ability in enumerate(shot_with):
        all_alike = len(shot_with) == 1
        landed = hits.lane if all_alike else keep(hits.lane, hits.melee == (number == 0))
        if not len(landed):
            continue
        hurting = np.ones(len(placed), dtype=bool) if all_alike else unsaved.melee == (number == 0)
        number_of = total(landed, 1, s.size)
        at = which(number_of > 0)
        damage = total(keep(unsaved.lane, hurting), keep(placed, hurting), s.size)
        credit(s, source.kind, ability, at, hits=cut(number_of, at), damage=cut(damage, at))


def follow_up(
    s: State, hero: int, hits: Hits, unsaved: Hits, placed: Whole, revived: Mask, source: Source
) -> None:
    """BF-A3(8): side effects of wounds, then the Horror Hits of all hits; a KO or a revive token ends the batch."""
    goes_on = np.zeros(s.size, dtype=bool)
    goes_on[hits.lane] = True
    goes_on &= s.live & s.standing[hero] & ~revived
    if source.kind is not None and goes_on.any():
        melee = total(unsaved.lane, unsaved.melee, s.size) > 0
        saved = side_effects(s, hero, which(goes_on), placed, melee, source)
        goes_on &= s.live & s.standing[hero]
        goes_on[saved] = False
    scared = (hits.horror > 0) & goes_on[hits.lane]
    horror(s, hero, keep(hits.lane, scared), keep(hits.horror, scared), source)


def defense_needed(s: State, hero: int) -> Tiny:
    """(runs,). BF-A5, BF-X1: the number needed; Ensnared and Stunned raise it by one each."""
    needed = s.defense[hero] + (s.status[ENSNARED, hero] > 0) + (s.status[STUNNED, hero] > 0)
    return np.clip(needed, 2, 6)


def expected_twice(s: State, hero: int, hits: Hits) -> Whole:
    """(hits,). BF-P6: twice the damage of every hit, a D6 counting 3.5."""
    twice = (2 * hits.damage.astype(np.int64) + 7 * hits.dice) * (1 + hits.doubled)
    return twice + 4 * (columns(s.status[DEATH_MARK, hero], hits.lane) > 0)


def last_bandages(s: State, hero: int, hits: Hits, source: Source) -> None:
    """BF-P8, BF-A3(4): Bandages while the unsaved hits would knock the hero out."""
    expected = total(hits.lane, expected_twice(s, hero, hits), s.size)
    at = which(expected > 0)
    for used in range(5):
        needs = expected[at] >= 2 * s.health_left(hero, at)
        at = keep(at, needs & (cut(s.bag[BANDAGES, hero], at) > 0) & (cut(s.wounds[hero], at) > 0))
        if not len(at):
            return
        spend_token(s, hero, at, BANDAGES)
        healing = s.luck.die(6, f"{source.name}/bandages", s.round, hero, source.first + used, at)
        healed = heal_wounds(s, hero, at, healing)
        if s.tell:
            shown = [dice(healing, 6, purpose="to heal")]
            s.tell.event("BF-P8", "bandages_in_time", at, who=hero, rolls=shown, healed=healed)


def side_effects(s: State, hero: int, at: Lanes, placed: Whole, melee: Mask, source: Source) -> Lanes:
    """BF-A3(8): markers and Corruption that follow wounds of a group's attack; `placed` and `melee` are (runs,).

    Returns the lanes in which a revive token was spent.
    """
    hurt = keep(at, placed[at] > 0)
    saved = np.zeros(0, dtype=np.int64)
    kind = source.kind
    if kind is None or not len(hurt) or source.name != "BF-A2":
        return saved
    mauled = keep(hurt, melee[hurt])
    bleeding = []
    for code, marker in enumerate(data.MARKERS):
        for key, wounded in ((f"wound:{marker}", hurt), (f"melee_wound:{marker}", mauled)):
            if len(wounded) and s.kind_may(kind, key):
                given = keep(wounded, s.kind_has(key, kind, wounded))
                give_marker(s, hero, given, code)
                if marker == "bleeding":
                    bleeding.append(given)
    if bleeding:
        at_risk = np.unique(np.concatenate(bleeding))
        saved = keep(at_risk, check_ko(s, hero, at_risk))
    if s.kind_may(kind, "cursed"):
        cursed = still_up(s, hero, np.setdiff1d(mauled, saved))
        corrupt(s, hero, keep(cursed, s.kind_has("cursed", kind, cursed)), source)
    return saved


def horror(
    s: State, hero: int, lane: Whole, damage: NDArray[np.integer], source: Source, kinds: Whole | None = None
) -> None:
    """BF-A6, BF-P6: one Willpower D6 per Horror Hit; Grit if the failures would be the end; Spirit Armor per point.

    `kinds` says of every hit which kind it comes from, where they come from several.
    """
    if not len(lane):
        return
    index = source.first + place_in_lane(lane)
    needed = np.clip(s.willpower[hero], 2, 6)[lane]
    faces = s.luck.die(6, f"{source.name}/willpower", s.round, hero, index, lane)
    failed = faces < needed
    shown = [dice(faces[:, None], 6, needed, purpose="willpower", measure="saves")] if s.tell else []
    if s.facts.plans[hero].saves and s.facts.is_on("grit_use"):
        lost = total(lane, damage * failed, s.size)
        paying = which((lost > 0) & (lost >= s.sanity[hero] - s.sdmg[hero]) & (s.grit[hero] > 0))
        if len(paying):
            spend_grit(s, hero, paying, "willpower")
            again = which(failed & np.isin(lane, paying))
            die = s.luck.die(6, f"{source.name}/willpower again", s.round, hero, index[again], lane[again])
            failed[again] = die < needed[again]
            if s.tell:
                shown.append(dice(die[:, None], 6, needed, purpose="willpower again", measure="saves"))
    lost = total(lane, damage * failed, s.size)
    at = which(lost > 0)
    points = lost[at] - spirit_armor_saves(s, hero, at, lost[at], source)
    frightened = points > 0
    if not (frightened.any() or s.tell):
        return
    suffering = keep(at, frightened)
    placed = np.zeros(s.size, dtype=np.int64)
    placed[suffering] = frighten(s, hero, suffering, keep(points, frightened))
    whose = source.kind if kinds is None else keep(kinds, failed)
    if len(suffering):
        credit_fright(s, keep(lane, failed), keep(damage, failed), placed, whose)
    if s.tell:
        facing = np.unique(lane)
        left, lost_points = s.sanity_left(hero, facing), placed[facing]
        resisted = len(failed) - int(failed.sum())
        told: dict[str, Any] = {"hits": len(lane), "resisted": resisted, "points": lost_points, "left": left}
        s.tell.event("BF-A6", "faces_horror", facing, who=hero, rolls=shown, **told)
    check_ko(s, hero, suffering)


def credit_fright(
    s: State, lane: Whole, damage: NDArray[np.integer], placed: Whole, kinds: Whole | int | None
) -> None:
    """The sanity damage placed (runs,) for the kinds that the failed Horror Hits come from."""
    done = parts(lane, damage.astype(np.int64), placed)
    of_hit = np.broadcast_to(np.asarray(-1 if kinds is None else kinds), len(lane))
    for kind in np.unique(of_hit).tolist():
        if kind >= 0:
            s.group_frightened[kind] += total(keep(lane, of_hit == kind), keep(done, of_hit == kind), s.size)


def spirit_armor_saves(s: State, hero: int, at: Lanes, points: Whole, source: Source) -> Whole:
    """(lanes,). BF-A6: how many points of sanity damage Spirit Armor prevents, one D6 each."""
    needed = per_lane(s.own(s.facts.plot.heroes[hero].spirit_armor, at), at)
    prevented = np.zeros(len(at), dtype=np.int64)
    if not needed.any():
        return prevented
    for i in range(int(points.max(initial=0))):
        more = which((points > i) & (needed > 0))
        die = s.luck.die(6, f"{source.name}/spirit armor", s.round, hero, source.first + i, at[more])
        prevented[more] += die >= needed[more]
    return prevented


def corrupt(s: State, hero: int, at: Lanes, source: Source) -> None:
    """BF-A7: one Corruption Hit, saved by Willpower; only counted."""
    if not len(at):
        return
    die = s.luck.die(6, f"{source.name}/corruption", s.round, hero, source.first, at)
    needed = np.clip(cut(s.willpower[hero], at), 2, 6)
    s.corruption[hero, at] += die < needed
    if s.tell:
        shown = [dice(die, 6, needed, purpose="willpower", measure="saves")]
        s.tell.event("BF-A7", "is_corrupted", at, who=hero, rolls=shown, saved=die >= needed)
