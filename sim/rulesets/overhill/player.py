"""The player of the party: asks and does what the lines of its plan say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from sim.core.expr import Expression, Value
from sim.core.lanes import Lanes, Mask, Small, Whole, columns, cut, either, keep, lookup, which
from sim.core.policy import Line, choose_target, follow, option, truth
from sim.rulesets.overhill import data
from sim.rulesets.overhill.plan import Plan
from sim.rulesets.overhill.random_player import anything_legal
from sim.rulesets.overhill.rules import hero_actions, hero_moves, items, magic, prayers
from sim.rulesets.overhill.state import State
from sim.rulesets.overhill.vocabulary import ITEM_VERBS, VOCABULARY, hero_words, vocabulary_of
from sim.rulesets.overhill.worth import TIE, Danger, Outlook, Scales, Worth

NEEDS = {"heal": "priest", "bless": "priest", "dart": "magic_user", "sneak": "rogue"}  # verb -> the class that has it


class Player:
    """Carries out the lines of a plan for one hero in many runs."""

    def __init__(self, plan: Plan, scales: Scales, heroes: Sequence[str]) -> None:
        self.plan = plan
        self.scales = scales
        self.vocabulary = vocabulary_of(heroes)
        self.named = hero_words(heroes)  # the word for a hero -> place in the roster

    def turn(self, s: State, hero: int, at: Lanes) -> None:
        """OU-A0, OU-A10: one action: the first line that applies; nobody left over does anything but pass."""
        idle = follow(self, self.plan.action, s, hero, at)
        if s.tell:
            s.tell.event("OU-A10", "passes", idle, who=hero)

    # Asking.

    def ask(self, s: State, actor: int, name: str, at: Lanes) -> Value:
        """What a name is worth."""
        if name in data.CLASSES:
            return s.facts.heroes[actor].hero_class == name
        if name in self.named:
            return self.named[name] == actor
        return ANSWERS[name](self, s, actor, at)

    def ask_target(self, s: State, actor: int, kind: str, name: str, at: Lanes) -> Value:
        """What a target name is worth, for every hero or group."""
        what = name.removeprefix("their_")
        if what in data.CLASSES:
            return np.array([[hero.hero_class == what] for hero in s.facts.heroes])
        if kind == "hero" and what in self.named:
            return np.arange(s.heroes)[:, None] == self.named[what]
        return ANSWERS_ABOUT[kind][what](self, s, at)

    def about_groups(self, s: State, actor: int, at: Lanes) -> Callable[[str], Value]:
        """What a name is worth in a formula about every group at once."""

        def about(name: str) -> Value:
            if name in VOCABULARY.target_names["group"]:
                return self.ask_target(s, actor, "group", name, at)
            return self.ask(s, actor, name, at)

        return about

    # Stances.

    @property
    def always_neutral(self) -> bool:
        """Whether nobody ever takes a stance."""
        first = self.plan.stance.lines[:1]
        return bool(first) and first[0].when is None and data.STANCES[first[0].take] == data.NEUTRAL

    def look_ahead(self, s: State) -> Outlook | None:
        """What every group may do to whom, where stances are chosen by it: the same for all heroes of a round."""
        return None if self.plan.stance.score is None else self.scales.outlook(s, s.everyone)

    def choose_stance(self, s: State, hero: int, at: Lanes, outlook: Outlook | None) -> None:
        """OU-R3: by lot, by the first line that holds, or the one with the best score. Everybody is neutral before."""
        if self.plan.stance.by_lot:
            drawn = s.luck.below(3, "stance", s.round, hero, 0, at)
            s.take_stance(hero, at, lookup(np.array(list(data.STANCES.values())), drawn))
        elif self.plan.stance.score is not None and outlook is not None:
            s.take_stance(hero, at, self.best_stance(s, hero, at, self.plan.stance.score, outlook.for_hero(hero, at)))
        else:
            for choice in self.plan.stance.lines:
                if choice.when is None:
                    if data.STANCES[choice.take] != data.NEUTRAL:
                        s.take_stance(hero, at, data.STANCES[choice.take])
                    break
                holds = truth(choice.when, self, s, hero, at)
                if holds.any():
                    s.take_stance(hero, keep(at, holds), data.STANCES[choice.take])
                    at = keep(at, ~holds)
                    if not len(at):
                        break

    def best_stance(self, s: State, hero: int, at: Lanes, score_of: Expression, danger: Danger) -> Small:
        """(lanes,). The stance with the highest score of strike and risk; ties the earlier one.

        The hero tries every stance on: what a strike is worth depends on it.
        """
        best = np.full(len(at), -np.inf)
        chosen = np.zeros(len(at), dtype=np.int16)
        legal = {kind: self.reach(s, hero, kind, at) for kind in data.STRIKES}  # in whatever stance
        for name in self.plan.stance.best_of:
            stance = data.STANCES[name]
            s.take_stance(hero, at, stance)

            def about(asked: str, stance: int = stance) -> Value:
                if asked == "strike":
                    return self.strike_value(s, hero, at, legal, danger)
                if asked == "risk":
                    return self.scales.risk(s, hero, at, stance, danger)
                return self.ask(s, hero, asked, at)

            score = np.broadcast_to(np.asarray(score_of(about), dtype=np.float64), len(at))
            better = score > best + TIE
            chosen = either(better, stance, chosen)
            best = np.where(better, score, best)
        return chosen

    def strike_value(self, s: State, hero: int, at: Lanes, legal: Mapping[str, Mask], danger: Danger) -> Worth:
        """(lanes,). The best expected kills x threat in the present stance; 0 without an option."""
        push = self.scales.safe_push(s, hero, at)
        return np.maximum(self.scales.best(s, hero, at, legal, danger.threat, push)[1], 0.0)

    # What is legal.

    def ever(self, s: State, actor: int, line: Line) -> bool:
        """Whether this hero could ever do this: class, feats, inventory."""
        hero = s.facts.heroes[actor]
        if line.do in ITEM_VERBS:
            return hero.items[ITEM_VERBS[line.do]] > 0
        return NEEDS.get(line.do, hero.hero_class) == hero.hero_class

    def choose(self, s: State, actor: int, line: Line, at: Lanes) -> Whole:
        """(lanes,). The target of the line; for `best` the option: kind x groups + group."""
        if line.do == "best":
            best, worth = self.best_option(s, actor, line, at)
            return (either(worth > TIE, best, -1) if line.options.get("useful") else best).astype(np.int64)
        return choose_target(self, line, VOCABULARY.verbs[line.do], s, actor, at, self.candidates(s, actor, line, at))

    def candidates(self, s: State, actor: int, line: Line, at: Lanes) -> Mask:
        """(targets, lanes). OU-A0: who may be chosen with this verb; (1, lanes) for verbs without a target."""
        do = line.do
        if do in data.STRIKES or do == "bash":
            return self.reach(s, actor, do, at)
        if do == "heal":
            return prayers.may_heal(s, actor, at)
        if do == "bless":
            return prayers.may_bless(s, actor, attribute_of(line), at)
        if do in ("smoke", "acid"):
            return (cut(s.n, at) > 0) & items.carries(s, actor, ITEM_VERBS[do], at)
        return self.legal_alone(s, actor, do, at)[None]

    def legal_alone(self, s: State, actor: int, do: str, at: Lanes) -> Mask:
        """(lanes,). Whether a verb without a target is legal."""
        if do in ITEM_VERBS:
            return items.carries(s, actor, ITEM_VERBS[do], at)
        if do == "move_front":
            return hero_moves.may_move_up(s, actor, at)
        if do == "move_rear":
            return hero_moves.may_move_back(s, actor, at)
        return np.ones(len(at), dtype=bool)  # anything, pass

    def reach(self, s: State, hero: int, kind: str, at: Lanes) -> Mask:
        """(groups, lanes). The groups on which a kind of attack is legal; none if the scenario forbids it."""
        if kind in self.plan.forbidden:
            return np.zeros((s.groups, len(at)), dtype=bool)
        return hero_actions.reach(s, hero, kind, at)

    # Doing.

    def act(self, s: State, actor: int, line: Line, at: Lanes, target: Whole) -> None:
        """OU-A0: do it."""
        do = line.do
        if do in data.STRIKES or do == "bash":
            hero_actions.attack(s, actor, do, target, at, self.pushes(s, actor, line, at, target))
        elif do == "best":
            self.act_best(s, actor, line, at, target)
        elif do == "anything":
            anything_legal(s, actor, line.options["among"], at)
        elif do == "heal":
            bumps = option(line, "bumps", self, s, actor, at, "hero", target) if "bumps" in line.options else 0
            prayers.heal(s, actor, target, at, np.clip(bumps, 0, s.facts.switches["bump_max"]))
        elif do == "bless":
            prayers.bless(s, actor, target, at, attribute_of(line))
        elif do in ("move_front", "move_rear"):
            hero_moves.move(s, actor, at, to_front=do == "move_front")
        elif do in ITEM_VERBS:
            items.use_item(s, actor, ITEM_VERBS[do], at, target)

    def pushes(self, s: State, actor: int, line: Line, at: Lanes, group: Whole | None = None) -> Whole:
        """(lanes,). OU-G2: how many extra casting dice the line asks for, as far as the level allows.

        Without a group it is asked for every group: (groups, lanes) where the formula speaks of them.
        """
        if "push" not in line.options:
            return np.zeros(len(at), dtype=np.int64)
        if group is None:
            push = line.options["push"](self.about_groups(s, actor, at))
        else:
            push = option(line, "push", self, s, actor, at, "group", group)
        most = magic.most_pushes(s.facts.heroes[actor].level)
        allowed = np.clip(push, 0, most).astype(np.int64)
        return np.broadcast_to(allowed, np.broadcast_shapes(allowed.shape, (len(at),)))

    def best_option(self, s: State, actor: int, line: Line, at: Lanes) -> tuple[Small, Worth]:
        """(lanes,) each: the best option by expected kills, and its worth."""
        about = self.about_groups(s, actor, at)
        legal = {kind: self.reach(s, actor, kind, at) for kind in data.STRIKES if kind in line.options["among"]}
        if line.aim.where is not None:
            wanted = np.asarray(line.aim.where(about), dtype=bool)
            legal = {kind: groups & wanted for kind, groups in legal.items()}
        weigh = line.options["weigh"](about) if "weigh" in line.options else 1
        return self.scales.best(s, actor, at, legal, weigh, self.pushes(s, actor, line, at))

    def act_best(self, s: State, actor: int, line: Line, at: Lanes, chosen: Whole) -> None:
        """The best option by weight; ties: earlier kind, then earlier group."""
        for code, name in enumerate(data.STRIKES):
            first = code * s.groups
            of_kind = which((chosen >= first) & (chosen < first + s.groups))
            if len(of_kind):
                group, lanes = columns(chosen, of_kind) - first, columns(at, of_kind)
                hero_actions.attack(s, actor, name, group, lanes, self.pushes(s, actor, line, lanes, group))


def attribute_of(line: Line) -> int:
    """The attribute that a line wants blessed."""
    return data.ATTRIBUTES.index(line.options.get("attribute", "vigor"))


# What the names of the vocabulary are worth. Those of the classes are answered by the player.

ANSWERS: dict[str, Callable[[Player, State, int, Lanes], Value]] = {
    "round": lambda player, s, hero, at: s.round,
    "health": lambda player, s, hero, at: cut(s.health[hero], at),
    "max_health": lambda player, s, hero, at: s.own(s.facts.heroes[hero].max_health, at),
    "level": lambda player, s, hero, at: s.facts.heroes[hero].level,
    "in_front": lambda player, s, hero, at: cut(s.front[hero], at),
    "rear_attack": lambda player, s, hero, at: s.facts.heroes[hero].rear_attack,
    "cast_blocked": lambda player, s, hero, at: cut(s.cast_blocked[hero], at),
    "silenced": lambda player, s, hero, at: cut(s.silenced[hero], at),
    "lapsed": lambda player, s, hero, at: cut(s.lapsed[hero], at),
    "heroes": lambda player, s, hero, at: s.standing_count(at),
    "monsters": lambda player, s, hero, at: s.monster_count(at),
    "front_weight": lambda player, s, hero, at: s.front_weight(at),
    "front_monsters": lambda player, s, hero, at: s.front_monsters(at),
    "worst_hit": lambda player, s, hero, at: player.scales.worst_hit(s, at),
    "safe_push": lambda player, s, hero, at: player.scales.safe_push(s, hero, at),
    "bump_max": lambda player, s, hero, at: s.facts.switches["bump_max"],
    "all_can_talk": lambda player, s, hero, at: s.can_talk(at),
    "rogue_sneak": lambda player, s, hero, at: player.plan.rogue_sneak,
    "warrior_frenzy": lambda player, s, hero, at: player.plan.warrior_frenzy,
}

ANSWERS_ABOUT: dict[str, dict[str, Callable[[Player, State, Lanes], Value]]] = {
    "hero": {
        "health": lambda player, s, at: cut(s.health, at),
        "max_health": lambda player, s, at: s.own(s.facts.max_health, at),
        "level": lambda player, s, at: s.facts.level,
        "front": lambda player, s, at: cut(s.front, at),
    },
    "group": {
        "number": lambda player, s, at: cut(s.n, at),
        "attack": lambda player, s, at: player.scales.attack_values(s, at),
        "defence": lambda player, s, at: np.maximum(cut(s.defence, at) + cut(s.defence_mod, at), 1),
        "rear": lambda player, s, at: cut(s.rear_group, at),
        "threat": lambda player, s, at: player.scales.threat(s, at),
    },
}
