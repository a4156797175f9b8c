"""Files that cannot be read, and what is said about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.errors import ScenarioError
from sim.scenario import toml_reader
from sim.scenario.toml_reader import read_toml


def complaint(path: Path) -> str:
    with pytest.raises(ScenarioError) as caught:
        read_toml(path, path.name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'a = 1\nb = three\n', "x.toml:2: column 5: not valid TOML: invalid value (a text stands in \"quotes\""),
        (b"a = 1\nb\n", "x.toml:2: column 2: not valid TOML: expected '='"),
        (b'a = "open\n', "x.toml:1: column 10: not valid TOML: illegal character '\\n' (a text ends on the line"),
        (b"a = [1, 2\n", "x.toml:2: not valid TOML: unclosed array (a closing bracket ] is missing), at the end"),
        (b"a = 1\na = 2\n", "x.toml:2: column 6: not valid TOML: cannot overwrite a value (the key stands there"),
        (b"[h]\n[h]\n", "an entry of a list has two brackets: [[heroes]]"),
        (b"a = 1\nname = \"\xe9\"\n", "x.toml:2: byte 0xe9 is not UTF-8; save the file as UTF-8"),
        ("a = 1\n".encode("utf-16"), "x.toml: is UTF-16 text; save it as UTF-8"),
        ("a = 1\nb = 2\n".encode("utf-16-le"), "x.toml:1: contains a NUL byte"),
        (b"a = 1\n\x00\n", "x.toml:2: contains a NUL byte"),
        (b"a = " + b"[" * 100_000, "x.toml: lists or tables lie too deep in one another"),
        (b"a = " + b"[" * 50 + b"]" * 50, "x.toml:1: a: tables and lists lie more than 40 deep"),
        (b"a" + b".a" * 500 + b" = 1", "x.toml:1: a: tables and lists lie more than 40 deep"),
        (b"a = " + b"1" * 5000, "x.toml: a value cannot be read"),
        (b"a = 0x" + b"f" * 5000, "x.toml:1: a: expected a number of at most 63 bits, found one of 20000"),
        (b"[t]\nday = 2024-06-02\n", "x.toml:2: t.day: expected a number, a text, a list or a table, found the date"),
        (b"[t]\nx = [1, nan]\n", "x.toml:2: t.x[1]: expected a number, found nan"),
    ],
)
def test_a_file_that_is_no_toml_says_where_and_why(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)

    assert expected in complaint(path)


def test_a_byte_order_mark_and_the_line_ends_of_windows_are_welcome(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xef\xbb\xbftitle = 'a'\r\n[h]\r\nx = 1\r\n")

    file = read_toml(path)

    assert file.table == {"title": "a", "h": {"x": 1}}
    assert file.lines.of(("h", "x")) == 3


def test_a_missing_file_names_the_nearest_one_beside_it(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").touch()

    assert complaint(tmp_path / "gaet.toml") == "gaet.toml: no such file; did you mean 'gate.toml'?"
    assert complaint(tmp_path / "no" / "gate.toml") == "gate.toml: no such file"


def test_a_folder_says_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").touch()

    assert complaint(tmp_path).endswith("is a folder, expected a .toml file; it holds gate.toml")


def test_a_link_is_followed_and_a_dangling_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text("a = 1\n")
    (tmp_path / "link.toml").symlink_to("gate.toml")
    (tmp_path / "lost.toml").symlink_to("nowhere.toml")

    assert read_toml(tmp_path / "link.toml").table == {"a": 1}
    assert complaint(tmp_path / "lost.toml") == "lost.toml: is a link to a file that is not there"


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml_reader, "LARGEST_FILE", 1_000_000)
    path = tmp_path / "x.toml"
    path.write_bytes(b"#" * 1_000_001)

    assert complaint(path) == "x.toml: is larger than 1 MB: not a scenario file"


def test_a_name_that_no_file_can_have_is_no_traceback() -> None:
    assert "cannot be read" in complaint(Path("a\0b.toml"))
    assert "cannot be read" in complaint(Path("x" * 5000 + ".toml"))
