"""A whole evening: scenes one after the other, played by a party that takes along what each of them left it.

A scene is to the evening what a round is to a fight: `play_round` plays one scene of all runs that are still under way.
So everything that works on an encounter works on an evening: running, resuming, studies, branching, mixed luck.

    Evening(game, [FightScene(...), RestScene(...), FightScene(...)])

A fight that is won, avoided or without enemies leads on to the next scene; a lost one ends the evening, and so does one
that comes to its round cap. A scene may have a condition under which the party turns back before it. What a party takes
along, what a rest gives back and what a level brings are the ruleset's business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch, Blank, Carried, beginning, only
from sim.core.chance import Actor, actors_of_places
from sim.core.engine import Encounter, Lockstep
from sim.core.expr import Expression, parse
from sim.core.known_luck import KnownLuck
from sim.core.lanes import Lanes, Mask, Small, Whole, Wide, cut, which
from sim.core.ledger import Ledger
from sim.core.luck import ENEMIES, Luck
from sim.core.outcomes import Ability, Cast, Ending, Outcome, Outcomes, Unit, room_counts
from sim.core.telling import SCENE_BEGINS, TURNS_BACK, Recorder, Scene

PARTS, IN_PARTS = 1_000, ", in thousandths"  # shares are counted so: sums stay whole numbers
SCENES, TURNED_BACK = "scenes", "turned_back"  # columns of every evening
GOES_ON = (Outcome.WIN, Outcome.AVOIDED, Outcome.EMPTY)  # how a fight may end and the evening go on


class Game(Protocol):
    """What an evening asks of a ruleset; see `sim.core.ruleset`."""

    last_counts: tuple[str, ...]

    def rest(self, scenario: Any, party: Carried, kind: str, luck: Luck) -> Carried:
        """The party after a rest."""

    def grown(self, before: Any, after: Any, party: Carried) -> Carried:
        """The party with what a new level adds."""

    def condition(self, scenario: Any, party: Carried) -> dict[str, NDArray[Any]]:
        """What can be asked of a party."""


# ---------------------------------------------------------------------------------------------------------- the scenes


@dataclass(frozen=True, slots=True)
class FightScene:
    """A fight. The party turns back before it where `unless` holds."""

    number: int  # its place in the file, from 0: whose luck it has
    name: str
    encounter: Encounter[Any]
    scenario: Any  # the fight with the evening's party, as the ruleset's model
    unless: Expression | None = None
    kind: str = "fight"


@dataclass(frozen=True, slots=True)
class RestScene:
    """A rest of one of the kinds that the game knows."""

    number: int
    name: str
    rest: str
    scenario: Any  # any fight with the party as it is then
    kind: str = "rest"


@dataclass(frozen=True, slots=True)
class LevelScene:
    """Everybody gains a level."""

    number: int
    name: str
    before: Any
    after: Any
    kind: str = "level_up"


AnyScene = FightScene | RestScene | LevelScene


def read_unless(text: str, names: Sequence[str], place: str = "") -> Expression:
    """A condition on the party as it comes to a scene; shares may be written with a point, as in `party_hp < 0.3`."""
    as_ratio = re.sub(r"(\d+)\.(\d+)", lambda found: f"ratio({int(found[1] + found[2])}, {10 ** len(found[2])})", text)
    return parse(as_ratio, names, place=place)


def askable(game: Game, fight: FightScene) -> dict[str, NDArray[Any]]:
    """What can be asked of a party that leaves a fight, for one run of it that has not begun."""
    state = fight.encounter.start(Luck.of(0, np.arange(1)), None)
    return game.condition(fight.scenario, fight.encounter.leaving(state, state.everyone))


# ------------------------------------------------------------------------------------------------------------ the cast


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the units and abilities of one fight stand in the tables of the evening."""

    units: tuple[int, ...]
    abilities: tuple[int, ...]


def scene_counts(number: int, names: Sequence[str]) -> dict[str, str]:
    """Columns for what can be asked of the party after a scene (counted from 0): name -> column."""
    return {name: f"room_{number + 1}_{name}" for name in names}


def drawn_count(number: int) -> str:
    """The column for evenings that came to the round cap in a scene, counted from 0."""
    return f"room_{number + 1}_drawn"


