"""The player of the party: does in every turn what the lines of a hero's plan say (P52-Y7 to P52-Y15)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, columns, cut, each, lookup, per_lane, which
from sim.core.policy import Line, choose_target, follow
from sim.core.varying import Varying
from sim.rulesets.p52.attack_tables import HeroAttack, place_in
from sim.rulesets.p52.ground import UNSEEN
from sim.rulesets.p52.kits import HEALING, IMPOSSIBLE, Kit
from sim.rulesets.p52.random_player import do_anything
from sim.rulesets.p52.rules import items, support
from sim.rulesets.p52.rules.counters import attack
from sim.rulesets.p52.rules.hero_moves import approach_spot, walk
from sim.rulesets.p52.rules.hero_turns import pass_turn, set_down, take_aim, take_stance
from sim.rulesets.p52.rules.special_attacks import charge, double_tap
from sim.rulesets.p52.rules.stamina import card_rule, card_with
from sim.rulesets.p52.state import State
from sim.rulesets.p52.view import View
from sim.rulesets.p52.vocabulary import VOCABULARY

NEEDS = {"heal": "heal", "glow": "healing_glow", "revive": "revive", "threaten": "threaten"}


def take_turn(s: State, hero: int, at: Lanes) -> None:
    """P52-H1: one action: the first line that applies."""
    follow(Player(s, hero, at), s.facts.kits[hero].plan.action, s, hero, at)


class Player:
    """Plays one turn of one hero in many runs: answers what the lines of its plan ask, and does what they say.

    The lines themselves are data: P52-Y7, P52-Y11, P52-Y12, P52-Y13, P52-Y14 and P52-Y15 in policies.toml.
    """

    vocabulary = VOCABULARY

    def __init__(self, s: State, hero: int, at: Lanes) -> None:
        self.view = View(s, hero, at)
        self.any_stunned = bool((cut(s.hp[hero], at) == 0).any())

    def look(self, at: Lanes) -> View:
        """The view of some lanes of the turn; what a wider view knows is not worked out again."""
        self.view = self.view.of(at)
        return self.view

    # Asking.

    def ask(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """What a name is worth."""
        view, kit = self.look(at), s.facts.kits[actor]
        answers: dict[str, Callable[[], Any]] = {
            "round": lambda: cut(s.stage_round, at),
            "hp": lambda: cut(s.hp[actor], at),
            "max_hp": lambda: s.own(kit.facts.max_hp, at),
            "level": lambda: s.own(kit.facts.level, at),
            "stunned": lambda: cut(s.hp[actor], at) == 0 if self.any_stunned else False,  # no lane need be looked at
            "cards": lambda: cut(s.cards[actor], at),
            "aim": lambda: cut(s.aim[actor], at),
            "stance": lambda: cut(s.stance[actor], at),
            "self_spell": lambda: s.facts.is_on("stunned_self_spell"),
            "heroes": lambda: cut(s.alive, at),
            "enemies": lambda: cut(s.standing, at),
            "hurt_heroes": lambda: view.hurt_heroes,
            "nearest_steps": lambda: view.nearest_steps,
            "rooted": lambda: view.rooted,
            "best_damage": lambda: view.worth.max(axis=0),
            "revive_target": lambda: revive_target(s, kit, at),
        }
        return answers[name]()

    def ask_target(self, s: State, actor: int, kind: str, name: str, at: Lanes) -> Any:
        """What a target name is worth, for every enemy, hero or spot."""
        ask = {"enemy": self.ask_enemy, "hero": self.ask_hero, "spot": self.ask_spot}[kind]
        return ask(s, actor, name, at)

    def ask_enemy(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """(slots, lanes). What a name is worth for every enemy."""
        view = self.look(at)
        answers: dict[str, Callable[[], Any]] = {
            "their_hp": lambda: view.foe_hp,
            "their_max_hp": lambda: s.find(s.facts.type_max_hp, at, s.foe_kinds(at)),
            "their_range": lambda: view.ranges,
            "their_steps": lambda: view.steps,
            "their_damage": lambda: view.worth,
            "their_ability": lambda: place_in(view.best),
            "their_charge": lambda: view.charge_worth,
            "their_aimed_at": lambda: view.aimed_at,
            "their_aim": lambda: view.aimed_at * cut(s.aim[actor], at),
            "their_focus": lambda: view.focused,
            "their_frozen": lambda: np.stack([s.is_frozen(slot, at) for slot in range(view.slots)]),
            "their_boss": lambda: lookup(s.facts.type_boss, s.foe_kinds(at)),
        }
        return answers[name]()

    def ask_hero(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """(heroes, lanes), or (heroes, 1). What a name is worth for every hero."""
        view = self.look(at)
        answers: dict[str, Callable[[], Any]] = {
            "their_hp": lambda: cut(s.hp, at),
            "their_max_hp": lambda: s.own(s.facts.max_hp, at),
            "their_level": lambda: np.stack([per_lane(s.own(kit.facts.level, at), at) for kit in s.facts.kits]),
            "their_self": lambda: np.arange(s.heroes)[:, None] == actor,
            "their_range": lambda: view.friend_ranges,
            "their_heal_target": lambda: view.heal_target,
        }
        return answers[name]()

    def ask_spot(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """(spots, lanes), or (spots, 1). What a name is worth for every spot: so the view calls it too."""
        view = self.look(at)
        return view.ground.hidden[:, None] if name == "spot_hidden" else getattr(view, name)

    # What is legal.

    def ever(self, s: State, actor: int, line: Line) -> bool:
        """Whether this hero could ever do this: abilities and stock."""
        kit = s.facts.kits[actor]
        if line.do in NEEDS:
            return NEEDS[line.do] in kit.support
        if line.do in ("drink", "give"):
            return any(item in kit.items for item in HEALING)
        if line.do == "throw":
            return bool(kit.elixirs)
        if line.do == "charge":
            return kit.charge is not None
        if line.do == "raise":
            return "dragons_blood" in kit.items
        return line.do != "boost" or "stamina_boost" in kit.items

    def choose(self, s: State, actor: int, line: Line, at: Lanes) -> Whole:
        """(lanes,). The target of the line; for `approach` the spot to walk to."""
        verb = VOCABULARY.verbs[line.do]
        chosen = choose_target(self, line, verb, s, actor, at, self.candidates(s, actor, line.do, at))
        if line.do == "approach":
            able = which(chosen >= 0)
            going = cut(at, able)
            goal = np.full(len(at), -1, dtype=np.int64)
            of_enemy = each(s.foe_spot, chosen[able], going)
            goal[able] = approach_spot(s, actor, of_enemy, going, self.look(going).reach)
            return goal
        if line.do in ("charge", "give", "raise"):
            chosen[which(~self.near_enough(s, actor, line.do, chosen, at))] = -1  # nobody else is looked at
        return chosen

    def near_enough(self, s: State, actor: int, do: str, chosen: Whole, at: Lanes) -> Mask:
        """(lanes,). P52-I35, P52-H7: a charge goes 1 or 2 steps, an item to a hero on the same spot."""
        if do == "charge":
            steps = each(self.look(at).steps, chosen, np.arange(len(at)))
            return (steps >= 1) & (steps <= 2)
        return each(s.spot, chosen, at) == cut(s.spot[actor], at)

    def candidates(self, s: State, actor: int, do: str, at: Lanes) -> Mask:
        """(targets, lanes). P52-H1, P52-H11: who may be chosen with this verb; (1, lanes) without a target."""
        view, fit = self.look(at), cut(s.hp[actor], at) > 0
        may: dict[str, Callable[[], Mask]] = {
            "attack": lambda: view.attackable,
            "aim": lambda: view.sees & fit,
            "charge": lambda: view.standing & fit,
            "approach": lambda: view.standing,
            "move": lambda: view.reachable,
            "heal": lambda: self.healable(s, actor, at),
            "give": lambda: self.helpable(s, actor, at) & items.has_healing(s, actor, at),
            "revive": lambda: ~s.living(at) & (view.friend_ranges < UNSEEN) & fit,
            "raise": lambda: ~s.living(at) & fit & items.has_item(s, actor, "dragons_blood", at),
            "threaten": lambda: self.spots_to_threaten(s, actor, at) & fit,
            "throw": lambda: self.spots_to_hit(s, actor, at) & fit,
            "drink": lambda: items.has_healing(s, actor, at)[None],
            "glow": lambda: (fit | s.facts.is_on("stunned_self_spell"))[None],
            "boost": lambda: self.may_boost(s, actor, at)[None],
        }
        return may[do]() if do in may else np.ones((1, len(at)), dtype=bool)

    def helpable(self, s: State, actor: int, at: Lanes) -> Mask:
        """(heroes, lanes). P52-H11: the living; a stunned hero helps only itself."""
        return s.living(at) & ((cut(s.hp[actor], at) > 0) | (np.arange(s.heroes)[:, None] == actor))

    def healable(self, s: State, actor: int, at: Lanes) -> Mask:
        """(heroes, lanes). P52-H8, P52-H11: within the range of Heal; the stunned cast it by `stunned_self_spell`."""
        in_range = self.look(at).friend_ranges <= s.facts.kits[actor].support["heal"].most
        allowed = (cut(s.hp[actor], at) > 0) | s.facts.is_on("stunned_self_spell")
        return self.helpable(s, actor, at) & in_range & allowed

    def may_boost(self, s: State, actor: int, at: Lanes) -> Mask:
        """(lanes,). P52-H7: not while more than the maximum are held."""
        few = cut(s.cards[actor], at) <= s.facts.switches["stamina_max"]
        return few & items.has_item(s, actor, "stamina_boost", at)

    def spots_to_threaten(self, s: State, actor: int, at: Lanes) -> Mask:
        """(spots, lanes). P52-H8: spots in sight and earshot with enemies who can be routed."""
        near = self.spots_within(s, actor, s.facts.kits[actor].support["threaten"].most, at)
        return near & (self.look(at).spot_routable > 0)

    def spots_to_hit(self, s: State, actor: int, at: Lanes) -> Mask:
        """(spots, lanes). P52-H7: spots in sight and throw range with enemies, if any elixir is left."""
        has = np.zeros(len(at), dtype=bool)
        for item in s.facts.kits[actor].elixirs:
            has |= items.has_item(s, actor, item.name, at)
        if not has.any():
            return np.zeros((1, len(at)), dtype=bool)
        return self.spots_within(s, actor, s.facts.kits[actor].throw, at) & has

    def spots_within(self, s: State, actor: int, most: int, at: Lanes) -> Mask:
        """(spots, lanes). Spots with enemies in sight at no more than a range."""
        spots, bits = cut(s.spot[actor], at), s.space.ground.board.bits
        near = bits.none(len(at))
        for value, some in s.apart(most, at):
            near[:, some] = columns(s.space.seen[value], spots[some])
        return bits.cells(self.look(at).foes & near)

    # Doing.

    def act(self, s: State, actor: int, line: Line, at: Lanes, target: Whole) -> None:
        """P52-H1: do it."""
        deeds: dict[str, Callable[[], None]] = {
            "attack": lambda: make_attacks(s, actor, self.best_on(target, at), target, at),
            "charge": lambda: make_charge(s, actor, target, at),
            "approach": lambda: walk(s, actor, target, at),
            "move": lambda: walk(s, actor, target, at),
            "aim": lambda: take_aim(s, actor, target, at),
            "stance": lambda: take_stance(s, actor, at),
            "drink": lambda: items.give_best(s, actor, np.full(len(at), actor), at),
            "give": lambda: items.give_best(s, actor, target, at),
            "raise": lambda: items.give_blood(s, actor, target, at),
            "throw": lambda: items.throw_first(s, actor, target, at),
            "boost": lambda: items.boost(s, actor, at),
            "heal": lambda: support.heal(s, actor, target, at),
            "glow": lambda: support.glow(s, actor, at),
            "revive": lambda: self.revive(s, actor, target, at),
            "threaten": lambda: self.threaten(s, actor, target, at),
            "pass": lambda: pass_turn(s, actor, at),
            "anything": lambda: do_anything(s, actor, at, make_attacks),
        }
        deeds[line.do]()

    def best_on(self, enemy: Whole, at: Lanes) -> Tiny:
        """(lanes,). P52-Y2: the place of the best attack on one enemy per lane."""
        return place_in(each(self.look(at).best, enemy, np.arange(len(at))))

    def revive(self, s: State, hero: int, friend: Whole, at: Lanes) -> None:
        """P52-Y4, P52-H8: with a card if the plan says so."""
        hits = s.find(s.facts.kits[hero].support["revive"].winning, at, np.zeros(len(at), dtype=np.int64))
        support.revive(s, hero, friend, at, card_with(s, hero, at, hits))

    def threaten(self, s: State, hero: int, spot: Whole, at: Lanes) -> None:
        """P52-Y4, P52-H8: with a card if the plan says so."""
        number = each(self.look(at).spot_routable, spot, np.arange(len(at)))
        hits = s.find(s.facts.kits[hero].support["threaten"].winning, at, number)
        support.threaten(s, hero, spot, at, card_with(s, hero, at, hits))


def revive_target(s: State, kit: Kit, at: Lanes) -> int | Small:
    """The target number of a hero's Revive: one for all lanes, or (lanes,)."""
    if "revive" not in kit.support:
        return IMPOSSIBLE
    target = kit.support["revive"].target
    return s.find(target, at, per_lane(0, at)) if isinstance(target, Varying) else int(target[0])


