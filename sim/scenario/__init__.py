"""Scenario files: finding, reading, checking and overriding them.

    scenario = load("overhill/playtest-1", sets=["enemies.skeleton.count=4"], policy="cautious")
    scenario.title, scenario.settings, scenario.resolved(), scenario.digest
    encounter = scenario.encounter()

The pieces, from the text of a file upward:

    values        what may stand in a scenario at all, and heroes[1].level: key paths, written and read
    toml_reader   reading a TOML file, whatever may be wrong with it; the line of every key
    toml_writer   writing a scenario as TOML
    shape         what may stand where: the ruleset's model as JSON Schema, in words
    own_types     monsters and classes of one's own: their names, and whether they say enough
    checks        everything that is wrong with a scenario, one message per key
    overrides     --set path=value
    catalogue     scenarios by name and by path
    bestiary      files of monsters and classes that a scenario brings along
    scenario      the checked scenario, and loading one: all of it together
    types_alone   monsters and classes without a fight, checked
    spreadsheet   monsters and classes to CSV and back
    wording       values as people say them
    changes       what was changed in a fight, in words
    starter       the commented file that a designer begins with
"""

from sim.scenario.catalogue import scenario_names, scenarios_of
from sim.scenario.scenario import Scenario, as_scenario, from_dict, load

__all__ = ["Scenario", "as_scenario", "from_dict", "load", "scenario_names", "scenarios_of"]
