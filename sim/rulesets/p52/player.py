"""How P52 speaks the policy language: what lines can ask, what they can do, and doing it (section 10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Whole, cut, each, which
from sim.core.policy import Line, choose_target, follow
from sim.rulesets.p52.attack_tables import HeroAttack, place_in
from sim.rulesets.p52.ground import UNSEEN, seen_within
from sim.rulesets.p52.rules import support
from sim.rulesets.p52.rules.cards import pass_turn
from sim.rulesets.p52.rules.hero_attacks import attack, charge, double_tap
from sim.rulesets.p52.rules.hero_moves import approach_spot, walk
from sim.rulesets.p52.state import State
from sim.rulesets.p52.view import View, threat_hits
from sim.rulesets.p52.vocabulary import VOCABULARY

NEEDS = {"heal": "heal", "glow": "healing_glow", "revive": "revive", "threaten": "threaten"}


class Player:
    """The player of the policy language: carries out the lines of a plan for one hero in many runs.

    The lines themselves are data: P52-Y7, P52-Y11, P52-Y12, P52-Y13, P52-Y14 and P52-Y15 in policies.toml.
    """

    vocabulary = VOCABULARY
    view: View
    any_stunned: bool  # whether the hero is stunned in any lane of this turn

    def turn(self, s: State, hero: int, at: Lanes) -> None:
        """P52-H1: one action: the first line that applies."""
        self.view = View(s, hero, at)
        self.any_stunned = bool((s.hp[hero].take(at) == 0).any())
        follow(self, s.facts.kits[hero].plan.action, s, hero, at)

    def look(self, at: Lanes) -> View:
        """The view of some lanes of the turn; what a wider view knows is not worked out again."""
        self.view = self.view.of(at)
        return self.view

    # Asking.

    def ask(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """What a name is worth."""
        view, kit = self.look(at), s.facts.kits[actor]
        answers: dict[str, Callable[[], Any]] = {
            "round": lambda: s.stage_round.take(at),
            "hp": lambda: s.hp[actor].take(at),
            "max_hp": lambda: kit.facts.max_hp,
            "level": lambda: kit.facts.level,
            "stunned": lambda: s.hp[actor].take(at) == 0,
            "cards": lambda: s.cards[actor].take(at),
            "aim": lambda: s.aim[actor].take(at),
            "stance": lambda: s.stance[actor].take(at),
            "self_spell": lambda: s.facts.is_on("stunned_self_spell"),
            "heroes": lambda: s.alive.take(at),
            "enemies": lambda: s.standing.take(at),
            "hurt_heroes": lambda: view.hurt_heroes,
            "nearest_steps": lambda: view.nearest_steps,
            "rooted": lambda: view.rooted,
            "best_damage": lambda: view.worth.max(axis=0),
            "revive_target": lambda: int(kit.support["revive"].target[0]) if "revive" in kit.support else 999,
        }
        return answers[name]()

    def ask_target(self, s: State, actor: int, kind: str, name: str, at: Lanes) -> Any:
        """What a target name is worth, for every enemy, hero or spot."""
        view = self.look(at)
        if kind == "spot":
            if name == "spot_hidden":
                return view.ground.hidden[:, None]
            return getattr(view, name)
        if kind == "hero":
            friends: dict[str, Callable[[], Any]] = {
                "their_hp": lambda: cut(s.hp, at),
                "their_max_hp": lambda: s.facts.max_hp,
                "their_level": lambda: np.array([[kit.facts.level] for kit in s.facts.kits]),
                "their_self": lambda: np.arange(s.heroes)[:, None] == actor,
                "their_range": lambda: view.friend_ranges,
                "their_heal_target": lambda: view.heal_target,
            }
            return friends[name]()
        types = s.facts
        enemies: dict[str, Callable[[], Any]] = {
            "their_hp": lambda: view.foe_hp,
            "their_max_hp": lambda: types.type_max_hp.take(cut(s.kind[: view.slots], at)),
            "their_range": lambda: view.ranges,
            "their_steps": lambda: view.steps,
            "their_damage": lambda: view.worth,
            "their_ability": lambda: place_in(view.best),
            "their_charge": lambda: view.charge_worth,
            "their_aimed_at": lambda: view.aimed_at,
            "their_aim": lambda: view.aimed_at * s.aim[actor].take(at),
            "their_focus": lambda: view.focused,
            "their_frozen": lambda: np.stack([s.is_frozen(slot, at) for slot in range(view.slots)]),
            "their_boss": lambda: types.type_boss.take(cut(s.kind[: view.slots], at)),
        }
        return enemies[name]()

    # What is legal.

    def ever(self, s: State, actor: int, line: Line) -> bool:
        """Whether this hero could ever do this: abilities and stock."""
        if not self.any_stunned and line.when is not None and _for_the_stunned(line.when.text):
            return False
        kit = s.facts.kits[actor]
        if line.do in NEEDS:
            return NEEDS[line.do] in kit.support
        if line.do in ("drink", "give"):
            return any(item in kit.items for item in support.HEALING)
        if line.do == "throw":
            return any("elixir" in item for item in kit.items.values())
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
            there = at if len(able) == len(at) else at[able]
            goal = np.full(len(at), -1, dtype=np.int64)
            of_enemy = each(s.foe_spot, chosen[able], there).astype(np.int64)
            goal[able] = approach_spot(s, actor, of_enemy, there, self.look(there).reach)
            return goal
        if line.do in ("charge", "give", "raise"):
            chosen[which(~self.near_enough(s, actor, line.do, chosen, at))] = -1  # nobody else is looked at
        return chosen

    def near_enough(self, s: State, actor: int, do: str, chosen: Whole, at: Lanes) -> Mask:
        """(lanes,). 11.2, P52-H7: a charge goes 1 or 2 steps, an item to a hero on the same spot."""
        if do == "charge":
            steps = each(self.look(at).steps, chosen, np.arange(len(at)))
            return (steps >= 1) & (steps <= 2)
        return each(s.spot, chosen, at) == s.spot[actor].take(at)

    def candidates(self, s: State, actor: int, do: str, at: Lanes) -> Mask:
        """(targets, lanes). P52-H1, P52-H11: who may be chosen with this verb; (1, lanes) without a target."""
        view = self.look(at)
        fit = s.hp[actor].take(at) > 0
        if do == "attack":
            return (view.best > 0) & fit
        if do == "aim":
            return view.sees & fit
        if do == "charge":
            return view.standing & fit
        if do == "approach":
            return view.standing
        if do == "move":
            return view.reachable
        if do in ("heal", "give"):
            living = s.living(at)
            alone = fit | (np.arange(s.heroes)[:, None] == actor)
            if do == "give":
                return living & support.has_healing(s, actor, at) & alone
            allowed = fit | s.facts.is_on("stunned_self_spell")
            return living & (view.friend_ranges <= s.facts.kits[actor].support["heal"].most) & alone & allowed
        if do == "revive":
            return ~s.living(at) & (view.friend_ranges < UNSEEN) & fit
        if do in ("threaten", "throw"):
            return self.spots_to_hit(s, actor, do, at) & fit
        if do == "drink":
            return support.has_healing(s, actor, at)[None]
        if do == "glow":
            return (fit | s.facts.is_on("stunned_self_spell"))[None]
        if do == "raise":
            return ~s.living(at) & fit & (s.stock[s.facts.stock_names.index("dragons_blood"), actor].take(at) > 0)
        if do == "boost":
            few = s.cards[actor].take(at) <= s.facts.switches["stamina_max"]
            return (few & (s.stock[s.facts.stock_names.index("stamina_boost"), actor].take(at) > 0))[None]
        return np.ones((1, len(at)), dtype=bool)

    def spots_to_hit(self, s: State, actor: int, do: str, at: Lanes) -> Mask:
        """(spots, lanes). P52-H7, 11.2: spots with enemies within throw range, or within earshot of Threaten."""
        view, ground, kit = self.look(at), s.space.ground, s.facts.kits[actor]
        has = np.zeros(len(at), dtype=bool)
        for name, item in kit.items.items():
            if "elixir" in item:
                has |= s.stock[s.facts.stock_names.index(name), actor].take(at) > 0
        if do == "throw" and not has.any():
            return np.zeros((1, len(at)), dtype=bool)
        most = kit.support["threaten"].most if do == "threaten" else kit.throw
        near = seen_within(ground, most).take(s.spot[actor].take(at), axis=1)
        with_enemies = ground.board.bits.cells(view.foes & near)
        return with_enemies & (view.spot_routable > 0 if do == "threaten" else has)

    # Doing.

    def act(self, s: State, actor: int, line: Line, at: Lanes, target: Whole) -> None:
        """P52-H1: do it."""
        do = line.do
        if do == "attack":
            view = self.look(at)
            self.attack(s, actor, place_in(each(view.best, target, np.arange(len(at)))), target, at)
        elif do == "charge":
            self.charge(s, actor, target, at)
        elif do in ("approach", "move"):
            walk(s, actor, target, at)
        elif do == "throw":
            self.throw(s, actor, target, at)
        elif do == "revive":
            way = s.facts.kits[actor].support["revive"]
            hits = np.full(len(at), int(threat_hits(way)[0]))
            support.revive(s, actor, target, at, s.facts.kits[actor].plan.card_for(s, actor, at, hits))
        elif do == "threaten":
            view = self.look(at)
            number = view.spot_routable[target, np.arange(len(at))]
            hits = threat_hits(s.facts.kits[actor].support["threaten"]).take(number)
            support.threaten(s, actor, target, at, s.facts.kits[actor].plan.card_for(s, actor, at, hits))
        elif do == "anything":
            from sim.rulesets.p52.random_player import anything

            anything(self, s, actor, at)
        else:
            simple: dict[str, Callable[[], None]] = {
                "aim": lambda: support.take_aim(s, actor, target, at),
                "stance": lambda: support.take_stance(s, actor, at),
                "drink": lambda: support.give_best(s, actor, np.full(len(at), actor), at),
                "give": lambda: support.give_best(s, actor, target, at),
                "raise": lambda: support.give_blood(s, actor, target, at),
                "heal": lambda: support.heal(s, actor, target, at),
                "glow": lambda: support.glow(s, actor, at),
                "boost": lambda: support.boost(s, actor, at),
                "pass": lambda: pass_turn(s, actor, at),
            }
            simple[do]()

    def attack(self, s: State, hero: int, chosen: NDArray[Any], enemy: Whole, at: Lanes) -> None:
        """P52-H4: the chosen attacks, then Double Tap where it is legal and the policy uses it."""
        support.set_down(s, hero, at, aim=False)
        kit = s.facts.kits[hero]
        for way in kit.attacks:
            using = which(chosen == way.place)
            if not len(using):
                continue
            there, foes = at[using], enemy[using]
            if way.shape == "charge":
                self.charge(s, hero, foes, there)
                continue
            cards = self.card_rule(s, hero)(way, foes, there)
            lost = attack(s, hero, way, foes, there, cards)
            self.tap(s, hero, way, foes, lost, there)

    def charge(self, s: State, hero: int, enemy: Whole, at: Lanes) -> None:
        """P52-H4, P52-I35: a charge, and perhaps Double Tap."""
        way = s.facts.kits[hero].charge
        assert way is not None
        lost = charge(s, hero, way, enemy, at, self.card_rule(s, hero))
        self.tap(s, hero, way, enemy, lost, at)

    def tap(self, s: State, hero: int, way: HeroAttack, enemy: Whole, lost: Whole, at: Lanes) -> None:
        """P52-H1: Double Tap may follow."""
        kit = s.facts.kits[hero]
        if kit.tap is not None and kit.plan.double_tap:
            double_tap(s, hero, way, enemy, lost, at, self.card_rule(s, hero))

    def card_rule(self, s: State, hero: int) -> Callable[[HeroAttack, Whole, Lanes], Mask | None]:
        """P52-Y4: whether a stamina card goes with an attack."""
        kit = s.facts.kits[hero]

        def rule(way: HeroAttack, enemy: Whole, at: Lanes) -> Mask | None:
            if kit.plan.attack_card is None and not kit.plan.random:
                return None
            return kit.plan.card_for(s, hero, at, hits_of(s, hero, way, enemy, at))

        return rule

    def throw(self, s: State, hero: int, spot: Whole, at: Lanes) -> None:
        """11.4: the first elixir in table order."""
        left = at
        for name, item in s.facts.kits[hero].items.items():
            if "elixir" in item and len(left):
                has = s.stock[s.facts.stock_names.index(name), hero].take(left) > 0
                lanes = left[has]
                if len(lanes):
                    support.throw(s, hero, name, spot[np.searchsorted(at, lanes)], lanes)
                left = left[~has]


def _for_the_stunned(when: str) -> bool:
    """Whether a condition can only hold of a stunned hero: `stunned` alone, or `stunned and ...` without an `or`."""
    return when == "stunned" or (when.startswith("stunned and ") and " or " not in when and " if " not in when)


def hits_of(s: State, hero: int, way: HeroAttack, enemy: Whole, at: Lanes) -> NDArray[np.int8]:
    """(lanes,). Flips of 2 to 13 that would hit without a card, the present aim included."""
    ground = s.space.ground
    aim = (s.aim[hero].take(at) * (s.aim_at[hero].take(at) == enemy)).astype(np.int64)
    spot = each(s.foe_spot, enemy, at)
    if way.shape in ("thrust", "charge"):
        on_spot = s.standing_foes(at)[: s.space.slots] & (cut(s.foe_spot[: s.space.slots], at) == spot)
        param = on_spot.sum(axis=0)
    else:
        param = ground.hero_range.take(ground.near(s.spot[hero].take(at), spot)).astype(np.int64)
    return way.hits.reshape(-1).take(aim * way.hits.shape[1] + param)
