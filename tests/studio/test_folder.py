"""Files are read and written inside the folder only, whole, and never over what somebody else has written."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.studio.folder import AlreadyThere, Folder, Refused

OUT = ["../x.toml", "/etc/x.toml", "a/../../x.toml", ".hidden.toml", ".git/x.toml", "", "x.txt", "a\\x.toml"]
FIGHT = 'ruleset = "overhill"\ntitle = "Gate"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    root = tmp_path / "fights"
    root.mkdir()
    return Folder(root)


@pytest.mark.parametrize("name", [*OUT, "x\0.toml"])
def test_no_name_leads_out_of_the_folder(folder: Folder, name: str) -> None:
    with pytest.raises(Refused):
        folder.file(name)
    with pytest.raises(Refused):
        folder.write(name, b"")


def test_no_link_leads_out_of_the_folder(folder: Folder, tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text(FIGHT)
    (folder.root / "link.toml").symlink_to(secret)
    (folder.root / "outside").symlink_to(tmp_path)

    for name in ("link.toml", "outside/secret.toml", "outside/new.toml"):
        with pytest.raises(Refused):
            folder.read(name)
        with pytest.raises(Refused):
            folder.write(name, b"overwritten", folder.digest(name))
    assert secret.read_text() == FIGHT
    assert folder.scenarios() == []
    assert not (tmp_path / "new.toml").exists()


def test_what_is_there_is_replaced_only_by_who_knows_what_it_holds(folder: Folder) -> None:
    folder.write("gate.toml", b"one")

    with pytest.raises(AlreadyThere) as first:
        folder.write("gate.toml", b"two")
    (folder.root / "gate.toml").write_bytes(b"changed meanwhile")
    with pytest.raises(AlreadyThere) as second:
        folder.write("gate.toml", b"two", first.value.digest)
    assert (folder.root / "gate.toml").read_bytes() == b"changed meanwhile"
    folder.write("gate.toml", b"two", second.value.digest)

    assert (folder.root / "gate.toml").read_bytes() == b"two"
    assert [path.name for path in folder.root.iterdir()] == ["gate.toml"]


def test_scenarios_are_listed_and_nothing_else(folder: Folder) -> None:
    folder.write("gate.toml", FIGHT.encode())
    folder.write("deep/down/here.toml", FIGHT.encode())
    folder.write("study.toml", b'question = "compare"\nruleset = "overhill"\n')
    folder.write("broken.toml", b"= = =")
    folder.write("other.toml", b"[tool]\n")

    assert [found.name for found in folder.scenarios()] == ["gate.toml", "deep/down/here.toml"]
    assert folder.scenarios()[0].title == "Gate"


def test_a_folder_in_the_place_of_a_file_is_refused_with_words(folder: Folder) -> None:
    (folder.root / "gate.toml").mkdir()

    with pytest.raises(Refused, match=r"gate\.toml"):
        folder.read("gate.toml")
