"""Scenario files: finding, reading, checking and overriding them.

    scenario = load("overhill/playtest-1", sets=["enemies.skeleton.count=4"], policy="cautious")
    scenario.title, scenario.settings, scenario.resolved(), scenario.digest
    encounter = scenario.encounter()

The pieces, from the text of a file upward:

    paths       heroes[1].level: key paths, written and read
    lines       the line of every key of a TOML file
    files       reading a TOML file, whatever may be wrong with it
    plain       what a scenario may hold at all
    shape       what may stand where: the ruleset's model as JSON Schema, in words
    checking    everything that is wrong with a scenario, one message per key
    overrides   --set path=value
    catalogue   scenarios by name and by path
    scenario    the checked scenario
    loading     all of it together
    toml        writing a scenario as TOML
    starter     the commented file that a designer begins with
"""

from sim.scenario.catalogue import scenario_names, scenarios_of
from sim.scenario.loader import as_scenario, from_dict, load
from sim.scenario.scenario import Scenario

__all__ = ["Scenario", "as_scenario", "from_dict", "load", "scenario_names", "scenarios_of"]
