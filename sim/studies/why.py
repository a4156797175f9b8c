"""why: what decides a fight? Which rounds, which dice or cards, whose luck, and how does it feel?

Every run is played again with its own luck at some addresses and other luck elsewhere: how far both end alike is the
share of the fight that these addresses decide (`sim.studies.shares`). For the rounds, the run keeps its luck up to a
round and has fresh luck from there on. docs/why.md explains the measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from sim.core.branch import AGAIN
from sim.core.chance import Actor, by_actor, by_group, by_side
from sim.core.evening import Evening
from sim.core.luck import MOST_CONTINUATIONS
from sim.core.mixed_luck import NOTHING, Addresses
from sim.errors import InputError, Problem
from sim.results.statistics import CONFIDENCE, MOST_RUNS
from sim.runs.signals import StopAsked
from sim.runs.workers import Workers
from sim.scenario import Scenario
from sim.studies.answer import Answer
from sim.studies.cards import Card, Fight, Score
from sim.studies.feel import EndingTally
from sim.studies.first_attacks import who_is_attacked_first
from sim.studies.options import check_options
from sim.studies.pool import Pool
from sim.studies.shares import share
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.why_answer import FEW, answer_of
from sim.studies.why_choices import Added, under_every_policy, under_every_rule
from sim.studies.why_findings import Findings, Shared
from sim.studies.work import Work, delivered, pool_for

RUNS = 4_000  # of the fight and of every set of draws, if nobody says otherwise
CURVES = 100  # runs along which the chance is followed
MOST_ROUNDS = 14  # points of the resolution curve
IN_SHORT = ("groups", "sides")  # sets of draws that the short answer looks at
SHORT_CURVE = 6  # points of its resolution curve at most
FIRST_PART = 8  # one in so many of the runs is played of everything before the rest of anything
FEWEST_IN_SHORT = 200  # runs of every set, below which it would say too little
NEARLY_ALL = 0.998  # the curve ends where so many fights are over: in a lopsided fight the few long ones decide


def why(
    scenario: AnyScenario,
    *,
    runs: int | None = None,
    precision: float | None = None,
    curves: int = CURVES,
    again: int = AGAIN,
    choices: bool = False,
    switches: bool = False,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    max_runs: int = MOST_RUNS,
    **work: Unpack[Work],
) -> Answer:
    """What decides a fight: when, by which dice or cards, by whose luck, and how it feels.

    Args:
        runs: of the fight itself and of every set of draws that is looked at.
        precision: play until every share of rounds and groups is known to so many points either way, instead of `runs`.
        curves: runs along which the chance of winning is followed, for how it feels; 0 for none.
        again: continuations from the start of every round of these.
        choices: play it under every policy of the game as well: do choices matter?
        switches: set every switch of the game to each of its other values as well: which rules matter?
        max_runs: where a precision is given up.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(runs=runs, precision=precision, margin=1.0, measure="win_rate", confidence=confidence, seed=seed)
    _check_curves(curves, again)
    with pool_for("why", [base], seed, work, short_answers=True) as pool:
        found = Findings(base, seed, again=again)
        _play(found, pool, RUNS if runs is None else runs)
        if precision is not None:
            while (more := _runs_for(found, precision / 100, confidence, max_runs)) > found.runs and not pool.stopped:
                _play(found, pool, more)
        added: list[Added] = []
        try:
            if curves:
                _follow(found, pool, min(curves, found.runs))
            if pool.stopped is None and _enough_of_either_kind(found):
                added.append(who_is_attacked_first(base, seed, found.runs, confidence))
            asked = [more for more, wanted in ((under_every_policy, choices), (under_every_rule, switches)) if wanted]
            added += [more(base, seed, found.runs, pool, confidence) for more in asked]
        except StopAsked as stop:
            if not pool.short_answers:
                raise
            pool.stopped = stop  # the shares are there; what was to be added is not
        answer = answer_of(found, pool.effort(), precision, confidence)
        for tables, sentences, facts in added:
            answer.tables += tables
            answer.verdicts += sentences
            answer.on_top |= facts
        return delivered(answer, pool, work)


def _enough_of_either_kind(found: Findings) -> bool:
    """Whether wins and losses can be set side by side."""
    return found.endings is not None and min(found.endings.wins, found.endings.losses) >= FEW


def _check_curves(curves: int, again: int) -> None:
    problems = []
    if curves < 0:
        problems.append(Problem("curves", f"expected a number of runs from 0 up, found {curves}"))
    if not 2 <= again <= MOST_CONTINUATIONS:
        problems.append(Problem("again", f"expected from 2 to {MOST_CONTINUATIONS:,} continuations, found {again}"))
    if problems:
        raise InputError(problems)


