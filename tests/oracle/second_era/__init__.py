"""The scalar referee of Second Era: one battle at a time, with loops and ifs.

Written from the rule text, rule ids in the docstrings, and meant to be read beside it. `prepare` turns a scenario (the
dict that `tomllib` makes of a scenario file) into what stays the same in every run; `play` plays one run. Where a
random number is asked for is agreed in `sim/rulesets/second_era/README.md`; so are the readings of open points.

    prepared = prepare(SCENARIOS["se_dungeon"])
    result = play(prepared, AddressedLuck(seed=1, run=0))

| module | sections of the rules |
|---|---|
| `data` | 9 to 11, the tables |
| `board` | 2.1, 11.1, hexes, range, sight, walking |
| `own_types` | 11.4, 11.5, types of a scenario's own |
| `build` | 3, the scenario and its set-up |
| `state` | 2.2 to 2.6, units and the turn's memories |
| `places` | 10, reach, targets, threat |
| `track` | 5.3, 7.4, cooldown and statuses |
| `damage` | 7.1 to 7.3, damage, Guard, healing |
| `engage` | 5.2, 5.4, dice of the adventurers |
| `abilities` | 11.6, 11.7, SE-A18 |
| `policies` | 10, the scripted players |
| `movement` | 6.3, how enemies move |
| `creatures` | 6.2, 6.4, 7.6, turns of enemies and companions |
| `play` | 4, 8, rounds and the end |
| `evening` | SE-V1 to SE-V4, several battles |
| `scenarios` | 12 |
"""

from tests.oracle.second_era.build import Prepared, prepare
from tests.oracle.second_era.play import play
from tests.oracle.second_era.scenarios import SCENARIOS, clash_scaled
from tests.oracle.second_era.state import Result

__all__ = ["SCENARIOS", "Prepared", "Result", "clash_scaled", "play", "prepare"]
