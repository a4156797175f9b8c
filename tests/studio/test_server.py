"""The contract for scripts, and the pages without a browser."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import httpx

from tests.processes import PATIENCE, started, until_nobody_is_left
from tests.studio.conftest import Visitor, printed


def test_one_line_when_ready_and_nobody_left_after_ctrl_c(tmp_path: Path) -> None:
    with started("-m", "sim", "studio", str(tmp_path), "--no-open", "--port", "0") as process:
        assert process.stdout
        address = printed(process.stdout.readline())
        with httpx.Client(timeout=PATIENCE) as client:
            root = address.partition("?")[0]
            assert client.get(address, follow_redirects=True).status_code == 200
            watch = client.stream("GET", root + "watch", params={"fight": "p52/four-on-four", "precision": 0.2})
            with watch as stream:
                next(stream.iter_lines())
                process.send_signal(signal.SIGINT)
                process.wait(PATIENCE)
        rest = process.stdout.read()
        until_nobody_is_left(process)

        assert process.returncode == 0
        assert rest == ""
        assert process.stderr
        assert process.stderr.read() == ""


def test_a_port_that_is_taken_is_told_without_a_traceback(visitor: Visitor, tmp_path: Path) -> None:
    port = visitor.running.root.rpartition(":")[2]

    with started("-m", "sim", "studio", str(tmp_path), "--no-open", "--port", port) as process:
        _, said = process.communicate(timeout=PATIENCE)

    assert process.returncode == 2
    assert port in said
    assert "Traceback" not in said


def test_something_that_is_neither_fight_nor_folder_is_told(tmp_path: Path) -> None:
    with started("-m", "sim", "studio", str(tmp_path / "none.toml"), "--no-open") as process:
        _, said = process.communicate(timeout=PATIENCE)

    assert process.returncode == 2
    assert "none.toml" in said


def test_the_list_shows_every_game_and_the_files_of_the_folder(visitor: Visitor) -> None:
    (visitor.running.folder / "gate.toml").write_text(
        'ruleset = "overhill"\ntitle = "The <b>gate</b>"\npolicy = "plain"\n'
        '[[heroes]]\nclass = "warrior"\n[[enemies]]\ntype = "skeleton"\ncount = 2\n'
    )

    page = visitor.get("/").text

    assert all(game in page for game in ("Overhill &amp; Underdale", "P52", "Brimstone", "Second Era"))
    assert "The &lt;b&gt;gate&lt;/b&gt;" in page
    assert "playtest-1" in page


def test_a_fight_is_played_until_it_is_known(visitor: Visitor) -> None:
    html = visitor.rested(fight="overhill/solo-four-skeletons", precision=2)

    assert 'data-state="resting"' in html
    assert "The party wins" in html
    runs = re.search(r"--runs=(\d+)", html)
    assert runs
    assert f"{int(runs[1]):,} fights" in html


def test_a_change_is_in_the_address_and_beside_its_field(visitor: Visitor) -> None:
    page = visitor.get("/fight", fight="overhill/playtest-1", path="enemies[0].count", value="7").text

    assert "set=enemies%5B0%5D.count%3D7" in page
    assert "was 3" in page
    assert "seven skeletons (was three)" in page


def test_a_value_that_does_not_fit_is_told_in_the_words_of_check(visitor: Visitor) -> None:
    page = visitor.get("/fight", fight="overhill/playtest-1", path="enemies[0].count", value="many").text

    assert "1 value does not fit" in page
    assert 'aria-invalid="true"' in page


def test_pages_that_are_not_there_say_so(visitor: Visitor) -> None:
    for fight in ("overhill/no-such", "../../etc/passwd", "none.toml", ""):
        answer = visitor.get("/fight", fight=fight)
        assert answer.status_code == 404
        assert "Traceback" not in answer.text


def test_a_file_that_is_not_in_order_lists_its_problems(visitor: Visitor) -> None:
    (visitor.running.folder / "wrong.toml").write_text('ruleset = "overhill"\ntitle = "x"\nlevel = "high"\n')

    answer = visitor.get("/fight", fight="wrong.toml")

    assert answer.status_code == 422
    assert "level" in answer.text
    assert "heroes" in answer.text


def test_a_file_that_changes_on_disk_is_noticed(visitor: Visitor) -> None:
    file = visitor.running.folder / "moving.toml"
    text = (
        'ruleset = "overhill"\ntitle = "Moving"\npolicy = "plain"\n'
        '[[heroes]]\nclass = "warrior"\n[[enemies]]\ntype = "skeleton"\ncount = 2\n'
    )
    file.write_text(text)
    first = visitor.get("/fight", fight="moving.toml").text
    seen = re.search(r"seen=(\w+)", first)
    assert seen
    file.write_text(text.replace("count = 2", "count = 5"))

    second = visitor.get("/fight", fight="moving.toml", seen=seen[1]).text

    assert "has changed on disk" not in first
    assert "has changed on disk" in second
