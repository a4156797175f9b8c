"""The commented adventure that a designer begins with."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from sim.core.ruleset import Ruleset
from sim.errors import InputError, Problem
from sim.scenario.catalogue import scenarios_of
from sim.scenario.scenario import Scenario, from_dict
from sim.scenario.toml_writer import value_text

_WIDTH = 100


def adventure_text(base: Scenario, file: str = "FILE.toml", schema_file: str | None = None) -> str:
    """The text of an adventure: the party of a scenario, that fight twice, and a rest between."""
    game: Ruleset[Any] = base.ruleset
    if not game.carries():
        raise InputError(Problem("--adventure", f"{game.title} does not say what a party takes along"))
    return "\n".join(_lines(base, game, file)) + "\n"


def _lines(base: Scenario, game: Ruleset[Any], file: str) -> Iterator[str]:
    party, rests = base.name.rpartition("/")[2], list(game.rests())
    built_in = base.name in scenarios_of(game)
    fight = party if built_in else str(base.source)
    yield from _prose(f"An adventure of {game.title}: scenes that one party plays in order.")
    yield "#"
    yield f"#     fairfight check {file}      is everything in order?"
    yield f"#     fairfight run {file}        who comes through, and where the others end"
    yield "#"
    yield from _prose("What goes on from scene to scene:")
    for about in game.carries().values():
        yield from _prose(f"- {about}")
    yield ""
    yield f"ruleset = {value_text(game.name)}"
    yield 'title = "My own adventure"'
    yield ""
    yield from _prose("Whose heroes play, and how: the party of a scenario, or the game's own keys such as [[heroes]].")
    yield f"party_of = {value_text(fight)}"
    if base.policy:
        yield f"#policy = {value_text(base.policy)}"
    yield ""
    yield from _house(game)
    yield from _prose(
        "Every scene is a fight, a rest or a level gained. A fight is a scenario of the game by its name "
    )
    yield from _prose("('fairfight list scenarios'), a file beside this one, or a table [scenes.fight] of its own.")
    yield "[[scenes]]"
    yield f"fight = {value_text(fight)}"
    yield '#name = "the gate"'
    yield '#set = { "enemies.0.count" = 2 }     # changes of the fight, as --set makes them'
    yield "#times = 3                           # how often in a row, each time with a luck of its own"
    yield ""
    yield from _random(game)
    for kind, about in game.rests().items():
        yield from _prose(f"{kind}: {about}")
    if rests:
        yield "[[scenes]]"
        yield f"rest = {value_text(rests[0])}"
        yield ""
    if _has_levels(base, game):
        yield "#[[scenes]]"
        yield '#level_up = true                     # every hero gains a level; with "xp" who has earned one by now'
        yield ""
    yield "[[scenes]]"
    yield f"fight = {value_text(fight)}"
    yield '#name = "the last room"'
    yield '#unless = "party_hp < 0.3"           # when the party turns back before it; counted apart'


def _house(game: Ruleset[Any]) -> Iterator[str]:
    """The house's figures, each with its value; nothing for a game that has none."""
    values = game.house_values()
    if values:
        yield from _prose("What the house says where the game does not; take away a # to change it on this evening.")
        yield "#[evening]"
        for name, value in values.items():
            yield from _prose(value.about)
            yield f"#{name} = {value.default}"
        yield ""


def _random(game: Ruleset[Any]) -> Iterator[str]:
    """What the game's rules make anew in every run; nothing where they make nothing."""
    made = game.generators()
    if made:
        yield from _prose("Instead of a fight: what the rules make anew in every run.")
        for name, generator in made.items():
            yield from _prose(f"- {name}: {generator.about}")
        yield "#[[scenes]]"
        yield f"#random = {value_text(next(iter(made)))}"
        yield ""


def _has_levels(base: Scenario, game: Ruleset[Any]) -> bool:
    return game.one_level_up(from_dict(base.data).data) is not None


def _prose(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, _WIDTH - 2)]
