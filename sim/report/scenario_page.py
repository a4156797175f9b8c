"""The page of a fight that nobody has played yet: the table as it begins, every number, switches, coverage."""

from __future__ import annotations

from sim.replays.page import start_of
from sim.replays.replay import replay
from sim.report.page import coverage_of, played_sections, render, switch_settings
from sim.scenario import Scenario
from sim.scenario.changes import as_played_marked, changes_in_words, command_for, title_in_full

GENERATOR = "Fairfight show"  # by which a page is known to be ours
SEED, RUNS = 1, 20_000  # of the command that the page proposes; the table is that of run 0


def scenario_page(scenario: Scenario) -> str:
    """The fight in full as one HTML page."""
    return render(
        "scenario.html.jinja",
        with_fights=True,
        generator=GENERATOR,
        page_title=title_in_full(scenario),
        scenario=scenario,
        ruleset=scenario.ruleset,
        start=start_of(replay(scenario, 0, SEED)),
        changes=changes_in_words(scenario),
        played=played_sections(as_played_marked(scenario)),
        switches=switch_settings(scenario),
        coverage=coverage_of(scenario),
        command=command_for(scenario, "run", "runs", RUNS, SEED),
    )
