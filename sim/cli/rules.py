"""rules: the rulebooks of the games."""

from __future__ import annotations

from typing import Any

import click

from sim.cli import options
from sim.cli.catalogue import switch_line
from sim.cli.terminal import columns, console, heading, names
from sim.core.registry import ruleset as find_ruleset
from sim.core.registry import ruleset_names
from sim.core.rulebook import Rule
from sim.core.ruleset import Ruleset
from sim.errors import InputError, SimError, did_you_mean

_READABLE = 120  # columns of running text


@click.command()
@click.argument("ruleset", required=False)
@click.argument("rule", required=False)
@options.as_json
def rules(ruleset: str | None, rule: str | None, as_json: bool) -> None:
    """Read the rules of a game as they are played.

    Without a RULESET the games and how many rules each has; with one all its rules, each in a sentence; with the id of
    a RULE that rule in full, and the switches that touch it.

    \b
    Examples:
      fairfight rules
      fairfight rules overhill
      fairfight rules overhill OU-A3
      fairfight rules overhill --json
    """
    if ruleset is None:
        _list_games(as_json)
        return
    game = find_ruleset(ruleset)
    if rule is None:
        _list_rules(game, as_json)
    else:
        _show_rule(game, _find(game, rule), as_json)


def _find(game: Ruleset[Any], wanted: str) -> Rule:
    """The rule of this id, in capitals or not."""
    by_small_id = {rule.id.lower(): rule for rule in game.rules.values()}
    found = by_small_id.get(wanted.lower())
    if found is None:
        nearest = did_you_mean(wanted.upper(), game.rules)
        raise InputError(f"unknown rule '{wanted}'{nearest} ('fairfight rules {game.name}' lists all)")
    return found


def _list_games(as_json: bool) -> None:
    counted: dict[str, int] = {}
    lines: list[tuple[str, str]] = []
    for name in ruleset_names():
        try:
            game = find_ruleset(name)
            counted[name] = len(game.rules)
            lines.append((name, f"{counted[name]} rules of {game.title}"))
        except SimError as error:
            lines.append((name, str(error)))
    if as_json:
        options.print_json({"schema": 1, "rules": counted})
    else:
        names(console(), lines)


def _list_rules(game: Ruleset[Any], as_json: bool) -> None:
    """Every rule in a line, chapter by chapter."""
    every = list(game.rules.values())
    if as_json:
        listed = [
            {"id": rule.id, "title": rule.title, "sentence": rule.sentence, "chapter": rule.chapter} for rule in every
        ]
        options.print_json({"schema": 1, "ruleset": game.name, "rules": listed})
        return
    screen = console()
    widths = [
        max(len(text) for text in texts) for texts in zip(*((rule.id, rule.title) for rule in every), strict=True)
    ]
    for chapter in dict.fromkeys(rule.chapter for rule in every):
        heading(screen, chapter)
        rows = [
            (f"{rule.id:{widths[0]}}", f"{rule.title:{widths[1]}}", rule.sentence)
            for rule in every
            if rule.chapter == chapter
        ]
        columns(screen, rows, styles=("cyan", "bold"))


def _show_rule(game: Ruleset[Any], rule: Rule, as_json: bool) -> None:
    """One rule in full, with the switches that touch it."""
    from rich.markdown import Markdown
    from rich.text import Text

    touching = [game.switchboard.switches[name] for name in rule.switches(game.switchboard.switches)]
    if as_json:
        switches = [
            {"name": one.name, "about": one.about, "expected": one.expected, "default": one.default} for one in touching
        ]
        about = {"id": rule.id, "title": rule.title, "chapter": rule.chapter, "sentence": rule.sentence}
        options.print_json({"schema": 1, "ruleset": game.name, **about, "text": rule.text, "switches": switches})
        return
    screen = console()
    screen.print(Text(f"{rule.id} {rule.title}", style="bold"))
    screen.print(Text(f"{game.title}: {rule.chapter}", style="dim"))
    screen.print()
    with screen.capture() as captured:  # rich fills lines up with spaces
        screen.print(Markdown(rule.text), width=min(screen.width, _READABLE))
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
    if touching:
        heading(screen, "Switches that touch it")
        names(screen, [(one.name, switch_line(game, one.name)) for one in touching])
