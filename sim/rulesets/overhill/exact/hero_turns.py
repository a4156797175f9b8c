"""All ways in which a hero phase can go under the policy `plain`, with the chance of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from sim.rulesets.overhill import data
from sim.rulesets.overhill.build import HeroFacts
from sim.rulesets.overhill.exact.memory import Kills, Memory, Numbers
from sim.rulesets.overhill.exact.odds import (
    MOST_WAYS,
    Chance,
    Share,
    TooLarge,
    attack_ways,
    hits,
    low_attack_ways,
)
from sim.rulesets.overhill.exact.party import Fight, Party, changed, hurt

Ways = dict[tuple[Numbers, Party], Chance]  # what a turn can lead to


@dataclass(slots=True)
class Aftermath:
    """One way in which the fight goes on: how many monsters are left, what became of the heroes, who killed whom."""

    n: Numbers
    party: Party  # reduced
    scores: Kills  # the ranks that the monsters go by now, if they go by this round's kills
    kills: dict[Kills, Chance] = field(default_factory=dict)  # what they will remember -> chance
    blends: dict[int, int] = field(default_factory=dict)  # filled by the chain: party that is left -> its blend


@dataclass(slots=True)
class Results:
    """Everything that a hero phase can lead to."""

    won: dict[int, Chance] = field(default_factory=dict)  # heroes standing -> chance
    goes_on: list[Aftermath] = field(default_factory=list)


class HeroPhase:
    """OU-R4: in roster order every standing hero who is not paralysed takes one action."""

    def __init__(self, fight: Fight, share: Share) -> None:
        self.fight = fight
        self.share = share
        self.memory = Memory(fight)
        self.meet = fight.on("melee_threshold", "meet")
        self.safe_health = 1 + max(mishap.damage.most for mishap in fight.mishaps)  # no mishap brings a caster down
        self.known: dict[tuple[Party, Numbers, bool], Results] = {}

    # A hero phase depends on little of the heroes' health, so parties that differ only in the rest share their results.

    def reduced(self, party: Party) -> Party:
        """The party without what makes no difference to a hero phase."""
        return tuple(
            hero._replace(
                health=min(hero.health, self.safe_health if facts.hero_class == "magic_user" else 1),
                paralysed=min(hero.paralysed, 1),
            )
            for facts, hero in zip(self.fight.heroes, party, strict=True)
        )

    def applied(self, before: Party, reduced_before: Party, reduced_after: Party) -> Party:
        """OU-R5: the real party after the phase; who lost it to paralysis has one phase less to lose."""
        after = []
        for hero, old, new in zip(before, reduced_before, reduced_after, strict=True):
            if new.health == 0:
                after.append(new)
            else:
                lost = old.health - new.health
                after.append(
                    new._replace(
                        health=hero.health - lost,
                        paralysed=max(hero.paralysed - 1, 0),
                    )
                )
        return tuple(after)

    def results(self, party: Party, n: Numbers, first_round: bool) -> Results:
        """What can come of the hero phase of a reduced party."""
        key = (party, n, first_round)
        if key not in self.known:
            self.known[key] = self._results(party, n, first_round)
        return self.known[key]

    def _results(self, party: Party, n: Numbers, first_round: bool) -> Results:
        won: dict[int, Chance] = defaultdict(lambda: self.share(0, 1))
        going = {(n, self.memory.nothing, party): self.share(1, 1)}
        for h in range(len(party)):
            after: dict[tuple[Numbers, Kills, Party], Chance] = defaultdict(lambda: self.share(0, 1))
            for (left, kills, now), p in going.items():
                for (left_after, now_after), q in self.turn(h, now, left, party, first_round).items():
                    if not any(left_after):  # OU-Z1
                        won[sum(1 for hero in now_after if hero.health)] += p * q
                    else:
                        after[left_after, self.memory.added(kills, h, left, left_after), now_after] += p * q
                if len(after) > MOST_WAYS:
                    raise TooLarge(f"more than {MOST_WAYS:,} ways in which one hero phase can go")
            going = after
        return Results(won, self.sorted_out(going, party))

    def sorted_out(self, going: dict[tuple[Numbers, Kills, Party], Chance], before: Party) -> list[Aftermath]:
        """Ways that differ only in what monsters will remember belong together; blocks of this round end (OU-R2)."""
        found: dict[tuple[Numbers, Party, Kills], Aftermath] = {}
        for (left, kills, now), p in going.items():
            now = tuple(  # a block that was there before has done its work; a new one is for the next round
                hero._replace(blocked=hero.blocked and not old.blocked) for hero, old in zip(now, before, strict=True)
            )
            ranks = self.memory.ranked(kills, left, now)
            scores, to_remember = (ranks, self.memory.nothing) if self.memory.present else ((), ranks)
            way = found.setdefault((left, now, scores), Aftermath(left, now, scores))
            way.kills[to_remember] = way.kills.get(to_remember, 0) + p
        return list(found.values())

    # One turn.

    def turn(self, h: int, party: Party, n: Numbers, at_start: Party, first_round: bool) -> Ways:
        """The policy `plain`: a dart, a shot, or a blow at the first group in reach; otherwise pass."""
        hero, facts = party[h], self.fight.heroes[h]
        if not hero.health or hero.paralysed:
            return {(n, party): self.share(1, 1)}
        living = [g for g, number in enumerate(n) if number]
        in_place = not hero.front or self.fight.on("dart_position", "any")
        if facts.hero_class == "magic_user" and in_place and not hero.silenced and not at_start[h].blocked:
            return self.dart(h, party, n, living[0])
        if not hero.front:
            if facts.ranged_tag == "none":
                return {(n, party): self.share(1, 1)}
            return self.ranged(h, party, n, living[0])
        group = self.in_reach(party, n)[0]
        sneaks = self.fight.rogue_sneak and (first_round or self.fight.on("sneak_attack_use", "any_round"))
        if facts.hero_class == "rogue" and sneaks:
            return self.sneak_attack(h, party, n, group)
        if self.fight.warrior_frenzy and facts.knows("frenzy"):
            return self.frenzy(h, party, n, group)
        return self.melee(h, party, n, group)

    def in_reach(self, party: Party, n: Numbers) -> list[int]:
        """OU-A4: front groups; rear groups when no front monster lives, or with `outnumber` behind a thin screen."""
        front = [g for g, number in enumerate(n) if number and not self.fight.groups[g].rear]
        past = not front or (
            self.fight.on("melee_reach", "outnumber") and self.fight.front_weight(party) > self.fight.front_monsters(n)
        )
        return [g for g, number in enumerate(n) if number] if past else front

    def bonus(self, h: int, party: Party, level: int) -> int:
        """OU-A2, OU-D5: what is added to an attack total; `level` is what the ability adds of the hero's level."""
        facts = self.fight.heroes[h]
        level = facts.level if self.fight.on("level_bonus", "all") else level
        if party[h].front:
            return level + self.fight.stance
        return level - (1 if self.fight.on("rear_modifier", "defensive") else 0)

    def defence(self, group: int, tag: str) -> int:
        """OU-A3: the defence that a weapon meets."""
        facts = self.fight.groups[group]
        return facts.blunt_defence if tag == "blunt" and facts.blunt_defence is not None else facts.defence

    def melee_die(self, h: int, party: Party, n: Numbers) -> int:
        """OU-C2: vigor, or quick for a rogue whose side outnumbers the other, if that die is larger."""
        facts = self.fight.heroes[h]
        outnumbers = sum(1 for hero in party if hero.health) > sum(n)
        return max(party[h].vigor, facts.quick) if facts.hero_class == "rogue" and outnumbers else party[h].vigor

    def own_level(self, facts: HeroFacts) -> int:
        """OU-C1: a warrior adds the level in melee."""
        return facts.level if facts.hero_class == "warrior" else 0

    def melee(self, h: int, party: Party, n: Numbers, group: int) -> Ways:
        """OU-A3: one blow."""
        facts = self.fight.heroes[h]
        die, bonus = self.melee_die(h, party, n), self.bonus(h, party, self.own_level(facts))
        return self.struck(party, n, group, attack_ways(die, bonus, self.defence(group, facts.melee_tag), self.meet))

    def ranged(self, h: int, party: Party, n: Numbers, group: int) -> Ways:
        """OU-A5: one shot with the quick die."""
        facts = self.fight.heroes[h]
        defence = self.defence(group, facts.ranged_tag)
        return self.struck(party, n, group, attack_ways(facts.quick, self.bonus(h, party, 0), defence, self.meet))

    def sneak_attack(self, h: int, party: Party, n: Numbers, group: int) -> Ways:
        """OU-C3: so many blows as the bare quick die has hits, each with half the level."""
        facts = self.fight.heroes[h]
        opening_tag = facts.melee_tag if self.fight.on("opening_defence", "weapon") else "none"
        opening = attack_ways(facts.quick, 0, self.defence(group, opening_tag), self.meet)
        die, bonus = self.melee_die(h, party, n), self.bonus(h, party, facts.level // 2)
        blow = attack_ways(die, bonus, self.defence(group, facts.melee_tag), self.meet)
        so_far: Ways = {(n, party): self.share(1, 1)}
        result: Ways = defaultdict(lambda: self.share(0, 1))
        for number in range(max(opening) + 1):
            for way, p in so_far.items():
                result[way] += p * self.share(opening.get(number, 0), facts.quick)
            so_far = self.once_more(so_far, group, blow)
        return {way: p for way, p in result.items() if p}

    def frenzy(self, h: int, party: Party, n: Numbers, group: int) -> Ways:
        """OU-F3: two blows with the full level, the second with disadvantage, at the next group if need be."""
        facts = self.fight.heroes[h]
        die, bonus = party[h].vigor, self.bonus(h, party, self.own_level(facts))

        def meets(target: int) -> int:
            return self.defence(target, facts.melee_tag)

        result: Ways = defaultdict(lambda: self.share(0, 1))
        first = self.struck(party, n, group, attack_ways(die, bonus, meets(group), self.meet))
        for (left, now), p in first.items():
            if not any(left):
                result[left, now] += p
                continue
            second = group if left[group] else self.in_reach(now, left)[0]
            for way, q in self.struck(now, left, second, low_attack_ways(die, bonus, meets(second), self.meet)).items():
                result[way] += p * q
        return dict(result)

    def struck(self, party: Party, n: Numbers, group: int, ways: dict[int, int]) -> Ways:
        """OU-A1: every hit removes a monster; surplus hits are lost."""
        return self.once_more({(n, party): self.share(1, 1)}, group, ways)

    def once_more(self, so_far: Ways, group: int, ways: dict[int, int]) -> Ways:
        """One more attack on a group, whatever has happened so far."""
        faces = sum(ways.values())
        result: Ways = defaultdict(lambda: self.share(0, 1))
        for (n, party), p in so_far.items():
            for number, faces_with in ways.items():
                left = (*n[:group], max(n[group] - number, 0), *n[group + 1 :])
                result[left, party] += p * self.share(faces_with, faces)
        return dict(result)

    # Magic.

    def dart(self, h: int, party: Party, n: Numbers, group: int) -> Ways:
        """OU-G1, OU-G3, OU-G4: cast, perhaps a mishap, then a dart if the casting succeeded."""
        smart = self.fight.heroes[h].smart
        spell_level: int = self.fight.switches["dart_level"]
        result: Ways = defaultdict(lambda: self.share(0, 1))
        for shown in range(1, smart + 1):
            success = shown > spell_level or (shown == spell_level and self.fight.on("cast_threshold", "meet"))
            if shown == 1 and self.fight.on("one_is", "failure"):
                success = False
            slips = shown == 1 and self.fight.on("mishaps", "on")
            slip_results = self.mishap(h, party) if slips else [(self.share(1, 1), party, True)]
            for p, now, still_flies in slip_results:
                p = p * self.share(1, smart)
                flies = success and still_flies and now[h].health > 0
                for way, q in self.flight(h, now, n, group, shown).items() if flies else [((n, now), 1)]:
                    result[way] += p * q
        return dict(result)

    def flight(self, h: int, party: Party, n: Numbers, group: int, shown: int) -> Ways:
        """OU-G5: a fresh die of the same size, or the number that the casting die showed."""
        smart, bonus, defence = self.fight.heroes[h].smart, self.bonus(h, party, 0), self.fight.groups[group].defence
        if self.fight.on("dart_roll", "same_roll"):
            return self.struck(party, n, group, {hits(shown + bonus, defence, self.meet): 1})
        return self.struck(party, n, group, attack_ways(smart, bonus, defence, self.meet))

    def mishap(self, h: int, party: Party) -> Iterator[tuple[Chance, Party, bool]]:
        """OU-G4: chance, party afterwards, and whether a dart may still fly."""
        for die in range(1, 7):
            what = data.row_of(self.fight.mishaps, die + self.fight.switches["dart_level"])
            body = party[h]
            slipped = changed(party, h, blocked=body.blocked or what.blocks, silenced=body.silenced or what.silences)
            for damage, chance in what.damage.chances().items():
                p = self.share(chance.numerator, 6 * chance.denominator)
                yield p, hurt(slipped, h, damage) if damage > 0 else slipped, not what.darts_lost
