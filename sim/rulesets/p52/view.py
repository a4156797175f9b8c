"""What a hero sees on its turn: everything that policy lines ask about, worked out once when first asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import FAR, Bits
from sim.core.lanes import Lanes, Mask, Whole, add, cut, each, keep, which
from sim.rulesets.p52.attack_tables import FLIPS, MISS, PLACES, Best
from sim.rulesets.p52.ground import HERO_MOST, UNSEEN, in_reach_of
from sim.rulesets.p52.rules.hero_moves import reach_of
from sim.rulesets.p52.rules.support import routable
from sim.rulesets.p52.state import MOST_ENEMIES, State
from sim.rulesets.p52.worth import Scene

STURDY = 128  # more than there are types in one encounter
NOT_IN_QUESTION = np.int32(1 << 30)  # larger than any rank


class seen:  # noqa: N801 (used like `property`)
    """A value of a view: worked out when first asked, or taken from a wider view that has it already."""

    def __init__(self, work_out: Callable[[Any], Any]) -> None:
        self.work_out = work_out
        self.name = work_out.__name__
        self.__doc__ = work_out.__doc__

    def __get__(self, view: Any, owner: type | None = None) -> Any:
        if view is None:
            return self
        wider, places = view.parent, view.places
        while wider is not None and self.name not in wider.__dict__:
            places = None if wider.places is None else wider.places.take(places)
            wider = wider.parent
        value = self.work_out(view) if wider is None else _part(wider.__dict__[self.name], places)
        view.__dict__[self.name] = value
        return value


def _part(value: Any, places: Whole) -> Any:
    """The columns of an array, or of a pair of them."""
    return tuple(_part(one, places) for one in value) if isinstance(value, tuple) else value.take(places, axis=-1)


class View:
    """One hero at the beginning of its turn, in the lanes of the turn. Arrays are (things, lanes)."""

    def __init__(self, s: State, hero: int, at: Lanes, parent: View | None = None, places: Whole | None = None) -> None:
        self.s, self.hero, self.at = s, hero, at
        self.parent = parent  # a view of more lanes
        self.places = places  # where these lanes stand in it
        self.kit = s.facts.kits[hero]
        self.ground = s.space.ground
        self.slots = s.space.slots

    @property
    def index(self) -> Whole:
        """(runs,). Where a lane of the batch stands in this view, -1 if it does not."""
        if "_index" not in self.__dict__:
            self._index = np.full(self.s.size, -1, dtype=np.int64)
            self._index[self.at] = np.arange(len(self.at))
        return self._index

    def of(self, at: Lanes) -> View:
        """The view of these lanes, which are among those of the turn: this one, or a narrower one."""
        if at is self.at:
            return self
        view: View | None = self
        while view is not None:
            if at is view.at or (len(at) == len(view.at) and np.array_equal(at, view.at)):
                return view
            if len(at) < len(view.at):
                places = view.index.take(at)
                if (places >= 0).all():
                    return View(self.s, self.hero, at, view, places)
            view = view.parent
        raise LookupError("a policy looked at lanes that do not take this turn")

    # -- enemies -------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The enemies as attacks see them."""
        if "_scene" not in self.__dict__:
            self._scene = Scene(self.s, self.hero, self.at)
        return self._scene

    @seen
    def standing(self) -> Mask:
        """(slots, lanes). Enemies that are left."""
        return self.s.standing_foes(self.at)[: self.slots]

    @seen
    def best(self) -> Best:
        """(slots, lanes). P52-Y2: the best attack on every enemy; 0 if there is none."""
        near = which(self.somebody_near(self.hero, np.arange(len(self.at))))
        if 2 * len(near) > len(self.at):
            return self.scene.best()
        found = np.zeros((self.slots, len(self.at)), dtype=np.int32)
        if len(near):
            found[:, near] = Scene(self.s, self.hero, self.at[near]).best()
        return found

    @seen
    def worth(self) -> NDArray[np.int32]:
        """(slots, lanes). What the best attack is worth."""
        return self.best // PLACES

    @seen
    def foe_hp(self) -> NDArray[np.int16]:
        """(slots, lanes)."""
        return cut(self.s.foe_hp[: self.slots], self.at)

    @seen
    def foe_pairs(self) -> Whole:
        """(slots, lanes). Pairs of spots, hero first, for the tables of the board."""
        own = self.s.spot[self.hero].take(self.at).astype(np.int64) * self.ground.size
        return own + cut(self.s.foe_spot[: self.slots], self.at)

    @seen
    def steps(self) -> NDArray[np.int16]:
        """(slots, lanes). P52-Y6."""
        return self.ground.steps.take(self.foe_pairs)

    @seen
    def ranges(self) -> NDArray[np.int16]:
        """(slots, lanes)."""
        return self.ground.range.take(self.foe_pairs)

    @seen
    def sees(self) -> Mask:
        """(slots, lanes). Enemies in line of sight."""
        return self.ground.sight.take(self.foe_pairs) & self.standing

    @seen
    def aimed_at(self) -> Mask:
        """(slots, lanes). Enemies that `aim_at` names."""
        return np.arange(self.slots)[:, None] == self.s.aim_at[self.hero].take(self.at)

    @seen
    def charge_worth(self) -> NDArray[np.int32]:
        """(slots, lanes). P52-Y1 of a charge onto an enemy's spot; 0 where it is not 1 or 2 steps away."""
        width = len(self.at)
        worth = np.zeros((self.slots, width), dtype=np.int32)
        if self.kit.charge is None:
            return worth
        pairs = which(((self.steps >= 1) & (self.steps <= 2) & self.standing).reshape(-1))
        if len(pairs):
            enemy = pairs // width
            lane = pairs - enemy * width
            spot = self.scene.foe_spot.reshape(-1).take(pairs).astype(np.int64)
            worth.reshape(-1)[pairs] = self.scene.sum_at(self.kit.charge, enemy, lane, spot)
        return worth

    @seen
    def nearest_steps(self) -> NDArray[np.int16]:
        """(lanes,). Steps to the nearest enemy."""
        return np.where(self.standing, self.steps, FAR).min(axis=0)

    @seen
    def rooted(self) -> Mask:
        """(lanes,). All living enemies have movement 0."""
        movement = np.array([facts.movement for facts in self.s.facts.types], dtype=np.int16)
        kind = cut(self.s.kind[: self.slots], self.at)
        return ~((movement.take(kind) > 0) & self.standing).any(axis=0)

    @seen
    def focus(self) -> Whole:
        """(lanes,). P52-Y15: the party's target: the weakest enemy that some hero can attack now."""
        s, lane = self.s, np.arange(len(self.at))
        # Lowest hp, then highest maximum, then first in line, in one number: its smallest value names the enemy.
        kind = cut(s.kind[: self.slots], self.at) if s.space.kinds is None else s.space.kinds
        sturdy = s.space.sturdy.take(kind) * np.int32(MOST_ENEMIES)
        rank = self.foe_hp * np.int32(STURDY * MOST_ENEMIES)
        rank += sturdy + np.arange(self.slots, dtype=np.int32)[:, None]
        chosen = self._first_of(rank, self.standing)
        own: Mask = (self.best > 0) & (s.hp[self.hero].take(self.at) > 0)
        # Whoever can attack the weakest of all settles it; only the other lanes need to look at the whole party.
        open_lanes = which(~each(own, chosen, lane) & (s.standing.take(self.at) > 1))
        others = [hero for hero in range(s.heroes) if hero != self.hero]
        for hero in others:
            settled = can_attack(s, hero, self.at[open_lanes], chosen[open_lanes])
            open_lanes = keep(open_lanes, ~settled)
        if len(open_lanes):
            at = self.at[open_lanes]
            attackable = own.take(open_lanes, axis=1)
            for hero in others:
                able = which((s.hp[hero].take(at) > 0) & self.somebody_near(hero, open_lanes))
                if len(able):
                    attackable[:, able] |= Scene(s, hero, at[able]).best() > 0
            attackable |= self.standing.take(open_lanes, axis=1) & ~attackable.any(axis=0)
            chosen[open_lanes] = self._first_of(rank.take(open_lanes, axis=1), attackable)
        return chosen

    def somebody_near(self, hero: int, some: Whole) -> Mask:
        """(lanes,). Whether an enemy stands where a hero could hit it at all; `some` are lanes of the view."""
        spot = self.s.spot[hero].take(self.at[some])
        near = in_reach_of(self.ground, self.s.facts.kits[hero].reaches).take(spot, axis=1)
        return self.ground.board.bits.any(near & self.foes.take(some, axis=1))

    @staticmethod
    def _first_of(rank: NDArray[np.int32], candidates: Mask) -> Whole:
        """(lanes,). Of these the one with the smallest rank, whose last bits are the enemy."""
        others = ~candidates
        least: NDArray[np.int32] = (rank + NOT_IN_QUESTION * others.view(np.int8)).min(axis=0)
        return (least & (MOST_ENEMIES - 1)).astype(np.int64)

    @seen
    def focused(self) -> Mask:
        """(slots, lanes)."""
        return np.arange(self.slots)[:, None] == self.focus

    # -- heroes --------------------------------------------------------------------------------------------------

    @seen
    def friend_pairs(self) -> Whole:
        """(heroes, lanes). Pairs of spots, this hero first."""
        return self.s.spot[self.hero].take(self.at).astype(np.int64) * self.ground.size + cut(self.s.spot, self.at)

    @seen
    def friend_ranges(self) -> NDArray[np.int16]:
        """(heroes, lanes). Range to every hero, UNSEEN where it is not in sight."""
        return self.ground.seen_range.take(self.friend_pairs)

    @seen
    def heal_target(self) -> NDArray[np.int16]:
        """(heroes, lanes). The target number of Heal."""
        if "heal" not in self.kit.support:
            return np.full((self.s.heroes, len(self.at)), UNSEEN, dtype=np.int16)
        distance = np.minimum(self.friend_ranges, HERO_MOST)
        return self.kit.support["heal"].target.take(distance)

    @seen
    def hurt_heroes(self) -> NDArray[np.int8]:
        """(lanes,). Living heroes at half their hit points or less."""
        hp = cut(self.s.hp, self.at)
        return ((hp >= 0) & (2 * hp <= self.s.facts.max_hp)).sum(axis=0, dtype=np.int8)

    # -- spots ---------------------------------------------------------------------------------------------------

    @seen
    def foes(self) -> Bits:
        """(words, lanes). The spots of enemies."""
        return self.s.foes_set(self.at)

    @seen
    def reach(self) -> tuple[Bits, Bits]:
        """P52-Y5: spots that can be entered this turn, and those that can be waded towards."""
        spot = self.s.spot[self.hero].take(self.at).astype(np.int64)
        wade = self.s.wade[self.hero].take(self.at)
        return reach_of(self.s, spot, self.kit.facts.movement, self.foes, wade)

    @seen
    def reachable(self) -> Mask:
        """(spots, lanes)."""
        entered, waded = self.reach
        return self.ground.board.bits.cells(entered | waded)

    @seen
    def spot_cost(self) -> NDArray[np.int16]:
        """(spots, lanes). Movement points to get there."""
        movement = self.kit.facts.movement
        if movement == 1:
            begun = self.s.wade[self.hero].take(self.at) == np.arange(self.ground.size)[:, None]
            return np.int16(1) + (self.ground.obstructed[:, None] & ~begun)
        start = self.s.spot[self.hero].take(self.at).astype(np.int64)
        enter = self.ground.enter if self.ground.any_obstructed else None
        fill = self.ground.board.reach(start, movement, stop=self.foes, enter=enter)
        return fill.distance()

    def from_spots(self, value: Callable[[Scene, Whole], NDArray[Any]], kind: type) -> NDArray[Any]:
        """(spots, lanes). Something about attacks from every reachable spot, without aim."""
        result: NDArray[Any] = np.zeros((self.ground.size, len(self.at)), dtype=kind)
        spot, lane = np.nonzero(self.reachable)
        if len(lane):
            scene = Scene(self.s, self.hero, self.at[lane], spot, aimed=False)
            result[spot, lane] = value(scene, lane)
        return result

    @seen
    def spot_shoots(self) -> Mask:
        """(spots, lanes). P52-Y13: an attack at R >= 2 is legal from there."""

        def shoots(scene: Scene, _: Whole) -> Mask:
            within: Mask = np.any((scene.best() > 0) & (scene.range >= 2), axis=0)
            return within

        return self.from_spots(shoots, bool)

    @seen
    def spot_focus_damage(self) -> NDArray[np.int32]:
        """(spots, lanes). P52-Y15: worth of the best attack on the party's target from there, without aim."""
        s, ground = self.s, self.ground
        result = np.zeros((ground.size, len(self.at)), dtype=np.int32)
        goal = each(s.foe_spot, self.focus, self.at).astype(np.int64)
        entered, waded = self.reach
        useful = (entered | waded) & in_reach_of(ground, self.kit.reaches).take(goal, axis=1)
        some = which(ground.board.bits.any(useful))
        if not len(some):
            return result
        pairs = which(ground.board.bits.cells(useful.take(some, axis=1)).reshape(-1))
        spot = pairs // len(some)
        lane = some.take(pairs - spot * len(some))
        best = Scene(s, self.hero, self.at[lane], spot, aimed=False).best_on(self.focus.take(lane))
        result.reshape(-1)[spot * len(self.at) + lane] = best // PLACES
        return result

    @seen
    def spot_focus_range(self) -> NDArray[np.int16]:
        """(spots, lanes). Range from every spot to the party's target."""
        goal = each(self.s.foe_spot, self.focus, self.at)
        return self.ground.range.reshape(self.ground.size, -1).take(goal, axis=1)

    def on_spots(self, counted: NDArray[Any]) -> NDArray[np.int32]:
        """(spots, lanes). The sum over the enemies of each spot."""
        total = np.zeros((self.ground.size, len(self.at)), dtype=np.int32)
        lane = np.arange(len(self.at))
        for enemy in range(self.slots):
            add(total, self.s.foe_spot[enemy].take(self.at), lane, counted[enemy])
        return total

    @seen
    def spot_enemies(self) -> NDArray[np.int32]:
        """(spots, lanes)."""
        return self.on_spots(self.standing)

    @seen
    def spot_boss(self) -> Mask:
        """(spots, lanes)."""
        if not self.s.facts.type_boss.any():
            return np.zeros((self.ground.size, len(self.at)), dtype=bool)
        kind = cut(self.s.kind[: self.slots], self.at)
        return self.on_spots(self.standing & self.s.facts.type_boss.take(kind)) > 0

    @seen
    def spot_routable(self) -> NDArray[np.int32]:
        """(spots, lanes). Enemies that Threaten would rout."""
        return self.on_spots(routable(self.s, self.at))

    @seen
    def spot_threat(self) -> Whole:
        """(spots, lanes). P52-Y15: chance of Threaten without a card times the hit points there, in 169ths."""
        hp = self.on_spots(routable(self.s, self.at) * self.foe_hp)
        return threat_hits(self.kit.support["threaten"]).take(self.spot_routable) * 13 * hp.astype(np.int64)


def threat_hits(threaten: Any) -> Whole:
    """(counts,). Flips of 13 with which Threaten succeeds, by the number of enemies."""
    flips = np.concatenate([[1], FLIPS])
    return (threaten.amount[:, flips] != MISS).sum(axis=1)


def can_attack(s: State, hero: int, at: Lanes, enemy: Whole) -> Mask:
    """(lanes,). P52-Y2: whether a hero, if it is fit, can attack one enemy per lane."""
    ground, kit = s.space.ground, s.facts.kits[hero]
    pair = s.spot[hero].take(at).astype(np.int64) * ground.size + each(s.foe_spot, enemy, at)
    near = which(kit.reaches.take(ground.hero_range.take(pair)) & (s.hp[hero].take(at) > 0))
    able = np.zeros(len(at), dtype=bool)
    if len(near):
        able[near] = Scene(s, hero, at[near]).best_on(enemy[near]) > 0
    return able
