"""What an adventure file may say, as a pydantic model: its party as in a scenario, scenes, and house values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from sim.core.ruleset import Ruleset
from sim.core.schema import ScenarioModel, Strict, one_of
from sim.scenario.adventure_file import BY_XP, HOUSE, MONSTERS, MOST_TIMES, party_keys


def model_of(game: Ruleset[Any]) -> type[ScenarioModel]:
    """What an adventure of a game may say."""
    ours = (*party_keys(game), MONSTERS)
    fields: dict[str, Any] = {
        key: (info.annotation, info) for key, info in game.scenario_model.model_fields.items() if key in ours
    }
    scene: Any = _scene_model(game)
    scenes: Any = list[scene]
    fields["scenes"] = (scenes, Field(min_length=1, max_length=40, description="What the party goes through."))
    fields["order"] = (
        list[int | str] | None,
        Field(None, description="Which scenes are played, by number from 1; a text is one rest more."),
    )
    if game.house_values():
        fields[HOUSE] = (_house_model(game) | None, Field(None, description="House values that hold on this evening."))
    model: type[ScenarioModel] = create_model(f"{game.name}_adventure", __base__=ScenarioModel, **fields)
    return model


def _scene_model(game: Ruleset[Any]) -> Any:
    """A scene: a fight, a rest or a level."""
    fields: dict[str, Any] = {
        "name": (
            str | None,
            Field(None, min_length=1, description="For tables and replays; that of the fight if absent."),
        ),
        "fight": (
            str | _fight_model(game) | None,
            Field(None, description="A scenario by name, a file beside this one, or a table."),
        ),
        "random": (
            one_of(game.generators(), "generator") | None,
            Field(None, description="Instead of a fight: what the rules make anew in every run."),
        ),
        "times": (
            Annotated[int, Field(ge=1, le=MOST_TIMES)],
            Field(1, description="How often it is played in a row, each time with a luck of its own."),
        ),
        "set": (
            dict[str, Any],
            Field(default_factory=dict, description='Changes of the fight: { "enemies.0.count" = 4 }.'),
        ),
        "places": (list[Any], Field(default_factory=list, description="Where the heroes stand as the fight begins.")),
        "unless": (str | None, Field(None, description="When the party turns back: 'party_hp < 0.3'.")),
        "rest": (one_of(game.rests(), "rest") | None, Field(None, description="What kind of rest.")),
        "level_up": (
            bool | Literal[BY_XP],
            Field(False, description="true: every hero gains a level; 'xp': who has earned one by now."),
        ),
    }
    if not game.generators():
        del fields["random"]
    return create_model(f"{game.name}_scene", __base__=Strict, **fields)


def _fight_model(game: Ruleset[Any]) -> Any:
    """A fight as a table: a scenario without a party."""
    left_out = (*party_keys(game), "ruleset", "title")
    fields: dict[str, Any] = {
        key: (info.annotation, info) for key, info in game.scenario_model.model_fields.items() if key not in left_out
    }
    fields["title"] = (str, Field("", description="One line for tables and reports."))
    return create_model(f"{game.name}_fight", __base__=Strict, **fields)


def _house_model(game: Ruleset[Any]) -> Any:
    """What `[evening]` may say: the game's house values, each within its bounds."""
    fields: dict[str, Any] = {}
    for name, value in game.house_values().items():
        kind: Any = Literal[value.only] if value.only else Annotated[int, Field(ge=value.least, le=value.most)]
        fields[name] = (kind, Field(value.default, description=value.about))
    return create_model(f"{game.name}_evening", __base__=Strict, **fields)
