"""What the lines of a policy of Second Era can ask and do."""

from __future__ import annotations

from sim.core.policy import Verb, Vocabulary
from sim.rulesets.second_era import data

CLASSES = tuple(data.units("archetypes"))
FROM = ("here", "reach", "entrance")
PLACE = ("threat", "steps", "target")
STOP = {"stop": "yes_no"}

VOCABULARY = Vocabulary(
    names={
        "round": "the number of the round",
        "hp": "hit points of the adventurer who acts",
        "health": "its maximum",
        "stamina": "hexes per move, Stamina dice per engage",
        "magicka": "Magicka dice per engage",
        "tenacity": "of the adventurer who acts",
        **{name: f"the adventurer is a {name}" for name in CLASSES},
        **{name: f"its primary form is {name}" for name in data.FORMS[:4]},
        "engaged": "it has engaged in this turn",
        "moved": "it has moved in this turn",
        "healed": "it has healed first in this turn",
        "dazed": "it is under Daze",
        "hidden": "it is under Stealth",
        "offense": "it can gather offensive dice for its primary form",
        "combat_dice": "available Combat dice",
        "can_engage": "an enemy is targetable in the primary form from a hex within reach",
        "enemies": "enemies in play",
        "coin": "true by the toss of a coin, once per turn",
    },
    target_names={
        "enemy": {
            "their_hp": "hit points",
            "their_health": "maximum hit points",
            "their_defense": "Defense",
            "their_combat": "Combat dice",
            "their_range": "range",
            "killable": "the mean of the offensive dice, less defense, is at least its HP",
        }
    },
    verbs={
        "heal": Verb("healers: engage with the healing dice if the party misses 2 HP or more", None, STOP),
        "engage": Verb(
            "go to a hex with a target and engage with all offensive dice of the form",
            "enemy",
            {"form": "word", "from": "word", "place": "words", "stay": "yes_no", **STOP},
            {"form": ("own", *data.FORMS[:4]), "from": FROM, "place": PLACE},
        ),
        "approach": Verb("step toward the nearest enemy", None, {"moves": "formula", "most_threat": "formula", **STOP}),
        "safest": Verb("move to the safest hex", None, STOP),
        "cloak": Verb("nightblades: engage with Shadow Cloak if it has no Stealth", None, STOP),
        "defend": Verb("defensive engage with all Combat dice if a slot is free", None, STOP),
        "wander": Verb("move to a hex within reach, by lot", None, STOP),
        "anything": Verb("engage by lot: any form and target, guard, prayers, cloak", None, STOP),
        "stop": Verb("end the actions of this turn"),
    },
)
