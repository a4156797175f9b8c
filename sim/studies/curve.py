"""The response of a fight to one knob, and where it passes a target: first a picture, then closer and closer."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from sim.errors import InputError, Problem
from sim.results.statistics import Estimate, each_of
from sim.scenario import Scenario
from sim.scenario.changes import value_now
from sim.studies.cards import Fight
from sim.studies.crossings import Crossing, crossings
from sim.studies.known_luck import best_pilot
from sim.studies.measures import ACCOUNT_FROM, EVERY_MEASURE, Tally
from sim.studies.points import Points, scale_of
from sim.studies.pool import Pool
from sim.studies.race import other_seed
from sim.studies.variants import bounds
from sim.studies.words import shown

SCANNED = 9  # values that give the first picture
COARSE = 3.0  # times the precision: what the first picture is known to
CLOSER = 1.5  # times the precision: what the values on the way are known to
WIDEST = 40  # how far a whole-number knob without a bound of its own is turned
HALVINGS = 20  # of a real knob, at most


@dataclass(frozen=True, slots=True)
class Target:
    """What a measure is to be, how well that must be known, and with which luck."""

    measure: str
    value: float
    half_width: float  # the precision, in the measure's own unit
    seed: int
    confidence: float
    max_runs: int

    @property
    def precision(self) -> float:
        """As people give it: points for rates."""
        return self.half_width * scale_of(self.measure)

    @property
    def goal(self) -> str:
        """'a win rate of 65 %', 'a mean of 3 (rounds)'."""
        title = EVERY_MEASURE[self.measure].title
        if scale_of(self.measure) == 100:
            return f"a {title} of {100 * self.value:g} %"
        return f"a mean of {self.value:g} ({title})"

    def shown(self, estimate: Estimate) -> str:
        """'65.2 % (64.3 to 66.1)'."""
        return shown(estimate, self.measure)

    def points(self, pool: Pool) -> Points:
        """Fights of which nothing is known yet."""
        return Points(pool, self.measure, self.confidence)

    def confirm(self, pool: Pool, fight: Scenario) -> Estimate:
        """The measure of a fight once more, with luck that had no part in the search."""
        return self.afresh(pool, fight).estimate(self.measure, self.confidence)

    def afresh(self, pool: Pool, fight: Scenario, pilot: Scenario | None = None) -> Tally:
        """A fight once more, with luck that had no part in the search."""
        fresh = self.points(pool)
        played = fresh.fight(fight, other_seed(self.seed), pilot)
        fresh.play_until([played], self.half_width, self.max_runs)
        return fresh.known[played]


@dataclass(slots=True)
class Curve:
    """What is known of the response to one knob."""

    scenario: Scenario
    path: str
    points: Points
    target: Target
    fights: dict[float, Fight] = field(default_factory=dict)
    refused: dict[float, str] = field(default_factory=dict)  # ends of the span that the game does not take, and why
    pilot: Scenario | None = None  # the fight in which dice and cards are learned, when account is kept of the luck

    def fight(self, value: float) -> Fight:
        """The fight with the knob at a value."""
        if value not in self.fights:
            changed = self.scenario.changed(values={self.path: value})
            self.fights[value] = self.points.fight(changed, self.target.seed, self.pilot)
        return self.fights[value]

    def keep_account(self, values: list[float]) -> None:
        """A first look at the values; from there on account is kept of the luck, learned where the target is near."""
        if self.target.measure != "win_rate" or self.target.max_runs <= ACCOUNT_FROM:
            return
        self.points.play([self.fight(value) for value in values], ACCOUNT_FROM)
        looked_at = [self.fights[value] for value in values]
        known = self.points.known
        self.pilot = best_pilot([(fight.scenario, known[fight]) for fight in looked_at], self.target.value)
        for value, fight in self.fights.items():
            self.fights[value] = replace(fight, pilot=self.pilot)
            if fight in known:  # these runs are the same: the first are never corrected
                known[self.fights[value]] = known[fight]

    def learn(self, values: list[float], times: float = 1.0) -> None:
        """Play the values until each is known to so many times the target's precision."""
        fights = [self.fight(value) for value in values]
        self.points.play_until(fights, times * self.target.half_width, self.target.max_runs)

    def at(self, value: float, confidence: float | None = None) -> Estimate:
        """What the measure is there; of the study's own confidence if not told otherwise."""
        sure = self.points.confidence if confidence is None else confidence
        return self.points.known[self.fights[value]].sharpest(self.target.measure, sure)

    @property
    def known(self) -> list[float]:
        """The values that were played and of which anything can be known, ascending."""
        return [value for value in self._played if self.at(value).known]

    @property
    def untold(self) -> dict[float, str]:
        """The values that were played and of which nothing can be known, with the reason."""
        found = {value: self.at(value) for value in self._played}
        return {value: estimate.why for value, estimate in found.items() if not estimate.known}

    @property
    def _played(self) -> list[float]:
        return sorted(value for value, fight in self.fights.items() if fight in self.points.known)

    def runs(self, value: float) -> int:
        """How many runs were played there."""
        return self.points.known[self.fights[value]].runs

    def miss(self, value: float) -> float:
        """How far from the target the measure is there."""
        return abs(self.at(value).value - self.target.value)

    def nearest(self) -> float:
        """The value that was played and comes closest to the target."""
        return min(self.known, key=self.miss)

    def passes(self) -> list[Crossing]:
        """Where the curve passes the target."""
        return crossings([(value, self.at(value)) for value in self.known], self.target.value)

    def takes(self, value: float) -> bool:
        """Whether the game takes the value."""
        try:
            self.fight(value)
        except InputError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Span:
    """From where to where a knob is turned."""

    low: float
    high: float
    whole: bool  # whether it takes whole numbers only

    def spread(self) -> list[float]:
        """Evenly spread values, both ends among them."""
        values = [self.low + (self.high - self.low) * at / (SCANNED - 1) for at in range(SCANNED)]
        return sorted({round(value) for value in values}) if self.whole else values


