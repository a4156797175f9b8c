"""Which rounds decided a fight: where the party's chance moved most, and what happened there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.core.telling import Event, Token
from sim.replays.chances import Chance
from sim.replays.scenes_told import scenes_told
from sim.replays.sentences import called, listed
from sim.results.verdict import percent
from sim.scenario.wording import readable

LAST_ROUND = 1 << 20  # after every round of an evening
LEAST = 0.1  # a chance that moves less decides nothing
MOST = 3  # turning points of a fight
ENDS = {"win": "a win", "loss": "a loss", "draw": "a draw", "turned_back": "turning back"}
FINAL = {"win": 1.0, "loss": 0.0, "draw": 0.0}  # the chance when all is over


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A round in which the party's chance moved a lot."""

    round: int
    event: int  # the place of what mattered most in it
    before: float  # the party's chance when the round began ...
    after: float  # ... and when the next one did
    words: str

    @property
    def moved(self) -> float:
        """By how much."""
        return abs(self.after - self.before)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {name: getattr(self, name) for name in ("round", "event", "before", "after", "words")}


def turning_points(events: Sequence[Event], chances: Sequence[Chance], outcome: str) -> list[TurningPoint]:
    """The rounds that decided it, the weightiest first. A move within the margin of the chances is none."""
    found = []
    names = {scene.number: f"S{scene.words[1:]}" for scene in scenes_told(events)}
    for place, chance in enumerate(chances):
        before = chance.win_rate
        last = place + 1 == len(chances)
        after = FINAL.get(outcome, 0.0) if last else chances[place + 1].win_rate.value
        near = after if last else _nearest(chances[place + 1], before.value)
        if abs(after - before.value) < LEAST or before.low <= near <= before.high:
            continue
        ends = chances[place + 1].round if chance.scene and not last else chance.round + 1
        rounds = range(chance.round, LAST_ROUND if chance.scene and last else ends)
        what, event = _what_mattered(events, rounds, good=after > before.value)
        end = ENDS.get(outcome, readable(outcome)) if last else f"{percent(after, 0.05)} %"
        way = "fell" if after < before.value else "rose"
        moved = f"the chance of winning {way} from {percent(before.value, 0.05)} % to {end}"
        when = names.get(chance.scene, f"Scene {chance.scene}") if chance.scene else f"Round {chance.round}"
        words = f"{when}|{moved}" + (f"; {what}" if what else "")
        found.append(TurningPoint(chance.round, event, before.value, after, words))
    found.sort(key=lambda point: -point.moved)
    return [_worded(point, weightiest=place == 0) for place, point in enumerate(found[:MOST])]


def _nearest(chance: Chance, value: float) -> float:
    """The end of a chance's interval that lies nearest to a value; the value itself where it is inside."""
    win = chance.win_rate
    return min(max(value, win.low), win.high)


def _worded(point: TurningPoint, weightiest: bool) -> TurningPoint:
    verb = "decided it" if weightiest else "helped the party" if point.after > point.before else "hurt the party"
    when, _, moved = point.words.partition("|")
    words = f"{when} {verb}: {moved}"
    return TurningPoint(point.round, point.event, point.before, point.after, words)


def _what_mattered(events: Sequence[Event], rounds: range, good: bool) -> tuple[str, int]:
    """Who fell in a round, of the side that it was bad for, or what it lost; and which event weighed most."""
    side = "enemy" if good else "party"
    falls: list[tuple[int, str]] = []
    losses: list[tuple[int, int]] = []  # hit points, event
    health = 0  # of the side when the round began
    inside = [(place, before, now) for place, before, now in _tables(events) if events[place].round in rounds]
    for place, before, now in inside:
        if place == inside[0][0]:
            health = sum(max(token.hp, 0) for token in before.values() if token.side == side)
        for key, token in now.items():
            then = before.get(key)
            if then is None or token.side != side:
                continue
            if token.down and not then.down:
                falls.append((place, called(token)))
            if token.hp < then.hp:
                losses.append((max(then.hp, 0) - max(token.hp, 0), place))
    if falls:
        return f"{listed([name for _, name in falls])} fell", falls[0][0]
    if losses:
        _, place = max(losses, key=lambda loss: (loss[0], -loss[1]))
        who = "the enemies" if good else "the party"
        return f"{who} lost {sum(lost for lost, _ in losses)} of {health} hit points", place
    return "", inside[0][0] if inside else 0


def _tables(events: Sequence[Event]) -> Iterator[tuple[int, Mapping[str, Token], Mapping[str, Token]]]:
    """Every event but the first: its place, and the table before and after it."""
    before: dict[str, Token] = {}
    for place, event in enumerate(events):
        now = {token.key: token for token in event.after.tokens}
        if place:
            yield place, before, now
        before = now
