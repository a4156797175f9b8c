"""The scalar referee of Brimstone: one encounter at a time, with loops and ifs.

Written from the rule text, rule ids in the docstrings, and meant to be read beside it. `prepare` turns a scenario (the
dict that `tomllib` makes of a scenario file) into what stays the same in every run; `play` plays one run. Where a
random number is asked for is agreed in `sim/rulesets/brimstone/README.md`; so are the readings of open points.

    prepared = prepare(SCENARIOS["duel"])
    result = play(prepared, AddressedLuck(seed=1, run=0))

A run is one `Fight`. Its rules are methods, spread over modules; every module's class stands on those it needs:

    Table                                  the state and the small words
      Arrivals                             3, how enemies enter
      Harm                                 7.3, 7.4, wounds, KO, kills, blasts, healing
        Tokens                             5.7, 11.3
          Saves                            7.1, 7.2, hits on heroes
        Recovery                           8, Help and healing in any mix
      Targets                              10.1, whom to attack and how
        HeroAttacks (and Saves)            5.4
          Actions (and Recovery)           5.5, 5.6
        HeroMoves (and Saves)              5.3, 10.2
        StartLines (and Saves)             5.2, 5.7, tokens and Grit before the move
          HeroTurns (HeroMoves, Actions)   5.1
      EnemyMoves                           6.6
        Behaviours                         6
          EnemyTurns (and Saves)           6.1, 7.1
    Turns (heroes, enemies, Arrivals)      4
    Ending (on Recovery)                   8
    Fight                                  all of it

The tables of sections 9 to 12 are in `rulebook`, `kit`, `bestiary`, `elites`, `cards` and `scenarios`; `board`,
`sheets`, `levels`, `kind_numbers` and `prepare` read a scenario.
"""

from .bestiary import TYPE_NUMBER, TYPES, Kind
from .board import Board, read_board
from .cards import THREATS, read_count
from .elites import BRUTAL_CHARTS, CHARTS, in_play
from .ending import Result
from .kit import CLASSES, GUNS, MARKERS, NO_CRITICAL, TOKENS, UPGRADES
from .play import Fight, play
from .prepare import Prepared, prepare
from .rulebook import POLICIES, PRESETS, SWITCHES, threat_list
from .scenarios import FOUR, PILLARS, SCENARIOS
from .sheets import Mode
from .targets import AV_PARTS, attack_value
from .units import Attack, FightEnds, Group, Hero, Model

__all__ = [
    "AV_PARTS",
    "BRUTAL_CHARTS",
    "CHARTS",
    "CLASSES",
    "FOUR",
    "GUNS",
    "MARKERS",
    "NO_CRITICAL",
    "PILLARS",
    "POLICIES",
    "PRESETS",
    "SCENARIOS",
    "SWITCHES",
    "THREATS",
    "TOKENS",
    "TYPES",
    "TYPE_NUMBER",
    "UPGRADES",
    "Attack",
    "Board",
    "Fight",
    "FightEnds",
    "Group",
    "Hero",
    "Kind",
    "Mode",
    "Model",
    "Prepared",
    "Result",
    "attack_value",
    "in_play",
    "play",
    "prepare",
    "read_board",
    "read_count",
    "threat_list",
]