def united(scenes: Sequence[AnyScene], asked: Mapping[str, bool]) -> tuple[Cast, dict[int, Rows]]:
    """The cast of the evening: heroes once, enemies of all scenes; by place of the scene, whose rows are where.

    `asked` has what is counted after every scene, and whether it is a share.
    """
    fights = {place: scene.encounter.cast for place, scene in enumerate(scenes) if isinstance(scene, FightScene)}
    names = [unit.name for cast in fights.values() for unit in cast.units if unit.side == "enemy"]
    units: dict[tuple[str, str], Unit] = {}
    abilities: dict[tuple[int, str], Ability] = {}
    rows: dict[int, Rows] = {}
    for side in ("party", "enemy"):  # the party first, whoever joins it later
        for place, cast in fights.items():
            for unit in cast.units:
                if unit.side == side:
                    key = (side, _called(unit, place, names))
                    units[key] = _joined(units.get(key), unit, key[1])
    order = {key: row for row, key in enumerate(units)}
    for place, cast in fights.items():
        mine = [order[unit.side, _called(unit, place, names)] for unit in cast.units]
        deeds = []
        for ability in cast.abilities:
            deed = (mine[ability.unit], ability.name)
            abilities.setdefault(deed, Ability(deed[0], ability.name, ability.common))
            deeds.append(list(abilities).index(deed))
        rows[place] = Rows(tuple(mine), tuple(deeds))
    cast = Cast(
        tuple(units.values()),
        tuple(abilities.values()),
        _counts(scenes, list(fights.values()), asked),
        tuple(dict.fromkeys(name for cast in fights.values() for name in cast.met)),
        tuple(scene.name for scene in scenes),
        tuple(scene.kind for scene in scenes),
    )
    return cast, rows


def _called(unit: Unit, place: int, names: Sequence[str]) -> str:
    """Enemies of one name in several scenes are told apart by the scene."""
    return f"{unit.name} (scene {place + 1})" if unit.side == "enemy" and names.count(unit.name) > 1 else unit.name


def _joined(known: Unit | None, unit: Unit, name: str) -> Unit:
    """A unit that may have been there before: its hit points are unknown where a level changed them."""
    same = known is None or known.max_hp == unit.max_hp
    return Unit(name, unit.side, unit.kind, unit.max_hp if same else None)


def _counts(scenes: Sequence[AnyScene], casts: Sequence[Cast], asked: Mapping[str, bool]) -> dict[str, str]:
    counts: dict[str, str] = {}
    for cast in casts:
        counts |= cast.plain_counts
    counts |= {SCENES: "scenes that the party came to", TURNED_BACK: "evenings on which the party turned back"}
    for place, scene in enumerate(scenes):
        words = ("came to", "came through", "rounds of", "hit points left after")
        counts |= {name: f"{word} {scene.name}" for name, word in zip(room_counts(place), words, strict=True)}
        counts[drawn_count(place)] = f"came to the round cap in {scene.name}"
        for name, column in scene_counts(place, list(asked)).items():
            counts[column] = f"{name} after {scene.name}{IN_PARTS if asked[name] else ''}"
    return counts


# --------------------------------------------------------------------------------------------------------- the evening


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
    scene: Scene = field(default_factory=Scene)  # the table as it was seen last, for whoever listens


