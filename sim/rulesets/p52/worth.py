"""What attacks are worth to a hero: expected damage in 169ths (P52-Y1, P52-Y2)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, Wide, columns, cut, each, lookup, pairs, put, which
from sim.rulesets.p52.attack_tables import AIMS, FROZEN, Best, HeroAttack, as_best
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.state import NOWHERE, STANDING, State

NO_COUNTER = ("thrust", "charge", "tap")  # P52-C8
NO_WORTH = ("charge", "tap", "frost")  # left out by P52-Y2, or without damage


class Scene:
    """The enemies as a hero's attacks see them, (slots, lanes) each, worked out when first asked for.

    A lane may be named several times, with different spots of the hero: what it would be worth to stand there. Within
    the scene a lane is a place in `at`; a pair is an enemy and a lane.
    """

    def __init__(self, s: State, hero: int, at: Lanes, spot: Whole | None = None, aimed: bool = True) -> None:
        self.s, self.hero, self.at = s, hero, at
        self.slots = s.space.slots
        self.ground = s.space.ground
        self.kit = s.facts.kits[hero]
        self.spot = columns(s.spot[hero], at) if spot is None else spot  # (lanes,)
        self.stock = s.stock_of(hero, at)  # (lanes,)
        self.aimed = aimed
        self.rows = cut if spot is None else columns  # how to look up the state in these lanes

    @cached_property
    def foe_spot(self) -> Small:
        """(slots, lanes)."""
        return self.rows(self.s.foe_spot[: self.slots], self.at)

    @cached_property
    def here(self) -> Mask:
        """(slots, lanes). Enemies that are left."""
        return self.rows(self.s.gone[: self.slots], self.at) == STANDING

    @cached_property
    def range(self) -> Tiny:
        """(slots, lanes). HERO_MOST: gone, out of range or not seen."""
        seen = lookup(self.ground.hero_range, self.spot, self.foe_spot)
        return np.maximum(seen, np.int8(HERO_MOST) * ~self.here)

    @cached_property
    def kind(self) -> Small:
        """(slots, lanes), or (slots, 1) where nobody is drawn from the enemy deck."""
        listed = self.s.space.kinds
        return self.rows(self.s.kind[: self.slots], self.at) if listed is None else listed

    @cached_property
    def condition(self) -> Tiny | None:
        """(slots, lanes). FROZEN if it is, and the aim on it; None if there is nothing of the kind."""
        s, found = self.s, None
        if s.facts.freezers:
            held = self.rows(s.frozen[: self.slots], self.at) > 0
            if s.facts.ices:
                held |= self.rows(s.iced[: self.slots], self.at)
            if held.any():
                found = FROZEN * held.view(np.int8)
        if self.aimed and cut(s.aim[self.hero], self.at).any():
            on_them = s.aim_on(self.hero, np.arange(self.slots)[:, None], self.at)
            found = on_them if found is None else found + on_them
        return found

    @cached_property
    def friends(self) -> Small:
        """(heroes, lanes). Spots of the living heroes, this one where it would stand; NOWHERE for the dead."""
        spots = columns(self.s.spot, self.at)
        spots[self.hero] = self.spot
        spots[columns(self.s.hp, self.at) < 0] = NOWHERE
        return spots

    def kind_of(self, enemy: Whole, lane: Whole) -> Small:
        """(pairs,)."""
        if self.kind.shape[1] == 1:
            return lookup(self.kind[:, 0], enemy)
        return each(self.kind, enemy, lane)

    def frozen_of(self, enemy: Whole, lane: Whole) -> Tiny | int:
        """(pairs,). The part of the condition that says whether an enemy is frozen; 0 if nobody is."""
        return 0 if self.condition is None else each(self.condition, enemy, lane) & FROZEN

    def aim_of(self, enemy: Whole, lane: Whole) -> Tiny | int:
        """(pairs,). The part of the condition that is the aim on an enemy; 0 if there is none."""
        return 0 if self.condition is None else each(self.condition, enemy, lane) & (AIMS - 1)

    # -- the best attack -----------------------------------------------------------------------------------------

    def best(self) -> Best:
        """(slots, lanes). P52-Y2: the best attack on every enemy; 0 if there is none."""
        found = self._alone()
        if self.kit.areas:
            self._add_areas(found, self.range <= self.s.own(self.kit.areas_most, self.at))
        return found

    def able(self) -> Mask:
        """(slots, lanes). P52-Y2: whom there is any attack on: areas are looked at where there is no other."""
        found = self._alone()
        if self.kit.areas:
            self._add_areas(found, (self.range <= self.s.own(self.kit.areas_most, self.at)) & (found == 0))
        return found > 0

    def _alone(self) -> Best:
        """(slots, lanes). The best attack on every enemy alone."""
        if not self.kit.alone:
            return np.zeros((self.slots, len(self.at)), dtype=np.int32)
        condition = 0 if self.condition is None else self.condition
        return self.s.find(self.kit.best, self.at, self.stock, self.kind, condition, self.range)

    def _add_areas(self, found: Best, near: Mask) -> None:
        """Attacks that depend on who stands where, in those places of (slots, lanes)."""
        enemy, lane = pairs(near)
        alone, distance = each(found, enemy, lane), each(self.range, enemy, lane)
        put(found, enemy, lane, self._with_areas(alone, enemy, lane, distance, counter=False))

    def best_on(self, enemy: Whole, counter: bool = False) -> Best:
        """(lanes,). P52-Y2: the best attack on one enemy per lane, who is there; 0 if there is none."""
        found, distance = self._alone_on(enemy)
        lane = np.arange(len(self.at))
        return self._with_areas(found, enemy, lane, distance, counter) if self.kit.areas else found

    def able_on(self, enemy: Whole) -> Mask:
        """(lanes,). P52-Y2: whether there is any attack on one enemy per lane, who is there."""
        found, distance = self._alone_on(enemy)
        lane = which(found == 0)
        if self.kit.areas and len(lane):
            found[lane] = self._with_areas(found[lane], enemy[lane], lane, distance[lane], counter=False)
        return found > 0

    def _alone_on(self, enemy: Whole) -> tuple[Best, Tiny]:
        """(lanes,) each. The best attack on one enemy per lane alone, and how far away it is."""
        s, lane = self.s, np.arange(len(self.at))
        distance = lookup(self.ground.hero_range, self.spot, each(s.foe_spot, enemy, self.at))
        condition: Tiny | Whole | int = FROZEN * s.is_frozen(enemy, self.at) if s.facts.freezers else 0
        if self.aimed:
            condition = condition + s.aim_on(self.hero, enemy, self.at)
        return s.find(self.kit.best, self.at, self.stock, self.kind_of(enemy, lane), condition, distance), distance

    def _with_areas(self, found: Best, enemy: Whole, lane: Whole, distance: Tiny, counter: bool) -> Best:
        """(pairs,). The better of what was found and the attacks whose worth depends on who stands where."""
        stock = columns(self.stock, lane)
        for attack in self.kit.areas:
            if attack.shape in NO_WORTH or (counter and attack.shape in NO_COUNTER):
                continue
            able = which(self.s.find(attack.legal, self.at[lane], stock, distance))
            if len(able):
                gain = self.area_worth(attack, enemy[able], lane[able], distance[able])
                found[able] = np.maximum(found[able], as_best(gain, attack.place))
        return found

    def legal(self, attack: HeroAttack) -> Mask:
        """(slots, lanes). P52-H4, P52-H12: whom the attack may be made on; not for Charge."""
        return self.s.find(attack.legal, self.at, self.stock, self.range)

    # -- attacks that depend on who stands where -----------------------------------------------------------------

    def part_of(
        self, attack: HeroAttack, enemy: Whole, victim: Whole, lane: Whole, share: int | Whole, param: Tiny | Whole
    ) -> Wide:
        """(pairs,). What one victim of an attack on a target contributes."""
        at = self.at[lane]
        variant = self.s.find(attack.variant, at, columns(self.stock, lane))
        condition = self.frozen_of(victim, lane) + self.aim_of(enemy, lane)
        return self.s.find(attack.worth, at, variant, self.kind_of(victim, lane), condition, share, param)

    def area_worth(self, attack: HeroAttack, enemy: Whole, lane: Whole, distance: Tiny) -> Wide:
        """(pairs,). P52-Y1 of an area attack on one enemy per pair, where it is legal."""
        spot = each(self.foe_spot, enemy, lane)
        if attack.shape == "thrust":
            return self.sum_at(attack, enemy, lane, spot)
        gain = self.part_of(attack, enemy, enemy, lane, 0, distance)
        if attack.shape == "storm":
            return gain * (self.heroes_near(spot, lane, 0) == 0)
        if attack.shape == "wave":
            return gain + self.stuck_worth(attack, enemy, lane, spot, distance)
        gain += self.others_worth(attack, enemy, lane, spot, distance)
        friends = self.heroes_near(spot, lane, 0 if attack.shape == "splash" else 1)
        if friends.any():
            at = self.at[lane]
            variant = self.s.find(attack.variant, at, columns(self.stock, lane))
            gain = gain - friends * self.s.find(attack.toll, at, variant, self.aim_of(enemy, lane), distance)
        return gain

    def stuck_worth(self, attack: HeroAttack, enemy: Whole, lane: Whole, spot: Small, distance: Tiny) -> Wide:
        """(pairs,). P52-I39: what Tidal Wave costs an enemy besides that cannot be pushed away."""
        stuck = ~lookup(self.ground.pushable, spot, columns(self.spot, lane))
        condition = self.frozen_of(enemy, lane) + self.aim_of(enemy, lane)
        lands = self.s.find(attack.lands, self.at[lane], self.kind_of(enemy, lane), condition, distance)
        return stuck * lands * (2 * self.s.own(self.s.facts.level, self.at[lane]))

    def others_worth(self, attack: HeroAttack, enemy: Whole, lane: Whole, spot: Small, distance: Tiny) -> Wide:
        """(pairs,). What Fire Ball and Meteor Strike do to the other enemies on the spot and beside it."""
        gain = np.zeros(len(lane), dtype=np.int32)
        for other in range(self.slots):
            apart = lookup(self.ground.steps, spot, columns(self.foe_spot[other], lane))
            caught = which((apart <= 1) & (enemy != other) & columns(self.here[other], lane))
            if len(caught):
                share = 1 + apart[caught].astype(np.int64) if attack.shape == "splash" else 0
                victim = np.full(len(caught), other)
                gain[caught] += self.part_of(attack, enemy[caught], victim, lane[caught], share, distance[caught])
        return gain

    def heroes_near(self, spot: Small, lane: Whole, most: int) -> Tiny:
        """(pairs,). Living heroes within so many steps of a spot."""
        number = np.zeros(len(lane), dtype=np.int8)
        for row in self.friends:
            theirs = columns(row, lane)
            if most == 0:
                number += theirs == spot
            else:
                number += (lookup(self.ground.steps, spot, np.maximum(theirs, 0)) <= most) & (theirs >= 0)
        return number

    def sum_at(self, attack: HeroAttack, enemy: Whole, lane: Whole, spot: Small) -> Wide:
        """(pairs,). Power Thrust and Charge: the sum over all enemies on a spot."""
        inside = (columns(self.foe_spot, lane) == spot) & columns(self.here, lane)  # (slots, pairs)
        number = inside.sum(axis=0, dtype=np.int64)
        gain = np.zeros(len(lane), dtype=np.int32)
        for other in range(self.slots):
            caught = which(inside[other])
            if len(caught):
                victim = np.full(len(caught), other)
                gain[caught] += self.part_of(attack, enemy[caught], victim, lane[caught], 0, number[caught])
        return gain
