"""Whatever is in a folder: the right result, or a refusal that names the file and says what to do."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sim
from sim.cli.commands import _status
from sim.errors import InputError
from sim.storage import Checkpoint
from sim.storage.files import digest_of
from sim.studies.record import MOST_UNPACKED
from tests.fuzzing import limited

FIGHT = "overhill/duel-skeleton"
RUN = ["run", FIGHT, "--runs", "1500", "--seed", "9", "--jobs", "1", "--chunk", "500"]
SWEEP = ["sweep", FIGHT, "--knob", "enemies.skeleton.count=1..4", "--runs", "300", "--seed", "9", "--jobs", "1"]
KINDS = ("run under way", "finished run", "finished run of sums", "study under way", "finished study")


def words_for(kind: str) -> list[str]:
    if "run" not in kind.split():
        return SWEEP
    return [*RUN, "--keep", "summary"] if kind.endswith("sums") else RUN


@pytest.fixture(autouse=True)
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures and pages are no concern of these tests, and drawing them takes longer than the fights."""
    _without_pages(monkeypatch)


def _without_pages(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("sim.report.result_folder.result_page", lambda result: "page")
    patch.setattr("sim.report.study_folder.answer_page", lambda answer, drawings: "page")
    patch.setattr("sim.report.study_folder.answer_drawings", lambda answer: [])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder of every kind."""
    place = tmp_path_factory.mktemp("folders")
    found = {kind: place / kind for kind in KINDS}
    for kind, folder in found.items():
        with pytest.MonkeyPatch.context() as patch:
            _without_pages(patch)
            expected = 0
            if kind.endswith("under way"):
                patch.setattr(Checkpoint, "put", _two_pieces_and_no_more)
                expected = 2
            assert _status([*words_for(kind), "--out", str(folder)], debug=False) == expected
    return found


_put = Checkpoint.put


def _two_pieces_and_no_more(checkpoint: Checkpoint, name: str, *content: Any) -> None:
    if len(checkpoint.names()) == 2:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    _put(checkpoint, name, *content)


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """The tables of undisturbed work."""
    place = tmp_path_factory.mktemp("right")
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        _without_pages(patch)
        for kind in KINDS:
            assert _status([*words_for(kind), "--out", str(place / kind)], debug=False) == 0
            found[kind] = tables(place / kind)
    return found


def tables(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((*folder.glob("*.csv"), *folder.glob("*.parquet")))}


# ------------------------------------------------------------------------------------------------------------- damages


def _pieces(folder: Path) -> list[Path]:
    return sorted((folder / "checkpoint").glob("*.piece"))


def sign_again(piece: Path, change: Callable[[Any], Any], rest: bytes | None = None) -> None:
    """Make a piece say something else, with a digest that fits."""
    head, _, behind = piece.read_bytes().partition(b"\n")[2].partition(b"\n")
    header = json.loads(head)
    header = change(header) or header
    said = header if isinstance(header, bytes) else json.dumps(header).encode()
    body = said + b"\n" + (behind if rest is None else rest)
    piece.write_bytes(b"fairfight piece " + digest_of(body).encode() + b"\n" + body)


def all_pieces(change: Callable[[Any], Any], rest: bytes | None = None) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for piece in _pieces(folder):
            sign_again(piece, change, rest)

    return damage


def said_otherwise(key: str, value: Any) -> Callable[[Path], None]:
    """All pieces say something else about a key of theirs, with digests that fit."""
    return all_pieces(lambda header: header.update({key: value}))


def facts_otherwise(key: str, value: Any) -> Callable[[Path], None]:
    return all_pieces(lambda header: header["facts"].update({key: value}) if key in header["facts"] else None)


def numbers_otherwise(old: str, new: str) -> Callable[[Path], None]:
    return all_pieces(lambda header: json.dumps(header).replace(old, new).encode())


def written(name: str, content: bytes) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return damage


def of_every_file(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name != "lock":
                path.write_bytes(change(path.read_bytes()))

    return damage


def of_the_pieces(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for path in _pieces(folder):
            path.write_bytes(change(path.read_bytes()))

    return damage


def copied(suffix: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        piece = _pieces(folder)[0]
        shutil.copy(piece, piece.with_name(f"{piece.stem}{suffix}.piece"))

    return damage


def swapped(folder: Path) -> None:
    first, *_, last = [*_pieces(folder), folder / "checkpoint/identity.json"]
    content = first.read_bytes()
    first.write_bytes(last.read_bytes())
    last.write_bytes(content)


def renamed(old: str, new: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for piece in _pieces(folder):
            piece.rename(piece.with_name(re.sub(old, new, piece.name)))

    return damage


def lines_otherwise(pattern: bytes, new: bytes) -> Callable[[Path], None]:
    """The lines of a finished study say something else, with a digest that fits."""

    def damage(folder: Path) -> None:
        piece = folder / "checkpoint/finished.piece"
        if piece.exists():
            packed = piece.read_bytes().split(b"\n", 2)[2]
            changed = zlib.compress(re.sub(pattern, new, zlib.decompress(packed)))
            sign_again(piece, lambda header: header.update(blobs={"pieces": len(changed)}), changed)

    return damage


DEEP = b"[" * 100_000 + b"]" * 100_000
OTHER_SHAPES: list[Any] = [None, -1, "text", [1], {"class": "Summary"}, 10**30]

DAMAGES: dict[str, Callable[[Path], None]] = {
    "nothing": lambda folder: None,
    "all files cut in half": of_every_file(lambda content: content[: len(content) // 2]),
    "all files empty": of_every_file(lambda content: b""),
    "pieces cut": of_the_pieces(lambda content: content[:-1]),
    "pieces longer": of_the_pieces(lambda content: content + b"x"),
    "pieces without first line": of_the_pieces(lambda content: content.partition(b"\n")[2]),
    "pieces of zeros": of_the_pieces(lambda content: b"\0" * len(content)),
    "a browser's copy": copied(" (1)"),
    "an editor's copy": copied("~"),
    "a copy in capitals": copied("-COPY"),
    "a copy with a dash": copied("-1"),
    "a copy of another name": copied("x"),
    "swapped": swapped,
    "renamed": renamed(r"^(.)", r"a\1"),
    "renamed to other runs": renamed(r"-(\d+)\.piece", r"-9\1.piece"),
    "renamed to a word": renamed(r"\d+\.piece", "many.piece"),
    "renamed to no runs": renamed(r"\d+\.piece", "0.piece"),
    "deep pieces": all_pieces(lambda header: DEEP),
    "deep facts": numbers_otherwise('"facts": {', f'"facts": {{"x": {DEEP.decode()}, '),
    "facts that are deep for us alone": numbers_otherwise('"tuple": [', '"tuple": [' + "[" * 900 + "]" * 900 + ", "),
    "pieces that are lists": all_pieces(lambda header: b"[]"),
    "pieces that are no JSON": all_pieces(lambda header: b"{"),
    "short blobs": all_pieces(lambda header: None, b""),
    "negative blobs": said_otherwise("blobs", {"runs.parquet": -5}),
    "blobs of another shape": said_otherwise("blobs", [1, 2]),
    "blobs of nothing": said_otherwise("blobs", None),
    "facts of another shape": said_otherwise("facts", [1]),
    "no facts": said_otherwise("facts", {}),
    "of somebody else": said_otherwise("of", "somebody"),
    "of a list": said_otherwise("of", []),
    "with another name": said_otherwise("name", "sums"),
    "more runs than there are": numbers_otherwise('"runs": ', '"runs": 1'),
    "fractions": numbers_otherwise('"array": [', '"array": [0.5, '),
    "words for numbers": numbers_otherwise('"array": [', '"array": ["many", '),
    "other kinds of numbers": numbers_otherwise("int64", "int16"),
    "other shapes": numbers_otherwise('"shape": [', '"shape": [1, '),
    "other classes": numbers_otherwise("Summary", "Endings"),
    "other scores": numbers_otherwise('"tuple": [', '"tuple": [1, '),
    "lines with other numbers": lines_otherwise(rb"\d(?=[,\]])", b"7"),
    "lines of other runs": lines_otherwise(rb"-\d+ ", b"-200 "),
    "lines that are deep": lines_otherwise(rb" \{.*", b" " + DEEP),
    "lines that are no JSON": lines_otherwise(rb" \{", b" ["),
    "lines without a name": lines_otherwise(rb"(?m)^\S+ ", b""),
    "lines of bytes": lines_otherwise(rb"[0-9a-f]{8}", b"\xff"),
    "identity of another shape": written("checkpoint/identity.json", b"[1, 2]"),
    "identity of another fight": written("checkpoint/identity.json", b'{"format": 1, "scenario": {"a": [1]}}'),
    "deep identity": written("checkpoint/identity.json", DEEP),
    "a lock of another shape": written("checkpoint/lock", b'["beats"]'),
    "a deep lock": written("checkpoint/lock", b"[" * 4_000),
    "a deep manifest": written("manifest.json", DEEP),
    "a manifest of another shape": written("manifest.json", b"[]"),
} | {
    f"{key} is {json.dumps(value)}": facts_otherwise(key, value)
    for key in ("summary", "tables", "going_to", "score", "pieces")
    for value in OTHER_SHAPES
    if not (key == "going_to" and value is None)  # that is a right one
}


def outcome(kind: str, folder: Path, right: dict[str, bytes], capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """What is wrong with the end of a command on a damaged folder; nothing if all is well."""
    with limited(120):  # --json, since nobody looks at the tables in the terminal, a fifth of the time
        status = _status([*words_for(kind), "--json", "--out", str(folder), *more], debug=False)
    said = capsys.readouterr().err
    if status == 0:
        return "" if tables(folder) == right else "other tables"
    return "" if status == 2 and str(folder) in said else f"status {status}: {said}"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "more", [pytest.param(["--resume"], id="going on"), pytest.param([], id="anew", marks=pytest.mark.soak)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_folder_gives_the_right_tables_or_is_refused_by_name(
    tmp_path: Path,
    folders: dict[str, Path],
    right: dict[str, dict[str, bytes]],
    capsys: pytest.CaptureFixture[str],
    kind: str,
    more: list[str],
) -> None:
    tried, wrong = 0, {}
    whole = contents(folders[kind])

    for at, (what, damage) in enumerate(DAMAGES.items()):
        folder = tmp_path / str(at)
        shutil.copytree(folders[kind], folder)
        damage(folder)
        if contents(folder) != whole:  # not every damage can be done to every kind
            tried += 1
            if said := outcome(kind, folder, right[kind], capsys, *more):
                wrong[what] = said

    assert wrong == {}
    assert tried >= 40


def test_a_small_piece_that_unpacks_to_gigabytes_is_put_aside(
    tmp_path: Path,
    folders: dict[str, Path],
    right: dict[str, dict[str, bytes]],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    folder = tmp_path / "folder"
    shutil.copytree(folders["finished study"], folder)
    squeeze, block = zlib.compressobj(1), b"0" * 2**20
    packed = b"".join([*(squeeze.compress(block) for _ in range(MOST_UNPACKED // 2**20 + 1)), squeeze.flush()])
    piece = folder / "checkpoint/finished.piece"
    sign_again(piece, lambda header: header.update(blobs={"pieces": len(packed)}), packed)

    assert outcome("finished study", folder, right["finished study"], capsys, "--resume") == ""
    assert "finished.piece: its pieces are cut short, or unpack to more than a study has" in caplog.text


# ---------------------------------------------------------------------------------------------------------------- diff


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_diff_compares_or_refuses_whatever_the_files_say(
    folders: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    kind = data.draw(st.sampled_from(["finished run", "finished study"]))
    folder = tmp_path / "changed"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(folders[kind], folder)
    file = data.draw(st.sampled_from(sorted(folder.glob("*.json"))))
    document = json.loads(file.read_text())
    key = data.draw(st.sampled_from(sorted(document)))
    huge = {"a": {"a_low": 10**400, "a": 1, "a_high": 2}}
    document[key] = data.draw(st.sampled_from([*OTHER_SHAPES, huge, [[[]]], "\0"]))
    file.write_text(json.dumps(document))

    status = _status(["diff", str(folders[kind]), str(folder)], debug=False)

    said = capsys.readouterr().err
    assert status == 0 or (status == 2 and str(folder) in said), said


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("manifest.json", b'{"schema": 99}', r"manifest.json: schema: expected 1, found 99; made by another version"),
        ("result.json", b'{"schema": 99, "scenario": "x"}', r"result.json: schema: expected 1, found 99; made by"),
        ("result.json", DEEP, r"result.json: cannot be read as a result: nested too deep"),
        ("result.json", b"[" * 300 + b"]" * 300, r"result.json: cannot be read as a result: nested too deep"),
        ("result.json", b"{", r"result.json: cannot be read as a result: "),
        ("manifest.json", b"\xff", r"manifest.json: cannot be read as a result: "),
        ("manifest.json", b"[]", r"manifest.json: is no result"),
    ],
)
def test_diff_names_the_file_that_it_cannot_compare(
    folders: dict[str, Path], tmp_path: Path, name: str, content: bytes, complaint: str
) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(folders["finished run"], folder)
    (folder / name).write_bytes(content)

    with pytest.raises(InputError, match=complaint):
        sim.diff(folders["finished run"], folder)
