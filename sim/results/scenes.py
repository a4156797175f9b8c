"""How an evening went, scene by scene: where parties end, how they are by then, and which scene costs most.

Two questions need fights that the result does not have. How hard is a scene for a party that is fresh? And how many
would come through without it? Both are played here, on the luck of the first runs of the result, so that every number
follows from the scenario and the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sim.core.engine import play, play_with
from sim.core.evening import GOES_ON, LEVELS, Evening
from sim.core.evening_cast import IN_PARTS, MISSING, PARTS, drawn_count, scene_counts
from sim.core.evening_scenes import FightScene, Gained, LevelScene
from sim.core.luck import Luck
from sim.core.outcomes import Cast, Outcome, Outcomes, room_counts
from sim.results.statistics import Estimate, mean, rate
from sim.results.summary import ENCOUNTERS, Summary

if TYPE_CHECKING:
    from sim.scenario import Scenario

FRESH_RUNS = 2_000  # fights of a fresh party, for each scene
WITHOUT_RUNS = 1_000  # evenings without a scene, for each of them


@dataclass(frozen=True, slots=True)
class SceneResult:
    """One scene: who came to it, and how they fared."""

    number: int  # from 1
    name: str
    kind: str  # fight, rest or level_up
    reached: Estimate  # share of evenings
    through: Estimate  # share of those who came to it
    rounds: Estimate  # of those who came to it
    hp_left: Estimate  # share of full health left to those who came through
    lost: int  # evenings that were lost here
    drawn: int  # evenings that came to the round cap here
    turned_back: int  # parties that went home before it
    left: dict[str, Estimate] = field(default_factory=dict)  # what else can be asked of a party that came through
    missing: dict[str, Estimate] = field(default_factory=dict)  # hero -> share of these parties in which it is down
    fresh: Estimate | None = None  # how often a fresh party comes through; None for what is no fight
    without: Estimate | None = None  # how many come through the evening without this scene; None where none can be


def scenes_of(sums: Summary, cast: Cast) -> list[SceneResult]:
    """Every scene of an evening, or room of a gauntlet, from the sums of its runs alone."""
    rows = {name: row for row, name in enumerate(cast.counts, start=1)}  # xp is the first row
    full = sum(cast.units[row].max_hp or 0 for row in cast.party)

    def both(name: str) -> tuple[int, int]:
        total, squares = (
            table[rows[name], list(ENCOUNTERS)].sum() for table in (sums.counts.total, sums.counts.squares)
        )
        return int(total), int(squares)

    found: list[SceneResult] = []
    before = sums.encounters
    for place, name in enumerate(cast.rooms):
        reached, won, rounds, hp = room_counts(place)
        came, through = both(reached)[0], both(won)[0]
        asked = {key: column for key, column in scene_counts(place, asked_in(cast)).items() if column in rows}
        scale = {key: PARTS if cast.counts[column].endswith(IN_PARTS) else 1 for key, column in asked.items()}
        left = {key: scaled(mean(through, *both(column)), 1 / scale[key]) for key, column in asked.items()}
        share = left.pop("party_hp", None) or scaled(mean(through, *both(hp)), 1 / (full or 1))
        away = [name for name in left if name.startswith(MISSING)]
        missing = {name.removeprefix(MISSING): rate(both(asked[name])[0], through) for name in away}
        left = {name: estimate for name, estimate in left.items() if name not in away}
        drawn = both(drawn_count(place))[0] if cast.kinds else 0
        found.append(
            SceneResult(
                number=place + 1,
                name=name,
                kind=cast.kinds[place] if cast.kinds else "fight",
                reached=rate(came, sums.encounters),
                through=rate(through, came),
                rounds=mean(came, *both(rounds)),
                hp_left=share,
                lost=came - through - drawn,
                drawn=drawn,
                turned_back=before - came if cast.kinds else 0,
                left=left,
                missing=missing if cast.kinds and cast.kinds[place] == "fight" else {},
            )
        )
        before = through
    return found


def scaled(estimate: Estimate, by: float) -> Estimate:
    """The same number in another unit."""
    if not estimate.known:
        return estimate
    return replace(estimate, value=by * estimate.value, low=by * estimate.low, high=by * estimate.high)


def asked_in(cast: Cast) -> list[str]:
    """What is counted after every scene: the names that a scene's `unless` can ask for."""
    head, known = "room_1_", {*room_counts(0), drawn_count(0)}
    return [name.removeprefix(head) for name in cast.counts if name.startswith(head) and name not in known]


