"""The scalar referee of P52: one encounter at a time, with loops and ifs.

Written from the rule text, rule ids in the docstrings, and meant to be read beside it. `prepare` turns a scenario (the
dict that `tomllib` makes of a scenario file) into what stays the same in every run; `play` plays one run. Where a
random number is asked for is agreed in `sim/rulesets/p52/README.md`; so are the readings of open points.

    prepared = prepare(SCENARIOS["duel"])
    result = play(prepared, AddressedLuck(seed=1, run=0))
"""

from .play import Result, UnitResult, play
from .prepare import Prepared, prepare
from .scenarios import SCENARIOS

__all__ = ["SCENARIOS", "Prepared", "Result", "UnitResult", "play", "prepare"]