def span_of(scenario: Scenario, path: str, low: float | None, high: float | None) -> Span:
    """From where to where the knob is turned, by what was asked and by what the game takes."""
    now = value_now(scenario, path)
    if isinstance(now, bool) or not isinstance(now, (int, float, type(None))):
        number = f"a number, found {now!r}"
        if low is None or high is None:
            remedy = "say from where to where: `low` and `high`, or --knob PATH=LOW..HIGH"
            raise InputError(Problem(path, f"expected {number}; {remedy}"))
        now = None
    least, most = bounds(scenario, path)
    whole = not any(isinstance(end, float) and not end.is_integer() for end in (now, low, high))
    here = 1 if now is None else now
    first = low if low is not None else least if least is not None else min(0, here)
    last = high if high is not None else min(most if most is not None else math.inf, max(here * 4, here + WIDEST))
    if not first < last:
        raise InputError(Problem(path, f"expected a span to turn the knob in, found {first:g} to {last:g}"))
    return Span(first, last, whole)


@dataclass(frozen=True, slots=True)
class Found:
    """Where the target lies."""

    value: float  # the best value that the knob takes
    at: Estimate | None  # where the curve passes the target; None where it does not
    reachable: bool
    monotone: bool
    others: tuple[Estimate, ...] = ()  # further places, where the curve is not monotone


def find(curve: Curve, span: Span) -> Found:
    """First a picture of the whole span, then closer and closer around the place where the target is passed."""
    span = taken_part(curve, span)
    taken = _taken(curve, span.spread())
    curve.keep_account(taken)
    curve.learn(taken, COARSE)
    if not curve.known:
        title, why = EVERY_MEASURE[curve.target.measure].title, next(iter(curve.untold.values()))
        raise InputError(Problem(curve.path, f"the {title} cannot be told at any value that was tried: {why}"))
    monotone = is_monotone(curve)
    brackets = [one.between for one in curve.passes()]
    if not brackets:
        nearest = curve.nearest()
        curve.learn([nearest])
        return _off_the_line(curve, nearest, monotone)
    now = value_now(curve.scenario, curve.path)
    here = now if isinstance(now, (int, float)) else (span.low + span.high) / 2
    brackets.sort(key=lambda ends: min(abs(end - here) for end in ends))
    close_in(curve, brackets[0], span.whole)
    places = curve.passes()
    places.sort(key=lambda one: (abs(one.at.value - sum(brackets[0]) / 2), one.at.value))
    if not places:
        return _off_the_line(curve, curve.nearest(), monotone)
    main = places[0]
    candidates = [value for value in curve.known if main.between[0] <= value <= main.between[1]]
    return Found(min(candidates, key=curve.miss), main.at, True, monotone, tuple(one.at for one in places[1:]))