# -------------------------------------------------------------------------------------------- what has to be played


def fresh_rates(evening: Evening, seed: int, runs: int, told: Sequence[SceneResult]) -> list[Estimate | None]:
    """How often a fresh party comes through each scene, on the luck that the scene has in these runs.

    Where heroes gain levels by XP the fresh party has the usual ones: as many as parties have on the average, the next
    whole number for everybody who can.
    """
    numbers = np.arange(min(runs, FRESH_RUNS))
    found: list[Estimate | None] = []
    for place, scene in enumerate(evening.scenes):
        if not isinstance(scene, FightScene):
            found.append(None)
            continue
        gained = usual_levels(evening, place, told[place - 1].left.get(LEVELS) if place else None)
        tables = play_with(scene.of(gained).encounter, numbers, Luck.of(seed, numbers).scene(scene.number))
        found.append(rate(int(np.isin(tables.outcome, GOES_ON).sum()), len(numbers)))
    return found


def usual_levels(evening: Evening, place: int, mean_levels: Estimate | None) -> Gained:
    """The levels by XP of a usual party that comes to a scene, from the mean of what all its heroes have gained."""
    if mean_levels is None or not mean_levels.known or not evening.highest[place]:
        return ()
    usual = round(mean_levels.value / evening.heroes)
    return tuple(min(usual, most) for most in evening.highest[place][-1])


def fresh_in_rooms(scenario: Scenario, cast: Cast, seed: int, runs: int) -> list[Estimate | None]:
    """The same for the rooms of a gauntlet, each played alone on the first runs."""
    numbers = np.arange(min(runs, FRESH_RUNS))
    found: list[Estimate | None] = []
    for room in range(len(cast.rooms)):
        values = scenario.ruleset.room_alone(scenario.model, room)
        if values is None:
            found.append(None)
            continue
        tables = play(scenario.changed(values=values).encounter(), seed, numbers)
        found.append(rate(int(np.isin(tables.outcome, GOES_ON).sum()), len(numbers)))
    return found


def rates_without(evening: Evening, seed: int, runs: int) -> tuple[Estimate | None, list[Estimate | None]]:
    """How many come through the evening as it is, and without each of its scenes, on the same luck.

    A level that everybody gains cannot be left out: the later fights are those of a party that has it.
    """
    numbers = np.arange(min(runs, WITHOUT_RUNS))
    fights = sum(isinstance(scene, FightScene) for scene in evening.scenes)
    if len(evening.scenes) < 2:
        return None, [None] * len(evening.scenes)
    found: list[Estimate | None] = []
    for place, scene in enumerate(evening.scenes):
        others = [*evening.scenes[:place], *evening.scenes[place + 1 :]]
        given = isinstance(scene, LevelScene) and not scene.by_xp
        if given or (isinstance(scene, FightScene) and fights < 2):
            found.append(None)
        else:
            found.append(through_rate(play(Evening(evening.game, others, evening.changed), seed, numbers)))
    return through_rate(play(evening, seed, numbers)), found


def through_rate(tables: Outcomes) -> Estimate:
    """The share of evenings that the party came through."""
    met = tables.outcome != Outcome.EMPTY
    return rate(int(np.isin(tables.outcome[met], GOES_ON).sum()), int(met.sum()))


def costliest(scenes: Sequence[SceneResult], whole: Estimate | None) -> str:
    """The scene without which most would come through, in words; empty where no scene costs anything."""
    known = [
        (scene.without.value, scene)
        for scene in scenes[:-1]  # without its end it would be another evening
        if scene.without is not None and scene.kind == "fight"
    ]
    if whole is None or not known:
        return ""
    most, scene = max(known, key=lambda pair: (pair[0], -pair[1].number))
    if scene.without is None or scene.without.low <= whole.value:
        return ""
    last = scenes[-1]
    end = last.name if last.kind == "fight" else "the evening"
    return (
        f"Without scene {scene.number} ({scene.name}) {_percent(most)} of parties come through {end} instead of "
        f"{_percent(whole.value)}: it costs most."
    )


def _percent(share: float) -> str:
    """In whole percent; with a digit more where that would make always or never of it, or hide how far it is off.

    >>> _percent(0.58), _percent(0.995), _percent(1.0)
    ('58 %', '99.5 %', '100 %')
    """
    near_an_end = 0 < min(share, 1 - share) < 0.02
    return f"{100 * share:.1f} %" if near_an_end else f"{100 * share:.0f} %"
