"""improve: can the party win more by playing otherwise, and how?

A search in the game's own policy language, by `sim.studies.policy_search`; then what it found against the policy of the
fight, with luck that the search has never seen. Only what holds there is called better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from sim.core.outcomes import Outcome
from sim.core.policy import split_dial
from sim.errors import InputError, Problem
from sim.results.statistics import CONFIDENCE, Estimate
from sim.runs.signals import StopAsked
from sim.scenario import Scenario
from sim.scenario.changes import command_for
from sim.scenario.toml_writer import to_toml
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Card, Fight
from sim.studies.measures import MEASURES, PairTally, Tally
from sim.studies.options import MOST_GENERATIONS, MOST_SECONDS, check_options
from sim.studies.policy_changes import Policy
from sim.studies.policy_search import Climb, Search, Step
from sim.studies.race import other_seed
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.words import interval, points, shown
from sim.studies.work import Work, delivered, pool_for

RUNS = 4_000  # on fresh luck, if nobody says otherwise
BUDGET = 60.0  # seconds, if nobody says otherwise
LOOKED_THROUGH = 4_096  # runs among which one that turned is looked for
AT_A_TIME = 512


@dataclass(frozen=True, slots=True)
class Tested:
    """What was found, played beside the fight as it is, and every step on the way to it."""

    steps: Sequence[Step]
    tallies: Sequence[Tally]  # of the fight as it is, then after every step
    each: Sequence[PairTally]  # of every step against the one before; empty where only the search has seen them
    whole: PairTally | None  # of the last against the first; None where there is no step
    seed: int  # of the luck
    fresh: bool  # whether the search had never seen this luck


def improve(
    scenario: AnyScenario,
    *,
    budget: float | None = None,
    generations: int | None = None,
    runs: int = RUNS,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    **work: Unpack[Work],
) -> Answer:
    """Look for a policy that wins more than that of the fight, in the game's own policy language.

    The same seed and number of generations find the same policy; a budget of time only decides after which generation
    the search ends.

    Args:
        budget: seconds for all of it, roughly; 60 if neither is given, no end with `generations` alone.
        generations: after so many the search ends.
        runs: of everything that is put to the test on fresh luck.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(runs=runs, precision=None, margin=1.0, measure="win_rate", confidence=confidence, seed=seed)
    _check(base, budget, generations)
    seconds = BUDGET if budget is None and generations is None else budget
    with pool_for("improve", [base], seed, work, short_answers=True) as pool:
        search = Search.of(base, pool, seed)
        try:
            search.run(lambda search: _is_over(search, seconds, generations, runs))
            tested = put_to_the_test(search, runs, other_seed(seed))
        except StopAsked as stop:
            if not pool.short_answers or search.own is None:
                raise
            pool.stopped = stop
            tested = _as_seen(search)
        return delivered(_answer(search, tested, confidence), pool, work)


def _check(scenario: Scenario, budget: float | None, generations: int | None) -> None:
    """Refuse what cannot be searched, all of it at once."""
    problems = []
    if budget is not None and not 0 < budget <= MOST_SECONDS:
        problems.append(Problem("budget", f"expected seconds above 0, at most {MOST_SECONDS:,}, found {budget:g}"))
    if generations is not None and not 0 <= generations <= MOST_GENERATIONS:
        expected = f"expected a whole number from 0 to {MOST_GENERATIONS:,}"
        problems.append(Problem("generations", f"{expected}, found {generations}"))
    if "policies" not in scenario.ruleset.scenario_model.model_fields:
        title = scenario.ruleset.title
        problems.append(Problem("scenario", f"{title} takes no policies of your own, so there are none to look for"))
    if problems:
        raise InputError(problems)


def _is_over(search: Search, seconds: float | None, generations: int | None, runs: int) -> bool:
    """Whether there is no time for another generation and the test after it."""
    if generations is not None and search.generations >= generations:
        return True
    if seconds is None:
        return False
    spent, done = search.pool.seconds, len(search.history)
    test = search.judging * runs * (len(search.best.steps) + 2)
    return spent + spent / max(1, done) + test > seconds


def put_to_the_test(search: Search, runs: int, seed: int) -> Tested:
    """Every step of the best climb with luck that the search has never seen."""
    steps = search.best.steps
    fights = [search.base, *(step.fight for step in steps)]
    last = len(steps)
    pairs = [(at, at + 1) for at in range(last)]
    card = Card(tuple(Fight(fight, seed) for fight in fights), (*pairs, (0, last)) if last > 1 else tuple(pairs))
    score = search.pool.play([card], 0, runs)[0]
    return Tested(steps, score.fights, score.pairs[:last], score.pairs[-1] if last else None, seed, fresh=True)


