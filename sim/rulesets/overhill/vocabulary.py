"""What the lines of a policy can ask and do.

Besides the words of the game there are those of the fight: its heroes, by their names. "Bruna the Bold" is asked for as
`bruna_the_bold`, the second of two warriors as `warrior_2`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from keyword import iskeyword

from sim.core.policy import Verb, Vocabulary
from sim.rulesets.overhill import data

ITEM_VERBS = {"potion": data.POTION, "tonic": data.TONIC, "oil": data.OIL, "smoke": data.SMOKE, "acid": data.ACID}
_ITEMS = data.items()

VOCABULARY = Vocabulary(
    names={
        "round": "the number of the round",
        "health": "of the hero who acts",
        "max_health": "of the hero who acts",
        "level": "of the hero who acts",
        **{name: f"the hero is a {name.replace('_', ' ')}" for name in data.CLASSES},
        "in_front": "the hero stands in the front guard",
        "rear_attack": "the hero can attack from the rear guard (a spell or a ranged weapon)",
        "cast_blocked": "no spells this round",
        "silenced": "no more spells",
        "lapsed": "no more prayers",
        "heroes": "standing heroes",
        "monsters": "living monsters",
        "front_weight": "standing front heroes, Shield Wall counting twice",
        "front_monsters": "living front monsters",
        "worst_hit": "the most health that one hit of a living group can cost",
        "safe_push": "the most extra casting dice with a mishap chance of at most a third; 0 at 2 health or less",
        "bump_max": "the switch bump_max",
        "all_can_talk": "every group can be talked to",
        "rogue_sneak": "policy option",
        "warrior_frenzy": "policy option",
    },
    target_names={
        "hero": {
            "their_health": "health",
            "their_max_health": "maximum health",
            "their_level": "level",
            "their_front": "stands in the front guard",
            **{f"their_{name}": f"is a {name.replace('_', ' ')}" for name in data.CLASSES},
        },
        "group": {
            "their_number": "monsters left in the group",
            "their_attack": "attack value",
            "their_defence": "defence",
            "their_rear": "stands in the rear guard",
            "their_threat": "health that one attack is expected to cost, over the heroes it may choose",
        },
    },
    verbs={
        "melee": Verb("one melee attack", "group"),
        "sneak": Verb("Sneak Attack (rogues)", "group"),
        "frenzy": Verb("Frenzy (feat)", "group"),
        "dual": Verb("Dual Wield (feat)", "group"),
        "bash": Verb("Shield Bash (feat)", "group"),
        "ranged": Verb("one ranged attack from the rear guard", "group"),
        "dart": Verb("Magic Dart", "group", {"push": "formula"}),
        "heal": Verb("pray for healing", "hero", {"bumps": "formula"}),
        "bless": Verb("pray for a blessing", "hero", {"attribute": "word"}, {"attribute": data.ATTRIBUTES}),
        "potion": Verb(f"drink a healing potion: {_ITEMS['healing_potion']}"),
        "tonic": Verb(f"drink a war tonic: {_ITEMS['war_tonic']}"),
        "oil": Verb(f"use stone oil: {_ITEMS['stone_oil']}"),
        "smoke": Verb(f"throw a smoke flask: {_ITEMS['smoke_flask']}", "group"),
        "acid": Verb(f"throw an acid flask: {_ITEMS['acid_flask']}", "group"),
        "move_front": Verb("move to the front guard"),
        "move_rear": Verb("move to the rear guard"),
        "best": Verb(
            "the attack with the most expected kills, times `weigh`; no other ranking of its target",
            "group",
            {"among": "words", "weigh": "formula", "push": "formula", "useful": "yes_no"},
            {"among": data.STRIKES},
        ),
        "anything": Verb(
            "anything legal: first the kind by lot, then the choice",
            None,
            {"among": "words"},
            {"among": data.ACTIONS},
        ),
        "pass": Verb("do nothing"),
    },
)


def hero_words(names: Sequence[str]) -> dict[str, int]:
    """The word for each hero of a fight, and its place in the roster.

    A name that cannot be written as a word, or is one of the game's own (a lone warrior is `warrior`), has none.

    >>> hero_words(["Bruna the Bold", "warrior 1", "warrior 2", "priest", "7th"])
    {'bruna_the_bold': 0, 'warrior_1': 1, 'warrior_2': 2}
    """
    words: dict[str, int] = {}
    for hero, name in enumerate(names):
        word = re.sub(r"\W+", "_", name.lower()).strip("_")
        if word.isidentifier() and not iskeyword(word) and word not in VOCABULARY.names:
            words.setdefault(word, hero)
    return words


def vocabulary_of(names: Sequence[str]) -> Vocabulary:
    """What lines can ask and do in a fight with heroes of these names."""
    words = hero_words(names)
    own = {word: f"the hero is {names[hero]}" for word, hero in words.items()}
    theirs = {f"their_{word}": f"is {names[hero]}" for word, hero in words.items()}
    about_heroes = theirs | dict(VOCABULARY.target_names["hero"])
    return replace(
        VOCABULARY,
        names=own | dict(VOCABULARY.names),
        target_names={**VOCABULARY.target_names, "hero": about_heroes},
    )
