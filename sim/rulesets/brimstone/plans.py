"""A policy of Brimstone, read and checked: whom to prefer, when to pay Grit, where to go, what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.expr import Expression, parse
from sim.core.policy import Line, Verb, Vocabulary, inherit, read_lines
from sim.errors import FormulaError, Problem, ScenarioError, did_you_mean

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
ROLL_NAMES = {"dice": "dice of the attack just rolled", "missed": "dice that missed"}
ENEMY_NAMES = {
    "their_range": "range from the hero",
    "their_health": "remaining health",
    "their_threat": "expected damage of their attack, in twelfths",
    "their_worth": "expected wounds of the attack on them, in 576ths",
    "their_effort": "remaining health / max(0.01, expected wounds)",
}
VOCABULARY = Vocabulary(
    names=NAMES,
    target_names={"enemy": ENEMY_NAMES},
    verbs={
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
MOVES = ("stay", "anywhere", "best", "keep_away", "approach")
KEYS = (
    *("about", "order", "share", "reroll", "escape", "saves", "last_chance", "fortune", "mend"),
    *("fanning", "items"),
    *("move", "action"),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed."""

    name: str
    order: tuple[tuple[Expression, bool], ...]  # key, and whether the largest comes first
    by_lot: bool  # no order: hits go to any legal target
    share: tuple[int, int]
    reroll: Expression
    escape: Expression
    saves: bool
    last_chance: bool
    fortune: bool
    mend: bool
    fanning: bool
    items: bool
    move: tuple[Line, ...]
    action: tuple[Line, ...]


def read_plan(name: str, policies: Mapping[str, Any], place: str = "policy") -> Plan:
    """The plan of a policy; raises ScenarioError with all that is wrong in it."""
    full, problems = inherit(policies)
    if name not in full:
        raise ScenarioError(
            Problem(place, f"unknown policy '{name}'{did_you_mean(name, full)} (known: {', '.join(full)})")
        )
    entry = full[name]
    where = f"policies.{name}"
    for key in entry:
        if key not in KEYS:
            problems.append(Problem(f"{where}.{key}", f"unknown key{did_you_mean(key, KEYS)}"))
    order: list[tuple[Expression, bool]] = []
    for number, text in enumerate(entry.get("order", [])):
        direction, _, words_of_key = str(text).partition(" ")
        if direction not in ("least", "most"):
            problems.append(Problem(f"{where}.order[{number}]", f"expected 'least ...' or 'most ...', found {text!r}"))
            continue
        rank = _formula(words_of_key, {*NAMES, *ENEMY_NAMES}, f"{where}.order[{number}]", problems)
        if rank is not None:
            order.append((rank, direction == "most"))
    share = entry.get("share", [0, 1])
    if not (isinstance(share, list) and len(share) == 2 and all(isinstance(n, int) for n in share) and share[1] > 0):
        problems.append(Problem(f"{where}.share", f"expected two whole numbers such as [1, 3], found {share!r}"))
        share = [0, 1]
    reroll = _formula(entry.get("reroll", "false"), {*NAMES, *ROLL_NAMES}, f"{where}.reroll", problems)
    escape = _formula(entry.get("escape", "false"), set(NAMES), f"{where}.escape", problems)
    lines = {}
    for key in ("move", "action"):
        lines[key], found = read_lines(entry.get(key, []), VOCABULARY, f"{where}.{key}")
        problems += found
        for number, line in enumerate(lines[key]):
            if (line.do in MOVES) != (key == "move"):
                problems.append(Problem(f"{where}.{key}[{number}].do", f"'{line.do}' is no {key}"))
    words = {}
    for key in ("saves", "last_chance", "fortune", "mend", "fanning", "items"):
        words[key] = entry.get(key, False)
        if not isinstance(words[key], bool):
            problems.append(Problem(f"{where}.{key}", f"expected true or false, found {words[key]!r}"))
    if problems or reroll is None or escape is None:
        raise ScenarioError(problems)
    return Plan(
        name=name,
        order=tuple(order),
        by_lot=not order,
        share=(share[0], share[1]),
        reroll=reroll,
        escape=escape,
        **words,
        move=lines["move"],
        action=lines["action"],
    )


def _formula(text: Any, names: set[str], place: str, problems: list[Problem]) -> Expression | None:
    try:
        return parse(str(text).lower() if isinstance(text, bool) else str(text), names, place=place)
    except FormulaError as error:
        problems.extend(error.problems)
        return None
