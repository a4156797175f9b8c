"""ladder: what is skill worth, and what is each ability worth?

The same fight under every policy, from random to expert, and with one ability forbidden at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from sim.core.policy import split_dial
from sim.errors import InputError, Problem, did_you_mean
from sim.results.statistics import CONFIDENCE, each_of
from sim.scenario import Scenario
from sim.scenario.wording import readable
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Fight
from sim.studies.measures import told_beside, typical_effort
from sim.studies.options import check_options
from sim.studies.race import Race, looks_to
from sim.studies.standing import Ranking
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.words import interval
from sim.studies.work import Work, delivered, pool_for

RUNS = 20_000  # of every policy and ability at most, if nobody says otherwise
AS_IT_IS = "as it is"  # what the fight is called without any change
WITHOUT = "without "  # how the name of a fight without an ability begins


@dataclass(frozen=True, slots=True)
class Rungs:
    """What the fight as it is is set against."""

    policies: dict[str, Scenario]  # the weakest first
    without: dict[str, Scenario]  # 'without NAME' -> the fight without that ability
    cannot_be_forbidden: list[str]


def ladder(
    scenario: AnyScenario,
    *,
    policies: Sequence[str] | None = None,
    abilities: Sequence[str] | None = None,
    runs: int = RUNS,
    full: bool = False,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    **work: Unpack[Work],
) -> Answer:
    """The fight under each policy and without each ability, all with the same luck.

    What is clearly small, does nothing or is decided is played no further: the runs go where the ranking is open.

    Args:
        policies: the rungs, the weakest first; all policies of the game in its own order if not given.
        abilities: to forbid one at a time; all that the party has and the game can forbid if not given.
        runs: of every rung, at most.
        full: give every rung all its runs, also where it is clear.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(runs=runs, precision=None, margin=1.0, measure="win_rate", confidence=confidence, seed=seed)
    rungs = Rungs(_policies(base, policies), *_forbidden(base, abilities))
    names = [AS_IT_IS, *rungs.policies, *rungs.without]
    fights = [Fight(fight, seed) for fight in (base, *rungs.policies.values(), *rungs.without.values())]
    with pool_for("ladder", [base], seed, work, short_answers=True) as pool:
        race = Race(names, fights, pool, [(0, at) for at in range(1, len(fights))])
        first_without = len(rungs.policies) + 1
        groups = [range(1, first_without), range(first_without, len(fights))]
        looks, ranking = looks_to(runs, full), Ranking("win_rate", confidence, groups)
        race.run(looks, ranking.settled, ranking.line)
        _the_fight_itself(race)
        gap = None
        if len(rungs.policies) > 1 and pool.stopped is None:
            best = max(range(2, first_without), key=lambda at: race.tallies[at].estimate("win_rate").value)
            gap = Race([names[1], names[best]], [fights[1], fights[best]], pool, [(0, 1)])
            gap.run(looks, Ranking("win_rate", each_of(len(race.pairs), confidence), [[1]]).settled)
        return delivered(_answer(base, race, gap, rungs, confidence), pool, work)


def _the_fight_itself(race: Race) -> None:
    """A rung that is the policy of the fight has been played as long as the fight as it is, since it is the same."""
    for at in range(1, len(race.fights)):
        if race.fights[at].scenario.digest == race.fights[0].scenario.digest:
            race.tallies[at], race.until[at] = race.tallies[0], AS_IT_IS


def _answer(scenario: Scenario, race: Race, gap: Race | None, rungs: Rungs, confidence: float) -> Answer:
    """What the race says: as it is, then the rungs, then without each ability; the gap is that of the best rung."""
    each = each_of(len(race.pairs), confidence)
    facts: dict[str, Any] = {"cannot_be_forbidden": rungs.cannot_be_forbidden}
    verdicts, warnings = [], []
    if gap is not None:
        skill = gap.scores[0, 1].difference("win_rate", gap.sure_of(1, each))  # chosen among all, so it counts as all
        weakest, best = map(readable, gap.names)
        verdicts.append(f"Skill gap from {weakest} to {best}: {interval(skill, each)}.")
        facts |= {"best_policy": gap.names[1], "skill_gap": skill.value}
        facts |= {"skill_gap_low": skill.low, "skill_gap_high": skill.high}
    first_without = len(rungs.policies) + 1
    places = {name: at for at, name in enumerate(rungs.without, start=first_without)}
    values = {
        name: race.scores[0, at].difference("win_rate", race.sure_of(at, each))
        for name, at in places.items()
        if race.scores[0, at].unlike
    }
    for name, worth in sorted(values.items(), key=lambda entry: entry[1].value):
        meaning = "not decided"
        if worth.high < 0 or worth.low > 0:
            meaning = "the party needs it" if worth.high < 0 else "the party is better off"
        ability = readable(name.removeprefix(WITHOUT))
        verdicts.append(f"Without {ability}: {interval(worth, each)}; {meaning}.")
    if idle := [name for name in rungs.without if name not in values]:
        listed = ", ".join(readable(name.removeprefix(WITHOUT)) for name in idle)
        runs = min(race.tallies[places[name]].runs for name in idle)
        never = f"Never used under the policy {readable(scenario.policy)}, or without any effect"
        warnings.append(f"{never}: {listed} (in {runs:,} runs).")
    if not rungs.without:
        warnings.append(f"{scenario.ruleset.title} forbids no ability of this party.")
    return Answer(
        question="ladder",
        scenario=scenario,
        verdicts=verdicts,
        tables=[
            _table("policies", "Rung by rung", race, _rung_rows(race, rungs, scenario.policy), each),
            _table("abilities", "Without one ability", race, _rows_without(race, first_without), each),
        ],
        settings={
            "seed": race.fights[0].seed,
            "runs": max(tally.runs for tally in race.tallies.values()),
            "policies": list(rungs.policies),
            "confidence": confidence,
            "confidence_of_each": each,
            "looks": list(race.looks),
            "correction": f"Bonferroni over {len(race.pairs)} comparisons",
        },
        effort=race.pool.effort(typical_effort(race.scores.values(), "win_rate")),
        warnings=warnings,
        facts=facts,
    )


