"""The golden digests: each game's `golden.json` holds fights and, by version of the ruleset, their digest.

Tests read them; `python -m tests.frozen accept` writes the digest of a new version.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sim.core.ruleset import Ruleset
from sim.testing import assert_results_of_version, digest_of_fights

FOLDER = Path(__file__).parent / "rulesets"


def assert_golden(ruleset: Ruleset) -> None:
    """The same seed gives the results of this version of the ruleset."""
    golden = read(ruleset.name)
    digests = {int(version): digest for version, digest in golden["digests"].items()}
    fights = [(name, policy) for name, policy in golden["fights"]]
    assert_results_of_version(ruleset, fights, golden["seed"], golden["runs"], digests)


def digest_now(ruleset: Ruleset, folder: Path = FOLDER) -> str:
    """What the fights give now."""
    golden = read(ruleset.name, folder)
    return digest_of_fights(ruleset, golden["fights"], golden["seed"], golden["runs"])


def read(game: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Seed, runs, fights, and the digests by version."""
    found: dict[str, Any] = json.loads((folder / game / "golden.json").read_text(encoding="utf-8"))
    return found


def write(game: str, golden: dict[str, Any], folder: Path = FOLDER) -> None:
    """Put the digests in the place of those that were there."""
    (folder / game / "golden.json").write_text(readable(golden) + "\n", encoding="utf-8")


def readable(value: Any, margin: str = "") -> str:
    """JSON for readable differences: what holds only plain values stands on a line of its own."""
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if not any(isinstance(part, (dict, list)) for part in inside):
        return json.dumps(value, ensure_ascii=False)
    deeper = margin + " "
    if isinstance(value, dict):
        lines = [f"{json.dumps(key, ensure_ascii=False)}: {readable(part, deeper)}" for key, part in value.items()]
    else:
        lines = [readable(part, deeper) for part in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{deeper}" + f",\n{deeper}".join(lines) + f"\n{margin}{end}"
