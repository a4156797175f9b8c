"""What attacks are worth to a hero: expected damage in 169ths (P52-Y1, P52-Y2)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Whole, cut, each, which
from sim.rulesets.p52.attack_tables import Best, HeroAttack, as_best
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.state import STANDING, State

NO_COUNTER = ("thrust", "charge", "tap")  # P52-C8
NO_WORTH = ("charge", "tap", "frost")  # left out by P52-Y2, or without damage

Worth = NDArray[np.int32]


class Scene:
    """The enemies as a hero's attacks see them, (slots, lanes) each, worked out when first asked for.

    A lane may be named several times, with different spots of the hero: what it would be worth to stand there.
    """

    def __init__(self, s: State, hero: int, at: Lanes, spot: Whole | None = None, aimed: bool = True) -> None:
        self.s, self.hero, self.at = s, hero, at
        self.slots = s.space.slots
        self.kit = s.facts.kits[hero]
        self.spot = s.spot[hero].take(at).astype(np.int64) if spot is None else spot  # (lanes,)
        self.stock = s.stock_of(hero, at)  # (lanes,)
        self.aimed = aimed
        self.rows = cut if spot is None else _repeated  # how to look up rows of the state

    @cached_property
    def foe_spot(self) -> NDArray[np.int16]:
        """(slots, lanes)."""
        return self.rows(self.s.foe_spot[: self.slots], self.at)

    @cached_property
    def here(self) -> Mask:
        """(slots, lanes). Enemies that are left."""
        return self.rows(self.s.gone[: self.slots], self.at) == STANDING

    @cached_property
    def range(self) -> NDArray[np.int8]:
        """(slots, lanes). HERO_MOST: gone, out of range or not seen."""
        ground = self.s.space.ground
        seen = ground.hero_range.take(self.spot * ground.size + self.foe_spot)
        return np.maximum(seen, np.int8(HERO_MOST) * ~self.here)

    @cached_property
    def kind(self) -> Whole:
        """(slots, lanes), or (slots, 1) where nobody is drawn from the enemy deck."""
        listed = self.s.space.kinds
        return self.rows(self.s.kind[: self.slots], self.at).astype(np.int64) if listed is None else listed

    @cached_property
    def condition(self) -> NDArray[np.int8] | None:
        """(slots, lanes). Frozen x 4 + aim; None if there is nothing of the kind."""
        s, found = self.s, None
        if s.facts.freezers:
            held = self.rows(s.frozen[: self.slots], self.at) > 0
            if s.facts.ices:
                held |= self.rows(s.iced[: self.slots], self.at)
            if held.any():
                found = 4 * held.view(np.int8)
        if self.aimed:
            aim = s.aim[self.hero].take(self.at)
            if aim.any():
                on_them = aim * (s.aim_at[self.hero].take(self.at) == np.arange(self.slots)[:, None])
                found = on_them if found is None else found + on_them
        return found

    def kind_of(self, enemy: Whole, lane: Whole) -> Whole:
        """(pairs,)."""
        if self.kind.shape[1] == 1:
            return self.kind[:, 0].take(enemy)
        return self.kind.reshape(-1).take(enemy * len(self.at) + lane)

    def condition_of(self, enemy: Whole, lane: Whole, part: int = 7) -> Any:
        """(pairs,), or 0 if there is nothing of the kind; `part` 4 is frozen, 3 is aim."""
        if self.condition is None:
            return 0
        return self.condition.reshape(-1).take(enemy * len(self.at) + lane) & part

    @cached_property
    def friends(self) -> Whole:
        """(heroes, lanes). Spots of the living heroes, this one where it would stand; -1 for the dead."""
        s = self.s
        spots = s.spot.take(self.at, axis=1).astype(np.int64)
        spots[self.hero] = self.spot
        spots[s.hp.take(self.at, axis=1) < 0] = -1
        return spots

    # -- the best attack -----------------------------------------------------------------------------------------

    def best(self) -> Best:
        """(slots, lanes). P52-Y2: the best attack on every enemy; 0 if there is none."""
        if self.kit.best.any():
            place = self._place(self.stock, self.kind, self.condition, self.range)
            found = self.kit.best.reshape(-1).take(place)
        else:  # it has no attacks on one enemy alone
            found = np.zeros((self.slots, len(self.at)), dtype=np.int32)
        if self.kit.areas_most >= 0:
            pairs = which((self.range <= self.kit.areas_most).reshape(-1))
            enemy = pairs // len(self.at)
            lane = pairs - enemy * len(self.at)
            flat, distance = found.reshape(-1), self.range.reshape(-1).take(pairs).astype(np.int64)
            flat[pairs] = self._with_areas(flat.take(pairs), enemy, lane, distance, counter=False)
        return found

    def best_on(self, enemy: Whole, counter: bool = False) -> Best:
        """(lanes,). P52-Y2: the best attack on one enemy per lane, who is there; 0 if there is none."""
        s, ground, lane = self.s, self.s.space.ground, np.arange(len(self.at))
        spot = each(s.foe_spot, enemy, self.at)
        distance = ground.hero_range.take(self.spot * ground.size + spot).astype(np.int64)
        condition = 4 * s.is_frozen(enemy, self.at) if s.facts.freezers else None
        if self.aimed:
            on_them = s.aim[self.hero].take(self.at) * (s.aim_at[self.hero].take(self.at) == enemy)
            condition = on_them if condition is None else condition + on_them
        place = self._place(self.stock, self.kind_of(enemy, lane), condition, distance)
        found = self.kit.best.reshape(-1).take(place)
        return self._with_areas(found, enemy, lane, distance, counter) if self.kit.areas_most >= 0 else found

    def _with_areas(self, found: Best, enemy: Whole, lane: Whole, distance: Whole, counter: bool) -> Best:
        """(pairs,). The better of what was found and the attacks whose worth depends on who stands where."""
        row = self.stock.take(lane) * (HERO_MOST + 1) + distance
        for attack in self.kit.areas:
            if attack.shape in NO_WORTH or (counter and attack.shape in NO_COUNTER):
                continue
            able = which(attack.legal.reshape(-1).take(row))
            if len(able):
                gain = self.area_worth(attack, enemy[able], lane[able], distance[able])
                found[able] = np.maximum(found[able], as_best(gain, attack.place))
        return found

    def _place(self, stock: Whole, kind: Whole, condition: Any, distance: NDArray[Any]) -> Whole:
        """Where in the hero's table of best attacks."""
        _, types, conditions, ranges = self.kit.best.shape
        place = stock * (types * conditions * ranges) + kind * (conditions * ranges)
        if condition is not None:
            place += condition * np.int64(ranges)
        place += distance
        return place

    def legal(self, attack: HeroAttack) -> Mask:
        """(slots, lanes). P52-H4, P52-H12: whom the attack may be made on; not for Charge."""
        return attack.legal.reshape(-1).take(self.stock * (HERO_MOST + 1) + self.range)

    # -- attacks that depend on who stands where -----------------------------------------------------------------

    def share(self, attack: HeroAttack, enemy: Whole, victim: Whole, lane: Whole, share: Any, param: Whole) -> Worth:
        """(pairs,). What one victim of an attack on a target contributes."""
        _, types, conditions, shares, params = attack.worth.shape
        place = attack.variant.take(self.stock.take(lane)) * np.int64(types)
        place += self.kind_of(victim, lane)
        place *= conditions
        place += self.condition_of(victim, lane, 4)
        place += self.condition_of(enemy, lane, 3)
        place *= shares
        place += share
        place *= params
        place += param
        return attack.worth.reshape(-1).take(place)

    def area_worth(self, attack: HeroAttack, enemy: Whole, lane: Whole, distance: Whole) -> Worth:
        """(pairs,). P52-Y1 of an area attack on one enemy per pair, where it is legal."""
        pick = enemy * len(self.at) + lane
        spot = self.foe_spot.reshape(-1).take(pick).astype(np.int64)
        if attack.shape == "thrust":
            return self.sum_at(attack, enemy, lane, spot)
        ground = self.s.space.ground
        gain = self.share(attack, enemy, enemy, lane, 0, distance)
        if attack.shape == "storm":
            return gain * (self.heroes_near(spot, lane, 0) == 0)
        if attack.shape == "wave":
            stuck = ~ground.pushable.take(spot * ground.size + self.spot.take(lane))
            params = attack.lands.shape[2]
            place = self.kind_of(enemy, lane) * 8 + self.condition_of(enemy, lane)
            return gain + stuck * attack.lands.reshape(-1).take(place * params + distance) * (2 * self.s.facts.level)
        splash = attack.shape == "splash"
        for other in range(self.slots):
            apart = ground.steps.take(spot * ground.size + self.foe_spot[other].take(lane))
            caught = which((apart <= 1) & (enemy != other) & self.here[other].take(lane))
            if len(caught):
                part = 1 + apart[caught].astype(np.int64) if splash else 0
                victim = np.full(len(caught), other)
                gain[caught] += self.share(attack, enemy[caught], victim, lane[caught], part, distance[caught])
        friends = self.heroes_near(spot, lane, 0 if splash else 1)
        if friends.any():
            params = attack.toll.shape[2]
            row = attack.variant.take(self.stock.take(lane)) * np.int64(4) + self.condition_of(enemy, lane, 3)
            gain = gain - friends * attack.toll.reshape(-1).take(row * params + distance)
        return gain

    def heroes_near(self, spot: Whole, lane: Whole, most: int) -> NDArray[np.int8]:
        """(pairs,). Living heroes within so many steps of a spot."""
        ground = self.s.space.ground
        number = np.zeros(len(lane), dtype=np.int8)
        for row in self.friends:
            theirs = row.take(lane)
            if most == 0:
                number += theirs == spot
            else:
                number += (ground.steps.take(spot * ground.size + np.maximum(theirs, 0)) <= most) & (theirs >= 0)
        return number

    def sum_at(self, attack: HeroAttack, enemy: Whole, lane: Whole, spot: Whole) -> Worth:
        """(pairs,). Power Thrust and Charge: the sum over all enemies on a spot."""
        inside = (self.foe_spot.take(lane, axis=1) == spot) & self.here.take(lane, axis=1)  # (slots, pairs)
        number = inside.sum(axis=0, dtype=np.int64)
        gain = np.zeros(len(lane), dtype=np.int32)
        for other in range(self.slots):
            caught = which(inside[other])
            if len(caught):
                victim = np.full(len(caught), other)
                gain[caught] += self.share(attack, enemy[caught], victim, lane[caught], 0, number[caught])
        return gain


def _repeated(table: NDArray[Any], at: Lanes) -> NDArray[Any]:
    """`cut` for lanes that may be named twice."""
    return table.take(at, axis=1)
