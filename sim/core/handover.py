"""A fight that goes on in other hands: the same table, played on by another policy.

State is arrays and facts. The arrays are the table and stay what they are; the facts of the other encounter, with its
plans, take the place of the first one's. That is honest where both are one fight that differs in nothing but the
policy, which whoever asks for it must see to. What can be seen here is looked at: the same units, states of one shape.
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np

from sim.core.batch import Batch
from sim.core.engine import Encounter, Lockstep
from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Cast
from sim.core.telling import Recorder
from sim.errors import InputError, Problem

S = TypeVar("S", bound=Batch)

BY_ABILITY = ("uses", "hits", "damage")  # accounts of the ledger with a row for every ability


def handed_over(trunk: Lockstep[S], encounter: Encounter[S]) -> Lockstep[S]:
    """Runs that stand between two rounds, to be played on by an encounter that differs in nothing but the policy.

    Raises:
        InputError: it is another fight.
    """
    first = Luck(trunk.state.luck.keys[:1])
    mine, other = trunk.encounter.start(first, None), encounter.start(first, None)
    if trunk.encounter.cast.units != encounter.cast.units or _shape(mine) != _shape(other):
        raise InputError(Problem("policy", "this is another fight; only the policy may differ from a round on"))
    state = _with_facts(trunk.state, other)
    state.ledger = _rewritten(trunk.state.ledger, trunk.encounter.cast, encounter.cast)
    if state.tell is not None:
        state.tell.look = encounter.look
    return Lockstep(encounter, trunk.runs, state)


def _with_facts(part: Any, other: Any) -> Any:
    """The same state with the facts of another."""
    changes = {}
    for field in dataclasses.fields(part):
        value, theirs = getattr(part, field.name), getattr(other, field.name)
        if _is_facts(value):
            changes[field.name] = theirs
        elif _is_state(value):
            changes[field.name] = _with_facts(value, theirs)
    return dataclasses.replace(part, **changes)


def _rewritten(ledger: Ledger, cast: Cast, other: Cast) -> Ledger:
    """The accounts with the rows of another cast: a policy may use abilities that the first one never does."""
    rows = {(ability.unit, ability.name): row for row, ability in enumerate(cast.abilities)}
    places = [rows.get((ability.unit, ability.name), -1) for ability in other.abilities]
    runs = ledger.uses.shape[-1]
    blank = np.zeros((1, runs), dtype=ledger.uses.dtype)  # row -1: what the first policy had no account for
    accounts = {name: np.concatenate([getattr(ledger, name), blank])[places] for name in BY_ABILITY}
    return dataclasses.replace(ledger, **accounts)


def _shape(part: Any) -> Any:
    """What a state is made of, but for its facts, its numbers and the accounts of abilities."""
    if isinstance(part, np.ndarray):
        return part.dtype.str, part.shape
    if isinstance(part, dict):
        return {name: _shape(value) for name, value in part.items()}
    if isinstance(part, (list, tuple)):
        return [_shape(value) for value in part]
    if _is_state(part):
        skipped = BY_ABILITY if isinstance(part, Ledger) else ()
        names = [field.name for field in dataclasses.fields(part) if field.name not in skipped]
        return {name: _shape(getattr(part, name)) for name in names}
    return type(part).__name__


def _is_facts(value: Any) -> bool:
    made_by = getattr(value, "__dataclass_params__", None)
    return made_by is not None and bool(made_by.frozen)


def _is_state(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not _is_facts(value) and not isinstance(value, Recorder)