class Evening(Encounter[EveningState]):
    """Scenes ready to be played one after the other."""

    in_scenes = True

    def __init__(self, game: Game, scenes: Sequence[AnyScene]) -> None:
        self.game = game
        self.scenes = tuple(scenes)
        fights = [scene for scene in self.scenes if isinstance(scene, FightScene)]
        several = len(self.scenes) > 1
        asked = askable(game, fights[0]) if several else {}
        self.shares = {name: values.dtype.kind == "f" for name, values in asked.items()}  # or whole numbers
        self.cast, self.rows = united(self.scenes, self.shares)
        self.plain_counts = frozenset(self.cast.plain_counts)

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
        if isinstance(scene, FightScene):
            self.fight(s, scene, place, at)
        elif s.party:
            self.between(s, scene, at)
        self.look_after(s, place, which(s.live))
        if s.round == len(self.scenes):
            self.come_through(s)

    def turn_back(self, s: EveningState, scene: FightScene, place: int) -> None:
        """The party goes home where the scene's `unless` holds."""
        assert scene.unless is not None
        at = which(s.live)
        holds = np.broadcast_to(np.asarray(scene.unless(self.asked(s, place, at)), dtype=bool), len(at))
        home = at[holds]
        s.counts[TURNED_BACK][home] = 1
        s.rounds[home] -= 1  # they have not come to this scene
        s.decide(home, Outcome.TURNED_BACK)
        if s.tell is not None:
            s.tell.event("", TURNS_BACK, home, name=scene.name, unless=scene.unless.text)

    def asked(self, s: EveningState, place: int, at: Lanes) -> dict[str, NDArray[Any]]:
        """What can be asked of the parties in these lanes, as they are before or after the scene at a place."""
        scene = self.scenes[place]
        model = scene.after if isinstance(scene, LevelScene) else scene.scenario
        return self.game.condition(model, _those(s, at))

    def fight(self, s: EveningState, scene: FightScene, place: int, at: Lanes) -> None:
        """A fight of the evenings in these lanes, from its first round to its last."""
        luck = s.luck if len(at) == s.size else s.luck.only(at)
        arriving = _those(s, at) if s.party else None
        batch = _Leaving.started(scene.encounter, at, luck.scene(scene.number), s.tell, arriving)
        batch.keeps = len(self.scenes) > 1
        for tables in batch.play():
            if tables.size:
                self.write_down(s, place, tables)
        for lanes, party in batch.left:
            _put_along(s, party, lanes)
        if s.tell is not None:
            s.scene = s.tell.events[-1].after
            s.tell.scene_ends(int(s.counts[room_counts(place)[2]][0]))
            s.tell.names, s.tell.look, s.tell.state = [unit.name for unit in self.cast.units], self.look, s

    def write_down(self, s: EveningState, place: int, tables: Outcomes) -> None:
        """Fights that are over, into the tables of the evening; their runs are numbered by lane."""
        at, rows = tables.run, self.rows[place]
        s.counts[room_counts(place)[2]][at] = tables.rounds
        s.counts[drawn_count(place)][at] = tables.outcome == Outcome.DRAW
        self.add_up_units(s, rows, tables, at)
        for name in ("uses", "hits", "damage"):
            _add(getattr(s.ledger, name), rows.abilities, getattr(tables, name), at)
        for name, found in tables.counts.items():
            if name in self.plain_counts:
                s.counts[name][at] = found if name in self.game.last_counts else s.counts[name][at] + found
        for name, met in tables.met.items():
            s.met[name][at] |= met
        s.xp[at] += tables.xp
        s.fought[at] += tables.rounds
        if isinstance(s.luck, KnownLuck) and tables.known_luck is not None:
            s.luck.known[at] += tables.known_luck
        self.go_on(s, tables, at)

    def add_up_units(self, s: EveningState, rows: Rows, tables: Outcomes, at: Lanes) -> None:
        """How units were at the end of a fight, and what they did in it."""
        for mine, unit in enumerate(rows.units):
            there = tables.present[mine]
            inside = slice(None) if there.all() else which(there)
            now = at[inside]
            s.hp[unit][now] = tables.hp[mine][inside]
            s.present[unit][now] = True
            if tables.dead[mine].any() or s.dead[unit].any():
                s.dead[unit][now] = tables.dead[mine][inside]
            fell = which(tables.down_round[mine] >= 0)
            first = fell[s.ledger.down_round[unit][at[fell]] < 0]
            s.ledger.down_round[unit][at[first]] = tables.down_round[mine][first] + s.fought[at[first]]
        for name in ("damage_dealt", "damage_taken", "healing", "kills", "downs"):
            _add(getattr(s.ledger, name), rows.units, getattr(tables, name), at)

    def go_on(self, s: EveningState, tables: Outcomes, at: Lanes) -> None:
        """Who has lost or run out of time is done for the evening; the others go on."""
        s.won[at] |= tables.outcome == Outcome.WIN
        s.avoided[at] |= tables.outcome == Outcome.AVOIDED
        for outcome in (Outcome.LOSS, Outcome.DRAW):
            s.decide(at[tables.outcome == outcome], outcome)

    def between(self, s: EveningState, scene: RestScene | LevelScene, at: Lanes) -> None:
        """A rest, or a level gained."""
        party = _those(s, at)
        if isinstance(scene, RestScene):
            luck = s.luck if len(at) == s.size else s.luck.only(at)
            party = self.game.rest(scene.scenario, party, scene.rest, luck.scene(scene.number))
        else:
            party = self.game.grown(scene.before, scene.after, party)
        _put_along(s, party, at)

    def look_after(self, s: EveningState, place: int, at: Lanes) -> None:
        """How the parties that came through a scene are."""
        _, through, _, hp = room_counts(place)
        s.counts[through][at] = 1
        if isinstance(self.scenes[place], FightScene):  # what a rest gives back is told as a share of full health
            s.counts[hp][at] = cut(s.hp, at)[self.cast.party].clip(min=0).sum(axis=0)
        if not s.party or not self.shares:
            return
        asked = self.asked(s, place, at)
        for name, column in scene_counts(place, list(self.shares)).items():
            s.counts[column][at] = np.rint(asked[name] * PARTS) if self.shares[name] else asked[name]

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
        """Heroes, and enemies by their number, under which others may ask in the next scene."""
        heroes: dict[str, Actor] = {}
        places: dict[int, list[str]] = {}
        for scene in self.scenes:
            for actor in scene.encounter.actors() if isinstance(scene, FightScene) else ():
                if actor.side == "party":
                    heroes.setdefault(actor.name, actor)
                    continue
                for first, last in actor.numbers:
                    for number in range(first, min(last, first + ENEMIES) + 1):
                        places.setdefault(number, []).append(actor.name)
        return list(heroes.values()) + actors_of_places(places)


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


def _add(table: NDArray[Any], rows: Sequence[int], found: NDArray[Any], at: Lanes) -> None:
    """Rows of a fight's table, added to those of the evening; most are empty, and cost nothing."""
    busy = np.asarray(found.any(axis=1))
    for mine, row in enumerate(rows):
        if busy[mine]:
            table[row][at] += found[mine]


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
