"""The scalar referee of Overhill & Underdale: one encounter at a time, with loops and ifs.

Written from the rule text, rule ids in the docstrings, and meant to be read beside it. `prepare` turns a scenario (the
dict that `tomllib` makes of a scenario file) into what stays the same in every run; `play` plays one run. Where a
random number is asked for is agreed in `sim/rulesets/overhill/README.md`; so are the readings of open points.

    prepared = prepare(SCENARIOS["playtest-1"])
    result = play(prepared, AddressedLuck(seed=1, run=0))

| module | what |
|---|---|
| `addresses` | where random numbers are asked for |
| `data`, `scenarios` | the tables of the game, and the reference fights |
| `build` | from a scenario to heroes and groups with their numbers |
| `state` | one run: units, counts, the trace |
| `setup` | before round 1: numbers, engagement, trap |
| `rounds`, `encounter` | the round, and a run from set-up to the end |
| `hero_moves`, `hero_attacks`, `magic`, `prayers`, `items` | what heroes do; `actions` has it by name |
| `enemy_turns`, `enemy_attacks` | whom monsters attack, and how |
| `dice`, `damage` | rolls and hit counts; health, and monsters removed |
| `odds`, `worth` | what the policies expect of an option |
| `policies`, `expert`, `random_player` | the scripted players; `player` has them by name |
"""

from tests.oracle.overhill.build import Prepared, prepare
from tests.oracle.overhill.data import POLICY_NAMES, PRESETS, SWITCHES
from tests.oracle.overhill.encounter import play
from tests.oracle.overhill.scenarios import SCENARIOS
from tests.oracle.overhill.state import Result

__all__ = ["POLICY_NAMES", "PRESETS", "SCENARIOS", "SWITCHES", "Prepared", "Result", "play", "prepare"]
