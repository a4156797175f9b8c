"""A whole evening: scenes one after the other, played by a party that takes along what each of them left it.

A scene is to the evening what a round is to a fight: `play_round` plays one scene of all runs that are still under way.
So everything that works on an encounter works on an evening: running, resuming, studies, branching, mixed luck.

    Evening(game, [FightScene(...), RestScene(...), FightScene(...)])

A fight that is won, avoided or without enemies leads on to the next scene; a lost one ends the evening, and so does one
that comes to its round cap. A scene may have a condition under which the party turns back before it. What a party takes
along, what a rest gives back and what a level brings are the ruleset's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch, Blank, Carried, beginning, only
from sim.core.chance import ALL_ENEMIES, Actor, actors_of_places
from sim.core.engine import Encounter, Lockstep
from sim.core.evening_cast import MISSING, PARTS, SCENES, TURNED_BACK, Rows, drawn_count, scene_counts, united
from sim.core.evening_scenes import AnyScene, FightScene, Gained, Game, LevelScene, RestScene, askable
from sim.core.evening_tables import Fought
from sim.core.known_luck import KnownLuck
from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, Wide, cut, which
from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.mixed_luck import Span
from sim.core.outcomes import Ending, Outcome, Outcomes, room_counts
from sim.core.telling import AFTERWARDS, LEVELS_GAINED, SCENE_BEGINS, TURNS_BACK, Recorder, Scene

LEVELS = "levels"  # gained by XP: what can be asked of a party where a scene lets it gain some
GOES_ON = (Outcome.WIN, Outcome.AVOIDED, Outcome.EMPTY)  # how a fight may end and the evening go on


@dataclass(slots=True)
class EveningState(Batch):
    """All evenings of a batch. `round` counts scenes; the last axis is the run."""

    party: Carried  # empty before the first fight: the party is fresh
    fought: Small  # (runs,) rounds of all fights so far
    won: Mask  # (runs,) at least one fight was won
    avoided: Mask  # (runs,) at least one fight was avoided
    xp: Wide  # (runs,)
    counts: dict[str, Wide]  # name -> (runs,)
    met: dict[str, Mask]
    hp: Wide  # (units, runs) as of the last fight in which the unit took part
    present: Mask
    dead: Mask
    levels: Tiny  # (heroes, runs) gained by XP; no rows where no scene brings any
    spent: Wide  # (heroes, runs) XP that these have cost
    scene: Scene = field(default_factory=Scene)  # the table as it was seen last, for whoever listens


class Evening(Encounter[EveningState]):
    """Scenes ready to be played one after the other."""

    in_scenes = True

    def __init__(self, game: Game, scenes: Sequence[AnyScene], changed: Mapping[str, int] | None = None) -> None:
        """`changed` are the game's `house_values` that hold on this evening."""
        self.game = game
        self.scenes = tuple(scenes)
        self.changed = changed or {}
        fights = [scene for scene in self.scenes if isinstance(scene, FightScene)]
        several = len(self.scenes) > 1
        asked = askable(game, fights[0]) if several else {}
        self.shares = {name: values.dtype.kind == "f" for name, values in asked.items()}  # or whole numbers
        self.highest = self.highest_levels()
        self.heroes = len(self.highest[-1][0]) if self.highest[-1] else 0  # who may gain levels by XP
        if self.heroes:
            self.shares[LEVELS] = False
        party = [unit.name for unit in fights[0].encounter.cast.units if unit.side == "party"] if several else []
        counted = self.shares | {f"{MISSING}{name}": False for name in party}
        self.cast, self.register = united(self.scenes, counted, dict(enumerate(self.highest)))
        self.plain_counts = frozenset(self.cast.plain_counts)
        self._rows: dict[tuple[int, Gained], Rows] = {}

    def highest_levels(self) -> list[list[Gained]]:
        """By place: the levels that heroes have gained by XP as they come to it, if all gain one whenever they can."""
        found: list[list[Gained]] = []
        now: list[Gained] = []
        for scene in self.scenes:
            found.append(now)
            if isinstance(scene, LevelScene) and scene.by_xp:
                costs = self.game.level_costs(scene.before(now[-1] if now else ()), self.changed)
                before = now[-1] if now else (0,) * len(costs or ())
                more = tuple(level + (cost is not None) for level, cost in zip(before, costs or (), strict=True))
                now = [*now, more]
        return [*found, now]

    def rows(self, place: int, gained: Gained) -> Rows:
        """Where the units and abilities of a fight stand in the tables of the evening."""
        key = (place, gained)
        if key not in self._rows:
            scene = self.scenes[place]
            assert isinstance(scene, FightScene)
            self._rows[key] = self.register.rows(scene.of(gained).encounter.cast, place)
        return self._rows[key]

    # ------------------------------------------------------------------------------------------------------- playing

    def start(self, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> EveningState:
        """Before the first scene."""
        blank, units = Blank(len(luck.keys)), len(self.cast.units)
        return EveningState(
            **beginning(luck, self.cast, tell),
            party=arriving or {},
            fought=blank.small(),
            won=blank.mask(),
            avoided=blank.mask(),
            xp=blank.wide(),
            counts={name: blank.wide() for name in self.cast.counts},
            met={name: blank.mask() for name in self.cast.met},
            hp=blank.wide(units),
            present=blank.mask(units),
            dead=blank.mask(units),
            levels=blank.tiny(self.heroes),
            spent=blank.wide(self.heroes),
        )

    def play_round(self, s: EveningState) -> None:
        """One scene of all evenings that are still under way."""
        place = s.round - 1
        scene = self.scenes[place]
        if s.tell is not None:
            s.tell.round = s.tell.rounds_before
        if isinstance(scene, FightScene) and scene.unless is not None and s.party:
            self.turn_back(s, scene, place)
        at = which(s.live)
        if not len(at):
            return
        if s.tell is not None:
            if isinstance(scene, FightScene) and not s.scene.tokens:
                s.scene = scene.encounter.openings(s.luck.scene(scene.number))[0]
            s.tell.event("", SCENE_BEGINS, at, scene=place + 1, of=len(self.scenes), name=scene.name, what=scene.kind)
        reached = room_counts(place)[0]
        s.counts[reached][at] = 1
        s.counts[SCENES][at] += 1
        before = self.asked(s, place - 1, at) if s.tell is not None and s.party and place else {}
        for gained, lanes in self.crews(s, at):
            if isinstance(scene, FightScene):
                self.fight(s, place, gained, lanes)
            elif s.party:
                self.between(s, scene, gained, lanes)
        if s.tell is not None and before and not isinstance(scene, FightScene):
            everybody = isinstance(scene, LevelScene) and not scene.by_xp
            changes = self.changes(before, self.asked(s, place, at))
            s.tell.event("", AFTERWARDS, at, changes=changes, gain_a_level=everybody)
        self.look_after(s, place, which(s.live))
        if s.round == len(self.scenes):
            self.come_through(s)

    def crews(self, s: EveningState, at: Lanes) -> list[tuple[Gained, Lanes]]:
        """The evenings in these lanes by the levels that their heroes have gained by XP: each is a party of its own."""
        if not self.heroes or not len(at):
            return [((0,) * self.heroes, at)]
        levels, whose = np.unique(cut(s.levels, at), axis=1, return_inverse=True)
        return [(tuple(levels[:, crew].tolist()), at[whose.reshape(-1) == crew]) for crew in range(levels.shape[1])]

    def turn_back(self, s: EveningState, scene: FightScene, place: int) -> None:
        """The party goes home where the scene's `unless` holds."""
        assert scene.unless is not None
        at = which(s.live)
        asked = {LEVELS: np.zeros(len(at), dtype=np.int32)} | self.asked(s, place, at)
        holds = np.broadcast_to(np.asarray(scene.unless(asked), dtype=bool), len(at))
        home = at[holds]
        s.counts[TURNED_BACK][home] = 1
        s.rounds[home] -= 1  # they have not come to this scene
        s.decide(home, Outcome.TURNED_BACK)
        if s.tell is not None:
            s.tell.event("", TURNS_BACK, home, name=scene.name, unless=scene.unless.text.replace("_", " "))

    def asked(self, s: EveningState, place: int, at: Lanes) -> dict[str, NDArray[Any]]:
        """What can be asked of the parties in these lanes, as they are before or after the scene at a place."""
        scene = self.scenes[place]
        if not self.heroes:
            return self.game.condition(scene.party(()), _those(s, at))
        found: dict[str, NDArray[Any]] = {LEVELS: cut(s.levels, at).sum(axis=0, dtype=np.int32)}
        for gained, lanes in self.crews(s, at):
            inside = np.searchsorted(at, lanes)  # lanes ascend
            for name, values in self.game.condition(scene.party(gained), _those(s, lanes)).items():
                found.setdefault(name, np.zeros(len(at), dtype=values.dtype))[inside] = values
        return found

    def fight(self, s: EveningState, place: int, gained: Gained, at: Lanes) -> None:
        """A fight of the evenings in these lanes, from its first round to its last."""
        whole = self.scenes[place]
        assert isinstance(whole, FightScene)
        scene = whole.of(gained)
        luck = s.luck if len(at) == s.size else s.luck.only(at)
        arriving = _those(s, at) if s.party else None
        batch = _Leaving.started(scene.encounter, at, luck.scene(scene.number), s.tell, arriving)
        batch.keeps = len(self.scenes) > 1
        self.write_down(s, place, self.rows(place, gained), Fought(list(batch.play()), s.size))
        for lanes, party in batch.left:
            _put_along(s, party, lanes)
        if s.tell is not None:
            s.scene = s.tell.events[-1].after
            s.tell.scene_ends(int(s.counts[room_counts(place)[2]][0]))
            s.tell.names, s.tell.look, s.tell.state = [unit.name for unit in self.cast.units], self.look, s

    def write_down(self, s: EveningState, place: int, rows: Rows, fought: Fought) -> None:
        """A fight that is over in all its runs, into the tables of the evening."""
        rounds, outcome = fought.laid("rounds"), fought.laid("outcome")
        s.counts[room_counts(place)[2]] += rounds
        s.counts[drawn_count(place)] += fought.there & (outcome == Outcome.DRAW)
        self.add_up_units(s, rows, fought)
        for name in ("uses", "hits", "damage"):
            _add(getattr(s.ledger, name), rows.abilities, fought.laid(name))
        for name in fought.parts[0].counts:
            if name in self.game.last_counts:
                np.copyto(s.counts[name], fought.counted("counts", name), where=fought.there)
            elif name in self.plain_counts:
                s.counts[name] += fought.counted("counts", name)
        for name in fought.parts[0].met:
            s.met[name] |= fought.counted("met", name)
        s.xp += fought.laid("xp")
        s.fought += rounds
        if isinstance(s.luck, KnownLuck) and fought.parts[0].known_luck is not None:
            s.luck.known += fought.laid("known_luck")
        self.go_on(s, outcome, fought.there)

    def add_up_units(self, s: EveningState, rows: Rows, fought: Fought) -> None:
        """How units were at the end of a fight, and what they did in it."""
        present, dead, hp = (fought.laid(name) for name in ("present", "dead", "hp"))
        down_round = fought.laid("down_round", absent=-1)
        for mine, unit in enumerate(rows.units):
            np.copyto(s.hp[unit], hp[mine], where=present[mine])
            np.copyto(s.dead[unit], dead[mine], where=present[mine])
            s.present[unit] |= present[mine]
            first = (down_round[mine] >= 0) & (s.ledger.down_round[unit] < 0)
            np.copyto(s.ledger.down_round[unit], down_round[mine] + s.fought, where=first)
        for name in ("damage_dealt", "damage_taken", "healing", "kills", "downs"):
            _add(getattr(s.ledger, name), rows.units, fought.laid(name))

    def go_on(self, s: EveningState, outcome: Tiny, there: Mask) -> None:
        """Who has lost or run out of time is done for the evening; the others go on."""
        s.won |= there & (outcome == Outcome.WIN)
        s.avoided |= there & (outcome == Outcome.AVOIDED)
        for ends in (Outcome.LOSS, Outcome.DRAW):
            s.decide(which(there & (outcome == ends)), ends)

    def between(self, s: EveningState, scene: RestScene | LevelScene, gained: Gained, at: Lanes) -> None:
        """A rest, or a level gained."""
        party = _those(s, at)
        if isinstance(scene, RestScene):
            luck = s.luck if len(at) == s.size else s.luck.only(at)
            party = self.game.rest(scene.party(gained), party, scene.rest, luck.scene(scene.number), self.changed)
        elif scene.by_xp:
            self.gain_by_xp(s, scene, gained, at)
            return
        else:
            party = self.game.grown(scene.before(gained), scene.party(gained), party)
        _put_along(s, party, at)

    def changes(self, before: dict[str, NDArray[Any]], after: dict[str, NDArray[Any]]) -> str:
        """What a rest or a level has changed for the one party that is told: 'health 75 % (was 45 %)'."""

        def shown(name: str, value: Any) -> str:
            return f"{100 * value:.0f} %" if self.shares.get(name) else f"{value:g}"

        both = {name: (shown(name, before[name][0]), shown(name, after[name][0])) for name in after if name in before}
        return ", ".join(
            f"{'health' if name == 'party_hp' else name.replace('_', ' ')} {now} (was {was})"
            for name, (was, now) in both.items()
            if was != now
        )

    def gain_by_xp(self, s: EveningState, scene: LevelScene, gained: Gained, at: Lanes) -> None:
        """Who has earned what the next level costs gains it, and the XP is spent."""
        before = scene.before(gained)
        earned = self.game.xp_of_heroes(before, _those(s, at), s.xp[at])
        for hero, cost in enumerate(self.game.level_costs(before, self.changed) or ()):
            if cost is not None:
                ready = at[earned[hero] - s.spent[hero][at] >= cost]
                s.levels[hero][ready] += 1
                s.spent[hero][ready] += cost
        for now, lanes in self.crews(s, at):
            if now != gained:
                _put_along(s, self.game.grown(before, scene.before(now), _those(s, lanes)), lanes)
        if s.tell is not None:
            names = [self.cast.units[row].name for row in self.cast.party]
            who = [name for hero, name in enumerate(names[: self.heroes]) if s.levels[hero][0] > gained[hero]]
            s.tell.event("", LEVELS_GAINED, at, names=" and ".join(who) or "Nobody")

    def look_after(self, s: EveningState, place: int, at: Lanes) -> None:
        """How the parties that came through a scene are."""
        _, through, _, hp = room_counts(place)
        s.counts[through][at] = 1
        if isinstance(self.scenes[place], FightScene):  # what a rest gives back is told as a share of full health
            s.counts[hp][at] = cut(s.hp, at)[self.cast.party].clip(min=0).sum(axis=0)
            self.who_is_missing(s, place, at)
        if not s.party or not self.shares:
            return
        asked = self.asked(s, place, at)
        for name, column in scene_counts(place, list(self.shares)).items():
            s.counts[column][at] = np.rint(asked[name] * PARTS) if self.shares[name] else asked[name]

    def who_is_missing(self, s: EveningState, place: int, at: Lanes) -> None:
        """Heroes who are down or dead after a fight."""
        for row in self.cast.party:
            column = scene_counts(place, [f"{MISSING}{self.cast.units[row].name}"]).popitem()[1]
            if column in s.counts:
                s.counts[column][at] = s.present[row][at] & ((s.hp[row][at] <= 0) | s.dead[row][at])

    def come_through(self, s: EveningState) -> None:
        """The evening is over for all who are still there: won, unless there was nothing to win."""
        s.decide(which(s.live & s.won), Outcome.WIN)
        s.decide(which(s.live & s.avoided), Outcome.AVOIDED)
        s.decide(which(s.live), Outcome.EMPTY)

    # ------------------------------------------------------------------------------------------------- looking at it

    def ending(self, s: EveningState, at: Lanes, book: Ledger) -> Ending:
        """What was counted over the whole evening."""
        return Ending(
            hp=cut(s.hp, at),
            present=cut(s.present, at),
            dead=cut(s.dead, at),
            xp=cut(s.xp, at),
            counts={name: cut(count, at) for name, count in s.counts.items()},
            met={name: cut(met, at) for name, met in s.met.items()},
        )

    def harvest(self, s: EveningState, at: Lanes, runs: Whole) -> Outcomes:
        """The tables of the evenings in these lanes; their rounds are those of all fights together."""
        tables = super().harvest(s, at, runs)
        tables.rounds = s.fought[at]
        return tables

    def steps(self, outcomes: Outcomes) -> Small:
        """(runs,). How many scenes each evening had: what is played at one go."""
        return outcomes.counts[SCENES].astype(np.int16)

    def leaving(self, s: EveningState, at: Lanes) -> Carried:
        """What the party takes along out of its last fight."""
        return only(s.party, at)

    def look(self, s: EveningState) -> Scene:
        """The table as it was seen last."""
        return s.scene

    def openings(self, luck: Luck) -> list[Scene]:
        """The table as each fight begins, with a party that is fresh."""
        fights = (scene for scene in self.scenes if isinstance(scene, FightScene))
        return [opening for scene in fights for opening in scene.encounter.openings(luck.scene(scene.number))]

    def actors(self) -> list[Actor]:
        """Heroes, and enemies by their number, under which others may ask in the next scene.

        Where a game has one stretch of numbers for all enemies of a fight, they are one actor here too.
        """
        heroes: dict[str, Actor] = {}
        places: dict[int, list[str]] = {}
        crowds: dict[tuple[Span, ...], list[str]] = {}
        fights = [scene.encounter for scene in self.scenes if isinstance(scene, FightScene)]
        for actor in (actor for fight in fights for actor in fight.actors()):
            if actor.side == "party":
                heroes.setdefault(actor.name, actor)
            elif any(first < last for first, last in actor.numbers):
                crowds.setdefault(actor.numbers, []).append(actor.name)
            else:
                for number, _ in actor.numbers:
                    places.setdefault(number, []).append(actor.name)
        together = [
            Actor(names[0] if len(set(names)) == 1 else ALL_ENEMIES, "enemy", numbers)
            for numbers, names in crowds.items()
        ]
        return [*heroes.values(), *actors_of_places(places, " of each scene"), *together]


@dataclass(slots=True)
class _Leaving(Lockstep[Any]):
    """A fight of an evening: keeps what the parties take along as their runs are harvested."""

    keeps: bool = True
    left: list[tuple[Whole, Carried]] = field(default_factory=list)

    def _harvest(self) -> Outcomes:
        over = which(~self.state.live)
        if self.keeps and len(over):
            self.left.append((self.runs[over], self.encounter.leaving(self.state, over)))
        return Lockstep._harvest(self)


def _add(table: NDArray[Any], rows: Sequence[int], found: NDArray[Any]) -> None:
    """Rows of a fight's table, added to those of the evening."""
    for mine, row in enumerate(rows):
        table[row] += found[mine]


def _those(s: EveningState, at: Lanes) -> Carried:
    """What the parties in these lanes have along: to read from, as it may be the table itself."""
    return s.party if len(at) == s.size else only(s.party, at)


def _put_along(s: EveningState, party: Mapping[str, NDArray[Any]], at: Lanes) -> None:
    """The parties in these lanes take this along from now on."""
    if len(at) == s.size:
        s.party = dict(party)
        return
    for name, found in party.items():
        if name not in s.party:
            s.party[name] = np.zeros((*found.shape[:-1], s.size), dtype=found.dtype)
        s.party[name][..., at] = found
