"""The win rates that the pages of the games state are those that the fights have."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.scenario import Scenario, from_dict, load

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted((DOCS / "games").glob("*.md"))
STATED_RUNS, SEED = 10_000, 1  # what the pages say of their figures
FEW = 300  # for the quick check
EVERY = 3  # in the quick check, so many-th fight
DEVIATIONS = 4.5  # there are more than a hundred figures

# Which fight a table is about: (page, heading above it) -> the fight, or the heading of a fight of "Invent a monster".
FIGHTS = {
    ("overhill", "Switches that matter most"): ("overhill/crypt-swarm", {"policy": "cautious"}),
    ("overhill", "Where everybody stands"): ("overhill/crypt-swarm", {"policy": "cautious"}),
    ("overhill", "Policies"): ("overhill/crypt-swarm", {}),
    ("brimstone", "Switches that matter most"): ("Brimstone: grave hounds and their keeper", {}),
    ("p52", "Switches that matter most"): ("p52/hall-scaling", {"level": 5}),
    ("p52", "Policies"): ("P52: the Ash Queen", {}),
    ("second_era", "Switches that matter most"): ("second_era/", {}),  # a column for each of its fights
    ("second_era", "Policies"): ("Second Era: frost wolves", {}),
}
SHARES = {"wins": Outcome.WIN, "losses": Outcome.LOSS, "draws": Outcome.DRAW}
NUMBER = re.compile(r"^([\d.]+)(?: to ([\d.]+))?$")


@dataclass(frozen=True)
class Stated:
    """One figure of a page: a share of the encounters of a fight, in percent."""

    page: str
    about: str
    fight: Scenario
    outcome: Outcome
    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.page}: {self.about}: {self.outcome.name.lower()} {self.least:g} to {self.most:g} %"


def tables_of(page: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """The tables of a page as cells, each with the heading above it."""
    heading = ""
    rows: list[list[str]] = []
    for line in [*page.read_text(encoding="utf-8").split("\n"), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        if rows:
            yield heading, rows
            rows = []
        if line.startswith("#"):
            heading = line.lstrip("# ")


@cache
def fight_called(name: str) -> Scenario:
    """A shipped fight, or the one that stands under a heading of "Invent a monster"."""
    if "/" in name:
        return load(name)
    text = (DOCS / "invent-a-monster.md").read_text(encoding="utf-8")
    block = re.search(r"^```toml\n(ruleset = .*?)^```$", text[text.index(f"## {name}") :], re.MULTILINE | re.DOTALL)
    assert block, f"no fight under the heading {name!r}"
    return from_dict(tomllib.loads(block[1]))


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def figures_in_tables(page: Path) -> Iterator[Stated]:
    """What the tables state that have a column of wins."""
    for heading, (titles, _, *rows) in tables_of(page):
        known = FIGHTS.get((page.stem, heading))
        by_fight = {at: quoted(title)[0] for at, title in enumerate(titles) if quoted(title)[:1] and at > 1}
        if known is None or not (any("wins" in title for title in titles) or by_fight):
            continue
        name, changes = known
        for row, setting in settings_of(rows, heading):
            for at, title in enumerate(titles):
                if not name.endswith("/"):
                    base = fight_called(name)
                elif at in by_fight:
                    base = fight_called(f"{name}{by_fight[at]}")
                else:
                    continue
                fight = base.changed(values=changes) if changes else base
                fight = fight.changed(sets=[setting]) if setting else fight
                yield from figures_of_cell(page, fight, title, row[at], setting or "as it is")


def settings_of(rows: list[list[str]], heading: str) -> Iterator[tuple[list[str], str]]:
    """Every row with what it changes, as it is typed; a row of several switches once for each."""
    above: list[str] = []
    for row in rows:
        above = quoted(row[0]) or ([] if row[0] else above)
        if above[:1] and above[0].startswith("--set "):
            yield row, above[0].removeprefix("--set ")
        elif heading == "Policies":
            yield row, f"policy={above[0]}"
        elif above:
            for switch, value in zip(above, quoted(row[1]), strict=True):
                yield row, f"switches.{switch}={value}"
        else:
            yield row, ""


def figures_of_cell(page: Path, fight: Scenario, title: str, cell: str, change: str) -> Iterator[Stated]:
    about = f"{fight.title}, {change}"
    words = re.findall(r"wins|losses|draws", title.partition(" in ")[0]) or (["wins"] if quoted(title) else [])
    for word, part in zip(words, cell.split(" / ") if words else [], strict=False):
        if found := NUMBER.match(part):
            yield Stated(page.stem, about, fight, SHARES[word], float(found[1]), float(found[2] or found[1]))


def figures_in_sentences(page: Path) -> Iterator[Stated]:
    """The few figures that stand in the text."""
    text = " ".join(page.read_text(encoding="utf-8").split())
    if page.stem == "overhill":
        fight = load("overhill/crypt-swarm", sets=["enemies.skeleton.count=9"], policy="prudent")
        found = re.search(r"policy `prudent`: ([\d.]+) % avoided, ([\d.]+) % lost", text)
        assert found
        for share, outcome in zip(found.groups(), (Outcome.AVOIDED, Outcome.LOSS), strict=True):
            yield Stated(page.stem, "nine skeletons, prudent", fight, outcome, float(share), float(share))
    if page.stem == "p52":
        found = re.search(r"`hall-scaling` at level 5: ([\d.]+) % wins, ([\d.]+) % losses, ([\d.]+) % draws", text)
        assert found
        fight = load("p52/hall-scaling", sets=["level=5"])
        for share, outcome in zip(found.groups(), SHARES.values(), strict=True):
            yield Stated(page.stem, "level 5", fight, outcome, float(share), float(share))
    if page.stem == "brimstone":
        sentence = re.search(r"Against the grave hounds they win (.*?); 10,000 runs", text)
        assert sentence
        base = fight_called("Brimstone: grave hounds and their keeper")
        for share, names in re.findall(r"([\d.]+) (?:% )?\(([^):]*)", sentence[1]):
            for name in quoted(names):
                yield Stated(page.stem, name, base.changed(policy=name), Outcome.WIN, float(share), float(share))


def stated_on(page: Path) -> list[Stated]:
    return [*figures_in_tables(page), *figures_in_sentences(page)]


@cache
def shares(fight: Scenario, runs: int) -> dict[Outcome, float]:
    """How the encounters of a fight end, in percent."""
    outcome = play(fight.encounter(), SEED, np.arange(runs)).outcome
    encounters = max(1, np.count_nonzero(outcome != Outcome.EMPTY))
    return {kind: 100 * float(np.count_nonzero(outcome == kind)) / encounters for kind in Outcome}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_figures_of_a_page_are_found(page: Path) -> None:
    found = stated_on(page)

    assert len(found) >= 15
    assert all(0 <= one.least <= one.most <= 100 for one in found)


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_stated_win_rates_are_within_the_noise_of_a_few_runs(page: Path) -> None:
    wrong = []
    stated = stated_on(page)
    some = list(dict.fromkeys(one.fight for one in stated))[::EVERY]
    for one in [one for one in stated if one.fight in some]:
        found = shares(one.fight, FEW)[one.outcome]
        middle = min(99.0, max(1.0, (one.least + one.most) / 2))
        noise = 100 * math.sqrt(middle / 100 * (1 - middle / 100) / FEW)
        if not one.least - DEVIATIONS * noise <= found <= one.most + DEVIATIONS * noise:
            wrong.append(f"{one}, found {found:.1f}")

    assert not wrong, "\n".join(wrong)


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_stated_win_rates_are_right_to_the_last_digit(page: Path) -> None:
    wrong = []
    for one in stated_on(page):
        found = shares(one.fight, STATED_RUNS)[one.outcome]
        if not one.least <= float(f"{found:.1f}") <= one.most:
            wrong.append(f"{one}, found {found:.1f}")

    assert not wrong, "\n".join(wrong)
