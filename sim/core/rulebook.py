"""The rulebook of a game: one page in which every rule stands under its id.

    ## Attacks

    ### OU-A3 Melee attack

    The first sentence tells the rule in one line.

    The rest tells it in full. Switches that touch the rule are named in backticks: `melee_threshold`.

A chapter called "Switches without a rule" lists those that touch none, one to a line, with the reason:

    - `forbid`: for studies; no rule of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sim.errors import InputError, Problem

RULEBOOK = "rulebook.md"
WITHOUT_RULE = "Switches without a rule"  # the chapter that holds no rules

_ID = r"[A-Z][A-Z0-9]*-[A-Z]*[0-9]+(?:\.[0-9]+)?[a-z]?"  # OU-A3, P52-E8b, BF-E5.1
_HEADING = re.compile(rf"### ({_ID}) +(\S.*)")
_CODE = re.compile(r"`([^`]+)`")
_ENTRY = re.compile(r"- `(\w+)`: +(\S.*)")
_SENTENCE = re.compile(r"(.+?[.!?])(?= +[A-Z`(\"]|$)")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a game."""

    id: str
    title: str
    sentence: str  # the first of the text: the rule in one line
    text: str  # the rule in full, in Markdown
    chapter: str

    def switches(self, known: Iterable[str]) -> list[str]:
        """Which of these switches touch the rule: those that its text names in backticks."""
        named = {re.split(r"\W", code, maxsplit=1)[0] for code in _CODE.findall(self.text)}
        return [name for name in known if name in named]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules of a game, in the order of the page."""

    rules: Mapping[str, Rule]
    without_rule: Mapping[str, str]  # switches that touch no rule, each with the reason

    @property
    def chapters(self) -> dict[str, list[Rule]]:
        """The rules by chapter."""
        chapters: dict[str, list[Rule]] = {}
        for rule in self.rules.values():
            chapters.setdefault(rule.chapter, []).append(rule)
        return chapters


@cache
def read_rulebook(path: Path) -> Rulebook:
    """A rulebook from its page, read once; every mistake in it at once."""
    if not path.is_file():
        raise InputError(Problem("", "no such file; the rules of a game stand in its rulebook", str(path)))
    return parse_rulebook(path.read_text(encoding="utf-8"), str(path))


def parse_rulebook(page: str, file: str = RULEBOOK) -> Rulebook:
    """A rulebook from the text of its page."""
    rules: dict[str, Rule] = {}
    without_rule: dict[str, str] = {}
    problems: list[Problem] = []
    chapter = ""

    def wrong(message: str, line: int) -> None:
        problems.append(Problem("", message, file, line))

    for line, heading, text in _sections(page):
        if heading.startswith("## "):
            chapter = heading[3:].strip()
            for entry in _entries(text) if chapter == WITHOUT_RULE else ():
                if listed := _ENTRY.fullmatch(entry):
                    without_rule[listed.group(1)] = listed.group(2)
                else:
                    wrong(f"expected '- `switch`: why no rule names it', found {entry!r}", line)
            continue
        found = _HEADING.fullmatch(heading)
        if found is None:
            wrong(f"expected an id and a title, as in '### OU-A3 Melee attack', found {heading!r}", line)
            continue
        rule, title = found.groups()
        sentence = _first_sentence(text)
        if rule in rules:
            wrong(f"{rule} is there twice", line)
        elif chapter in ("", WITHOUT_RULE):
            wrong(f"{rule} stands in no chapter; expected a heading such as '## Attacks' before it", line)
        elif not sentence:
            wrong(f"{rule} has no sentence; expected a text that begins with one, ended by a full stop", line)
        else:
            rules[rule] = Rule(rule, title.strip(), sentence, text, chapter)
    if not (rules or problems):
        wrong("no rules; expected headings such as '### OU-A3 Melee attack'", 1)
    if problems:
        raise InputError(problems)
    return Rulebook(rules, without_rule)


def ids_in(text: str, prefixes: Iterable[str]) -> set[str]:
    """The rule ids with these prefixes that a text names.

    >>> sorted(ids_in("OU-A3 and BF-E5.1, not XX-1 or OU-11.7.", ["OU", "BF"]))
    ['BF-E5.1', 'OU-A3']
    """
    some = "|".join(re.escape(prefix) for prefix in sorted(prefixes))
    return set(re.findall(rf"(?<![\w-])(?:{some})-[A-Z]+[0-9]+(?:\.[0-9]+)?[a-z]?(?!\w)", text))


def _sections(page: str) -> Iterator[tuple[int, str, str]]:
    """(line, heading, text below) for every heading of two or three signs; what a code block holds is none."""
    at, heading, lines, in_code = 0, "", list[str](), False
    for number, line in enumerate(page.splitlines(), start=1):
        if line.startswith("```"):
            in_code = not in_code
        if not in_code and re.match(r"##(?!##)", line):
            if heading:
                yield at, heading, "\n".join(lines).strip()
            at, heading, lines = number, line.rstrip(), []
        else:
            lines.append(line)
    if heading:
        yield at, heading, "\n".join(lines).strip()


def _first_sentence(text: str) -> str:
    """The first sentence of the first paragraph, on one line; empty if there is none."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    found = _SENTENCE.match(paragraph)
    return found.group(1) if found else ""


def _entries(text: str) -> list[str]:
    """The entries of a list, each on one line; words before the list are none."""
    parts = re.split(r"^(?=- )", text, flags=re.MULTILINE)
    return [" ".join(part.split()) for part in parts if part.startswith("- ")]
