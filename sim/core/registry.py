"""Which rulesets there are: the built-in ones and those of installed plug-ins."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from sim.core.ruleset import Ruleset
from sim.errors import InputError, did_you_mean

GROUP = "fairfight.rulesets"

# Every folder under sim/rulesets is a game: adding one is adding a folder.
BUILT_IN = {
    folder.parent.name: f"sim.rulesets.{folder.parent.name}:RULESET"
    for folder in (Path(__file__).parent.parent / "rulesets").glob("*/__init__.py")
}


@cache
def ruleset_names() -> dict[str, str]:
    """Every known ruleset: name -> 'module:object'. Nothing is imported."""
    installed = {point.name: point.value for point in entry_points(group=GROUP)}
    return dict(sorted((installed | BUILT_IN).items()))


@cache
def ruleset(name: str) -> Ruleset[Any]:
    """The ruleset with this name, imported now if it was not yet."""
    known = ruleset_names()
    if name not in known:
        raise InputError(f"unknown ruleset '{name}'{did_you_mean(name, known)} (known: {', '.join(known)})")
    module, _, attribute = known[name].partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except Exception as error:
        if name in BUILT_IN:
            raise  # our own mistake, and not for the user to mend
        raise InputError(f"the ruleset '{name}' ({known[name]}) cannot be loaded: {error!r}") from error
    if not isinstance(found, Ruleset):
        raise InputError(f"the ruleset '{name}' ({known[name]}) is not a sim.core.ruleset.Ruleset")
    return found
