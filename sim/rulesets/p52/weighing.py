"""What attacks are worth to a hero: expected damage in 169ths (P52-Y1, P52-Y2)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Lanes, Mask
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.state import Kit, State, Whole
from sim.rulesets.p52.tables import HeroAttack

NO_COUNTER = ("thrust", "charge", "tap")  # P52-C8


class Scene:
    """What a hero sees of the enemies, for some lanes: (slots, lanes) arrays that several attacks look at."""

    def __init__(self, s: State, hero: int, at: Lanes, spot: NDArray[Any] | None = None, aimed: bool = True) -> None:
        self.s, self.hero, self.at = s, hero, at
        ground = s.space.ground
        self.slots = s.space.slots
        self.spot = (s.spot[hero].take(at) if spot is None else spot).astype(np.int64)  # (lanes,)
        self.stock = s.stock_of(hero, at)
        self.foe_spot = [s.foe_spot[enemy].take(at).astype(np.int64) for enemy in range(self.slots)]
        self.kind = [s.kind[enemy].take(at).astype(np.int64) for enemy in range(self.slots)]
        self.here = [s.here(enemy, at) for enemy in range(self.slots)]
        self.range = []  # HERO_MOST for those who are gone, out of range or not seen
        self.condition = []  # frozen x 4 + aim
        aim = s.aim[hero].take(at)
        aim_at = s.aim_at[hero].take(at)
        any_aim = aimed and bool(aim.any())
        from_here = self.spot * ground.size
        for enemy in range(self.slots):
            seen = ground.hero_range.take(from_here + self.foe_spot[enemy])
            self.range.append(np.where(self.here[enemy], seen, HERO_MOST).astype(np.int64))
            condition = 4 * s.is_frozen(enemy, at).astype(np.int64)
            if any_aim:
                condition += aim * (aim_at == enemy)
            self.condition.append(condition)

    def steps(self, one: int, other: int) -> NDArray[np.int16]:
        """(lanes,). Steps between two enemies."""
        ground = self.s.space.ground
        return ground.steps.take(self.foe_spot[one] * ground.size + self.foe_spot[other])

    def heroes_near(self, enemy: int, most: int) -> NDArray[np.int8]:
        """(lanes,). Living heroes within so many steps of an enemy's spot, this hero where it would stand."""
        s, ground = self.s, self.s.space.ground
        number = np.zeros(len(self.at), dtype=np.int8)
        for hero in range(s.heroes):
            spot = self.spot if hero == self.hero else s.spot[hero].take(self.at).astype(np.int64)
            close = ground.steps.take(spot * ground.size + self.foe_spot[enemy]) <= most
            number += close & (s.hp[hero].take(self.at) >= 0)
        return number

    def only(self, places: Whole) -> Scene:
        """The same for some of the lanes, by their places."""
        part = object.__new__(Scene)
        part.s, part.hero, part.slots = self.s, self.hero, self.slots
        part.at, part.spot, part.stock = self.at[places], self.spot[places], self.stock[places]
        for name in ("foe_spot", "kind", "here", "range", "condition"):
            setattr(part, name, [row[places] for row in getattr(self, name)])
        return part

    # -- worth of attacks ----------------------------------------------------------------------------------------

    def best(self, kit: Kit, counter: bool = False) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """(slots, lanes) each. P52-Y2: worth of the best attack on every enemy and its place; 0 and -1 if none."""
        lanes = len(self.at)
        worth = np.empty((self.slots, lanes), dtype=np.int32)
        which = np.empty((self.slots, lanes), dtype=np.int8)
        types, ranges = kit.worth.shape[1], kit.worth.shape[3]
        flat_worth, flat_which = kit.worth.reshape(-1), kit.which.reshape(-1)
        for enemy in range(self.slots):
            place = ((self.stock * types + self.kind[enemy]) * 8 + self.condition[enemy]) * ranges + self.range[enemy]
            flat_worth.take(place, out=worth[enemy])
            flat_which.take(place, out=which[enemy])
        for attack in kit.areas:
            if counter and attack.shape in NO_COUNTER:
                continue
            for enemy in range(self.slots):
                gain = self.area_worth(attack, enemy)
                if gain is None:
                    continue
                better = (gain > worth[enemy]) | ((gain == worth[enemy]) & (gain > 0) & (attack.place < which[enemy]))
                worth[enemy][better] = gain[better]
                which[enemy][better] = attack.place
        return worth, which

    def attack_worth(self, attack: HeroAttack, enemy: int) -> NDArray[np.int32]:
        """(lanes,). P52-Y1: worth of one attack on one enemy, 0 where it is not legal."""
        if attack.shape == "single":
            legal = attack.legal[self.stock, self.range[enemy]]
            return self.share(attack, enemy, enemy, 0, self.range[enemy]) * legal
        gain = self.area_worth(attack, enemy)
        return np.zeros(len(self.at), dtype=np.int32) if gain is None else gain

    def legal(self, attack: HeroAttack, enemy: int) -> Mask:
        """(lanes,). P52-H4, P52-H12: whether the attack may be made on the enemy."""
        return attack.legal[self.stock, self.range[enemy]]

    def share(self, attack: HeroAttack, target: int, victim: int, share: int, param: Whole) -> NDArray[np.int32]:
        """(lanes,). What one victim of an attack on a target contributes."""
        _, types, conditions, shares, params = attack.worth.shape
        condition = (self.condition[victim] & 4) | (self.condition[target] & 3)
        place = (attack.variant.astype(np.int64).take(self.stock) * types + self.kind[victim]) * conditions + condition
        return attack.worth.reshape(-1).take((place * shares + share) * params + param)

    def area_worth(self, attack: HeroAttack, enemy: int) -> NDArray[np.int32] | None:
        """(lanes,). P52-Y1 for attacks that depend on who stands where; None if nobody could make it."""
        legal = self.legal(attack, enemy)
        if attack.shape in ("charge", "tap", "frost") or not legal.any():
            return None
        if not legal.all():
            places = np.flatnonzero(legal)
            gain = np.zeros(len(self.at), dtype=np.int32)
            gain[places] = self.only(places).area_sum(attack, enemy)
            return gain
        return self.area_sum(attack, enemy)

    def area_sum(self, attack: HeroAttack, enemy: int) -> NDArray[np.int32]:
        """(lanes,). P52-Y1 where the attack is legal."""
        if attack.shape == "thrust":
            return self.sum_on_spot(attack, enemy)
        distance = self.range[enemy]
        gain = self.share(attack, enemy, enemy, 0, distance)
        if attack.shape == "storm":
            return gain * (self.heroes_near(enemy, 0) == 0)
        if attack.shape == "wave":
            stuck = ~self.s.space.ground.pushable.take(
                self.s.space.ground.near(self.foe_spot[enemy], self.spot)
            )
            params = attack.lands.shape[2]
            place = (self.kind[enemy] * 8 + self.condition[enemy]) * params + distance
            return gain + stuck * attack.lands.reshape(-1).take(place) * (2 * self.s.facts.level)
        splash = attack.shape == "splash"
        for other in range(self.slots):
            if other == enemy:
                continue
            apart = self.steps(enemy, other)
            for steps in (0, 1):
                caught = np.flatnonzero(self.here[other] & (apart == steps))
                if len(caught):
                    part = self.only(caught)
                    share = (1 + steps) if splash else 0
                    gain[caught] += part.share(attack, enemy, other, share, part.range[enemy])
        friends = self.heroes_near(enemy, 0 if splash else 1)
        if friends.any():
            params = attack.toll.shape[2]
            row = attack.variant.astype(np.int64).take(self.stock) * 4 + (self.condition[enemy] & 3)
            gain = gain - friends * attack.toll.reshape(-1).take(row * params + distance)
        return gain

    def sum_on_spot(self, attack: HeroAttack, enemy: int) -> NDArray[np.int32]:
        """(lanes,). Power Thrust: every enemy on the spot, which is the hero's own."""
        return self.sum_at(attack, enemy, self.foe_spot[enemy])

    def sum_at(self, attack: HeroAttack, enemy: int, spot: Whole) -> NDArray[np.int32]:
        """(lanes,). Power Thrust and Charge: the sum over all enemies on a spot."""
        inside = [self.here[other] & (self.foe_spot[other] == spot) for other in range(self.slots)]
        number = np.zeros(len(self.at), dtype=np.int64)
        for caught in inside:
            number += caught
        gain = np.zeros(len(self.at), dtype=np.int32)
        for other, caught in enumerate(inside):
            gain += self.share(attack, enemy, other, 0, number) * caught
        return gain
