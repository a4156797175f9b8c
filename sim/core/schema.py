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


def one_of(names: Iterable[str], what: str) -> Any:
    """A text that must be one of the names, which are data and not known to the type checker.

    The message names the nearest one, or all: "unknown monster 'skelton'; did you mean 'skeleton'?"
    """
    known = tuple(names)

    def check(value: str) -> str:
        if value not in known:
            remedy = did_you_mean(value, known) or f" (known: {', '.join(known)})"
            raise PydanticCustomError(
                "unknown_name", "unknown {what} '{value}'{remedy}", {"what": what, "value": value, "remedy": remedy}
            )
        return value

    return Annotated[str, AfterValidator(check), WithJsonSchema({"type": "string", "enum": list(known)})]


class ScenarioModel(Strict):
    """A fight: who, where, which rules."""

    ruleset: str = Field(description="The game: see `fairfight list`.")
    title: str = Field(description="One line for tables and reports.")
    description: str = Field("", description="What the fight is for; shown by `fairfight show`.")
    preset: str | None = Field(None, description="A named set of switches; the ruleset's default if absent.")
    switches: dict[str, Any] = Field(default_factory=dict, description="House rules by name, on top of the preset.")
    policy: str = Field(description="How the party plays: a name from the ruleset's policies.")
