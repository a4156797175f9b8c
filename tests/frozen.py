"""Nothing changed, or exactly this: every shipped result frozen as a digest, checked and accepted.

    python -m tests.frozen check                    play everything again; tell every difference, exit status 1
    python -m tests.frozen accept                   take what is there now; tell what moved
    python -m tests.frozen show                     what is frozen
    ... --only overhill                             one game, or `studies`
    ... --only overhill/crypt-swarm                 one scenario, or one kind of study
    ... --jobs 2                                    processes

The digests are in tests/frozen/*.json; what they are made of is in `tests/frozen_parts.py`. `accept` also writes the
golden digests of a new version of a game. It does not take other results for the same fight under the same version:
that is what `version` is for.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from tests import golden
from tests.frozen_parts import STUDIES, Entry, Part, entries_of, groups, heading_of, parts_of, ruleset

FOLDER = Path(__file__).parent / "frozen"
MOST_JOBS = 2

Frozen = dict[str, Any]  # a file: "heading", and "parts": part -> entry -> digest and figures


def main(arguments: Sequence[str] | None = None, folder: Path = FOLDER, golden_folder: Path = golden.FOLDER) -> int:
    """The command line. Returns the exit status."""
    asked = _asked(arguments)
    parts = wanted_parts(asked.only)
    if asked.what == "show":
        print(*told(parts, folder), sep="\n")
        return 0
    start = time.perf_counter()
    found = played(parts, asked.jobs)
    old = {group: read(group, folder) for group in dict.fromkeys(group for group, _ in parts)}
    new = {group: _with(old[group], group, found, whole="/" not in asked.only) for group in old}
    moves = [move for group in old for move in moves_of(group, old[group], new[group])]
    print(*moves, sep="\n", end="\n" if moves else "")
    entries = sum(len(entries) for entries in found.values())
    moved = "nothing moved" if not moves else "1 thing moved" if len(moves) == 1 else f"{len(moves):,} things moved"
    print(f"{entries:,} results, {time.perf_counter() - start:.0f} s: {moved}.")
    if asked.what == "check":
        if moves:
            print("If this was meant: `python -m tests.frozen accept`. If not, something broke.")
        return int(bool(moves))
    return accept(old, new, folder, golden_folder, asked.same_version)


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.frozen", description="Every shipped result, frozen.")
    parser.add_argument("what", choices=("check", "accept", "show"))
    parser.add_argument("--only", default="", metavar="GAME", help="a game, GAME/SCENARIO, `studies` or studies/KIND")
    parser.add_argument("--jobs", type=int, default=1, choices=range(1, MOST_JOBS + 1), help="processes")
    parser.add_argument(
        "--same-version", action="store_true", help="accept other digests for the same version: for a new table"
    )
    asked = parser.parse_args(arguments)
    if not wanted_parts(asked.only):
        known = ", ".join(groups())
        parser.error(f"--only: nothing is called '{asked.only}'; expected one of {known}, or GAME/SCENARIO")
    return asked


def wanted_parts(only: str) -> list[Part]:
    """The parts that `--only` names; all if it names nothing."""
    everything = [part for group in groups() for part in parts_of(group)]
    return [(group, name) for group, name in everything if only in ("", group, f"{group}/{name}")]


def played(parts: Sequence[Part], jobs: int) -> dict[Part, dict[str, Entry]]:
    """The entries of these parts, played now."""
    entries = Parallel(n_jobs=jobs, batch_size=1)(delayed(entries_of)(part) for part in parts)
    return dict(zip(parts, entries, strict=True))


# -------------------------------------------------------------------------------------------------------------- files


def read(group: str, folder: Path = FOLDER) -> Frozen:
    """What is frozen of a game; empty if nothing is yet."""
    file = folder / f"{group}.json"
    if not file.exists():
        return {"heading": {}, "parts": {}}
    found: Frozen = json.loads(file.read_text(encoding="utf-8"))
    return found


def write(group: str, frozen: Frozen, folder: Path = FOLDER) -> None:
    """One entry a line, in the order of the alphabet."""
    ordered = json.loads(json.dumps(frozen, sort_keys=True))
    folder.mkdir(exist_ok=True)
    (folder / f"{group}.json").write_text(golden.readable(ordered) + "\n", encoding="utf-8")


def _with(old: Frozen, group: str, found: dict[Part, dict[str, Entry]], whole: bool) -> Frozen:
    """The file with what was found now; of a whole game nothing else stays."""
    kept = {} if whole else old["parts"]
    return {"heading": heading_of(group), "parts": kept | {name: found[g, name] for g, name in found if g == group}}


# -------------------------------------------------------------------------------------------------------------- words


def moves_of(group: str, old: Frozen, new: Frozen) -> Iterator[str]:
    """A line for everything that is not as it was."""
    for key in sorted(old["heading"].keys() | new["heading"].keys()):
        before, after = old["heading"].get(key), new["heading"].get(key)
        if before != after:
            yield f"{group}: {key} {before} -> {after}"
    for name in sorted(old["parts"].keys() | new["parts"].keys()):
        before, after = old["parts"].get(name, {}), new["parts"].get(name, {})
        for entry in sorted(before.keys() | after.keys()):
            if before.get(entry) != after.get(entry):
                yield f"{group}/{name}, {entry}: {_move(before.get(entry), after.get(entry))}"


def _move(before: Entry | None, after: Entry | None) -> str:
    """What happened to an entry, in words."""
    if before is None or after is None:
        return f"new ({_figures(after)})" if after is not None else "gone"
    names = [name for name in {**before, **after} if name not in ("digest", "fight")]
    moved = [name for name in names if before.get(name) != after.get(name)]
    if moved:
        return ", ".join(
            f"{name} {_figure(name, before.get(name))} -> {_figure(name, after.get(name))}" for name in moved
        )
    if before["digest"] == after["digest"]:
        return "the same results, but the fight has another digest of its own (its numbers, switches or version)"
    return f"other tables or texts behind the same figures ({_figures(after)})"


def _figures(entry: Entry) -> str:
    figures = [f"{name} {_figure(name, entry[name])}" for name in entry if name not in ("digest", "fight")]
    return ", ".join(figures) or "a digest only"


def _figure(name: str, value: Any) -> str:
    if isinstance(value, str):
        return f"“{value}”" if name in ("says", "refused") else value
    return "nothing" if value is None else f"{value} %" if name in ("wins", "draws") else f"{value}"


def told(parts: Sequence[Part], folder: Path = FOLDER) -> Iterator[str]:
    """What is frozen of these parts."""
    for group in dict.fromkeys(group for group, _ in parts):
        frozen = read(group, folder)
        yield f"{group}: " + (", ".join(f"{key} {value}" for key, value in frozen["heading"].items()) or "not frozen")
        for name, entries in frozen["parts"].items():
            if (group, name) in parts:
                yield from (f"  {group}/{name}, {entry}: {_figures(facts)}" for entry, facts in entries.items())


# ---------------------------------------------------------------------------------------------------------- accepting


def accept(
    old: dict[str, Frozen], new: dict[str, Frozen], folder: Path, golden_folder: Path, same_version: bool
) -> int:
    """Write the files, and the golden digests of new versions; a game that should have a new version is left alone."""
    left = 0
    for group in new:
        reasons = [] if same_version else list(_needs_a_version(group, old[group], new[group], golden_folder))
        if reasons:
            left += 1
            print(f"{group} is left as it was: {'; '.join(reasons)}.")
            print(
                f"  Raise `version` of {group} and write the change under *Rules* in CHANGELOG.md with the win rates "
                "before and after; then accept again. (Only a new table, and no new results? --same-version.)"
            )
            continue
        if old[group] != new[group]:
            write(group, new[group], folder)
            print(f"Written: {group}.json")
        if group != STUDIES and _accept_golden(group, golden_folder):
            print(f"Written: golden.json of {group} (version {ruleset(group).version})")
    return int(left > 0)


def _needs_a_version(group: str, old: Frozen, new: Frozen, golden_folder: Path) -> Iterator[str]:
    """Why these results cannot be those of the same version."""
    if group == STUDIES:
        return
    same_fights = [
        f"{name}, {entry}"
        for name, entries in new["parts"].items()
        for entry, after in entries.items()
        if (before := old["parts"].get(name, {}).get(entry)) and "fight" in after
        if before.get("fight") == after["fight"] and before["digest"] != after["digest"]
    ]
    if same_fights:
        more = f" and {len(same_fights) - 1} more" if len(same_fights) > 1 else ""
        yield f"other results for the same fight under the same version ({same_fights[0]}{more})"
    version = ruleset(group).version
    known = golden.read(group, golden_folder)["digests"].get(str(version))
    if known is not None and known != golden.digest_now(ruleset(group), golden_folder):
        yield f"the golden digest of version {version} moved"


def _accept_golden(game: str, golden_folder: Path) -> bool:
    """Write the golden digest of the game's version, if it is not there yet."""
    found, version = golden.read(game, golden_folder), str(ruleset(game).version)
    digest = golden.digest_now(ruleset(game), golden_folder)
    if found["digests"].get(version) == digest:
        return False
    found["digests"][version] = digest
    golden.write(game, found, golden_folder)
    return True


if __name__ == "__main__":
    sys.exit(main())
