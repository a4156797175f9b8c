"""The same seed gives the same results until the ruleset's version says otherwise."""

import dataclasses
import hashlib

import numpy as np

from sim.core.engine import play
from sim.core.outcomes import Outcomes
from sim.rulesets.brimstone import RULESET
from sim.scenario import load

SEED, RUNS = 1952, 100
FIGHTS = (
    ("duel", "aggressive"),
    ("tentacle_hall", "focus_fire"),
    ("rat_ambush_mid", "cautious"),
    ("cult_rifles", "random_legal"),
    ("high_noon", "bomber"),
)
DIGESTS = {1: "e22c569e8e6a8964a6b82e4d59ac7a2a", 2: "305e15e50d62953e22597397b279b4cb"}


def digest_of(outcomes: Outcomes) -> bytes:
    """Every table of the outcomes, whatever the width of its numbers."""
    digest = hashlib.blake2b(digest_size=16)
    for field in sorted(dataclasses.fields(Outcomes), key=lambda field: field.name):
        value = getattr(outcomes, field.name)
        for name, table in sorted(value.items()) if isinstance(value, dict) else [("", value)]:
            digest.update(f"{field.name} {name} {table.shape}".encode())
            digest.update(np.ascontiguousarray(table, dtype="<i8").tobytes())
    return digest.digest()


def test_the_same_seed_gives_the_results_of_this_version() -> None:
    together = hashlib.blake2b(digest_size=16)
    for name, policy in FIGHTS:
        fight = load(f"brimstone/{name}", policy=policy)
        together.update(digest_of(play(fight.encounter(), SEED, np.arange(RUNS))))

    assert DIGESTS.get(RULESET.version) == together.hexdigest(), (
        f"brimstone version {RULESET.version} no longer gives the results it gave. If a rule changed on purpose, raise "
        f"`version` in sim/rulesets/brimstone/__init__.py, write the change under *Rules* in CHANGELOG.md with the win "
        f"rates before and after, and add the digest {together.hexdigest()} here. If not, something broke."
    )
