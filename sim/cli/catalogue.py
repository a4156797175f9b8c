"""list, show: what there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli import options
from sim.cli.terminal import columns, console, entries, heading, names, say
from sim.core.branch import AGAIN
from sim.core.policy import Verb, split_dial
from sim.core.registry import ruleset, ruleset_names
from sim.core.ruleset import Ruleset, Thing
from sim.errors import InputError, SimError, did_you_mean
from sim.replays.openings import opening_lines
from sim.replays.page_file import check_place, write_page
from sim.report.scenario_page import GENERATOR, scenario_page
from sim.scenario import Scenario, scenarios_of
from sim.scenario.catalogue import adventures_in
from sim.scenario.changes import as_played_marked, title_in_full
from sim.scenario.toml_reader import read_toml
from sim.scenario.toml_writer import to_toml
from sim.scenario.values import is_list_of_tables, readable
from sim.studies.course import follows_curves
from sim.studies.measures import COURSE_MEASURES, MEASURES

if TYPE_CHECKING:
    from rich.console import Console


KINDS = ("rulesets", "scenarios", "adventures", "policies", "presets", "switches")


@click.command(name="list")
@click.argument("kind", required=False, metavar=f"[{'|'.join(KINDS)}|...]")
@click.option("--ruleset", "only", metavar="NAME", help="Only of this ruleset.")
def list_(kind: str | None, only: str | None) -> None:
    """List what there is: rulesets, scenarios, policies, switches.

    Each with a line about it. Games list more of their own, such as enemies, dice and skills, which `fairfight list`
    names at its end.

    \b
    Examples:
      fairfight list
      fairfight list scenarios
      fairfight list switches --ruleset overhill
      fairfight list enemies --ruleset second_era
    """
    wanted = [only] if only else list(ruleset_names())
    games: list[Ruleset[Any]] = []
    broken: list[tuple[str, str]] = []
    for name in wanted:
        try:
            games.append(ruleset(name))
        except SimError as error:
            if only:
                raise
            broken.append((name, str(error)))
    own = list(dict.fromkeys(things for game in games for things in game.things))
    if kind is not None and kind not in (*KINDS, *own):
        known = (*KINDS, *own)
        raise click.UsageError(f"'{kind}' is none of {', '.join(known)}{did_you_mean(kind, known)}")
    screen = console()
    if kind in (None, "rulesets"):
        heading(screen, "Rulesets")
        names(screen, [(game.name, f"{game.title}: {game.about}") for game in games] + broken)
    if kind in (None, "scenarios"):
        heading(screen, "Scenarios")
        for game in games:
            names(screen, _title_lines(scenarios_of(game)))
    if kind in (None, "adventures"):
        heading(screen, "Adventures")
        for game in games:
            names(screen, _title_lines(adventures_in(game)))
    for game in games:
        board = game.switchboard
        if kind in (None, "policies"):
            heading(screen, f"Policies of {game.name}")
            names(screen, list(game.policies.items()))
        if kind in (None, "presets"):
            heading(screen, f"Presets of {game.name}")
            about = board.about | {board.default_preset: f"{board.about[board.default_preset]} (default)"}
            names(screen, list(about.items()))
        if kind in (None, "switches"):
            heading(screen, f"Switches of {game.name}")
            names(screen, [(one.name, switch_line(game, one.name)) for one in board.switches.values()])
        if kind in game.things:
            _list_things(screen, game, str(kind))
    if kind is None and own:
        heading(screen, "More")
        more = [(game.name, ", ".join(game.things)) for game in games if game.things]
        names(screen, [(name, f"{kinds}: as in 'fairfight list {own[0]} --ruleset {name}'") for name, kinds in more])


def _list_things(screen: Console, game: Ruleset[Any], kind: str) -> None:
    """What a game has of a kind: figures in a table, or a line each where there are none."""
    heading(screen, f"{readable(kind).capitalize()} of {game.name} ('fairfight show {game.name}/NAME' tells more)")
    things = game.things[kind]
    if any(thing.figures for thing in things.values()):
        entries(screen, [{"name": name, **one.figures, **_effect(one)} for name, one in things.items()])
    else:
        names(screen, [(name, thing.about) for name, thing in things.items()])


def _effect(thing: Thing) -> dict[str, str]:
    return {"what it does": thing.about} if thing.about else {}


def _title_lines(files: Mapping[str, Path]) -> list[tuple[str, str]]:
    """Name and title of everything in some files."""

    def title(file: Path) -> str:
        try:
            return str(read_toml(file).table.get("title", ""))
        except SimError as error:
            return f"cannot be read: {error}"

    return [(name, title(file)) for name, file in files.items()]


def switch_line(game: Ruleset[Any], name: str) -> str:
    """What a switch does, its values and its default."""
    switch = game.switchboard.switches[name]
    choices = ", ".join(readable(value) for value in switch.values) if switch.kind == "choice" else switch.expected
    return f"{switch.about} [{choices}; {readable(switch.default)} if not set]"


@click.command()
@options.fight
@click.argument("part", required=False)
@click.option("--toml", "as_toml", is_flag=True, help="Print a scenario file that says every number.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write it as a page with the table as the fight begins, such as fight.html.",
)
@options.opening()
@options.as_json
def show(fight: options.AskedFight, part: str | None, as_toml: bool, out: Path | None, as_json: bool) -> None:
    """Show one fight in full, with every number as it will be played.

    SCENARIO is a name from `fairfight list scenarios`, or a .toml file of your own; or a ruleset, or one of its
    policies, presets or switches, as in overhill/plain; or `measures`, what questions can be asked about. Switches
    that differ from the default are marked with a star. PART is one of these or a kind of things of a ruleset:
    traits, monsters ...

    \b
    Examples:
      fairfight show overhill/playtest-1
      fairfight show my-fight.toml --set level=5
      fairfight show overhill/playtest-1 --toml > my-fight.toml
      fairfight show p52/great-room --out great-room.html
      fairfight show overhill
      fairfight show overhill/round_cap
      fairfight show overhill traits
    """
    if as_toml and as_json:
        raise click.UsageError("give --toml or --json, not both")
    if out is not None and (as_toml or as_json):
        raise click.UsageError("--out writes a page; leave --toml and --json away")
    if out is not None:
        check_place(out, GENERATOR)
    if part is not None:
        if fight.scenario not in ruleset_names():
            raise click.UsageError(f"'{part}' may follow the name of a ruleset: {', '.join(ruleset_names())}")
        fight = replace(fight, scenario=f"{fight.scenario}/{part}")
    if not (fight.changed or as_toml or as_json or out) and _show_something_else(fight.scenario):
        return
    scenario = fight.load()
    if as_toml:
        say(to_toml(scenario.resolved()), nl=False)
    elif as_json:
        options.print_json(_document(scenario))
    elif out is not None:
        page = write_page(out, scenario_page(scenario), GENERATOR)
        say(f"wrote {page}")
        options.open_if_asked(page)
    else:
        _show_fight(scenario)


def _document(fight: Scenario) -> dict[str, Any]:
    defaults = {name: switch.default for name, switch in fight.ruleset.switchboard.switches.items()}
    return {
        "schema": 1,
        "scenario": fight.name,
        "title": fight.title,
        "ruleset": fight.ruleset_name,
        "ruleset_version": fight.ruleset.version,
        "preset": fight.preset,
        "policy": fight.policy,
        "switches": fight.settings,
        "switches_changed": [name for name, value in fight.settings.items() if value != defaults[name]],
        "changes": list(fight.changes),
        "digest": fight.digest,
        "resolved": fight.resolved(),
        "as_played": fight.as_played(),
    }


def _show_fight(fight: Scenario) -> None:
    from rich.text import Text

    screen = console()
    game, board, played = fight.ruleset, fight.ruleset.switchboard, as_played_marked(fight)
    screen.print(Text(f"{fight.name}: {title_in_full(fight)}", style="bold"))
    if fight.description:
        screen.print(Text(fight.description.strip()))
    policy_line = game.policies.get(split_dial(fight.policy)[0], "a policy of its own")
    facts = [
        ("ruleset", f"{game.name} ({game.title}, version {game.version})"),
        ("policy", f"{fight.policy}: {policy_line}"),
        ("preset", f"{fight.preset}: {board.about[fight.preset]}"),
        ("digest", fight.digest),
    ]
    facts += [("changed", change) for change in fight.changes]
    facts += [("note", remark) for remark in game.remarks(fight.model)]
    if _figures(fight.as_played()) != _figures(fight.resolved()):
        told = "as played, after level and switches; --toml writes those before, which a scenario file holds"
        facts.append(("figures", told))
    for key in ("ruleset", "title", "description", "policy", "preset", "switches"):
        played.pop(key, None)
    scenes = played.pop("scenes") if fight.is_adventure else []
    lists = {key: value for key, value in played.items() if is_list_of_tables(value)}
    tables = {key: value for key, value in played.items() if isinstance(value, dict)}
    facts += [(key, readable(value)) for key, value in played.items() if key not in lists and key not in tables]
    screen.print()
    names(screen, facts)
    for key, value in lists.items():
        heading(screen, key.replace("_", " ").capitalize())
        entries(screen, value)
    for key, value in tables.items():
        if value:
            heading(screen, key.replace("_", " ").capitalize())
            names(screen, [(name, readable(part)) for name, part in value.items() if not is_list_of_tables(part)])
            for name, part in value.items():
                if is_list_of_tables(part):
                    screen.print(Text(f"  {name}", style="cyan"))
                    entries(screen, part)
    for number, scene in enumerate(scenes, start=1):
        _show_scene(screen, number, scene)
    if start := list(opening_lines(fight)):
        heading(screen, "Start")
        for line in start:
            screen.print(Text(line), soft_wrap=True)
    heading(screen, "Switches (* differs from the default)")
    rows = []
    for name, value in fight.settings.items():
        switch = board.switches[name]
        changed = value != switch.default
        about = switch.about + (f" (default {readable(switch.default)})" if changed else "")
        rows.append(("*" if changed else " ", name, readable(value), about))
    columns(screen, rows, styles=("bold yellow", "cyan", "bold"))


def _show_scene(screen: Console, number: int, scene: Mapping[str, Any]) -> None:
    """One scene of an adventure: its fight, or what happens instead."""
    fight = scene.get("fight")
    name = scene.get("name") or (f"{scene['rest']} rest" if "rest" in scene else "a level gained")
    heading(screen, f"Scene {number}: {readable(name)}")
    facts = {key: value for key, value in scene.items() if key not in ("name", "fight")}
    if not fight:
        names(screen, [(key, readable(value)) for key, value in facts.items()])
        return
    lists = {key: value for key, value in fight.items() if is_list_of_tables(value)}
    plain = facts | {key: value for key, value in fight.items() if key not in lists and key != "switches"}
    names(screen, [(key, readable(value)) for key, value in plain.items()])
    for value in lists.values():
        entries(screen, value)


def _figures(value: Any) -> list[Any]:
    """Every value of a table, at any depth, but for the guard that a policy gives: that is no figure."""
    if isinstance(value, dict):
        return [number for key, part in value.items() if key != "guard" for number in _figures(part)]
    if isinstance(value, list):
        return [number for part in value for number in _figures(part)]
    return [value]


def _show_something_else(name: str) -> bool:
    """Shows the measures, a ruleset, or a policy, preset or switch of one; False if the name is none of these."""
    if name == "measures" and not Path(name).is_file():
        _show_measures()
        return True
    game_name, _, part = name.partition("/")
    if game_name not in ruleset_names() or name.endswith(".toml") or Path(name).is_file():
        return False
    game = ruleset(game_name)
    if not part:
        _show_ruleset(game)
        return True
    if name in scenarios_of(game) | adventures_in(game):
        return False
    if part in game.policies:
        _show_policy(game, part)
    elif part in game.switchboard.presets:
        _show_preset(game, part)
    elif part in game.switchboard.switches:
        _show_switch(game, part)
    elif part in game.things:
        _list_things(console(), game, part)
    elif things := _things_called(game, part):
        for kind, one in things:
            _show_thing(game, kind, one)
    else:
        known = [*scenarios_of(game), *adventures_in(game), *(f"{game.name}/{one}" for one in _names_of(game))]
        nearest = did_you_mean(name, known)
        raise InputError(f"unknown name '{name}'{nearest} ('fairfight list --ruleset {game.name}' shows all)")
    return True


def _show_measures() -> None:
    """What questions can be asked about."""
    screen = console()
    heading(screen, "Measures of every fight, for --measure, --target and claims")
    names(screen, [(name, about.title) for name, about in MEASURES.items()])
    heading(screen, "Measures of its course, for compare, sweep, scale, tune and gate")
    followed = f" (follows the chance of winning: {AGAIN} continuations a round)"
    about_course = [(name, about.title + followed * follows_curves(name)) for name, about in COURSE_MEASURES.items()]
    names(screen, about_course)


def _names_of(game: Ruleset[Any]) -> list[str]:
    own = [name for things in game.things.values() for name in things]
    return [*game.policies, *game.switchboard.presets, *game.switchboard.switches, *game.things, *own]


def _things_called(game: Ruleset[Any], name: str) -> list[tuple[str, str]]:
    """What is called so, with its kind: large and small letters and underscores do not matter."""

    def plain(text: str) -> str:
        return text.replace("_", " ").casefold()

    return [(kind, one) for kind, things in game.things.items() for one in things if plain(one) == plain(name)]


def _show_thing(game: Ruleset[Any], kind: str, name: str) -> None:
    """One enemy, die, skill or the like in full."""
    screen = console()
    thing = game.things[kind][name]
    heading(screen, f"{readable(name)}, one of the {readable(kind)} of {game.title}")
    names(screen, [(key, readable(value)) for key, value in (thing.figures | _effect(thing)).items()])
    if thing.parts:
        heading(screen, "What it has")
        names(screen, [(readable(part), about) for part, about in thing.parts.items()])


def _show_preset(game: Ruleset[Any], name: str) -> None:
    board = game.switchboard
    screen = console()
    heading(screen, f"The preset {name} of {game.title}: {board.about[name]}")
    lines = []
    for key, value in board.presets[name].items():
        switch = board.switches[key]
        lines.append((key, f"{readable(value)} (default {readable(switch.default)}): {switch.about}"))
    names(screen, lines or [("", "every switch at its default")])


def _show_switch(game: Ruleset[Any], name: str) -> None:
    board = game.switchboard
    switch = board.switches[name]
    screen = console()
    heading(screen, f"The switch {name} of {game.title}: {switch.about}")
    set_by = [f"{preset} ({readable(values[name])})" for preset, values in board.presets.items() if name in values]
    names(screen, [("values", switch.expected), ("default", readable(switch.default))])
    names(screen, [("set by", ", ".join(set_by) or "no preset")])


def _show_ruleset(game: Ruleset[Any]) -> None:
    from rich.text import Text

    screen = console()
    screen.print(Text(f"{game.name}: {game.title}", style="bold"))
    screen.print(Text(game.about))
    screen.print()
    counted: list[tuple[str, list[str]]] = [
        ("scenarios", [name.partition("/")[2] for name in scenarios_of(game)]),
        ("policies", list(game.policies)),
        ("presets", list(game.switchboard.presets)),
        ("switches", list(game.switchboard.switches)),
        *((kind, list(things)) for kind, things in game.things.items()),
    ]
    solver = f"for {game.solves}" if game.solves else "no solver; play its fights with 'fairfight run'"
    names(screen, [("version", str(game.version)), ("exact odds", solver)])
    names(screen, [("rules", f"{len(game.rules)}: 'fairfight rules {game.name}' lists them")])
    names(screen, [(what, f"{len(some)}: {', '.join(some)}") for what, some in counted])
    coverage = game.coverage
    for title, sentences in (
        ("Modelled", coverage.modelled),
        ("Simplified", coverage.simplified),
        ("Not modelled", coverage.not_modelled),
        ("House figures", coverage.house_figures),
    ):
        _sentences(screen, title, sentences)
    _show_vocabulary(screen, game)


def _show_vocabulary(screen: Console, game: Ruleset[Any]) -> None:
    """What the lines of a policy can do and ask."""
    words = game.vocabulary
    if words is None:
        return
    heading(screen, "What a policy's lines can do (docs/policies.md)")
    names(screen, [(verb, _about_verb(entry)) for verb, entry in words.verbs.items()])
    heading(screen, "What their conditions can ask")
    names(screen, list(words.names.items()))
    for kind, about in words.target_names.items():
        heading(screen, f"What they can ask about each {kind} that may be the target")
        names(screen, list(about.items()))


def _about_verb(verb: Verb) -> str:
    """What it does, whom it needs, and its options."""
    article = "an" if verb.target and verb.target[0] in "aeiou" else "a"
    needs = [f"target: {article} {verb.target}"] if verb.target else []
    for option, kind in verb.options.items():
        words = f": {', '.join(map(str, verb.words[option]))}" if option in verb.words else ""
        needs.append(f"{option}, {_OPTION_KINDS.get(kind, kind)}{words}")
    return verb.about + (f" ({'; '.join(needs)})" if needs else "")


_OPTION_KINDS = {"formula": "a formula", "words": "a list of words", "word": "a word", "yes_no": "true or false"}


def _sentences(screen: Console, title: str, sentences: tuple[str, ...]) -> None:
    if sentences:
        heading(screen, title)
        columns(screen, [("-", sentence) for sentence in sentences])


def _show_policy(game: Ruleset[Any], name: str) -> None:
    """A policy: a line about it and, where the ruleset keeps its policies as data, the data."""
    screen = console()
    heading(screen, f"The policy {name} of {game.title}: {game.policies[name]}")
    try:
        table = game.read_table("policies.toml")
    except OSError:
        return
    if name in table:
        say()
        say(to_toml({name: table[name]}), nl=False)
