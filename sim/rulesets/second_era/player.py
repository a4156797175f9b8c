"""Plays the party by its plans: asks what policy lines ask, and does what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.board import Bits, Reach
from sim.core.board.bits import Cell
from sim.core.board.sets import fewest, held_by_at_most, preferred, where
from sim.core.choose import Keys, first, narrow
from sim.core.lanes import Lanes, Mask, Whole, cut, which
from sim.core.policy import Line, slips
from sim.rulesets.second_era import data, random_player
from sim.rulesets.second_era.data import EMPTY
from sim.rulesets.second_era.plan import Plan
from sim.rulesets.second_era.rules import hero_attacks, hero_moves
from sim.rulesets.second_era.rules.damage import missing
from sim.rulesets.second_era.rules.dice import bracing, cloaks, healing, mean6, offense, some_dice
from sim.rulesets.second_era.state import State
from sim.rulesets.second_era.vocabulary import CLASSES, VOCABULARY

NEEDS = {"heal": "healer", "cloak": "nightblade"}  # what only one class does


@dataclass(frozen=True, slots=True)
class Openings:
    """From where an adventurer can engage whom, in lanes that have such a hex."""

    at: Lanes
    fill: Reach  # where it can go
    spots: Bits  # (words, lanes) the hexes to engage from
    sets: Sequence[Bits]  # by enemy: from which hexes it can be engaged

    def only(self, some: Lanes) -> Openings:
        """The same in some of the lanes."""
        sets = [cut(part, some) for part in self.sets]
        return Openings(self.at[some], self.fill.only(some), cut(self.spots, some), sets)

    def targets(self, spots: Bits) -> Mask:
        """(enemies, lanes). Who can be engaged from any of these hexes."""
        return np.stack([(part & spots).any(axis=0) for part in self.sets])


class Player:
    """The player of the policy language: carries out the lines of every adventurer's plan in many runs."""

    vocabulary = VOCABULARY

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = plans  # by adventurer

    def play(self, s: State, hero: int, at: Lanes) -> None:
        """All lines that apply, one after the other, until one says `stop`."""
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
        return line.do not in NEEDS or NEEDS[line.do] == s.facts.heroes[hero].role

    # Asking.

    def holds(self, s: State, hero: int, line: Line, at: Lanes) -> Mask:
        """(lanes,). Where the condition of a line holds; no condition always does."""
        answer = True if line.when is None else line.when(lambda name: self.ask(s, hero, name, at))
        holds = np.broadcast_to(np.asarray(answer, dtype=bool), len(at))
        return holds if line.slip is None else holds & slips(line.slip, s, hero, at)

    def ask(self, s: State, actor: int, name: str, at: Lanes) -> Any:
        """What a name is worth."""
        facts = s.facts.heroes[actor]
        if name in CLASSES:
            return facts.role == name
        if name in data.FORMS:
            return facts.form == data.FORMS.index(name)
        answers: Mapping[str, Callable[[], Any]] = {
            "round": lambda: s.round,
            "hp": lambda: cut(s.hp[actor], at),
            "health": lambda: s.own(facts.health, at),
            "stamina": lambda: facts.stamina,
            "magicka": lambda: s.own(facts.magicka, at),
            "tenacity": lambda: cut(s.tenacity[actor], at),
            "engaged": lambda: cut(s.engaged, at) > 0,
            "moved": lambda: cut(s.moves, at) > 0,
            "healed": lambda: cut(s.healed, at),
            "dazed": lambda: s.under(data.DAZE, actor, at),
            "hidden": lambda: s.under(data.STEALTH, actor, at),
            "offense": lambda: some_dice(offense(s, actor, facts.form, at), at),
            "combat_dice": lambda: cut(s.available[actor, data.COMBAT], at),
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
            dice = offense(s, actor, s.facts.heroes[actor].form, at)
            snipes = dice.get(data.SNIPE, np.int8(0))
            left = np.maximum(s.find(s.facts.defense, at, kinds) - snipes, 0)
            return mean6(dice, at) - 6 * left >= 6 * cut(s.hp[enemies], at)
        table = {
            "their_health": s.facts.health,
            "their_defense": s.facts.defense,
            "their_combat": s.facts.combat,
            "their_range": s.facts.reach,
        }[name]
        return s.find(table, at, kinds)

    def can_engage(self, s: State, hero: int, at: Lanes) -> Mask:
        """(lanes,). Whether C, the hexes of reach(a) with a target, is not empty."""
        sets = hero_moves.engage_sets(s, hero, s.facts.heroes[hero].form, at)
        fill = hero_moves.reach(s, hero, at)
        spots = self.hexes(s, hero, at, fill, "reach") & hero_moves.joined(s, sets, at)
        return np.asarray(spots.any(axis=0))

    def hexes(self, s: State, hero: int, at: Lanes, fill: Reach, start: str) -> Bits:
        """(words, lanes). The hexes to engage from; a Dazed adventurer only engages from its own."""
        own = fill.layers[0]
        if start == "here":
            return own
        within = fill.all
        if start == "entrance":
            within = within & (s.facts.ground.hold | own)
        if s.facts.possible[data.DAZE]:
            within = np.where(s.under(data.DAZE, hero, at), own, within)
        return within

    # Doing. Every method returns the lanes in which something was done.

    def do(self, s: State, hero: int, line: Line, at: Lanes) -> Lanes:
        """Carry out one line."""
        with_options = {"engage": self.engage, "approach": self.approach}
        if line.do in with_options:
            return with_options[line.do](s, hero, line, at)
        without_options = {
            "heal": self.heal,
            "safest": self.safest,
            "cloak": self.cloak,
            "defend": self.defend,
            "wander": random_player.wander,
            "anything": random_player.anything,
        }
        return without_options[line.do](s, hero, at)

    def engage(self, s: State, hero: int, line: Line, at: Lanes) -> Lanes:
        """Choose the hex and the target together, go there and engage."""
        word = line.options.get("form", "own")
        form = s.facts.heroes[hero].form if word == "own" else data.FORMS.index(word)
        at = at[some_dice(offense(s, hero, form, at), at) & hero_moves.may_roll(s, hero, at)]
        if not len(at):
            return at
        openings = self.openings(s, hero, line, form, at)
        at = openings.at
        if len(at):
            cell, target = self.choose(s, hero, line, openings)
            if line.options.get("from", "here") != "here":
                hero_moves.walk_to(s, hero, cell, at, openings.fill)
            hero_attacks.engage(s, hero, form, target, offense(s, hero, form, at), at)
        return at

    def openings(self, s: State, hero: int, line: Line, form: int, at: Lanes) -> Openings:
        """The hexes and enemies that a line allows, in the lanes that have any."""
        sets = hero_moves.engage_sets(s, hero, form, at)
        start = line.options.get("from", "here")
        fill = hero_moves.reach(s, hero, at, 0 if start == "here" else None)
        if line.aim.where is not None:
            answer = line.aim.where(lambda name: self.about(s, hero, name, at))
            allowed = np.broadcast_to(np.asarray(answer, dtype=bool), (len(sets), len(at)))
            sets = [where(part, of_enemy) for part, of_enemy in zip(sets, allowed, strict=True)]
        spots = self.hexes(s, hero, at, fill, start) & hero_moves.joined(s, sets, at)
        if line.options.get("stay"):
            spots = preferred(spots, fill.layers[0])
        openings = Openings(at, fill, spots, sets)
        able = which(np.asarray(spots.any(axis=0)))
        return openings if len(able) == len(at) else openings.only(able)

    def choose(self, s: State, hero: int, line: Line, openings: Openings) -> tuple[Cell, Whole]:
        """(lanes,) each. The hex and the target that go first by the words and keys of a line."""
        at, spots, sets = openings.at, openings.spots, openings.sets
        left = openings.targets(spots)  # (enemies, lanes)
        keys = self.keys(s, hero, line, left.shape, at)
        alone = line.options.get("from", "here") == "here"
        for word in () if alone else line.options.get("place", ()):
            if word == "threat":
                spots = fewest(spots, hero_moves.threat(s, at))
                left = openings.targets(spots)
            elif word == "steps":
                spots = openings.fill.nearest(spots)[0]
            else:
                left = narrowed_by(left, keys)
                best = [where(part, of_enemy) for part, of_enemy in zip(sets, left, strict=True)]
                spots = spots & hero_moves.joined(s, best, at)
        bits = s.facts.ground.board.bits
        cell = cut(s.cell[hero], at) if alone else bits.nth(spots, 0)
        left &= openings.targets(bits.at(cell))
        return cell, first(narrowed_by(left, keys)) + s.party

    def keys(self, s: State, hero: int, line: Line, shape: tuple[int, ...], at: Lanes) -> list[Keys]:
        """The keys of the target, the smallest first: (enemies, lanes) each."""
        keys = []
        for key, largest in line.aim.by:
            answer = np.asarray(key(lambda name: self.about(s, hero, name, at)))
            value = np.broadcast_to(answer.astype(np.int16), shape)
            keys.append(-value if largest else value)
        return keys

    def about(self, s: State, hero: int, name: str, at: Lanes) -> Any:
        """What a name is worth in a line with a target."""
        if name in VOCABULARY.target_names["enemy"]:
            return self.ask_target(s, hero, "enemy", name, at)
        return self.ask(s, hero, name, at)

    def approach(self, s: State, hero: int, line: Line, at: Lanes) -> Lanes:
        """Step toward the nearest enemy, as often as the line says; with `most_threat` only on hexes no worse."""
        number = int(line.options["moves"](lambda name: 0)) if "moves" in line.options else 1
        for _ in range(number):
            moving = at[hero_moves.may_move(s, hero, at)]
            if not len(moving):
                break
            fill = hero_moves.reach(s, hero, moving)
            allowed = None
            if "most_threat" in line.options:
                most = int(line.options["most_threat"](lambda name: 0))
                allowed = held_by_at_most(fill.all, hero_moves.threat(s, moving), most)
            goal = hero_moves.toward(s, hero_moves.nearest_enemy(s, hero, moving), moving, fill, allowed)
            hero_moves.walk_to(s, hero, goal, moving, fill)
        return at

    def safest(self, s: State, hero: int, at: Lanes) -> Lanes:
        """Move to the safest hex."""
        at = at[hero_moves.may_move(s, hero, at)]
        if len(at):
            fill = hero_moves.reach(s, hero, at)
            hero_moves.walk_to(s, hero, hero_moves.safest(s, hero, at, fill), at, fill)
        return at

    def heal(self, s: State, hero: int, at: Lanes) -> Lanes:
        """Heal first: if the adventurers together miss 2 HP and healing dice can be gathered."""
        hurt = missing(s, at).sum(axis=0, dtype=np.int16) >= 2
        at = at[hurt & hero_moves.may_roll(s, hero, at)]
        at = at[some_dice(healing(s, hero, at), at)]
        hero_attacks.pray(s, hero, at)
        s.healed[at] = True
        return at

    def cloak(self, s: State, hero: int, at: Lanes) -> Lanes:
        """If enemies remain, it has no Stealth and a Shadow Cloak: hide."""
        at = at[s.enemies_left(at) & ~s.under(data.STEALTH, hero, at) & hero_moves.may_roll(s, hero, at)]
        at = at[some_dice(cloaks(s, hero, at), at)]
        hero_attacks.hide(s, hero, at)
        return at

    def defend(self, s: State, hero: int, at: Lanes) -> Lanes:
        """A defensive engage with all Combat dice, if a slot is free."""
        at = at[(cut(s.slot_die[hero, data.SLOTS - 1], at) == EMPTY) & hero_moves.may_roll(s, hero, at)]
        at = at[some_dice(bracing(s, hero, at), at)]
        hero_attacks.brace(s, hero, at)
        return at


def narrowed_by(left: Mask, keys: Sequence[Keys]) -> Mask:
    """(enemies, lanes). Those that go first by the keys."""
    for key in keys:
        left = narrow(left, key)
    return left