def _as_seen(search: Search) -> Tested:
    """What the search itself has seen of its best, where somebody has stopped it."""
    best: Climb = search.best
    if best.seen is None:
        assert search.own is not None
        return Tested([], [search.own], [], None, search.seed, fresh=False)
    seen = best.seen
    return Tested(best.steps, [seen.before, seen.after], [], seen.pair, search.seed, fresh=False)


def _turned(before: Scenario, after: Scenario, seed: int, runs: int) -> int | None:
    """The first run that was lost and is won now; None where there is none among those looked through."""
    for first in range(0, min(runs, LOOKED_THROUGH), AT_A_TIME):
        old, new = (Fight(fight, seed).play(first, AT_A_TIME).outcome for fight in (before, after))
        turned = np.flatnonzero((old == Outcome.LOSS) & (new == Outcome.WIN))
        if len(turned):
            return first + int(turned[0])
    return None


# ------------------------------------------------------------------------------------------------------- the answer


def _answer(search: Search, tested: Tested, confidence: float) -> Answer:
    base = search.base
    gain = None if tested.whole is None else tested.whole.difference("win_rate", confidence)
    better = gain is not None and gain.low > 0
    own, _ = split_dial(base.policy)
    policy: Policy = tested.steps[-1].policy if better else search.policies[own]
    before = tested.tallies[0]
    after = tested.tallies[-1] if better else before
    run = None
    if better and tested.fresh:
        run = _turned(base, tested.steps[-1].fight, tested.seed, before.runs)
    turned = _turned_table(base, tested, run)
    return Answer(
        question="improve",
        scenario=base,
        verdicts=_verdicts(search, tested, gain, better, confidence) + _about_a_run(turned, run, tested.seed),
        tables=[
            _change_table(tested, confidence) if better else _no_changes(),
            _before_and_after(base, tested, search.name, confidence),
            turned,
            _search_table(search),
        ],
        settings={
            "seed": search.seed,
            "fresh_seed": tested.seed if tested.fresh else None,
            "runs": before.runs,
            "generations": search.generations,
            "candidates": sum(one.candidates for one in search.history),
            "confidence": confidence,
            "method": "hill climbing, candidates raced on shared luck, the winner tested on fresh luck",
        },
        effort=search.pool.effort(None),
        warnings=_warnings(search, tested, better),
        facts={"better": better, "exhausted": search.exhausted, "fresh": tested.fresh, "turned_run": run},
        on_top={
            "policy_before": base.policy,
            "before": before.estimate("win_rate").value,
            "after": after.estimate("win_rate").value,
            "gain": gain.value if better and gain is not None else 0.0,
            "gain_low": gain.low if better and gain is not None else 0.0,
            "gain_high": gain.high if better and gain is not None else max(0.0, 0.0 if gain is None else gain.high),
            "policy": policy,
        },
        to_copy=_as_toml(search, policy) if better else "",
    )


def _as_toml(search: Search, policy: Policy) -> str:
    dial = "".join(search.base.policy.partition("@")[1:])
    tables = to_toml({"policies": {search.name: policy}}).removeprefix("[policies]\n\n")  # a header of nothing
    return f'policy = "{search.name}{dial}"  # at the top of the file; the tables at its end\n\n{tables}'


def _verdicts(
    search: Search, tested: Tested, gain: Estimate | None, better: bool, confidence: float
) -> list[str]:
    own = search.base.policy
    before, after = (_ended(tally) for tally in (tested.tallies[0], tested.tallies[-1]))
    if better and gain is not None:
        size = f"{points(gain.value, gain.margin, sign=False)} points more"
        ends = f"{points(gain.low, gain.margin)} to {points(gain.high, gain.margin)}"
        said = [f"The party can win at least {size} ({ends}) by playing so: {after}; as {own}, {before}."]
        for number, (step, pair) in enumerate(zip(tested.steps, tested.each, strict=False), start=1):
            worth = interval(pair.difference("win_rate", confidence), confidence)
            said.append(f"{number}. {step.words}: {worth}.")
        return said
    said = [f"Nothing better was found: {own} stays ({before})."]
    if search.won_always:
        said.append("It wins every fight that was looked at: there is nothing left to win.")
    elif search.exhausted:
        said.append("Every single change of it, in the words that the game's policies know, was tried.")
    if gain is not None:
        where = "on fresh luck" if tested.fresh else "so far"
        said.append(f"The best of what was tried is no better for sure {where}: {interval(gain, confidence)}.")
    return said


