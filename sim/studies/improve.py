"""improve: can the party win more by playing otherwise, or the enemies be harder, and how?

A search in the game's own policy language, or in what the rules leave open to the enemies, by
`sim.studies.policy_search`; then what it found against the fight as it is, with luck that the search has never seen.
Only what holds there is called better.
"""

from __future__ import annotations

from typing import Any, Literal, Unpack

from sim.errors import InputError, Problem
from sim.results.statistics import CONFIDENCE
from sim.runs.signals import StopAsked
from sim.scenario import Scenario
from sim.scenario.changes import command_for
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.enemy_side import EnemySide
from sim.studies.fresh_test import Tested, as_seen, put_to_the_test, turned_run
from sim.studies.improve_words import about_a_run, verdicts, warnings
from sim.studies.measures import told_beside
from sim.studies.options import MOST_GENERATIONS, MOST_SECONDS, check_options
from sim.studies.party_side import PartySide
from sim.studies.policy_search import Search
from sim.studies.race import other_seed
from sim.studies.sides import gain_of, room_left
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.work import Work, delivered, pool_for

RUNS = 4_000  # on fresh luck, if nobody says otherwise
BUDGET = 60.0  # seconds, if nobody says otherwise
SIDES = ("party", "enemies")


def improve(
    scenario: AnyScenario,
    *,
    side: Literal["party", "enemies"] = "party",
    budget: float | None = None,
    generations: int | None = None,
    runs: int = RUNS,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    **work: Unpack[Work],
) -> Answer:
    """Look for a policy that wins more than that of the fight, or for enemies against whom the party wins less.

    The same seed and number of generations find the same play; a budget of time only decides after which generation the
    search ends.

    Args:
        side: whose play is searched: the party's, in the game's policy language, or the enemies', in what the rules
            leave open to them.
        budget: seconds for all of it, roughly; 60 if neither is given, no end with `generations` alone.
        generations: after so many the search ends.
        runs: of everything that is put to the test on fresh luck.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(runs=runs, precision=None, margin=1.0, measure="win_rate", confidence=confidence, seed=seed)
    _check(base, side, budget, generations)
    seconds = BUDGET if budget is None and generations is None else budget
    with pool_for("improve", [base], seed, work, short_answers=True) as pool:
        search = Search(base, pool, seed, PartySide.of(base) if side == "party" else EnemySide(base))
        try:
            search.run(lambda search: _is_over(search, seconds, generations, runs))
            tested = put_to_the_test(search, runs, other_seed(seed))
        except StopAsked as stop:
            if not pool.short_answers or search.own is None:
                raise
            pool.stopped = stop
            tested = as_seen(search)
        return delivered(_answer(search, tested, confidence), pool, work)


def _check(scenario: Scenario, side: str, budget: float | None, generations: int | None) -> None:
    """Refuse what cannot be searched, all of it at once."""
    problems = []
    if side not in SIDES:
        problems.append(Problem("side", f"expected party or enemies, found '{side}'"))
    if budget is not None and not 0 < budget <= MOST_SECONDS:
        problems.append(Problem("budget", f"expected seconds above 0, at most {MOST_SECONDS:,}, found {budget:g}"))
    if generations is not None and not 0 <= generations <= MOST_GENERATIONS:
        expected = f"expected a whole number from 0 to {MOST_GENERATIONS:,}"
        problems.append(Problem("generations", f"{expected}, found {generations}"))
    if side == "party" and "policies" not in scenario.ruleset.scenario_model.model_fields:
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


# ------------------------------------------------------------------------------------------------------- the answer


def _answer(search: Search, tested: Tested, confidence: float) -> Answer:
    base, side = search.base, _side(search)
    gain = None if tested.whole is None else gain_of(tested.whole, side.sign, confidence)
    better = gain is not None and gain.low > 0
    before = tested.tallies[0]
    after = tested.tallies[-1] if better else before
    run = None
    if better and tested.fresh:
        run = turned_run(base, tested.steps[-1].fight, side.sign, tested.seed, before.runs)
    turned = _turned_table(base, tested, run, side.sign)
    return Answer(
        question="improve",
        scenario=base,
        verdicts=verdicts(search, side, tested, gain, confidence) + about_a_run(turned, run, tested.seed),
        tables=[
            _change_table(tested, side.sign, confidence) if better else _no_changes(),
            _before_and_after(tested, side, confidence),
            turned,
            _search_table(search),
        ],
        settings={
            "side": "party" if side.sign > 0 else "enemies",
            "seed": search.seed,
            "fresh_seed": tested.seed if tested.fresh else None,
            "runs": before.runs,
            "generations": search.generations,
            "candidates": sum(one.candidates for one in search.history),
            "confidence": confidence,
            "method": "hill climbing, candidates raced on shared luck, the winner tested on fresh luck",
        },
        effort=search.pool.effort(None),
        warnings=warnings(search, tested, better),
        facts={"better": better, "exhausted": search.exhausted, "fresh": tested.fresh, "turned_run": run}
        | {"at_most_left": room_left(after, side.sign, confidence)}
        | ({"settings": tested.steps[-1].play if better else {}} if side.sign < 0 else {}),
        on_top={
            "policy_before": base.policy if isinstance(side, PartySide) else side.table({}),
            "before": before.estimate("win_rate").value,
            "after": after.estimate("win_rate").value,
            "gain": gain.value if better and gain is not None else 0.0,
            "gain_low": gain.low if better and gain is not None else 0.0,
            "gain_high": gain.high if better and gain is not None else max(0.0, 0.0 if gain is None else gain.high),
            "policy": _policy(side, tested, better),
        },
        to_copy=side.as_toml(tested.steps[-1].play) if better else "",
    )


def _side(search: Search) -> PartySide | EnemySide:
    assert isinstance(search.side, (PartySide, EnemySide))
    return search.side


def _policy(side: PartySide | EnemySide, tested: Tested, better: bool) -> dict[str, Any]:
    """How the side plays after all, as a table that a scenario file takes."""
    if isinstance(side, EnemySide):
        return side.table(tested.steps[-1].play if better else {})
    return tested.steps[-1].play if better else side.policies[side.own_name]


# ------------------------------------------------------------------------------------------------------- the tables


def _no_changes() -> StudyTable:
    return StudyTable("changes", "What to change", "", ())


def _change_table(tested: Tested, sign: int, confidence: float) -> StudyTable:
    about = "Every change on top of those before it, with the same luck: what it is worth, and how fights end then."
    if sign < 0:
        about += " Below 0 the party wins less."
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


def _before_and_after(tested: Tested, side: PartySide | EnemySide, confidence: float) -> StudyTable:
    about = "The fight as it is, and the best that was found, with the same luck."
    played = {side.now: tested.tallies[0]} | ({side.name: tested.tallies[-1]} if tested.steps else {})
    measures = told_beside(tallies=played.values())
    columns = (
        Column("policy", "policy" if side.sign > 0 else "enemies"),
        *(Column(measure, one.short, one.unit) for measure, one in measures.items()),
    )
    table = StudyTable("policies", "Before and after", about, columns)
    for policy, tally in played.items():
        table.rows.append({"policy": policy} | {measure: tally.estimate(measure, confidence) for measure in measures})
    return table


def _turned_table(base: Scenario, tested: Tested, run: int | None, sign: int) -> StudyTable:
    about = "The same run with the same luck, before and after: what to type to see it."
    columns = (Column("ended", "ended"), Column("command", "command"))
    title = "An evening that turned" if base.is_adventure else "A fight that turned"
    table = StudyTable("turned", title, about, columns, on_screen=False)
    if run is not None:
        was, now = ("lost", "won") if sign > 0 else ("won", "lost")
        for ended, fight in ((was, base), (now, tested.steps[-1].fight)):
            table.rows.append({"ended": ended, "command": command_for(fight, "replay", "run", run, tested.seed)})
    return table


def _search_table(search: Search) -> StudyTable:
    about = (
        "Generation by generation: what was tried, what was left, and how much better that is than before."
    )
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
                "best": one.best or "none was better",
                "difference": one.difference,
                "accepted": one.accepted,
            }
        )
    return table
