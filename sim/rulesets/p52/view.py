"""What a hero sees on its turn: everything that policy lines ask about, worked out once when first asked."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import FAR, Bits
from sim.core.lanes import (
    Lanes,
    Mask,
    Small,
    Tiny,
    Whole,
    Wide,
    add,
    columns,
    cut,
    each,
    keep,
    lookup,
    pairs,
    put,
    which,
)
from sim.core.varying import Varying
from sim.rulesets.p52 import data
from sim.rulesets.p52.attack_tables import PLACES, Best
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.kits import IMPOSSIBLE
from sim.rulesets.p52.remembered import Narrowed, remembered
from sim.rulesets.p52.rules.reach import Walk, reach_of
from sim.rulesets.p52.rules.support import routable
from sim.rulesets.p52.state import State
from sim.rulesets.p52.worth import Scene

STURDY = 128  # more than there are types in one encounter
NOT_IN_QUESTION = np.int32(1 << 30)  # larger than any rank


class View(Narrowed):
    """One hero at the beginning of its turn, in the lanes of the turn. Arrays are (things, lanes)."""

    def __init__(self, s: State, hero: int, at: Lanes, wider: View | None = None, places: Whole | None = None) -> None:
        super().__init__(wider, np.arange(len(at)) if places is None else places)
        self.s, self.hero, self.at = s, hero, at
        self.kit = s.facts.kits[hero]
        self.ground = s.space.ground
        self.slots = s.space.slots

    @cached_property
    def lane(self) -> Whole:
        """(lanes,). The lanes of the view by their place in it."""
        return np.arange(len(self.at))

    @cached_property
    def index(self) -> Whole:
        """(runs,). Where a lane of the batch stands in this view, -1 if it does not."""
        index = np.full(self.s.size, -1, dtype=np.int64)
        index[self.at] = self.lane
        return index

    def of(self, at: Lanes) -> View:
        """The view of these lanes, which are among those of the turn: this one, or a narrower one."""
        if at is self.at:
            return self
        view: View | None = self
        while view is not None:
            if at is view.at or (len(at) == len(view.at) and np.array_equal(at, view.at)):
                return view
            if len(at) < len(view.at):
                places = at if len(view.at) == self.s.size else columns(view.index, at)
                if places is at or (places >= 0).all():
                    return View(self.s, self.hero, at, view, places)
            view = view.wider
        raise LookupError("a policy looked at lanes that do not take this turn")

    # -- enemies -------------------------------------------------------------------------------------------------

    @cached_property
    def scene(self) -> Scene:
        """The enemies as attacks see them."""
        return Scene(self.s, self.hero, self.at)

    @remembered
    def standing(self) -> Mask:
        """(slots, lanes). Enemies that are left."""
        return self.s.standing_foes(self.at)

    @remembered
    def best(self) -> Best:
        """(slots, lanes). P52-Y2: the best attack on every enemy; 0 if there is none."""
        near = which(self.somebody_near(self.hero, self.lane))
        if 2 * len(near) > len(self.at):
            return self.scene.best()
        found = np.zeros((self.slots, len(self.at)), dtype=np.int32)
        if len(near):
            found[:, near] = Scene(self.s, self.hero, self.at[near]).best()
        return found

    @remembered
    def worth(self) -> Wide:
        """(slots, lanes). What the best attack is worth."""
        return self.best // PLACES

    @remembered
    def foe_hp(self) -> Small:
        """(slots, lanes)."""
        return cut(self.s.foe_hp[: self.slots], self.at)

    @remembered
    def spot(self) -> Small:
        """(lanes,). Where the hero stands."""
        return cut(self.s.spot[self.hero], self.at)

    @remembered
    def steps(self) -> Small:
        """(slots, lanes). P52-Y6."""
        return lookup(self.ground.steps, self.spot, self.s.foe_spots(self.at))

    @remembered
    def ranges(self) -> Small:
        """(slots, lanes)."""
        return lookup(self.ground.range, self.spot, self.s.foe_spots(self.at))

    @remembered
    def sees(self) -> Mask:
        """(slots, lanes). Enemies in line of sight."""
        return lookup(self.ground.sight, self.spot, self.s.foe_spots(self.at)) & self.standing

    @remembered
    def aimed_at(self) -> Mask:
        """(slots, lanes). Enemies that `aim_at` names."""
        return np.arange(self.slots)[:, None] == cut(self.s.aim_at[self.hero], self.at)

    @remembered
    def charge_worth(self) -> Wide:
        """(slots, lanes). P52-Y1 of a charge onto an enemy's spot; 0 where it is not 1 or 2 steps away."""
        worth = np.zeros((self.slots, len(self.at)), dtype=np.int32)
        if self.kit.charge is None:
            return worth
        enemy, lane = pairs((self.steps >= 1) & (self.steps <= 2) & self.standing)
        if len(lane):
            spot = each(self.scene.foe_spot, enemy, lane)
            put(worth, enemy, lane, self.scene.sum_at(self.kit.charge, enemy, lane, spot))
        return worth

    @remembered
    def nearest_steps(self) -> Small:
        """(lanes,). Steps to the nearest enemy."""
        return np.where(self.standing, self.steps, np.int16(FAR)).min(axis=0)

    @remembered
    def rooted(self) -> Mask:
        """(lanes,). All living enemies have movement 0."""
        mobile = self.s.find(self.s.facts.type_movement, self.at, self.s.foe_kinds(self.at)) > 0
        return ~np.any(mobile & self.standing, axis=0)

    def somebody_near(self, hero: int, some: Whole) -> Mask:
        """(lanes,). Whether an enemy stands where a hero could hit it at all; `some` are lanes of the view."""
        at = self.at[some]
        near = self.s.find_columns(self.s.space.in_reach[hero], at, cut(self.s.spot[hero], at))
        return self.ground.board.bits.any(near & cut(self.foes, some))

    # -- the party's target --------------------------------------------------------------------------------------

    @remembered
    def focus(self) -> Whole:
        """(lanes,). P52-Y15: the party's target: the weakest enemy that some hero can attack now."""
        chosen = first_of(self.rank, self.standing)
        # Whoever can attack the weakest of all settles it; only the other lanes need to look at the whole party.
        asking = which(~each(self.attackable, chosen, self.lane) & (cut(self.s.standing, self.at) > 1))
        for hero in self.others:
            asking = keep(asking, ~can_attack(self.s, hero, self.at[asking], chosen[asking]))
        if len(asking):
            chosen[asking] = first_of(cut(self.rank, asking), self.attackable_by_party(asking))
        return chosen

    @property
    def others(self) -> list[int]:
        """The other heroes."""
        return [hero for hero in range(self.s.heroes) if hero != self.hero]

    @remembered
    def rank(self) -> Wide:
        """(slots, lanes). Lowest hp, then highest maximum, then first in line, in one number for `first_of`."""
        space = self.s.space
        kind = self.s.foe_kinds(self.at) if space.kinds is None else space.kinds
        rank = self.foe_hp * np.int32(STURDY * data.MOST_ENEMIES)
        rank += self.s.find(space.sturdy, self.at, kind) * np.int32(data.MOST_ENEMIES)
        rank += np.arange(self.slots, dtype=np.int32)[:, None]
        return rank

    @remembered
    def attackable(self) -> Mask:
        """(slots, lanes). Enemies that this hero can attack now."""
        return (self.best > 0) & (cut(self.s.hp[self.hero], self.at) > 0)

    def attackable_by_party(self, some: Whole) -> Mask:
        """(slots, lanes). Enemies that any hero can attack now, else all of them; `some` are lanes of the view."""
        s, at = self.s, self.at[some]
        attackable = columns(self.attackable, some)
        for hero in self.others:
            able = which((cut(s.hp[hero], at) > 0) & self.somebody_near(hero, some))
            if len(able):
                attackable[:, able] |= Scene(s, hero, at[able]).able()
        return attackable | (cut(self.standing, some) & ~attackable.any(axis=0))

    @remembered
    def focused(self) -> Mask:
        """(slots, lanes)."""
        return np.arange(self.slots)[:, None] == self.focus

    # -- heroes --------------------------------------------------------------------------------------------------

    @remembered
    def friend_ranges(self) -> Small:
        """(heroes, lanes). Range to every hero, UNSEEN where it is not in sight."""
        return lookup(self.ground.seen_range, self.spot, cut(self.s.spot, self.at))

    @remembered
    def heal_target(self) -> Small:
        """(heroes, lanes). The target number of Heal."""
        if "heal" not in self.kit.support:
            return np.full((self.s.heroes, len(self.at)), IMPOSSIBLE, dtype=np.int16)
        return self.s.find(self.kit.support["heal"].target, self.at, np.minimum(self.friend_ranges, HERO_MOST))

    @remembered
    def hurt_heroes(self) -> Tiny:
        """(lanes,). Living heroes at half their hit points or less."""
        hp = cut(self.s.hp, self.at)
        return ((hp >= 0) & (2 * hp <= self.s.own(self.s.facts.max_hp, self.at))).sum(axis=0, dtype=np.int8)

    # -- spots ---------------------------------------------------------------------------------------------------

    @remembered
    def foes(self) -> Bits:
        """(words, lanes). The spots of enemies."""
        return self.s.foes_set(self.at)

    @remembered
    def reach(self) -> Walk:
        """P52-Y5: spots that can be entered this turn, and those that can be waded towards."""
        movement = self.s.own(self.kit.facts.movement, self.at)
        return reach_of(self.s, self.spot, movement, self.foes, cut(self.s.wade[self.hero], self.at))

    @remembered
    def reachable(self) -> Mask:
        """(spots, lanes)."""
        return self.ground.board.bits.cells(self.reach.entered | self.reach.waded)

    @remembered
    def spot_cost(self) -> Small:
        """(spots, lanes). Movement points to get there."""
        movement = self.kit.facts.movement
        if not isinstance(movement, Varying):
            return self._spot_cost(movement, self.lane)
        cost = np.zeros((self.ground.size, len(self.at)), dtype=np.int16)
        for value, some in self.s.apart(movement, self.at):
            cost[:, some] = self._spot_cost(value, self.lane[some])
        return cost

    def _spot_cost(self, movement: int, some: Whole) -> Small:
        """(spots, lanes). The same for some lanes of the view, which have the same movement."""
        if movement == 1:
            begun = cut(self.s.wade[self.hero], cut(self.at, some)) == np.arange(self.ground.size)[:, None]
            return np.int16(1) + (self.ground.obstructed[:, None] & ~begun)
        enter = self.ground.enter if self.ground.any_obstructed else None
        spot, stops = cut(self.spot, some), cut(self.foes, some)
        return self.ground.board.reach(spot, movement, stop=stops, enter=enter).distance()

    @remembered
    def spot_shoots(self) -> Mask:
        """(spots, lanes). P52-Y13: an attack at R >= 2 is legal from there, without aim."""
        shoots = np.zeros((self.ground.size, len(self.at)), dtype=bool)
        spot, lane = pairs(self.reachable)
        if len(lane):
            scene = Scene(self.s, self.hero, self.at[lane], spot, aimed=False)
            put(shoots, spot, lane, np.any((scene.best() > 0) & (scene.range >= 2), axis=0))
        return shoots

    @remembered
    def spot_focus_damage(self) -> Wide:
        """(spots, lanes). P52-Y15: worth of the best attack on the party's target from there, without aim."""
        s, bits = self.s, self.ground.board.bits
        worth = np.zeros((self.ground.size, len(self.at)), dtype=np.int32)
        goal = each(s.foe_spot, self.focus, self.at)
        useful = (self.reach.entered | self.reach.waded) & s.find_columns(s.space.in_reach[self.hero], self.at, goal)
        some = which(bits.any(useful))
        if not len(some):
            return worth
        spot, place = pairs(bits.cells(cut(useful, some)))
        lane = some[place]
        best = Scene(s, self.hero, self.at[lane], spot, aimed=False).best_on(self.focus[lane])
        put(worth, spot, lane, best // PLACES)
        return worth

    @remembered
    def spot_focus_range(self) -> Small:
        """(spots, lanes). Range from every spot to the party's target."""
        return columns(self.ground.range, each(self.s.foe_spot, self.focus, self.at))

    def on_spots(self, counted: NDArray[Any]) -> Wide:
        """(spots, lanes). The sum over the enemies of each spot."""
        total = np.zeros((self.ground.size, len(self.at)), dtype=np.int32)
        for enemy in range(self.slots):
            add(total, cut(self.s.foe_spot[enemy], self.at), self.lane, counted[enemy])
        return total

    @remembered
    def spot_enemies(self) -> Wide:
        """(spots, lanes)."""
        return self.on_spots(self.standing)

    @remembered
    def spot_boss(self) -> Mask:
        """(spots, lanes)."""
        if not self.s.facts.type_boss.any():
            return np.zeros((self.ground.size, len(self.at)), dtype=bool)
        bosses = lookup(self.s.facts.type_boss, self.s.foe_kinds(self.at))
        return self.on_spots(self.standing & bosses) > 0

    @remembered
    def spot_routable(self) -> Wide:
        """(spots, lanes). Enemies that Threaten would rout."""
        return self.on_spots(routable(self.s, self.at))

    @remembered
    def spot_threat(self) -> Whole:
        """(spots, lanes). P52-Y15: chance of Threaten without a card times the hit points there, in 169ths."""
        hp = self.on_spots(routable(self.s, self.at) * self.foe_hp)
        winning = self.s.find(self.kit.support["threaten"].winning, self.at, self.spot_routable)
        return winning * 13 * hp.astype(np.int64)


def first_of(rank: Wide, candidates: Mask) -> Whole:
    """(lanes,). Of these the one with the smallest rank, whose last bits are the enemy."""
    others = ~candidates
    least: Wide = np.min(rank + NOT_IN_QUESTION * others.view(np.int8), axis=0)
    return (least & (data.MOST_ENEMIES - 1)).astype(np.int64)


def can_attack(s: State, hero: int, at: Lanes, enemy: Whole) -> Mask:
    """(lanes,). P52-Y2: whether a hero, if it is fit, can attack one enemy per lane."""
    distance = lookup(s.space.ground.hero_range, cut(s.spot[hero], at), each(s.foe_spot, enemy, at))
    near = which(s.find(s.facts.kits[hero].reaches, at, distance) & (cut(s.hp[hero], at) > 0))
    able = np.zeros(len(at), dtype=bool)
    if len(near):
        able[near] = Scene(s, hero, at[near]).able_on(enemy[near])
    return able