def make_attacks(s: State, hero: int, place: Tiny | Whole, enemy: Whole, at: Lanes) -> None:
    """P52-H4: attacks by their place in the hero's list, then Double Tap where it is legal and the plan uses it."""
    set_down(s, hero, at, aim=False)
    cards = card_rule(s, hero)
    for way in s.facts.kits[hero].attacks:
        using = which(place == way.place)
        if not len(using):
            continue
        attacking, foes = at[using], enemy[using]
        if way.shape == "charge":
            make_charge(s, hero, foes, attacking)
        else:
            lost = attack(s, hero, way, foes, attacking, cards(way, foes, attacking))
            perhaps_tap(s, hero, way, foes, lost, attacking)


def make_charge(s: State, hero: int, enemy: Whole, at: Lanes) -> None:
    """P52-H4, P52-I35: a charge, and perhaps Double Tap."""
    way = s.facts.kits[hero].charge
    assert way is not None
    lost = charge(s, hero, way, enemy, at, card_rule(s, hero))
    perhaps_tap(s, hero, way, enemy, lost, at)


def perhaps_tap(s: State, hero: int, way: HeroAttack, enemy: Whole, lost: Whole, at: Lanes) -> None:
    """P52-H1: Double Tap may follow."""
    kit = s.facts.kits[hero]
    if kit.tap is not None and kit.plan.double_tap:
        double_tap(s, hero, way, enemy, lost, at, card_rule(s, hero))
