"""How Second Era speaks the policy language: what lines can ask, what they can do, and doing it (section 10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.board import Bits, Reach
from sim.core.choose import narrow, nth
from sim.core.lanes import Lanes, Mask, cut, which
from sim.core.policy import Line, Verb, Vocabulary
from sim.rulesets.second_era import data
from sim.rulesets.second_era.plan import Plan
from sim.rulesets.second_era.rules import hero_moves as moves
from sim.rulesets.second_era.rules.damage import missing
from sim.rulesets.second_era.rules.dice import HEALING, PRAYERS, gather, mean6, some_dice
from sim.rulesets.second_era.rules.hero_attacks import engage
from sim.rulesets.second_era.rules.places import fewest, where
from sim.rulesets.second_era.state import CLOAKING, EMPTY, PRAY, State

CLASSES = tuple(data.units("archetypes"))
FROM = ("here", "reach", "entrance")
PLACE = ("threat", "steps", "target")
STOP = {"stop": "yes_no"}

VOCABULARY = Vocabulary(
    names={
        "round": "the number of the round",
        "hp": "hit points of the adventurer who acts",
        "health": "its maximum",
        "stamina": "hexes per move, Stamina dice per engage",
        "magicka": "Magicka dice per engage",
        "tenacity": "of the adventurer who acts",
        **{name: f"the adventurer is a {name}" for name in CLASSES},
        **{name: f"its primary form is {name}" for name in data.FORMS[:4]},
        "engaged": "it has engaged in this turn",
        "moved": "it has moved in this turn",
        "healed": "it has healed first in this turn",
        "dazed": "it is under Daze",
        "hidden": "it is under Stealth",
        "offense": "it can gather offensive dice for its primary form",
        "combat_dice": "available Combat dice",
        "can_engage": "an enemy is targetable in the primary form from a hex within reach",
        "enemies": "enemies in play",
        "coin": "true by the toss of a coin, once per turn",
    },
    target_names={
        "enemy": {
            "their_hp": "hit points",
            "their_health": "maximum hit points",
            "their_defense": "Defense",
            "their_combat": "Combat dice",
            "their_range": "range",
            "killable": "the mean of the offensive dice, less defense, is at least its HP",
        }
    },
    verbs={
        "heal": Verb("healers: engage with the healing dice if the party misses 2 HP or more", None, STOP),
        "engage": Verb(
            "go to a hex with a target and engage with all offensive dice of the form",
            "enemy",
            {"form": "word", "from": "word", "place": "words", "stay": "yes_no", **STOP},
            {"form": ("own", *data.FORMS[:4]), "from": FROM, "place": PLACE},
        ),
        "approach": Verb("step toward the nearest enemy", None, {"moves": "formula", "most_threat": "formula", **STOP}),
        "safest": Verb("move to the safest hex", None, STOP),
        "cloak": Verb("nightblades: engage with Shadow Cloak if it has no Stealth", None, STOP),
        "defend": Verb("defensive engage with all Combat dice if a slot is free", None, STOP),
        "wander": Verb("move to a hex within reach, by lot", None, STOP),
        "anything": Verb("engage by lot: any form and target, guard, prayers, cloak", None, STOP),
        "stop": Verb("end the actions of this turn"),
    },
)


class Player:
    """The player of the policy language: carries out the lines of every adventurer's plan in many runs."""

    vocabulary = VOCABULARY

    def __init__(self, plans: list[Plan]) -> None:
        self.plans = plans  # by adventurer

    def play(self, s: State, hero: int, at: Lanes) -> None:
        """Section 10: all lines that apply, one after the other, until one says `stop`."""
        for line in self.plans[hero].action:
            at = at[cut(s.hp[hero], at) > 0]
            if not len(at):
                return
            if not self.ever(s, hero, line):
                continue
            asked = at[self.holds(s, hero, line, at)]
            if not len(asked):
                continue
            done = asked if line.do == "stop" else self.do(s, hero, line, asked)
            if line.do == "stop" or line.options.get("stop"):
                at = np.setdiff1d(at, done, assume_unique=True)

    def ever(self, s: State, hero: int, line: Line) -> bool:
        """Whether this adventurer could ever do this."""
        needs = {"heal": "healer", "cloak": "nightblade"}
        return line.do not in needs or needs[line.do] == s.facts.heroes[hero].hero_class

    # Asking.

    def holds(self, s: State, hero: int, line: Line, at: Lanes) -> Mask:
        """(lanes,). Where the condition of a line holds; no condition always does."""
        if line.when is None:
            return np.ones(len(at), dtype=bool)
        answer = line.when(lambda name: self.ask(s, hero, name, at))
        return np.broadcast_to(np.asarray(answer, dtype=bool), len(at))

    def ask(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """What a name is worth."""
        facts = s.facts.heroes[actor]
        if name in CLASSES:
            return facts.hero_class == name
        if name in data.FORMS:
            return facts.form == data.FORMS.index(name)
        answers: dict[str, Callable[[], Any]] = {
            "round": lambda: s.round,
            "hp": lambda: cut(s.hp[actor], at),
            "health": lambda: facts.health,
            "stamina": lambda: facts.stamina,
            "magicka": lambda: facts.magicka,
            "tenacity": lambda: cut(s.tenacity[actor], at),
            "engaged": lambda: cut(s.engaged, at) > 0,
            "moved": lambda: cut(s.moves, at) > 0,
            "healed": lambda: cut(s.healed, at),
            "dazed": lambda: s.under(data.DAZE, actor, at),
            "hidden": lambda: s.under(data.STEALTH, actor, at),
            "offense": lambda: some_dice(self.offense(s, actor, facts.form, at), at),
            "combat_dice": lambda: cut(s.available[actor * len(data.DICE)], at),
            "can_engage": lambda: self.can_engage(s, actor, at),
            "enemies": lambda: (cut(s.cell[s.party :], at) >= 0).sum(axis=0),
            "coin": lambda: s.luck.below(2, "P0-4", s.round, actor, s.turn, at) == 1,
        }
        return answers[name]()

    def ask_target(self, s: State, actor: int, kind: str, name: str, at: Lanes) -> Any:
        """(enemies, lanes). What a target name is worth."""
        enemies = slice(s.party, s.units)
        if name == "their_hp":
            return cut(s.hp[enemies], at)
        kinds = cut(s.kind[enemies], at)
        if name == "killable":
            dice = self.offense(s, actor, s.facts.heroes[actor].form, at)
            snipes = dice.get(data.SNIPE, np.int8(0))
            left = np.maximum(s.facts.defense.take(kinds) - snipes, 0)
            return mean6(dice, at) - 6 * left >= 6 * cut(s.hp[enemies], at)
        table = {
            "their_health": s.facts.health,
            "their_defense": s.facts.defense,
            "their_combat": s.facts.combat,
            "their_range": s.facts.reach,
        }[name]
        return table.take(kinds)

    def offense(self, s: State, hero: int, form: int, at: Lanes) -> dict[int, Any]:
        """gather(offensive list of a form)."""
        return gather(s, hero, data.offensive(form), form, at)

    def can_engage(self, s: State, hero: int, at: Lanes) -> Mask:
        """(lanes,). Section 10: whether C, the hexes of reach(a) with a target, is not empty."""
        sets = moves.engage_sets(s, hero, s.facts.heroes[hero].form, at)
        spots = self.hexes(s, hero, at, moves.reach(s, hero, at), "reach") & moves.joined(sets, len(at), s)
        found: Mask = np.asarray(spots.any(axis=0))
        return found

    def hexes(self, s: State, hero: int, at: Lanes, fill: Reach, which: str) -> Bits:
        """(words, lanes). The hexes to engage from; a Dazed adventurer only engages from its own."""
        own = fill.layers[0]
        if which == "here":
            return own
        there = fill.all
        if which == "entrance":
            there = there & (s.facts.ground.hold | own)
        if s.facts.possible[data.DAZE]:
            there = np.where(s.under(data.DAZE, hero, at), own, there)
        return there

    # Doing. Every method returns the lanes in which something was done.

    def do(self, s: State, hero: int, line: Line, at: Lanes) -> Lanes:
        """Carry out one line."""
        if line.do == "engage":
            return self.engage(s, hero, line, at)
        if line.do == "approach":
            return self.approach(s, hero, line, at)
        action = {
            "heal": self.heal,
            "safest": self.safest,
            "cloak": self.cloak,
            "defend": self.defend,
        }
        if line.do in action:
            return action[line.do](s, hero, at)
        from sim.rulesets.second_era.random_player import anything, wander

        return wander(s, hero, at) if line.do == "wander" else anything(self, s, hero, at)

    def engage(self, s: State, hero: int, line: Line, at: Lanes) -> Lanes:
        """Choose the hex and the target together, go there and engage."""
        word = line.options.get("form", "own")
        form = s.facts.heroes[hero].form if word == "own" else data.FORMS.index(word)
        at = at[some_dice(self.offense(s, hero, form, at), at) & moves.may_roll(s, hero, at)]
        if not len(at):
            return at
        sets = moves.engage_sets(s, hero, form, at)
        start = line.options.get("from", "here")
        fill = moves.reach(s, hero, at, 0 if start == "here" else None)
        hexes = self.hexes(s, hero, at, fill, start)

        def about(name: str) -> Any:
            if name in VOCABULARY.target_names["enemy"]:
                return self.ask_target(s, hero, "enemy", name, at)
            return self.ask(s, hero, name, at)

        if line.aim.where is not None:
            allowed = np.broadcast_to(np.asarray(line.aim.where(about), dtype=bool), (len(sets), len(at)))
            sets = [where(allowed[enemy], part) for enemy, part in enumerate(sets)]
        spots = hexes & moves.joined(sets, len(at), s)
        if line.options.get("stay"):
            own = spots & fill.layers[0]
            spots = np.where(own.any(axis=0), own, spots)
        able = which(np.asarray(spots.any(axis=0)))
        if not len(able):
            return at[able]
        if len(able) < len(at):
            at, spots, fill = at[able], spots[:, able], moves.narrowed(fill, able)
            sets = [part[:, able] for part in sets]
        left = np.stack([(part & spots).any(axis=0) for part in sets])  # (enemies, lanes)
        keys = self.keys(line, about, left.shape)
        alone = start == "here"
        for word in () if alone else line.options.get("place", ()):
            if word == "threat":
                spots = fewest(spots, moves.threat(s, at))
                left = np.stack([(part & spots).any(axis=0) for part in sets])
            elif word == "steps":
                spots = fill.nearest(spots)[0]
            else:
                left = self.rank(left, keys)
                spots = spots & moves.joined([where(left[row], part) for row, part in enumerate(sets)], len(at), s)
        bits = s.facts.ground.board.bits
        cell = cut(s.cell[hero], at).astype(np.int64) if alone else bits.nth(spots, 0)
        single = bits.at(cell)
        left &= np.stack([(part & single).any(axis=0) for part in sets])
        target = nth(self.rank(left, keys), 0) + s.party
        if not alone:
            moves.walk_to(s, hero, cell, at, fill)
        engage(s, hero, form, target, self.offense(s, hero, form, at), at)
        return at

    def keys(self, line: Line, about: Any, shape: tuple[int, int]) -> list[Any]:
        """The keys of the target, the smallest first."""
        keys = []
        for key, largest in line.aim.by:
            value = np.broadcast_to(np.asarray(key(about)).astype(np.int16), shape)
            keys.append(-value if largest else value)
        return keys

    def rank(self, left: Mask, keys: list[Any]) -> Mask:
        """(enemies, lanes). Those that go first by the keys."""
        for key in keys:
            left = narrow(left, key)
        return left

    def approach(self, s: State, hero: int, line: Line, at: Lanes) -> Lanes:
        """Step toward the nearest enemy, as often as the line says; with `most_threat` only on hexes no worse."""
        number = int(line.options["moves"](lambda name: 0)) if "moves" in line.options else 1
        for _ in range(number):
            lanes = at[moves.may_move(s, hero, at)]
            if not len(lanes):
                break
            fill = moves.reach(s, hero, lanes)
            allowed = None
            if "most_threat" in line.options:
                most = int(line.options["most_threat"](lambda name: 0))
                allowed = _at_most(moves.threat(s, lanes), most, fill.all)
            goal = moves.toward(s, moves.nearest_enemy(s, hero, lanes), lanes, fill, allowed)
            moves.walk_to(s, hero, goal, lanes, fill)
        return at

    def safest(self, s: State, hero: int, at: Lanes) -> Lanes:
        """Move to the safest hex."""
        at = at[moves.may_move(s, hero, at)]
        if len(at):
            fill = moves.reach(s, hero, at)
            moves.walk_to(s, hero, moves.safest(s, hero, at, fill), at, fill)
        return at

    def heal(self, s: State, hero: int, at: Lanes) -> Lanes:
        """Section 10, heal first: if the adventurers together miss 2 HP and healing dice can be gathered."""
        hurt = missing(s, at).sum(axis=0, dtype=np.int16) >= 2
        at = at[hurt & moves.may_roll(s, hero, at)]
        at = at[some_dice(gather(s, hero, HEALING, data.MAGIC, at), at)]
        self.pray(s, hero, at)
        s.healed[at] = True
        return at

    def pray(self, s: State, hero: int, at: Lanes) -> None:
        """Engage in magic form without a target, with Hasty Prayer, Breath of Life and Purge."""
        dice = gather(s, hero, PRAYERS, data.MAGIC, at)
        engage(s, hero, data.MAGIC, np.full(len(at), -1), dice, at, PRAY)

    def cloak(self, s: State, hero: int, at: Lanes) -> Lanes:
        """Section 10, cloak: if enemies remain, it has no Stealth and a Shadow Cloak."""
        at = at[s.enemies_left(at) & ~s.under(data.STEALTH, hero, at) & moves.may_roll(s, hero, at)]
        at = at[some_dice(gather(s, hero, (data.CLOAK,), data.LIGHT, at), at)]
        self.hide(s, hero, at)
        return at

    def hide(self, s: State, hero: int, at: Lanes) -> None:
        """Engage in light form without a target, with Shadow Cloak."""
        dice = gather(s, hero, (data.CLOAK,), data.LIGHT, at)
        engage(s, hero, data.LIGHT, np.full(len(at), -1), dice, at, CLOAKING)

    def defend(self, s: State, hero: int, at: Lanes) -> Lanes:
        """Section 10, P2 (5): a defensive engage with all Combat dice, if a slot is free."""
        last = s.slot_die[hero * data.SLOTS + data.SLOTS - 1]
        at = at[(cut(last, at) == EMPTY) & moves.may_roll(s, hero, at)]
        at = at[some_dice(gather(s, hero, (data.COMBAT,), data.DEFENSIVE, at), at)]
        self.brace(s, hero, at)
        return at

    def brace(self, s: State, hero: int, at: Lanes) -> None:
        """Engage in defensive form with all Combat dice."""
        dice = gather(s, hero, (data.COMBAT,), data.DEFENSIVE, at)
        engage(s, hero, data.DEFENSIVE, np.full(len(at), -1), dice, at)


def _at_most(digits: list[Bits], most: int, cells: Bits) -> Bits:
    """The cells whose count, in binary digits, is at most so many."""
    less = np.zeros_like(cells)
    equal = cells.copy()
    for place in reversed(range(max(len(digits), most.bit_length()))):
        digit = digits[place] if place < len(digits) else np.zeros_like(cells)
        if most >> place & 1:
            less |= equal & ~digit
            equal = equal & digit
        else:
            equal = equal & ~digit
    return less | equal
