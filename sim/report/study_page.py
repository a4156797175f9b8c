"""The page of a study: verdicts first, then figures, tables, the scenario as played, and how to ask again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.report.page import coverage_of, on_page, played_sections, render, switch_settings
from sim.report.study_drawing import StudyDrawing
from sim.report.study_tables import study_table
from sim.results.result import versions
from sim.scenario.changes import as_played_marked, changes_in_words, title_in_full
from sim.studies.answer import Answer

QUESTIONS = {
    "compare": "Which one is harder?",
    "sweep": "How does it change with the knobs?",
    "scale": "How does it go from level to level?",
    "tune": "Which value gives the target?",
    "sensitivity": "Which number matters most?",
    "ladder": "What are skill and each ability worth?",
    "why": "What decides it, and how does it feel?",
    "gate": "Does the balance hold?",
}


def answer_page(answer: Answer, drawings: Sequence[StudyDrawing]) -> str:
    """The report of a study as one HTML page."""
    scenario = answer.scenario
    title = answer.title or f"{QUESTIONS[answer.question]} {title_in_full(scenario)}"
    settings: dict[str, Any] = {key: value for key, value in answer.settings.items() if value is not None}
    return render(
        "study.html.jinja",
        page_title=f"{title} – {answer.verdicts[0]}",
        title=title,
        answer=answer,
        question=QUESTIONS[answer.question],
        about=settings.pop("about", ""),
        scenario=scenario,
        ruleset=scenario.ruleset,
        drawings=list(drawings),
        tables=[study_table(table) for table in answer.tables if table.rows],
        settings_used={key.replace("_", " "): on_page(value) for key, value in settings.items()},
        changes=changes_in_words(scenario),
        played=played_sections(as_played_marked(scenario)),
        switches=switch_settings(scenario),
        coverage=coverage_of(scenario),
        versions=versions(),
    )