def _ended(tally: Tally) -> str:
    """'64.2 % (63.1 to 65.3) won, 1.2 % drawn'."""
    drawn = tally.estimate("draw_rate").value
    return f"{shown(tally.estimate('win_rate'), 'win_rate')} won, {100 * drawn:.1f} % drawn"


def _about_a_run(turned: StudyTable, run: int | None, seed: int) -> list[str]:
    if run is None:
        return []
    return [f"A fight that turned: run {run} of seed {seed} was lost, and is won now: {turned.rows[0]['command']}"]


def _warnings(search: Search, tested: Tested, better: bool) -> list[str]:
    said = []
    if not tested.fresh and tested.steps:
        said.append("What was found has not been put to the test on fresh luck: the search was stopped before.")
    own = [str(hero["policy"]) for hero in search.base.data.get("heroes", []) if hero.get("policy")]
    if own:
        said.append(f"Heroes with a policy of their own keep it: {', '.join(own)}.")
    if better and tested.tallies[-1].estimate("draw_rate").low > tested.tallies[0].estimate("draw_rate").high:
        said.append("There are more draws than before.")
    return said


# ------------------------------------------------------------------------------------------------------- the tables


def _no_changes() -> StudyTable:
    return StudyTable("changes", "What to change", "", ())


def _change_table(tested: Tested, confidence: float) -> StudyTable:
    about = "Every change on top of those before it, with the same luck: what it is worth, and how fights end then."
    if tested.fresh:
        about += " On luck that the search has never seen."
    columns = (
        Column("number", "step"),
        Column("change", "change"),
        Column("worth", "worth", "points"),
        Column("win_rate", "win rate", "share"),
        Column("draw_rate", "draws", "share"),
    )
    table = StudyTable("changes", "What to change", about, columns)
    for number, step in enumerate(tested.steps, start=1):
        row: dict[str, Any] = {"number": number, "change": step.words}
        if tested.each:
            tally = tested.tallies[number]
            row["worth"] = tested.each[number - 1].difference("win_rate", confidence)
            row |= {measure: tally.estimate(measure, confidence) for measure in ("win_rate", "draw_rate")}
        table.rows.append(row)
    return table


def _before_and_after(base: Scenario, tested: Tested, name: str, confidence: float) -> StudyTable:
    about = "The fight as it is, and the best that was found, with the same luck."
    columns = (
        Column("policy", "policy"),
        *(Column(measure, one.short, one.unit) for measure, one in MEASURES.items()),
    )
    table = StudyTable("policies", "Before and after", about, columns)
    played = {base.policy: tested.tallies[0]} | ({name: tested.tallies[-1]} if tested.steps else {})
    for policy, tally in played.items():
        table.rows.append(
            {"policy": policy} | {measure: tally.estimate(measure, confidence) for measure in MEASURES}
        )
    return table


def _turned_table(base: Scenario, tested: Tested, run: int | None) -> StudyTable:
    about = "The same run with the same luck, before and after: what to type to see it."
    columns = (Column("ended", "ended"), Column("command", "command"))
    table = StudyTable("turned", "A fight that turned", about, columns, on_screen=False)
    if run is not None:
        for ended, fight in (("lost", base), ("won", tested.steps[-1].fight)):
            table.rows.append({"ended": ended, "command": command_for(fight, "replay", "run", run, tested.seed)})
    return table


def _search_table(search: Search) -> StudyTable:
    about = "Generation by generation: what was tried, what was left, and how much more it won than where it came from."
    columns = (
        Column("generation", "generation"),
        Column("start", "beginning"),
        Column("candidates", "tried"),
        Column("best", "the best of them"),
        Column("difference", "difference", "points"),
        Column("accepted", "taken"),
    )
    table = StudyTable("generations", "The search", about, columns, on_screen=False)
    for one in search.history:
        table.rows.append(
            {
                "generation": one.generation,
                "start": one.start,
                "candidates": one.candidates,
                "best": one.best or "none won more",
                "difference": one.difference,
                "accepted": one.accepted,
            }
        )
    return table
