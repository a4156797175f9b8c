"""How Overhill speaks the policy language: what lines can ask, what they can do, and doing it (section 10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Whole, cut
from sim.core.policy import Line, Verb, Vocabulary, choose_target, follow, option
from sim.rulesets.overhill import data
from sim.rulesets.overhill.plans import Plan
from sim.rulesets.overhill.rules import attacks, magic, monsters, moves, prayers
from sim.rulesets.overhill.state import State
from sim.rulesets.overhill.weighing import STRIKES, TIE, Outlook, Scales, Worth

CLASSES = ("warrior", "rogue", "magic_user", "priest")
ITEM_VERBS = {
    "potion": moves.POTION,
    "tonic": moves.TONIC,
    "oil": moves.OIL,
    "smoke": moves.SMOKE,
    "acid": moves.ACID,
}
_ITEMS = data.items()

VOCABULARY = Vocabulary(
    names={
        "round": "the number of the round",
        "health": "of the hero who acts",
        "max_health": "of the hero who acts",
        "level": "of the hero who acts",
        **{name: f"the hero is a {name.replace('_', ' ')}" for name in CLASSES},
        "in_front": "the hero stands in the front guard",
        "rear_attack": "the hero can attack from the rear guard (a spell or a ranged weapon)",
        "cast_blocked": "no spells this round",
        "silenced": "no more spells",
        "lapsed": "no more prayers",
        "heroes": "standing heroes",
        "monsters": "living monsters",
        "front_weight": "standing front heroes, Shield Wall counting twice",
        "front_monsters": "living front monsters",
        "worst_hit": "the most health that one hit of a living group can cost",
        "safe_push": "the most extra casting dice with a mishap chance of at most a third; 0 at 2 health or less",
        "bump_max": "the switch bump_max",
        "all_can_talk": "every group can be talked to",
        "rogue_sneak": "policy option",
        "warrior_frenzy": "policy option",
    },
    target_names={
        "hero": {
            "their_health": "health",
            "their_max_health": "maximum health",
            "their_level": "level",
            "their_front": "stands in the front guard",
            **{f"their_{name}": f"is a {name.replace('_', ' ')}" for name in CLASSES},
        },
        "group": {
            "their_number": "monsters left in the group",
            "their_attack": "attack value",
            "their_defence": "defence",
            "their_rear": "stands in the rear guard",
            "their_threat": "health that one attack is expected to cost, over the heroes it may choose",
        },
    },
    verbs={
        "melee": Verb("one melee attack", "group"),
        "sneak": Verb("Sneak Attack (rogues)", "group"),
        "frenzy": Verb("Frenzy (feat)", "group"),
        "dual": Verb("Dual Wield (feat)", "group"),
        "bash": Verb("Shield Bash (feat)", "group"),
        "ranged": Verb("one ranged attack from the rear guard", "group"),
        "dart": Verb("Magic Dart", "group", {"push": "formula"}),
        "heal": Verb("pray for healing", "hero", {"bumps": "formula"}),
        "bless": Verb("pray for a blessing", "hero", {"attribute": "word"}, {"attribute": data.ATTRIBUTES}),
        "potion": Verb(f"drink a healing potion: {_ITEMS['healing_potion']}"),
        "tonic": Verb(f"drink a war tonic: {_ITEMS['war_tonic']}"),
        "oil": Verb(f"use stone oil: {_ITEMS['stone_oil']}"),
        "smoke": Verb(f"throw a smoke flask: {_ITEMS['smoke_flask']}", "group"),
        "acid": Verb(f"throw an acid flask: {_ITEMS['acid_flask']}", "group"),
        "move_front": Verb("move to the front guard"),
        "move_rear": Verb("move to the rear guard"),
        "best": Verb(
            "the attack with the most expected kills, times `weigh`; no other ranking of its target",
            "group",
            {"among": "words", "weigh": "formula", "push": "formula", "useful": "yes_no"},
            {"among": STRIKES},
        ),
        "anything": Verb(
            "anything legal: first the kind by lot, then the choice",
            None,
            {"among": "words"},
            {"among": data.ACTIONS},
        ),
        "pass": Verb("do nothing"),
    },
)


class Heroes:
    """The player of the policy language: carries out the lines of a plan for one hero in many runs."""

    vocabulary = VOCABULARY

    def __init__(self, plan: Plan, scales: Scales) -> None:
        self.plan = plan
        self.scales = scales

    def turn(self, s: State, hero: int, at: Lanes) -> None:
        """OU-A0, OU-A10: one action: the first line that applies; nobody left over does anything but pass."""
        follow(self, self.plan.action, s, hero, at)

    # Asking.

    def ask(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """What a name is worth."""
        facts = s.facts.heroes[actor]
        if name in CLASSES:
            return facts.hero_class == name
        answers: dict[str, Callable[[], Any]] = {
            "round": lambda: s.round,
            "health": lambda: cut(s.health[actor], at),
            "max_health": lambda: facts.max_health,
            "level": lambda: facts.level,
            "in_front": lambda: cut(s.front[actor], at),
            "rear_attack": lambda: facts.rear_attack,
            "cast_blocked": lambda: cut(s.cast_blocked[actor], at),
            "silenced": lambda: cut(s.silenced[actor], at),
            "lapsed": lambda: cut(s.lapsed[actor], at),
            "heroes": lambda: s.standing_count(at),
            "monsters": lambda: s.monster_count(at),
            "front_weight": lambda: s.front_weight(at),
            "front_monsters": lambda: s.front_monsters(at),
            "worst_hit": lambda: self.scales.worst_hit(s, at),
            "safe_push": lambda: self.scales.safe_push(s, actor, at),
            "bump_max": lambda: s.facts.switches["bump_max"],
            "all_can_talk": lambda: s.can_talk(at),
            "rogue_sneak": lambda: self.plan.rogue_sneak,
            "warrior_frenzy": lambda: self.plan.warrior_frenzy,
        }
        return answers[name]()

    def ask_target(self, s: State, actor: int, kind: str, name: str, at: Lanes) -> Any:
        """What a target name is worth, for every hero or group."""
        what = name.removeprefix("their_")
        heroes = s.facts.heroes
        if kind == "hero":
            if what in CLASSES:
                return np.array([[hero.hero_class == what] for hero in heroes])
            heroes_answers: dict[str, Callable[[], Any]] = {
                "health": lambda: cut(s.health, at),
                "max_health": lambda: s.facts.max_health,
                "level": lambda: np.array([[hero.level] for hero in heroes]),
                "front": lambda: cut(s.front, at),
            }
            return heroes_answers[what]()
        groups_answers: dict[str, Callable[[], Any]] = {
            "number": lambda: cut(s.n, at),
            "attack": lambda: self.scales.attack_values(s, at),
            "defence": lambda: np.maximum(cut(s.defence, at) + cut(s.defence_mod, at), 1),
            "rear": lambda: cut(s.rear_group, at),
            "threat": lambda: self.scales.threat(s, at),
        }
        return groups_answers[what]()

    # What is legal.

    def ever(self, s: State, actor: int, line: Line) -> bool:
        """Whether this hero could ever do this: class, feats, inventory."""
        hero = s.facts.heroes[actor]
        if line.do in ITEM_VERBS:
            return hero.items[ITEM_VERBS[line.do]] > 0
        needs = {"heal": "priest", "bless": "priest", "dart": "magic_user", "sneak": "rogue"}
        return line.do not in needs or needs[line.do] == hero.hero_class

    def choose(self, s: State, actor: int, line: Line, at: Lanes) -> Whole:
        """(lanes,). The target of the line; for `best` the option: kind x groups + group."""
        if line.do == "best":
            kind, group, worth = self.best_option(s, actor, line, at)
            legal = (kind >= 0) & (worth > TIE) if line.options.get("useful") else kind >= 0
            return np.where(legal, kind * np.int64(s.groups) + group, -1)
        return choose_target(self, line, VOCABULARY.verbs[line.do], s, actor, at, self.candidates(s, actor, line, at))

    def candidates(self, s: State, actor: int, line: Line, at: Lanes) -> Mask:
        """(targets, lanes). OU-A0: who may be chosen with this verb; (1, lanes) for verbs without a target."""
        do = line.do
        if do in STRIKES or do == "bash":
            return self.strike_candidates(s, actor, do, at)
        if do == "heal":
            missing = cut(s.health, at) < s.facts.max_health
            return prayers.healable(s, at) & missing & prayers.may_pray(s, actor, at)
        if do == "bless":
            attribute = data.ATTRIBUTES.index(line.options.get("attribute", "vigor"))
            return s.standing(at) & ~cut(s.blessed[attribute], at) & prayers.may_pray(s, actor, at)
        if do in ("smoke", "acid"):
            return (cut(s.n, at) > 0) & moves.carries(s, actor, ITEM_VERBS[do], at)
        return self.legal_alone(s, actor, do, at)[None]

    def legal_alone(self, s: State, actor: int, do: str, at: Lanes) -> Mask:
        """(lanes,). Whether a verb without a target is legal."""
        if do in ITEM_VERBS:
            return moves.carries(s, actor, ITEM_VERBS[do], at)
        if do == "move_front":
            return moves.may_move_up(s, actor, at)
        if do == "move_rear":
            return moves.may_move_back(s, actor, at)
        return np.ones(len(at), dtype=bool)  # anything, pass

    def strike_candidates(self, s: State, actor: int, kind: str, at: Lanes) -> Mask:
        """(groups, lanes). OU-A3, OU-A5, OU-C4, OU-F1: legal groups for a kind of attack."""
        hero = s.facts.heroes[actor]
        if kind in self.plan.forbidden:
            return np.zeros((s.groups, len(at)), dtype=bool)
        if kind == "ranged":
            return attacks.ranged_reach(s, actor, at)
        if kind == "dart":
            return magic.dart_reach(s, actor, at)
        knows = {
            "melee": True,
            "sneak": hero.hero_class == "rogue" and (s.round == 1 or s.facts.is_on("sneak_attack_use", "any_round")),
            "frenzy": hero.knows("frenzy"),
            "dual": hero.knows("dual_wield"),
            "bash": hero.knows("shield_bash") and hero.shield,
        }[kind]
        if not knows:
            return np.zeros((s.groups, len(at)), dtype=bool)
        return attacks.melee_reach(s, actor, at)

    # Doing.

    def act(self, s: State, actor: int, line: Line, at: Lanes, target: Whole) -> None:
        """OU-A0: do it."""
        do = line.do
        if do in STRIKES or do == "bash":
            self.strike(s, actor, do, target, at, self.pushes(s, actor, line, at, target))
        elif do == "best":
            self.act_best(s, actor, line, at, target)
        elif do == "anything":
            self.act_by_lot(s, actor, line.options["among"], at)
        elif do == "heal":
            bumps = option(line, "bumps", self, s, actor, at, "hero", target) if "bumps" in line.options else 0
            prayers.heal(s, actor, target, at, np.clip(bumps, 0, s.facts.switches["bump_max"]))
        elif do == "bless":
            prayers.bless(s, actor, target, at, data.ATTRIBUTES.index(line.options.get("attribute", "vigor")))
        elif do in ("move_front", "move_rear"):
            moves.move(s, actor, at, to_front=do == "move_front")
        elif do in ITEM_VERBS:
            moves.use_item(s, actor, ITEM_VERBS[do], at, target)

    def strike(self, s: State, actor: int, kind: str, group: Whole, at: Lanes, push: Whole) -> None:
        """OU-A3, OU-A5, OU-A8: one attack action of a kind."""
        if kind == "dart":
            magic.magic_dart(s, actor, group, at, push)
            return
        action = {
            "melee": attacks.melee,
            "sneak": attacks.sneak_attack,
            "frenzy": attacks.frenzy,
            "dual": attacks.dual_wield,
            "ranged": attacks.ranged,
            "bash": monsters.shield_bash,
        }[kind]
        action(s, actor, group, at)

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

    def about_groups(self, s: State, actor: int, at: Lanes) -> Callable[[str], Any]:
        """What a name is worth in a formula about every group at once."""

        def about(name: str) -> Any:
            if name in VOCABULARY.target_names["group"]:
                return self.ask_target(s, actor, "group", name, at)
            return self.ask(s, actor, name, at)

        return about

    def best_option(self, s: State, actor: int, line: Line, at: Lanes) -> tuple[NDArray[np.int8], Whole, Worth]:
        """(lanes,) each: kind (a place in STRIKES), group and worth of the best option by expected kills."""
        about = self.about_groups(s, actor, at)
        legal = {kind: self.strike_candidates(s, actor, kind, at) for kind in STRIKES if kind in line.options["among"]}
        if line.aim.where is not None:
            wanted = np.asarray(line.aim.where(about), dtype=bool)
            legal = {kind: groups & wanted for kind, groups in legal.items()}
        weigh = line.options["weigh"](about) if "weigh" in line.options else 1
        return self.scales.best(s, actor, at, legal, weigh, self.pushes(s, actor, line, at))

    def strike_value(self, s: State, actor: int, at: Lanes, outlook: Outlook) -> NDArray[np.float64]:
        """(lanes,). Section 10: the best expected kills x threat in the present stance; 0 without an option."""
        legal = {kind: self.strike_candidates(s, actor, kind, at) for kind in STRIKES}
        push = self.scales.safe_push(s, actor, at)
        worth = self.scales.best(s, actor, at, legal, outlook.threat, push)[2]
        return np.where(np.isfinite(worth), worth, 0.0)

    def act_best(self, s: State, actor: int, line: Line, at: Lanes, chosen: Whole) -> None:
        """Section 10: the best option by weight; ties: earlier kind, then earlier group."""
        kind, group = np.divmod(chosen, s.groups)
        push = self.pushes(s, actor, line, at, group)
        for code, name in enumerate(STRIKES):
            of_kind = kind == code
            if of_kind.any():
                self.strike(s, actor, name, group[of_kind], at[of_kind], push[of_kind])

    def act_by_lot(self, s: State, actor: int, among: tuple[str, ...], at: Lanes) -> None:
        """Section 10, `random_legal`: a kind by lot among those with a choice, then one of its choices by lot."""
        from sim.rulesets.overhill.anything import anything

        anything(self, s, actor, among, at)
