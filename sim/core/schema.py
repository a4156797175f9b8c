"""What the scenario files of all games have in common, as pydantic models.

A ruleset derives its own model from `ScenarioModel` and adds heroes, enemies and places. Everything a file may say is
declared there, so one declaration gives the checks, the JSON Schema for editors and the overrides of `--set`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.json_schema import WithJsonSchema
from pydantic_core import PydanticCustomError

from sim.errors import did_you_mean


class Strict(BaseModel):
    """Unknown keys are mistakes; text is not silently made a number."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


OWN = "own"  # in a JSON Schema: names from this table of the scenario may stand here


def unknown_name(value: str, known: Iterable[str], what: str) -> str:
    """What to say of a name that nobody knows: the nearest one, or all.

    >>> unknown_name("skelton", ["zombie", "skeleton"], "monster")
    "unknown monster 'skelton'; did you mean 'skeleton'?"
    """
    names = list(known)
    remedy = did_you_mean(value, names) or f" (known: {', '.join(names)})"
    return f"unknown {what} '{value}'{remedy}"


def one_of(names: Iterable[str], what: str, own: str = "") -> Any:
    """A text that must be one of the names, which are data and not known to the type checker.

    The message names the nearest one, or all: "unknown monster 'skelton'; did you mean 'skeleton'?"

    Args:
        own: a table of the scenario ("monsters", "classes") whose names are right as well. They are known only where
            the whole scenario is, so the check is made there (`sim.scenario.checks`), in the same words.
    """
    known = tuple(names)
    if own:
        listed = {"type": "string", "enum": list(known)}
        return Annotated[str, WithJsonSchema({"anyOf": [listed, {"type": "string", OWN: own, "what": what}]})]

    def check(value: str) -> str:
        if value not in known:
            raise PydanticCustomError("unknown_name", "{message}", {"message": unknown_name(value, known, what)})
        return value

    return Annotated[str, AfterValidator(check), WithJsonSchema({"type": "string", "enum": list(known)})]


class OwnType(Strict):
    """A type of one's own: what every game's entry of `[monsters.NAME]` or `[classes.NAME]` may say.

    A game derives its model from this, and adds `like` (one_of the game's own names, with `own` set to the table) and
    the numbers and traits that it knows, all of them optional: what is left out is as in the type that it is like.
    """

    name: str | None = Field(None, min_length=1, max_length=60, description="How people read it; the key if absent.")


class ScenarioModel(Strict):
    """A fight: who, where, which rules."""

    ruleset: str = Field(description="The game: see `fairfight list`.")
    title: str = Field(description="One line for tables and reports.")
    description: str = Field("", description="What the fight is for; shown by `fairfight show`.")
    preset: str | None = Field(None, description="A named set of switches; the ruleset's default if absent.")
    switches: dict[str, Any] = Field(default_factory=dict, description="House rules by name, on top of the preset.")
    policy: str = Field(description="How the party plays: a name from the ruleset's policies.")
    bestiary: str | None = Field(
        None, description="A file beside this one with types of your own: tables such as [monsters.bone_lord]."
    )
