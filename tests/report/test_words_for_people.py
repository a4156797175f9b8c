"""No name that only a program would write reaches a reader: not on a terminal, not in Markdown, not on a page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

import sim
from sim.results.result import Result
from sim.studies.answer import Answer

FIGHT = "overhill/playtest-1"
RESULTS = {
    FIGHT: {"policy": "focus_expert"},
    "brimstone/high_noon": {"policy": "random_legal"},
    "p52/hall-scaling": {"set": {"level": 4}},
    "second_era/se_patrol": {"policy": "focus_fire"},
}
QUICK = {"runs": 40, "jobs": 1, "progress": False}
STUDIES: dict[str, Callable[[], Answer]] = {
    "compare": lambda: sim.compare(FIGHT, {"policy=focus_expert": {"policy": "focus_expert"}}, **QUICK),
    "sweep": lambda: sim.sweep(FIGHT, {"policy": ["plain", "focus_expert"], "level": [1, 2]}, **QUICK),
    "scale": lambda: sim.scale("overhill/playtest-1-ladder", [1, 2], policies=["focus_expert"], **QUICK),
    "tune": lambda: sim.tune(FIGHT, "heroes.magic_user.max_health", "win_rate=0.9", precision=20, jobs=1),
    "sensitivity": lambda: sim.sensitivity(FIGHT, only="magic_user", **QUICK),
    "ladder": lambda: sim.ladder(FIGHT, policies=["plain", "focus_expert"], **QUICK),
    "gate": lambda: sim.gate([{"scenario": "second_era/se_duel", "policy": "focus_fire", "win_rate": [0.0, 0.1]}]),
}


def program_names(text: str) -> list[str]:
    """What a program would write, beside the commands and the names of files that a reader can type."""
    lines = [line for line in text.splitlines() if "fairfight " not in line]
    typed = r"\S*/\S+|--\S+|\S+\[\d+\]\.\S+"  # a file, an option, a path in a scenario
    return [word for line in lines for word in re.sub(typed, "", line).split() if re.search(r"\w_\w", word)]


class Visible(HTMLParser):
    """The texts of a page that are neither code nor part of its machinery."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("code", "script", "style"):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.texts.append(data)


def text_of(page: Path) -> str:
    visible = Visible()
    visible.feed(page.read_text(encoding="utf-8"))
    return "\n".join(visible.texts)


def on_terminal(found: Result | Answer) -> str:
    screen = Console(file=io.StringIO(), width=400, markup=False, highlight=False)
    if isinstance(found, Result):
        found.print(screen, everything=True)
    else:
        found.print(screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


@pytest.mark.parametrize("fight", RESULTS)
def test_a_result_speaks_in_words(fight: str, tmp_path: Path) -> None:
    result = sim.run(fight, **RESULTS[fight], runs=60, jobs=1, progress=False)

    assert program_names(on_terminal(result)) == []
    assert program_names(result.to_markdown().replace("\\_", "_")) == []
    assert program_names(text_of(result.report(tmp_path / "page.html"))) == []


@pytest.mark.parametrize("question", STUDIES)
def test_an_answer_speaks_in_words(question: str, tmp_path: Path) -> None:
    answer = STUDIES[question]()

    assert program_names(on_terminal(answer)) == []
    assert program_names(answer.to_markdown().replace("\\_", "_")) == []
    assert program_names(text_of(answer.write(tmp_path / "answer") / "index.html")) == []


def test_what_programs_read_keeps_its_names() -> None:
    result = sim.run(FIGHT, runs=20, jobs=1, progress=False)
    answer = STUDIES["ladder"]()

    assert "magic_user" in set(result.abilities["unit"])
    assert "focus_expert" in [row["fight"] for row in answer.table("policies").rows]
