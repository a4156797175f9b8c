"""The order of those who lead a race: what is sure of it, and what is closer than the runs can tell.

Where the first places are open after all runs, whoever may have one of them gets further runs, which nobody has looked
at before: there the leaders are set against each other run by run. How far a variant moves the measure is asked in the
direction that the runs before have shown, so that 'one more enemy' and 'one more die for a hero' can be compared too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np

from sim.results.statistics import holm
from sim.studies.cards import Card
from sim.studies.course import Moments
from sim.studies.measures import MEANS, RATES
from sim.studies.race import ALL_RUNS, Race
from sim.studies.standing import CLEARLY_SMALL, LEADERS, NO_EFFECT, RARE, Ranking, Size

KEPT_BACK = 0.25  # of the chance of a mistake, for what is said of leaders after their further runs
MOST_LEADERS = 12  # so many may be set against each other
FURTHER = 2  # times as many further runs as everybody gets at most
ALL_TOGETHER = 24  # the same for all of them and the fight as it is together

NAMED = 3  # of those who may be among the first few too

FURTHER_RUNS = "further runs"  # until when leaders were played


@dataclass(slots=True)
class Order:
    """What is known of the order of variants: the farthest first."""

    ranked: list[int]
    sizes: Mapping[int, Size]
    small: frozenset[int] = frozenset()  # surely not among the first few
    farther: set[tuple[int, int]] = field(default_factory=set)  # the first surely goes farther than the second

    def sure(self, one: int, other: int) -> bool:
        """Whether one variant surely moves the measure farther than another."""
        return (one, other) in self.farther or self.sizes[one].low > self.sizes[other].high

    def places(self) -> dict[int, tuple[int, int]]:
        """The best and the worst place that a variant may have, from 1, of all who may have one of the first few.

        Who is clearly small has none of these, so the worst place counts the others; it is right up to the last of the
        first few, and beyond that means any later one.
        """
        rivals = [at for at in self.ranked if at not in self.small]
        found = {}
        for at in rivals:
            best = 1 + sum(self.sure(other, at) for other in rivals)
            worst = len(rivals) - sum(self.sure(at, other) for other in rivals)
            if best <= LEADERS:
                found[at] = best, worst
        return found

    def open_places(self) -> list[tuple[int, int]]:
        """The first and the last of neighbouring places, among the first few, whose order the runs do not tell."""
        found: list[tuple[int, int]] = []
        for place, (one, other) in enumerate(pairwise(self.ranked[:LEADERS]), start=1):
            if self.sure(one, other):
                continue
            if found and found[-1][1] == place:
                found[-1] = found[-1][0], place + 1
            else:
                found.append((place, place + 1))
        return found

    def other_candidates(self) -> list[int]:
        """Those behind the first few who may be among them nevertheless."""
        places = self.places()
        return [at for at in self.ranked[LEADERS:] if at in places]


def order_of_race(race: Race, ranking: Ranking) -> Order:
    """What is known of the order by the intervals of all variants."""
    ranked = ranking.ranked(race)
    small = frozenset(at for at in ranked if race.until[at] == CLEARLY_SMALL or race.until[at].startswith(NO_EFFECT))
    return Order(ranked, {at: ranking.size(race, at) for at in ranked}, small)


def settled_order(race: Race, ranking: Ranking, runs: int) -> Order:
    """The order after the last look; where first places are open, after further runs of those who may have one."""
    order = order_of_race(race, ranking)
    leaders = leaders_of(race, order)
    if len(leaders) < 2 or race.pool.stopped is not None:
        return order
    behind = frozenset(at for at in order.ranked if at not in order.places())  # so much was sure at the last look
    chances = play_leaders(race, ranking, leaders, runs)
    after = order_of_race(race, ranking)
    stand = holm(list(chances.values()), ranking.confidence)
    after.small |= behind
    after.farther = {pair for pair, stands in zip(chances, stand, strict=True) if stands}
    return after


def play_leaders(race: Race, ranking: Ranking, leaders: list[int], runs: int) -> dict[tuple[int, int], float]:
    """Give the leaders of a race their further runs; how likely pairs of them look so far apart by chance."""
    further = min(FURTHER * runs, ALL_TOGETHER * runs // (1 + len(leaders)))
    before = {at: race.scores[0, at].difference(ranking.measure).value for at in leaders}
    card = Card(
        tuple(race.fights[at] for at in (0, *leaders)),
        tuple((0, place) for place in range(1, 1 + len(leaders))),
        moments=ranking.measure if ranking.measure in (*RATES, *MEANS) else "",
    )
    race.pool.say(f"The first places are open: {len(leaders)} leaders get {further:,} further runs.")
    race.pool.seen.add(card)  # so that whoever stops it now is told what is known from the runs before
    (score,) = race.pool.play([card], runs, runs + further)
    for at, tally in zip((0, *leaders), score.fights, strict=True):
        race.tallies[at] += tally
    for at, pair in zip(leaders, score.pairs, strict=True):
        race.scores[0, at] += pair
        if pair.runs:
            race.until[at] = FURTHER_RUNS
    if score.moments is None:
        return {}
    return chances_of_order(score.moments, {at: math.copysign(1, value) for at, value in before.items()})


def leaders_of(race: Race, order: Order) -> list[int]:
    """Whoever may have one of the first places that are open, the farthest first; nobody where all are known."""
    if len(race.looks) < 2:
        return []
    places = order.places()
    open_to = [at for at in order.ranked if at in places and places[at][0] < places[at][1]]
    return [at for at in open_to if race.until[at] == ALL_RUNS and race.scores[0, at].unlike][:MOST_LEADERS]


def chances_of_order(found: Moments, signs: Mapping[int, float]) -> dict[tuple[int, int], float]:
    """(one, other) -> how likely one goes so much farther than the other by chance; pairs with one of the first few.

    Args:
        found: sums over the runs of the fight as it is and of the variants, in the order of the signs.
        signs: by variant, the farthest first, the direction in which it moves the measure.
    """
    chances: dict[tuple[int, int], float] = {}
    totals, products = np.array(found.totals, dtype=np.float64), np.array(found.products, dtype=np.float64)
    places = {at: place for place, at in enumerate(signs, start=1)}
    first_few = set(list(signs)[:LEADERS])
    for one, other in combinations(signs, 2):
        if one not in first_few and other not in first_few:
            continue  # nobody asks who of them is behind whom
        slope = np.zeros(len(totals))
        slope[places[one]] += signs[one]
        slope[places[other]] -= signs[other]
        slope[0] = signs[other] - signs[one]
        ahead = float(slope @ totals)
        if slope @ products @ slope < RARE:  # hardly any run tells them apart
            continue
        z = abs(ahead) / math.sqrt(found.scatter(slope))
        pair = (one, other) if ahead > 0 else (other, one)
        chances[pair] = math.erfc(z / math.sqrt(2))
    return chances


def said_place(span: tuple[int, int]) -> str:
    """A place, or which it may be.

    >>> said_place((1, 1)), said_place((2, 5)), said_place((3, 9))
    ('1', '2 to 5', '3 or later')
    """
    best, worst = span
    if best == worst:
        return str(best)
    return f"{best} to {worst}" if worst <= LEADERS else f"{best} or later"


def about_order(open_places: Sequence[tuple[int, int]], candidates: Sequence[str]) -> list[str]:
    """What is not known of the first few places, in sentences; `candidates` are those who may be among them too.

    >>> about_order([(2, 5)], ["zombie melee +1", "rogue level +1"])[0]
    'Places 2 to 5 are closer than these runs can tell.'
    """
    sentences = [
        f"Places {first} {'and' if last == first + 1 else 'to'} {last} are closer than these runs can tell."
        for first, last in open_places
    ]
    if candidates:
        more = f" and {len(candidates) - NAMED} more" if len(candidates) > NAMED else ""
        names = ", ".join(candidates[:NAMED])
        sentences.append(f"Among the first {LEADERS} may also be {names}{more}.")
    return sentences
