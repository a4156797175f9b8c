"""What the lines of a policy can ask and do."""

from __future__ import annotations

from sim.core.policy import Verb, Vocabulary

VOCABULARY = Vocabulary(
    names={
        "round": "the number of the round",
        "coins": "of the hero who acts",
        "bluff": "policy option",
    },
    target_names={
        "friend": {"their_coins": "coins left", "their_level": "level"},
        "foe": {"their_coins": "coins left"},
    },
    verbs={
        "flip": Verb("flip a coin against a foe", "foe"),
        "give": Verb("give alms to a friend", "friend"),
        "bluff": Verb("bluff a foe (with a hat)", "foe"),
    },
)
