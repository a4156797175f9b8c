"""What attacks are worth to a hero: expected damage in 169ths (P52-Y1, P52-Y2)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Lanes, Mask, cut
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.state import STANDING, State, Whole
from sim.rulesets.p52.tables import HeroAttack

NO_COUNTER = ("thrust", "charge", "tap")  # P52-C8
NO_WORTH = ("charge", "tap", "frost")  # left out by P52-Y2, or without damage

Worth = NDArray[np.int32]


class Scene:
    """The enemies as a hero's attacks see them, (slots, lanes) each.

    A lane may be named several times, with different spots of the hero: what it would be worth to stand there.
    """

    def __init__(self, s: State, hero: int, at: Lanes, spot: NDArray[Any] | None = None, aimed: bool = True) -> None:
        self.s, self.hero, self.at = s, hero, at
        ground, slots = s.space.ground, s.space.slots
        self.slots = slots
        self.kit = s.facts.kits[hero]
        self.spot = (s.spot[hero].take(at) if spot is None else spot).astype(np.int64)  # (lanes,)
        self.stock = s.stock_of(hero, at)  # (lanes,)
        self.foe_spot = _lanes(s.foe_spot, slots, at, spot is not None).astype(np.int64)
        self.kind = _lanes(s.kind, slots, at, spot is not None).astype(np.int64)
        self.here = _lanes(s.gone, slots, at, spot is not None) == STANDING
        seen = ground.hero_range.take(self.spot * ground.size + self.foe_spot)
        self.range = np.where(self.here, seen, HERO_MOST)  # HERO_MOST: gone, out of range or not seen
        self.condition = np.zeros(seen.shape, dtype=np.int8)  # frozen x 4 + aim
        if s.facts.freezers:
            held = _lanes(s.frozen, slots, at, spot is not None) > 0
            if s.facts.ices:
                held |= _lanes(s.iced, slots, at, spot is not None)
            self.condition += 4 * held.view(np.int8)
        if aimed:
            aim = s.aim[hero].take(at)
            if aim.any():
                self.condition += aim * (s.aim_at[hero].take(at) == np.arange(slots)[:, None])

    @cached_property
    def friends(self) -> Whole:
        """(heroes, lanes). Spots of the living heroes, this one where it would stand; -1 for the dead."""
        s = self.s
        spots = s.spot.take(self.at, axis=1).astype(np.int64)
        spots[self.hero] = self.spot
        spots[s.hp.take(self.at, axis=1) < 0] = -1
        return spots

    # -- the best attack -----------------------------------------------------------------------------------------

    def best(self, counter: bool = False) -> tuple[Worth, NDArray[np.int8]]:
        """(slots, lanes) each. P52-Y2: worth of the best attack on every enemy and its place; 0 and -1 if none."""
        place = self._single_place(self.stock, self.kind, self.condition, self.range)
        worth = self.kit.worth.reshape(-1).take(place)
        which = self.kit.which.reshape(-1).take(place)
        for attack in self.kit.areas:
            if attack.shape in NO_WORTH or (counter and attack.shape in NO_COUNTER):
                continue
            legal = self.legal(attack)
            pairs = np.flatnonzero(legal)
            if len(pairs):
                enemy, lane = np.divmod(pairs, len(self.at))
                gain = self.area_worth(attack, enemy, lane)
                before, first = worth.reshape(-1).take(pairs), which.reshape(-1).take(pairs)
                better = (gain > before) | ((gain == before) & (gain > 0) & (attack.place < first))
                worth.reshape(-1)[pairs[better]] = gain[better]
                which.reshape(-1)[pairs[better]] = attack.place
        return worth, which

    def worth_on(self, enemy: Whole) -> Worth:
        """(lanes,). P52-Y2: worth of the best attack on one enemy per lane."""
        lanes = np.arange(len(self.at))
        pick = enemy * len(self.at) + lanes
        kind, condition, distance = (table.reshape(-1).take(pick) for table in (self.kind, self.condition, self.range))
        worth = self.kit.worth.reshape(-1).take(self._single_place(self.stock, kind, condition, distance))
        for attack in self.kit.areas:
            if attack.shape in NO_WORTH:
                continue
            able = np.flatnonzero(attack.legal.reshape(-1).take(self.stock * (HERO_MOST + 1) + distance))
            if len(able):
                gain = self.area_worth(attack, enemy[able], able)
                worth[able] = np.maximum(worth[able], gain)
        return worth

    def _single_place(self, stock: Whole, kind: Any, condition: Any, distance: Any) -> Whole:
        _, types, conditions, ranges = self.kit.worth.shape
        place = stock * types + kind
        place *= conditions
        place += condition
        place *= ranges
        place += distance
        return place

    def legal(self, attack: HeroAttack) -> Mask:
        """(slots, lanes). P52-H4, P52-H12: whom the attack may be made on; not for Charge."""
        return attack.legal.reshape(-1).take(self.stock * (HERO_MOST + 1) + self.range)

    # -- attacks that depend on who stands where -----------------------------------------------------------------

    def share(self, attack: HeroAttack, enemy: Whole, victim: Whole, lane: Whole, share: Any, param: Whole) -> Worth:
        """(pairs,). What one victim of an attack on a target contributes."""
        _, types, conditions, shares, params = attack.worth.shape
        width = len(self.at)
        held = self.condition.reshape(-1).take(victim * width + lane) & 4
        aim = self.condition.reshape(-1).take(enemy * width + lane) & 3
        place = attack.variant.take(self.stock.take(lane)) * np.int64(types)
        place += self.kind.reshape(-1).take(victim * width + lane)
        place = ((place * conditions + (held | aim)) * shares + share) * params + param
        return attack.worth.reshape(-1).take(place)

    def area_worth(self, attack: HeroAttack, enemy: Whole, lane: Whole) -> Worth:
        """(pairs,). P52-Y1 of an area attack on one enemy per pair, where it is legal."""
        width = len(self.at)
        pick = enemy * width + lane
        spot = self.foe_spot.reshape(-1).take(pick)
        if attack.shape == "thrust":
            return self.sum_at(attack, enemy, lane, spot)
        ground = self.s.space.ground
        distance = self.range.reshape(-1).take(pick).astype(np.int64)
        gain = self.share(attack, enemy, enemy, lane, 0, distance)
        if attack.shape == "storm":
            return gain * (self.heroes_near(spot, lane, 0) == 0)
        if attack.shape == "wave":
            stuck = ~ground.pushable.take(spot * ground.size + self.spot.take(lane))
            params = attack.lands.shape[2]
            place = self.kind.reshape(-1).take(pick) * 8 + self.condition.reshape(-1).take(pick)
            return gain + stuck * attack.lands.reshape(-1).take(place * params + distance) * (2 * self.s.facts.level)
        splash = attack.shape == "splash"
        for other in range(self.slots):
            apart = ground.steps.take(spot * ground.size + self.foe_spot[other].take(lane))
            caught = np.flatnonzero((apart <= 1) & (enemy != other) & self.here[other].take(lane))
            if len(caught):
                part = 1 + apart[caught].astype(np.int64) if splash else 0
                victim = np.full(len(caught), other)
                gain[caught] += self.share(attack, enemy[caught], victim, lane[caught], part, distance[caught])
        friends = self.heroes_near(spot, lane, 0 if splash else 1)
        if friends.any():
            params = attack.toll.shape[2]
            aim = self.condition.reshape(-1).take(pick) & 3
            row = attack.variant.take(self.stock.take(lane)) * np.int64(4) + aim
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
            caught = np.flatnonzero(inside[other])
            if len(caught):
                victim = np.full(len(caught), other)
                gain[caught] += self.share(attack, enemy[caught], victim, lane[caught], 0, number[caught])
        return gain


def _lanes(table: NDArray[Any], slots: int, at: Lanes, repeated: bool) -> NDArray[Any]:
    """(slots, lanes). The rows of enemies; `cut` only where no lane is named twice."""
    return table[:slots].take(at, axis=1) if repeated else cut(table[:slots], at)
