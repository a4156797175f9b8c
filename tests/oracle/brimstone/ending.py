"""Section 8: the end of the encounter and the report (BF-F10)."""

from __future__ import annotations

from dataclasses import dataclass

from .recovery import Recovery
from .units import Hero


@dataclass
class HeroResult:
    name: str
    cls: str
    ally: bool
    health: int
    sanity: int
    hp_end: int  # when the fight ended
    mind_end: int
    hp: int  # after BF-F2
    mind: int
    grit: int
    standing: bool
    dead: bool
    removed: bool
    square: int
    xp: int
    corruption: int
    kills: int
    dealt: int
    taken: int
    sanity_taken: int
    ko_count: int
    healed: int
    grit_gained: int
    grit_spent: int
    tokens_used: int
    injuries: int
    madness: int
    loot: int
    revivals: int
    bag: dict[str, int]
    status: dict[str, int]


@dataclass
class EnemyResult:
    """The last model of a slot."""

    kind: int
    name: str
    serial: int
    hp: int
    alive: bool
    square: int
    taken: int


@dataclass
class GroupResult:
    kind: int
    name: str
    elites: tuple[int, ...]
    created: int
    killed: int
    dealt: int


@dataclass
class Result:
    """BF-F10."""

    outcome: str  # win, loss, draw
    cause: str  # enemies, heroes, darkness, fled, cap
    rounds: int
    heroes: list[HeroResult]
    enemies: list[EnemyResult]
    groups: dict[int, GroupResult]
    xp: int
    loot: int
    threat_cards: int
    revive_left: int
    darkness: int
    depth_events: int
    ignored: int


class Ending(Recovery):
    """Catch Your Breath, recovery, loot, the report."""

    def after_the_win(self) -> None:
        """BF-F2 to F7."""
        for hero in self.heroes:
            if hero.standing:
                self.catch_breath(hero)
        for hero in self.heroes:
            if not (hero.standing or hero.dead or hero.removed):
                hero.injuries += hero.hp <= 0
                hero.madness += hero.mind <= 0
                self.recover(hero, "BF-F6", hero.number)
        for hero in self.heroes:
            if not hero.ally and not hero.dead:
                hero.loot = min(self.switches["loot_cap"], self.threat_cards)

    def catch_breath(self, hero: Hero) -> None:
        """BF-F3 to F5."""
        if self.switches["breath_window"] == "last_round":
            got_a_turn = hero.turn_acted == self.turn and self.turn > 0
        else:
            got_a_turn = hero.turn_acted > 0
        if not (hero.wounds or hero.sdmg):
            if not got_a_turn:
                self.gain_grit(hero)
            return
        self.heal_any_mix(hero, self.die(3 if got_a_turn else 6, "BF-F3", hero.number))

    def result(self, outcome: str, cause: str) -> Result:
        """BF-F10."""
        ends = [(max(0, hero.hp), max(0, hero.mind)) for hero in self.heroes]
        if outcome == "win":
            self.after_the_win()
        heroes = []
        for hero, (hp_end, mind_end) in zip(self.heroes, ends, strict=True):
            heroes.append(
                HeroResult(
                    name=hero.name,
                    cls=hero.sheet.cls,
                    ally=hero.ally,
                    health=hero.health,
                    sanity=hero.sanity,
                    hp_end=hp_end,
                    mind_end=mind_end,
                    hp=max(0, hero.hp),
                    mind=max(0, hero.mind),
                    grit=hero.grit,
                    standing=hero.standing,
                    dead=hero.dead,
                    removed=hero.removed,
                    square=hero.sq,
                    xp=hero.xp,
                    corruption=hero.corruption,
                    kills=hero.kills,
                    dealt=hero.dealt,
                    taken=hero.taken,
                    sanity_taken=hero.sanity_taken,
                    ko_count=hero.ko_count,
                    healed=hero.healed,
                    grit_gained=hero.grit_gained,
                    grit_spent=hero.grit_spent,
                    tokens_used=hero.tokens_used,
                    injuries=hero.injuries,
                    madness=hero.madness,
                    loot=hero.loot,
                    revivals=hero.revivals,
                    bag={token: count for token, count in hero.bag.items() if count},
                    status={marker: count for marker, count in hero.status.items() if count},
                )
            )
        enemies = [
            EnemyResult(m.group.number, m.kind.name, m.serial, max(0, m.hp), m.alive, m.sq, m.taken) for m in self.slots
        ]
        groups = {
            number: GroupResult(number, group.kind.name, group.elites, group.created, group.killed, group.dealt)
            for number, group in sorted(self.groups.items())
        }
        return Result(
            outcome=outcome,
            cause=cause,
            rounds=self.turn,
            heroes=heroes,
            enemies=enemies,
            groups=groups,
            xp=sum(hero.xp for hero in self.heroes),
            loot=sum(hero.loot for hero in self.heroes),
            threat_cards=self.threat_cards,
            revive_left=self.revive,
            darkness=self.darkness,
            depth_events=self.depth_events,
            ignored=self.ignored,
        )