def _off_the_line(curve: Curve, value: float, monotone: bool) -> Found:
    """The best value of a curve that passes the target nowhere."""
    return Found(value, None, curve.miss(value) <= curve.target.half_width, monotone)


def taken_part(curve: Curve, span: Span) -> Span:
    """The part of the span that the game takes, from the value of now on outward; `curve.refused` says what is cut."""
    now = value_now(curve.scenario, curve.path)
    here = now if isinstance(now, (int, float)) and span.low <= now <= span.high else (span.low + span.high) / 2
    here = round(here) if span.whole else here
    if not curve.takes(here):
        return span
    low, high = (_outermost(curve, here, end, span.whole) for end in (span.low, span.high))
    return Span(low, high, span.whole) if low < high else span


def _outermost(curve: Curve, taken: float, end: float, whole: bool) -> float:
    """The value nearest to the end that the game takes, found by halving from one that it does take."""
    try:
        curve.fight(end)
        return end
    except InputError as error:
        curve.refused[end] = error.problems[0].message
    refused = end
    for _ in range(HALVINGS):
        middle = round((taken + refused) / 2) if whole else round((taken + refused) / 2, 9)
        if middle in (taken, refused):
            break
        taken, refused = (middle, refused) if curve.takes(middle) else (taken, middle)
    return taken


def _taken(curve: Curve, values: list[float]) -> list[float]:
    """The values that the game takes; the ends of a span may lie outside."""
    taken = []
    last: InputError | None = None
    for value in values:
        try:
            curve.fight(value)
            taken.append(value)
        except InputError as error:
            last = error
    if len(taken) < 2:
        raise last or InputError(Problem(curve.path, "the game takes no two values of this span"))
    return taken


def is_monotone(curve: Curve) -> bool:
    """Whether the curve only falls or only rises, as far as the noise lets one see."""
    values = curve.known
    each = each_of(len(values) - 1, curve.points.confidence)
    estimates = [curve.at(value, each) for value in values]
    rises = any(b.low > a.high for i, a in enumerate(estimates) for b in estimates[i + 1 :])
    falls = any(b.high < a.low for i, a in enumerate(estimates) for b in estimates[i + 1 :])
    return not (rises and falls)


def close_in(curve: Curve, bracket: tuple[float, float], whole: bool) -> None:
    """Halve the bracket until whole numbers are neighbours, or until a real value has the target; then learn the ends.

    Real values go where the straight line between the ends passes the target, which is quicker than halving.
    """
    wanted = curve.target.value
    left, right = bracket
    for _ in range(HALVINGS):
        low, high = curve.at(left), curve.at(right)
        if whole and right - left <= 1:
            break
        if not whole and min(curve.miss(left), curve.miss(right)) <= curve.target.half_width / 2:
            break
        share = (wanted - low.value) / (high.value - low.value) if high.value != low.value else 0.5
        middle = left + min(0.9, max(0.1, share)) * (right - left)
        middle = min(right - 1, max(left + 1, round(middle))) if whole else round(middle, 9)
        if not curve.takes(middle):
            break
        curve.learn([middle], CLOSER)
        if not curve.at(middle).known:
            break
        same_side = (curve.at(middle).value - wanted) * (low.value - wanted) > 0
        left, right = (middle, right) if same_side else (left, middle)
    beside = [left - 1, right + 1] if whole else []  # where the noise has led one step astray
    curve.learn([left, right])
    if whole and (curve.at(left).value - wanted) * (curve.at(right).value - wanted) > 0:
        curve.learn([value for value in beside if curve.takes(value)])
