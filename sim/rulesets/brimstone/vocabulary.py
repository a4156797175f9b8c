"""What policy lines of Brimstone can ask and do."""

from __future__ import annotations

from sim.core.policy import Verb, Vocabulary

NAMES = {
    "round": "the number of the turn",
    "health": "Health of the hero who acts",
    "health_left": "remaining Health",
    "sanity": "Sanity",
    "sanity_left": "remaining Sanity",
    "grit": "Grit",
    "max_grit": "the most Grit the hero can hold",
    "has_gun": "the hero has a gun (free items do not count)",
    "can_attack": "a mode of attack is available on the hero's square",
    "adjacent": "living enemies next to the hero",
    "slipped": "the hero has passed an Escape roll this turn",
    "enemies": "living enemies",
    "heroes": "standing heroes",
    "coin": "a fair coin, tossed once per activation",
}
ROLL_NAMES = {
    "dice": "dice of the attack just rolled",
    "missed": "dice that missed",
    "grit": NAMES["grit"],
    "max_grit": NAMES["max_grit"],
}
ENEMY_NAMES = {
    "their_range": "range from the hero",
    "their_health": "remaining health",
    "their_threat": "expected damage of their attack, in twelfths",
    "their_worth": "expected wounds of the attack on them, in 576ths",
    "their_effort": "remaining health / max(0.01, expected wounds)",
}
TREATMENTS = ("bandages", "herbs", "whiskey", "tonic")
VOCABULARY = Vocabulary(
    names=NAMES,
    target_names={"enemy": ENEMY_NAMES},
    verbs={
        "fine_cigar": Verb("light a Fine Cigar, unless one burns: Armor 3+ until the end of the turn"),
        "flash": Verb("throw a Flash, unless one was thrown this turn: enemies are slower until the end of the next"),
        "spice": Verb("take Spice, unless one waits: the next hit does D3 more damage, at the price of a wound"),
        "treat": Verb(
            "use a token on the first adjacent hero who needs it; share = [1, 2]: who has no more than half left",
            None,
            {"token": "word"},
            {"token": TREATMENTS},
        ),
        "buy_move": Verb("pay 1 Grit for D6 more movement points this turn"),
        "stay": Verb("stay where you are"),
        "anywhere": Verb("any square within reach, by lot"),
        "best": Verb(
            "the square within reach with the best attack; ties: fewest steps, then by lot",
            None,
            {"clear": "yes_no", "uncrowded": "yes_no"},
        ),
        "keep_away": Verb("the square within reach with a gun shot, nobody adjacent and the nearest enemy farthest"),
        "approach": Verb("the square within reach that is nearest to an enemy"),
        "attack": Verb("the mode with the largest expected wounds against the preferred enemy"),
        "throw": Verb("throw Dynamite at a crowd", None, {"crowd": "formula", "distance": "formula"}),
        "help": Verb("help a KO'd hero"),
        "anything": Verb("any available mode, by lot; Dynamite counts as one"),
    },
)
STARTS = ("fine_cigar", "flash", "spice", "treat", "buy_move")
MOVES = ("stay", "anywhere", "best", "keep_away", "approach")
ACTIONS = ("attack", "throw", "help", "anything")
STEPS = {"start": STARTS, "move": MOVES, "action": ACTIONS}  # which verbs belong to which step of an activation
