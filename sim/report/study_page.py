"""The page of a study: verdicts first, then figures, tables, the scenario as played, and how to ask again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.report.page import coverage_of, on_page, played_sections, render, switch_settings
from sim.report.study_drawing import StudyDrawing
from sim.report.study_tables import study_table
from sim.results.result import versions
from sim.results.verdict import BANDS
from sim.scenario import Scenario
from sim.scenario.changes import as_played_marked, changes_in_words, title_in_full
from sim.scenario.wording import place_in_words, readable
from sim.studies.answer import Answer
from sim.studies.measures import EVERY_MEASURE, is_share

QUESTIONS = {
    "compare": "Which one is harder?",
    "sweep": "How does it change with the knobs?",
    "scale": "How does it go from level to level?",
    "tune": "Which value gives the target?",
    "sensitivity": "Which number matters most?",
    "ladder": "What are skill and each ability worth?",
    "improve": "Can the party win more by playing otherwise?",
    "price": "What is each enemy worth, and what does a fair fight cost?",
    "parties": "Which party is best, and what does each class add?",
    "why": "What decides it, and how does it feel?",
    "gate": "Does the balance hold?",
}
HARDER = "Can the enemies be harder by behaving otherwise?"  # improve, asked of the other side

IN_THE_TABLES = ("about", "variants")  # settings that the page shows at another place, in words
PATHS = ("knob", "level", "enemy_level")  # settings that are paths


def setting(key: str, value: Any, scenario: Scenario) -> str:
    """How a study was asked, in words: the measure by its title, a path by what it is about."""
    if key == "measure":
        return EVERY_MEASURE[value].title
    if key == "target":
        return ", ".join(f"{EVERY_MEASURE[name].title} {_amount(name, wanted)}" for name, wanted in value.items())
    if key in PATHS:
        return place_in_words(value, scenario.data)
    if key == "knobs":
        return "; ".join(f"{place_in_words(path, scenario.data)}: {on_page(values)}" for path, values in value.items())
    return on_page(value)


def _amount(measure: str, value: float) -> str:
    return f"{100 * value:g} %" if is_share(measure) else f"{value:g}"


def answer_page(answer: Answer, drawings: Sequence[StudyDrawing]) -> str:
    """The report of a study as one HTML page."""
    scenario = answer.scenario
    question = HARDER if answer.settings.get("side") == "enemies" else QUESTIONS[answer.question]
    title = answer.title or f"{question} {title_in_full(scenario)}"
    settings: dict[str, Any] = {
        key: value for key, value in answer.settings.items() if value is not None and key not in IN_THE_TABLES
    }
    return render(
        "study.html.jinja",
        page_title=f"{title} – {answer.verdicts[0]}",
        title=title,
        answer=answer,
        question=question,
        about=answer.settings.get("about") or "",
        scenario=scenario,
        ruleset=scenario.ruleset,
        bands=BANDS,
        drawings=list(drawings),
        tables=[study_table(table) for table in answer.tables if table.rows],
        settings_used={readable(key): setting(key, value, scenario) for key, value in settings.items()},
        changes=changes_in_words(scenario),
        played=played_sections(as_played_marked(scenario)),
        switches=switch_settings(scenario),
        coverage=coverage_of(scenario),
        versions=versions(),
    )
