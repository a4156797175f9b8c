"""The exact encounters of the specification (13.6): heroes, monsters, settings, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.rulesets.overhill.fights import STANDARD_PARTY, table

BLUNT_WARRIOR = {"class": "warrior", "melee_tag": "blunt"}
WARRIOR, ROGUE, PAIR = ("warrior",), ("rogue",), ("warrior", "rogue")
TRIO = ("warrior", "rogue", "magic_user")
FOUR, MIXED = (("skeleton", 4),), (("skeleton", 2), ("zombie", 1))
SPREAD, BY_LOT = {"monster_targeting": "spread"}, {"monster_targeting": "random"}


@dataclass(frozen=True)
class Known:
    """One exact encounter; `up` is the chance to win with nobody down, None where it is that of winning."""

    heroes: tuple[Any, ...]
    enemies: tuple[Any, ...]
    win: float
    rounds: float
    up: float | None = None
    options: dict[str, Any] = field(default_factory=dict)
    switches: dict[str, Any] = field(default_factory=dict)

    @property
    def scenario(self) -> dict[str, Any]:
        """As a scenario file would say it."""
        return table(self.heroes, self.enemies, policy_options=self.options, switches=self.switches)


KNOWN = {
    "X01": Known(WARRIOR, (("skeleton", 1),), 0.999847584210, 1.333130112280),
    "X02": Known(WARRIOR, (("skeleton", 2),), 0.993100586267, 1.766688146124),
    "X03": Known(WARRIOR, FOUR, 0.847387172783, 2.967506987628),
    "X03a": Known(WARRIOR, FOUR, 0.888047259615, 2.491719966376, options={"stance": "aggressive"}),
    "X03b": Known(WARRIOR, FOUR, 0.842245428554, 3.865097790223, options={"stance": "defensive"}),
    "X03c": Known((BLUNT_WARRIOR,), FOUR, 0.968688898759, 2.029951318685),
    "X03d": Known(WARRIOR, FOUR, 0.913129335150, 2.846429457419, switches={"melee_threshold": "meet"}),
    "X03e": Known(WARRIOR, FOUR, 0.935625187013, 3.166014459380, switches={"dodge_threshold": "meet"}),
    "X03f": Known(WARRIOR, FOUR, 0.998801461705, 3.306084435870, switches={"monster_damage": "one"}),
    "X03g": Known(WARRIOR, FOUR, 0.944429094498, 3.186128472098, switches={"monster_damage": "margin"}),
    "X03h": Known(WARRIOR, FOUR, 0.748013710012, 2.741166435451, switches={"defense_die": "quick"}),
    "X03i": Known(WARRIOR, FOUR, 0.935625187013, 3.166014459380, switches={"level_bonus": "all"}),
    "X04": Known(ROGUE, (("skeleton", 1),), 0.668183887119, 2.672735548475),
    "X05": Known(ROGUE, (("gobbo", 3),), 0.701466637191, 9.609742253569),
    "X05a": Known(ROGUE, (("gobbo", 3),), 0.671307595485, 9.522889053310, options={"rogue_sneak": True}),
    "X06": Known(PAIR, (("gobbo", 3),), 1 - 5.360372e-13, 1.950623213606, 0.999997962722),
    "X06a": Known(PAIR, (("gobbo", 10),), 0.999383384580, 6.340619916790, 0.968420290635),
    "X07": Known(PAIR, MIXED, 0.960930846646, 2.196822469340, 0.786139675319),
    "X07a": Known(
        PAIR, MIXED, 0.961245499274, 2.178509446293, 0.805631674657, switches={"threat_window": "current_round"}
    ),
    "X07b": Known(PAIR, MIXED, 0.959993975317, 2.188832522576, 0.807151767545, switches={"threat_scope": "all"}),
    "X07c": Known(PAIR, MIXED, 0.958816984137, 2.202331671470, 0.777486174905, switches=SPREAD),
    "X07d": Known(PAIR, MIXED, 0.960802200192, 2.198507084830, 0.784237023814, switches=BY_LOT),
    "X08": Known(WARRIOR, (("ghoul", 4),), 0.998058819263, 1.285119459889),
    "X08a": Known(ROGUE, (("ghoul", 4),), 0.811881264582, 2.421578686710),
    "X08b": Known(WARRIOR, (("ghoul", 6),), 0.980622928276, 1.628893180968),
    "X08c": Known(WARRIOR, (("ghoul", 6),), 0.999940714007, 1.663584616711, switches={"paralysed_defense": "roll"}),
    "X09": Known(WARRIOR, (("wight", 2),), 0.978873865585, 2.675366373474),
    "X10": Known(TRIO, (("zombie", 3),), 0.992395779340, 1.493280730286, 0.911191955481),
    "X10a": Known(TRIO, (("zombie", 3),), 0.992664551475, 1.491969402153, 0.912170452078, switches={"mishaps": "off"}),
    "X11": Known(STANDARD_PARTY, (("skeleton", 3), ("zombie", 2)), 0.985900435267, 2.088614244646, 0.725446594408),
}

# Expected heroes standing at the end, 0 in a lost fight.
STANDING = {"X07": 1.747070521964, "X10": 2.877139434173, "X11": 3.609644854070}

FRACTIONS = {
    "X01": Fraction(6560, 6561),
    "X02": Fraction(687143482240, 691917306003),
    "X03": Fraction(25123291961154442208889535935075872768, 29647949329520838986604861494779483041),
    "X03a": Fraction(77799389419801292752528, 87607262538648555451875),
    "X03b": Fraction(8983662072960977659689710676673475328, 10666323340429852749958494687339750625),
    "X03c": Fraction(
        175248131242191007491560239877103733225049286848512, 180912707337345190554521096335016677617364524540001
    ),
    "X03d": Fraction(
        165196700171079382879202434204379954336471464161280, 180912707337345190554521096335016677617364524540001
    ),
    "X03e": Fraction(106351781132533502106793098201856, 113669215631138368285764636510125),
    "X03h": Fraction(28565895217229936, 38188999526162625),
    "X03i": Fraction(106351781132533502106793098201856, 113669215631138368285764636510125),
    "X04": Fraction(1468, 2197),
    "X05": Fraction(2343060320960728510816275712, 3340230592213107501220703125),
    "X05a": Fraction(
        94936604546288365796602268519130414088911896222768081550059776,
        141420423640000370755497338540178630411934765191098458635203125,
    ),
    "X07": Fraction(
        293079596002852238668831931649311405771285446919458319945923913496,
        304995512451203742100577981431759587920954271399618816108642578125,
    ),
    "X07a": Fraction(
        293175563642409223586574409810659529552169511233416306766264245248,
        304995512451203742100577981431759587920954271399618816108642578125,
    ),
    "X07b": Fraction(
        149910453479315647008002148911392074497651747594600072763245174546953,
        156157702375016315955495926493060909015528586956604833847625000000000,
    ),
    "X07c": Fraction(
        237205680922400696547203861188672513960793727105578691450633,
        247394116757222338369091835324019333124192554388631835937500,
    ),
    "X07d": Fraction(
        4981686110000309109740394684739652873537855567703230885261455954944,
        5184923711670463615709825684339912994656222613793519873846923828125,
    ),
    "X08": Fraction(647777208986697634648860483026721, 649037107316853453566312041152512),
    "X08a": Fraction(1685258771431131219534061194846137577165115027, 2075745364438982808475984854820086909440000000),
    "X08b": Fraction(
        24044804237666974166884624919853401795445727275215015129,
        24519928653854221733733552434404946937899825954937634816,
    ),
    "X09": Fraction(5103749275060183676083400476926896129, 5213898801977897622798622709199360000),
}