def why_in_short(fight: Scenario, seed: int, most: int) -> Answer | None:
    """What decides a fight, from at most so many encounters: rounds, groups and sides, nothing that follows curves.

    Every set of draws gets as many runs as that allows, up to RUNS; None where that would be too few. So the answer
    follows from fight, seed and number alone.
    """
    sets = sum(kind in IN_SHORT for (kind, _), _ in _sets(fight))
    runs = min(RUNS, most // (4 + SHORT_CURVE + sets))  # 4: three times with its own luck, once with its other one
    if runs < FEWEST_IN_SHORT:
        return None
    found, pool = Findings(fight, seed), Pool("why", Workers(1), progress=False)
    _play(found, pool, runs, IN_SHORT, SHORT_CURVE)
    return answer_of(found, pool.effort(), None, CONFIDENCE)


def _play(
    found: Findings, pool: Pool, runs: int, kinds: Sequence[str] = ("groups", "sides", "actors"), points: int = 0
) -> None:
    """Runs from 0 on of everything that the question sets side by side; what was played before is not played again.

    Args:
        kinds: of sets of draws.
        points: of the resolution curve at most; 0 for as many as it deserves.
    """
    own = Fight(found.fight, found.seed)
    first = found.runs
    (score,) = pool.play([Card((own,), endings=True)], first, runs)
    found.tally = score.fights[0] if found.tally is None else found.tally + score.fights[0]
    found.endings = score.endings if found.endings is None or score.endings is None else found.endings + score.endings
    looked_at = _scenes_to_look_at(found.fight) or _rounds_to_look_at(found.endings)
    ends = list(found.rounds) or _fewer(looked_at, points)
    sets = {(kind, key): draws for (kind, key), draws in _sets(found.fight) if kind in kinds}
    cards = [Card((own, Fight(found.fight, found.seed, fresh_from=end + 1)), ((0, 1),)) for end in ends]
    cards += [_card(own, draws) for draws in sets.values()]
    scores = _in_two_parts(pool, cards, first, runs)
    for end, one in zip(ends, scores, strict=False):
        found.rounds[end] = one.pairs[0] + found.rounds[end] if end in found.rounds else one.pairs[0]
    for (kind, key), one in zip(sets, scores[len(ends) :], strict=True):
        _take_in(getattr(found, kind), key, one)
    found.runs = runs


def _in_two_parts(pool: Pool, cards: list[Card], first: int, runs: int) -> list[Score]:
    """Some runs of every card before the rest of any: so that whoever stops it learns what is known by then."""
    middle = first + (runs - first) // FIRST_PART
    if not pool.short_answers or middle - first < FEWEST_IN_SHORT:
        return pool.play(cards, first, runs)
    some = pool.play(cards, first, middle)
    if pool.stopped is not None:
        return some
    return [one + more for one, more in zip(some, pool.play(cards, middle, runs), strict=True)]


def _card(own: Fight, draws: Addresses) -> Card:
    """The fight with its own luck, with its other one, and mixed: own at these draws, the other one elsewhere."""
    other, mixed = (Fight(own.scenario, own.seed, own=where) for where in (NOTHING, draws))
    return Card((own, other, mixed), ((0, 2), (1, 2)))


def _sets(fight: Scenario) -> Iterator[tuple[tuple[str, Any], Addresses]]:
    """Every set of draws that is looked at, under (where it is kept, its name there)."""
    actors = fight.encounter().actors()
    for name, draws in by_group(fight.ruleset.chance_groups, actors).items():
        yield ("groups", name), draws
    for name, draws in by_side(actors).items():
        yield ("sides", name), draws
    for actor, draws in by_actor(actors).items():
        yield ("actors", actor), draws


def _take_in(kept: dict[Any, Shared], key: Any, score: Score) -> None:
    """Add what was played of a set of draws."""
    before = kept.get(key)
    these, others = score.pairs
    if before is not None:
        these, others = before.these + these, before.others + others
    kept[key] = Shared(key.name if isinstance(key, Actor) else str(key), these, others)


def _scenes_to_look_at(fight: Scenario) -> list[int]:
    """Of an adventure: 0, then every scene; nothing for a fight."""
    evening = fight.encounter()
    return list(range(len(evening.scenes) + 1)) if isinstance(evening, Evening) else []


def _rounds_to_look_at(endings: EndingTally | None) -> list[int]:
    """0 for what is decided before the first round, then every round while there are few; later ones at wider steps."""
    assert endings is not None
    last = max(1, endings.longest(NEARLY_ALL)) if endings.fights else 1
    found = [0]
    step = 1.0
    growth = 1.0 if last < MOST_ROUNDS else (last / MOST_ROUNDS) ** (2 / MOST_ROUNDS)
    while found[-1] < last:
        found.append(min(last, max(found[-1] + 1, round(found[-1] + step))))
        step *= growth
    return found


def _fewer(ends: list[int], points: int) -> list[int]:
    """So many of the rounds, the first and the last among them; all of them for 0."""
    if not points or len(ends) <= points:
        return ends
    return [ends[round(at * (len(ends) - 1) / (points - 1))] for at in range(points)]


def _runs_for(found: Findings, half_width: float, confidence: float, most: int) -> int:
    """How many runs make every share of rounds and groups known well enough; as many as there are where they do."""
    shares = [share(pair, confidence) for pair in found.rounds.values()]
    shares += [one.alone(confidence) for one in found.groups.values()]
    margins = [one.margin for one in shares if one.known]
    widest = max(margins, default=0.0)
    if widest <= half_width or found.runs >= most:
        return found.runs
    return min(most, max(found.runs + 1_000, int(1.05 * found.runs * (widest / half_width) ** 2)))


def _follow(found: Findings, pool: Pool, curves: int) -> None:
    """The chance of winning along the first runs."""
    (score,) = pool.play([Card((Fight(found.fight, found.seed),), curves=found.again)], 0, curves)
    found.curves = score.curves
