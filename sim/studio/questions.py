"""The questions that designers ask, as forms: what is filled in becomes the words of a command."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sim.errors import SimError
from sim.studio.address import Address
from sim.studio.takeaway import variant_words, words_of

_NUMBER = re.compile(r"-?\d+(\.\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Blank:
    """Something to fill in."""

    name: str
    label: str
    kind: str = "text"  # text, whole, percent, span (two numbers), knob (one of the fight's numbers), file, or the
    # names of several classes, enemies or fights
    value: str = ""  # of a span: '1..9'
    needed: bool = True
    help: str = ""

    @property
    def given(self) -> tuple[str, ...]:
        """The names under which it comes filled in."""
        return (f"{self.name}_from", f"{self.name}_to") if self.kind == "span" else (self.name,)


@dataclass(frozen=True, slots=True)
class Question:
    """A study as a form."""

    name: str
    title: str
    about: str
    blanks: tuple[Blank, ...]
    words: Callable[[Address, Mapping[str, str]], list[str]]


def _of_the_fight(command: str, *more: Callable[[Mapping[str, str]], list[str]]) -> Callable[..., list[str]]:
    def words(address: Address, given: Mapping[str, str]) -> list[str]:
        rest = [word for part in more for word in part(given)]
        return [command, *words_of(address.variant), *rest, f"--seed={address.seed}"]

    return words


def _compared(address: Address, _given: Mapping[str, str]) -> list[str]:
    if not address.kept:
        raise SimError("keep a variant first: it is what this fight is compared with")
    variants = [word for one in address.kept for word in ("--variant", variant_words(one.name, one.variant))]
    return ["compare", *words_of(address.variant), *variants, f"--seed={address.seed}"]


def _option(option: str, blank: str) -> Callable[[Mapping[str, str]], list[str]]:
    return lambda given: [f"{option}={given[blank]}"] if given.get(blank) else []


def _span(option: str, blank: str, before: str = "") -> Callable[[Mapping[str, str]], list[str]]:
    """From .. to, as two numbers; in steps where some are asked for."""

    def words(given: Mapping[str, str]) -> list[str]:
        ends = [given.get(f"{blank}_{end}", "").strip() for end in ("from", "to")]
        for end in ends:
            if not _NUMBER.fullmatch(end):
                raise SimError(f"expected a number, found {end!r}")
        if float(ends[0]) > float(ends[1]):
            raise SimError(f"expected the smaller number first, found {ends[0]} to {ends[1]}")
        step = given.get("step", "").strip()
        start = f"{given[before]}=" if before else ""
        return [f"{option}={start}{ends[0]}..{ends[1]}{f'/{step}' if step else ''}"]

    return words


def _each(option: str, blank: str) -> Callable[[Mapping[str, str]], list[str]]:
    """The option once for every name that was ticked."""
    return lambda given: [f"{option}={name}" for name in names_given(given, blank)]


def names_given(given: Mapping[str, str], blank: str) -> list[str]:
    """The names that were ticked."""
    return [name for name in given.get(blank, "").split(",") if name]


def _minutes(given: Mapping[str, str]) -> list[str]:
    if not _NUMBER.fullmatch(given["minutes"].strip()) or float(given["minutes"]) <= 0:
        raise SimError(f"expected minutes, found {given['minutes']!r}")
    return [f"--budget={round(60 * float(given['minutes']))}s"]


KNOB = Blank("knob", "Which number", "knob")

QUESTIONS = {
    question.name: question
    for question in (
        Question("compare", "Which is harder?", "This fight against every variant that was kept.", (), _compared),
        Question(
            "sweep",
            "How does it change with a number?",
            "The win rate for every value.",
            (
                KNOB,
                Blank("values", "From, to", "span", "1..9", help="Both ends are played, and every value between."),
                Blank("step", "In steps of", "whole", needed=False, help="1 if empty."),
            ),
            _of_the_fight("sweep", _span("--knob", "values", "knob")),
        ),
        Question(
            "tune",
            "Which value gives the target?",
            "Found by trying, and confirmed with fresh luck.",
            (KNOB, Blank("target", "Win rate in percent", "percent", "65")),
            _of_the_fight(
                "tune",
                _option("--knob", "knob"),
                lambda given: [f"--target=win_rate={_share(given['target'])}"],
            ),
        ),
        Question(
            "scale",
            "At which level does it break?",
            "The fight from level to level.",
            (Blank("levels", "Levels, from and to", "span", "1..8"),),
            _of_the_fight("scale", _span("--levels", "levels")),
        ),
        Question(
            "sensitivity",
            "Which number matters most?",
            "Every number one step up and down.",
            (
                Blank(
                    "only",
                    "Only numbers of",
                    value="enemies",
                    needed=False,
                    help="A word such as enemies, heroes or skeleton; all numbers if empty.",
                ),
            ),
            _of_the_fight("sensitivity", _option("--only", "only")),
        ),
        Question(
            "ladder",
            "What is skill worth?",
            "Every policy of the game, and what each ability is worth.",
            (),
            _of_the_fight("ladder"),
        ),
        Question(
            "improve",
            "Can the party play better?",
            "Looks for a stronger way to play, tests it with fresh luck, and gives it as a policy to take over.",
            (Blank("minutes", "How long to look, in minutes", "whole", "1"),),
            _of_the_fight("improve", _minutes),
        ),
        Question(
            "improve-enemies",
            "Can the enemies be harder?",
            "Looks for enemies against whom the party wins less, among what the rules leave open: whom they go for, "
            "where they go, who stands where.",
            (Blank("minutes", "How long to look, in minutes", "whole", "1"),),
            _of_the_fight("improve", lambda _given: ["--side=enemies"], _minutes),
        ),
        Question(
            "why",
            "What decides it, and how does it feel?",
            "Which rounds, which dice or cards, whose luck; how close it is.",
            (),
            _of_the_fight("why"),
        ),
        Question(
            "parties",
            "Which party is best?",
            "Every party of so many heroes: what each class adds, and who fits whom.",
            (
                Blank("size", "Heroes in a party", "whole", "2"),
                Blank("of", "Only these classes", "classes", needed=False, help="All of them if none is chosen."),
                Blank(
                    "against",
                    "Against other fights, too",
                    "fights",
                    needed=False,
                    help="The same parties in further fights: who counters whom.",
                ),
            ),
            _of_the_fight("parties", _option("--size", "size"), _option("--of", "of"), _each("--against", "against")),
        ),
        Question(
            "price",
            "What is each enemy worth?",
            "A price list for this party, with what an easy, a fair and a hard fight cost.",
            (
                Blank("units", "Which enemies", "enemies"),
                Blank("party", "For a party of", "classes", needed=False, help="That of the fight if none is chosen."),
                Blank(
                    "scale",
                    "What one of them costs",
                    needed=False,
                    help="Such as skeleton=10; the first one costs 10 if empty.",
                ),
            ),
            _of_the_fight(
                "price", _option("--units", "units"), _option("--party", "party"), _option("--scale", "scale")
            ),
        ),
        Question(
            "gate",
            "Do the claims hold?",
            "A file of claims in the folder: balance as a test.",
            (Blank("file", "File of claims", "file"),),
            lambda _address, given: ["gate", given["file"]],
        ),
    )
}


def _share(percent: str) -> str:
    try:
        share = float(percent) / 100
    except ValueError:
        raise SimError(f"expected percent, found {percent!r}") from None
    if not 0 < share < 1:
        raise SimError(f"expected percent between 0 and 100, found {percent}")
    return f"{share:g}"
