"""What a study has found that can be taken over into its fight: a value that gives the target, a better policy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.scenario.wording import readable, setting_in_words
from sim.studies.party_side import NAME
from sim.studio.address import Address
from sim.studio.fights import on_one_line

STUDY = "study.json"  # the answer for programs, in the folder of a study


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to take over."""

    words: str  # 'seven skeletons'
    query: str  # the address of the fight with it


def finding_in(folder: Path, asked: Address) -> Finding | None:
    """What the study in a folder has found about the fight that it was asked about; None if there is nothing to set."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        answer = json.loads((folder / STUDY).read_text(encoding="utf-8"))
        for read in (_value, _policy, _behaviour):
            if found := read(answer):
                words, settings = found
                variant = asked.variant
                for path, typed in settings.items():
                    variant = variant.with_value(path, typed)
                return Finding(words, replace(asked, variant=variant).query)
    return None


def _value(answer: Mapping[str, Any]) -> tuple[str, dict[str, str]] | None:
    """The value that tune has found, whether it reaches the target or is only the nearest."""
    facts = answer["facts"]
    if answer["question"] != "tune" or not isinstance(facts.get("knob"), str):
        return None
    path, value = facts["knob"], facts["value"]
    return setting_in_words(path, value, answer["resolved"]), {path: on_one_line(value)}


def _policy(answer: Mapping[str, Any]) -> tuple[str, dict[str, str]] | None:
    """The policy that improve has found, if it is better than the one that it began with."""
    if answer["question"] != "improve" or not answer["facts"]["better"] or "settings" in answer["facts"]:
        return None
    taken = answer["resolved"].get("policies") or {}
    numbered = (NAME if number == 1 else f"{NAME}_{number}" for number in range(1, len(taken) + 2))
    name = next(name for name in numbered if name not in taken)
    dial = "".join(str(answer["policy_before"]).partition("@")[1:])
    return f"the policy {readable(name)}", {f"policies.{name}": on_one_line(answer["policy"]), "policy": name + dial}


def _behaviour(answer: Mapping[str, Any]) -> tuple[str, dict[str, str]] | None:
    """How the enemies behave that improve has found, if they are harder than those of the fight."""
    settings = answer["facts"].get("settings") if answer["question"] == "improve" else None
    if not settings:
        return None
    return "the harder enemies", {path: on_one_line(value) for path, value in settings.items()}
