"""All ways in which a monster phase can go, with the chance of each."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from typing import NamedTuple

from sim.rulesets.overhill.data import DRAIN, PARALYSIS
from sim.rulesets.overhill.exact.memory import Kills, Memory, Numbers
from sim.rulesets.overhill.exact.odds import MOST_WAYS, Chance, Share, TooLarge, loss_ways
from sim.rulesets.overhill.exact.party import Fight, Party, changed, drained, hurt

TOUCH_DIFFICULTY = 3
Stances = tuple[int, ...]
Scene = tuple[Party, frozenset[int]]  # the party, and who has used Accept the Blade
Scenes = dict[Scene, Chance]


class Assault(NamedTuple):
    """One attack of a monster: what its chances depend on, besides the scene."""

    group: int
    value: int
    front_monsters: int
    ranks: tuple[int, ...]  # of the heroes, by kills; with `spread` the heroes in the order in which they are attacked
    stances: Stances
    turn: int = 0  # of this monster in its group; matters with `spread` only


class MonsterPhase:
    """OU-R6, OU-E1: groups in list order, every living monster attacks once."""

    def __init__(self, fight: Fight, share: Share) -> None:
        self.fight = fight
        self.share = share
        self.memory = Memory(fight)
        self.touch_needs = TOUCH_DIFFICULTY + fight.on("difficulty_check", "exceed")
        self.knights = [h for h, hero in enumerate(fight.heroes) if hero.knows("accept_the_blade")]
        self.known: dict[tuple[Scene, Assault], list[tuple[Scene, Chance]]] = {}

    def results(self, party: Party, n: Numbers, scores: Kills, stances: Stances) -> dict[Party, Chance]:
        """The party after the phase -> chance; a party with nobody standing has lost."""
        front_monsters = self.fight.front_monsters(n)
        places = self.fight.room.front_max
        scenes: Scenes = {(party, frozenset()): self.share(1, 1)}
        for group, number in enumerate(n):
            attackers = number
            if places is not None and not self.fight.groups[group].rear:  # OU-E2
                attackers = min(number, places)
                places -= attackers
            if attackers:
                value, ranks = self.attack_value(group, n), self.memory.of_group(scores, group)
                assault = Assault(group, value, front_monsters, ranks, stances)
                scenes = self.group_attacks(scenes, assault, attackers)
        result: dict[Party, Chance] = defaultdict(lambda: self.share(0, 1))
        for (after, _), p in scenes.items():
            result[after] += p
        return dict(result)

    def group_attacks(self, scenes: Scenes, assault: Assault, attackers: int) -> Scenes:
        """All attacks of one group."""
        if not self.fight.on("monster_targeting", "spread"):
            for _ in range(attackers):
                scenes = self.after_attack(scenes, assault)
            return scenes
        result: Scenes = defaultdict(lambda: self.share(0, 1))  # OU-E8: one order per group and phase
        for scene, p in scenes.items():
            for order, q in self.orders(scene[0], assault.ranks).items():
                after = {scene: p * q}
                for turn in range(attackers):
                    after = self.after_attack(after, assault._replace(ranks=order, turn=turn))
                for end, r in after.items():
                    result[end] += r
        return result

    def orders(self, party: Party, ranks: tuple[int, ...]) -> dict[tuple[int, ...], Chance]:
        """OU-E8: the standing heroes from the most kills to the fewest, ties in random order -> chance."""
        standing = [h for h, hero in enumerate(party) if hero.health]
        drawn = list(permutations(standing))
        result: dict[tuple[int, ...], Chance] = defaultdict(lambda: self.share(0, 1))
        for order in drawn:
            result[tuple(sorted(order, key=lambda h: -ranks[h]))] += self.share(1, len(drawn))
        return result

    def attack_value(self, group: int, n: Numbers) -> int:
        """OU-E9: by its guard, and one more under a living leader."""
        facts = self.fight.groups[group]
        led = any(other.leads == facts.kin and number for other, number in zip(self.fight.groups, n, strict=True))
        return facts.attack + (1 if facts.kin and led and self.fight.on("leader_aura", "on") else 0)

    def after_attack(self, scenes: Scenes, assault: Assault) -> Scenes:
        """One more monster attacks."""
        result: Scenes = {}
        for scene, p in scenes.items():
            for after, q in self.attack(scene, assault):
                result[after] = result.get(after, 0) + p * q
        if len(result) > MOST_WAYS:
            raise TooLarge(f"more than {MOST_WAYS:,} ways in which one monster phase can go")
        return result

    def attack(self, scene: Scene, assault: Assault) -> list[tuple[Scene, Chance]]:
        """What one attack can lead to."""
        key = (scene, assault)
        if key not in self.known:
            result: Scenes = defaultdict(lambda: self.share(0, 1))
            for target, p in self.targets(scene[0], assault):
                for damage, q in self.damages(scene[0], target, assault).items():
                    for after, r in self.hit(scene, target, damage, assault).items() if damage else [(scene, 1)]:
                        result[after] += p * q * r
            self.known[key] = list(result.items()) or [(scene, self.share(1, 1))]
        return self.known[key]

    # Whom.

    def targets(self, party: Party, assault: Assault) -> list[tuple[int, Chance]]:
        """OU-E3, OU-E4, OU-E6, OU-E7, OU-E8: whom the monster may choose, with the chance of each."""
        ranks = assault.ranks
        legal = self.legal(party, assault.group, assault.front_monsters)
        if not legal:
            return []
        if self.fight.on("monster_targeting", "spread"):
            in_order = [h for h in ranks if h in legal]
            return [(in_order[assault.turn % len(in_order)], self.share(1, 1))]
        if not self.memory.forgetful:
            most = max(ranks[h] for h in legal)
            legal = [h for h in legal if ranks[h] == most]
            if self.fight.on("party_choice", "best_for_party"):
                legal = [max(legal, key=lambda h: (party[h].health, -h))]
        return [(h, self.share(1, len(legal))) for h in legal]

    def legal(self, party: Party, group: int, front_monsters: int) -> list[int]:
        """OU-E3, OU-E4: the front; the rear too for rear monsters, or when the front is outnumbered (or gone)."""
        standing = [h for h, hero in enumerate(party) if hero.health]
        front = [h for h in standing if party[h].front]
        if self.fight.on("rear_protection", "outnumbered"):
            exposed = front_monsters > self.fight.front_weight(party)
        else:
            exposed = not front
        return standing if exposed or self.fight.groups[group].rear else front

    # How hard.

    def damages(self, party: Party, target: int, assault: Assault) -> dict[int, Chance]:
        """OU-D1, OU-D2, OU-D3, OU-D5, OU-D10: health that the attack costs -> chance; 0 is a dodge."""
        value, rear = assault.value, self.fight.groups[assault.group].rear
        hero, facts = party[target], self.fight.heroes[target]
        damage: str = self.fight.switches["monster_damage"]
        if hero.paralysed and self.fight.on("paralysed_defense", "none"):
            return {1 if damage == "one" else max(1, value): self.share(1, 1)}
        rule = self.fight.switches["defense_die"]
        if rule == "quick" or (rule == "matching" and rear):
            die = facts.quick
        else:
            die = max(hero.vigor, facts.quick) if rule == "best" else hero.vigor
        bonus = facts.level if self.fight.on("level_bonus", "all") else 0
        if hero.front and not hero.paralysed:
            bonus -= assault.stances[target]
        if not hero.front and self.fight.on("rear_modifier", "defensive"):
            bonus += 1
        ways = loss_ways(die, bonus, value, self.fight.on("dodge_threshold", "meet"), damage)
        return {cost: self.share(faces, die) for cost, faces in ways.items()}

    def hit(self, scene: Scene, target: int, damage: int, assault: Assault) -> Scenes:
        """OU-F5, OU-D4, OU-D6: perhaps another takes the blow; then the damage and the touch."""
        party, used = scene
        result: Scenes = defaultdict(lambda: self.share(0, 1))
        knight = self.knight(party, used, target, damage)
        takes = self.share(0, 1)
        if knight is not None:
            quick = self.fight.heroes[knight].quick
            takes = self.share(max(quick - assault.value, 0), quick)
            used = used | {knight}
        for taker, p in ((target, 1 - takes), (knight, takes)):
            if taker is not None and p:
                for after, q in self.touched(hurt(party, taker, damage), taker, assault.group).items():
                    result[after, used] += p * q
        return result

    def knight(self, party: Party, used: frozenset[int], target: int, damage: int) -> int | None:
        """OU-F5: the first warrior who may take a blow that would bring another hero down."""
        if party[target].health > damage:
            return None
        for h in self.knights:
            if h != target and h not in used and party[h].health > damage and not party[h].paralysed:
                return h
        return None

    def touched(self, party: Party, h: int, group: int) -> dict[Party, Chance]:
        """OU-D7, OU-D8, OU-D9: who still stands makes a vigor check, or is paralysed or drained."""
        touches, hero = self.fight.groups[group].touch, party[h]
        if not touches or not hero.health:
            return {party: self.share(1, 1)}
        fails = self.share(min(self.touch_needs - 1, hero.vigor), hero.vigor)
        one = self.share(1, 1)
        phases = {hero.paralysed: one}  # how many hero phases are lost -> chance
        if touches & PARALYSIS:
            phases = {hero.paralysed: 1 - fails}
            for length in (1, 2, 3, 4):
                lost = max(hero.paralysed, length)
                phases[lost] = phases.get(lost, self.share(0, 1)) + fails * self.share(1, 4)
        vigors = {hero.vigor: one}
        if touches & DRAIN:
            vigors = {hero.vigor: 1 - fails}
            vigors[drained(hero.vigor)] = vigors.get(drained(hero.vigor), self.share(0, 1)) + fails
        return {
            changed(party, h, paralysed=lost, vigor=vigor): p * q
            for lost, p in phases.items()
            for vigor, q in vigors.items()
            if p * q
        }