def _policies(scenario: Scenario, policies: Sequence[str] | None) -> dict[str, Scenario]:
    """Policy -> the fight under it, the weakest first."""
    known = scenario.ruleset.policies
    wanted = list(known) if policies is None else list(policies)
    problems = [
        Problem("policies", f"unknown policy '{name}'{did_you_mean(name, known)}")
        for name in wanted
        if (policy := split_dial(name, "policies")[0]) not in known and policy not in scenario.data.get("policies", {})
    ]
    if problems:
        raise InputError(problems)
    return {name: scenario.changed(policy=name) for name in wanted}


def _forbidden(scenario: Scenario, abilities: Sequence[str] | None) -> tuple[dict[str, Scenario], list[str]]:
    """'without NAME' -> the fight without it; and what the game cannot forbid."""
    has = scenario.ruleset.can_be_missed(scenario.model, scenario.encounter().cast)
    known = ", ".join(has)
    problems = [
        Problem("abilities", f"nobody in the party has '{name}'{did_you_mean(name, has) or f' (known: {known})'}")
        for name in abilities or ()
        if name not in has
    ]
    if problems:
        raise InputError(problems)
    found: dict[str, Scenario] = {}
    kept = []
    for name in has if abilities is None else abilities:
        values = scenario.ruleset.forbid(scenario.model, name)
        if values is None:
            kept.append(name)
            problems.append(Problem("abilities", f"{scenario.ruleset.title} has no way to forbid '{name}'"))
            continue
        try:
            found[f"{WITHOUT}{name}"] = scenario.changed(values=values)
        except InputError as error:
            kept.append(name)
            problems += [Problem("abilities", f"'{name}' cannot be forbidden: {problem}") for problem in error.problems]
    if problems and abilities is not None:
        raise InputError(problems)
    return found, kept


def _rung_rows(race: Race, rungs: Rungs, own: str) -> list[int]:
    """The fights of the rungs, the best first; the fight as it is only where its own policy is none of them."""
    rows = list(range(1, len(rungs.policies) + 1))
    rows.sort(key=lambda at: -race.tallies[at].estimate("win_rate").value)
    return rows if own in rungs.policies else [0, *rows]


def _rows_without(race: Race, first: int) -> list[int]:
    """The fight as it is, then those without an ability, the greatest loss first; nothing if there are none."""
    rows = sorted(range(first, len(race.names)), key=lambda at: race.tallies[at].estimate("win_rate").value)
    return [0, *rows] if rows else []


def _table(name: str, title: str, race: Race, rows: list[int], each: float) -> StudyTable:
    measures = told_beside(tallies=(race.tallies[at] for at in rows))
    columns = (
        Column("fight", "fight"),
        *(Column(measure, about.short, about.unit) for measure, about in measures.items()),
        Column("difference", "against as it is", "points"),
        Column("unlike", "differ", "share"),
        Column("runs", "runs", "count"),
        Column("until", "played until"),
    )
    about = "Win rate of all encounters, the rest per fight; the differences hold all together."
    table = StudyTable(name, title, about, columns)
    for at in rows:
        tally = race.tallies[at]
        row: dict[str, Any] = {"fight": race.names[at]}
        row |= {measure: tally.estimate(measure, race.sure_of(at, CONFIDENCE)) for measure in measures}
        row |= {"runs": tally.runs, "until": race.until.get(at, "")}
        if at:
            pair = race.scores[0, at]
            difference = pair.difference("win_rate", race.sure_of(at, each))
            row |= {"difference": difference, "unlike": pair.unlike / pair.runs}
        table.rows.append(row)
    return table
