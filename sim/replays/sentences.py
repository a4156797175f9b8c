"""From what happened to a sentence: the facts of an event, put into the words of the game's `telling.toml`.

    [strikes]
    say = "{Who} strikes {whom}: {removed:# falls|# fall|nobody falls}, {left} left"

    [prays]
    say = [
        { when = { heard = true }, say = "{Who} prays for {wish} and is heard" },
        { say = "{Who} prays for {wish} in vain" },
    ]

The first line whose `when` fits the facts is said. `{who}` and `{whom}` are names with their article, `{Who}` begins a
sentence. A number can choose among words: `{n:one of them|several|none}`, where # stands for the number itself.

An attack says so with `attacked = "whom"`, or "who" where the sentence is about the victim: `why` counts who is
attacked first (`sim.studies.first_attacks`).
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.core.telling import AFTERWARDS, LEVELS_GAINED, ROUND_ENDS, SCENE_BEGINS, START, TURNS_BACK, Event, Token
from sim.scenario.wording import plural, readable, upper_first


@dataclass(frozen=True, slots=True)
class Line:
    """One way to say that something happened."""

    when: Mapping[str, Any]  # facts that must have these values
    say: str

    def fits(self, facts: Mapping[str, Any]) -> bool:
        """Whether the line is right for these facts."""
        return all(name in facts and facts[name] == value for name, value in self.when.items())

    @property
    def fields(self) -> set[str]:
        """The names of the facts that it uses."""
        return {name for _, name, _, _ in string.Formatter().parse(self.say) if name} | set(self.when)


def lines_of(entry: Mapping[str, Any]) -> list[Line]:
    """The lines of an entry of `telling.toml`."""
    say = entry["say"]
    if isinstance(say, str):
        return [Line({}, say)]
    return [Line(line.get("when", {}), line["say"]) for line in say]


# What can happen in every game, between two fights.
OF_AN_EVENING = {
    SCENE_BEGINS: "Scene {scene} of {of}: {name}",
    LEVELS_GAINED: "Gains a level by XP: {names}",
    TURNS_BACK: "The party turns back before {name} ({unless})",
}


class Narrator:
    """Puts the events of one fight into words."""

    def __init__(self, sentences: Mapping[str, Any]) -> None:
        self.lines = {kind: lines_of(entry) for kind, entry in sentences.items()}
        self.met: dict[str, Token] = {}  # everybody who has been seen

    def say(self, event: Event) -> str:
        """The event as a sentence without its full stop; empty where there is nothing to say."""
        self.met.update((token.key, token) for token in event.after.tokens)
        if event.kind in (START, ROUND_ENDS):
            return ""
        if event.kind == AFTERWARDS:
            gained = ["Every hero gains a level"] if event.facts["gain_a_level"] else []
            has = f"{'the' if gained else 'The'} party now has {event.facts['changes']}"
            return "; ".join([*gained, *([has] if event.facts["changes"] else [])]) or "The party is as it was"
        if event.kind in OF_AN_EVENING:
            return OF_AN_EVENING[event.kind].format(**event.facts)
        names = {"who": self.called(event.who), "whom": listed([self.called(key) for key in event.whom])}
        facts = {**event.facts, **({"whom": True} if event.whom else {})}
        line = next(line for line in self.lines[event.kind] if line.fits(facts))
        words = names | {name.capitalize(): upper_first(text) for name, text in names.items()}
        return upper_first(_Words().vformat(line.say, (), {**event.facts, **words}))

    def called(self, key: str) -> str:
        """A unit as it is spoken of in a sentence: 'the warrior', 'Alrik'."""
        if not key:
            return ""
        token = self.met.get(key)
        return f"the {readable(key)}" if token is None else called(token)


def called(token: Token) -> str:
    """A unit on the table as it is spoken of in a sentence: 'the warrior', 'the skeletons', 'Alrik'."""
    name = readable(token.name or token.key)
    several = token.count is not None and token.max_hp > 1
    return name if token.proper else f"the {plural(name) if several else name}"


class _Words(string.Formatter):
    """Numbers and names as people say them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if not format_spec:
            return spoken(value)
        ways = format_spec.split("|")
        number = int(value)
        way = ways[2] if number == 0 and len(ways) > 2 else ways[0] if number == 1 else ways[1]
        return way.replace("#", str(number))


def spoken(value: int | bool | str) -> str:
    """A fact in words; a place '(1,2)' that stands among others in parentheses loses its own."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return readable(value) if isinstance(value, str) else str(value)


def listed(names: Sequence[str]) -> str:
    """Several names.

    >>> listed(["the rogue", "the priest", "the warrior"])
    'the rogue, the priest and the warrior'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def lower_first(text: str) -> str:
    """As in the middle of a sentence."""
    return text[:1].lower() + text[1:]
