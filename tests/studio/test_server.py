"""The contract for scripts, and the pages without a browser."""

from __future__ import annotations

import html
import os
import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from sim.replays.replay import replay
from sim.replays.what_if import what_if
from sim.scenario import load
from sim.studies.study_model import MODELS
from sim.studio.address import Address
from sim.studio.questions import QUESTIONS
from tests.processes import PATIENCE, started, until_nobody_is_left
from tests.studio.conftest import Visitor, children_of, printed, studio_on


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


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_study_that_is_under_way_ends_with_the_studio(how: signal.Signals, tmp_path: Path) -> None:
    with studio_on(tmp_path) as running:
        with httpx.Client(base_url=running.root, timeout=PATIENCE) as client:
            client.get(running.address)
            asked = {"address": "fight=p52%2Ffour-on-four", "question": "ladder"}
            assert client.post("/ask", data=asked, headers={"origin": running.root}).status_code == 303
            study = next(pid for pid in waited_for(running.process.pid) if "sim.studio.question" in words_of(pid))
            running.process.send_signal(how)
            running.process.wait(PATIENCE)

        assert running.process.returncode == (0 if how == signal.SIGINT else -how)
        until = time.monotonic() + PATIENCE * (how == signal.SIGKILL)  # nobody has told it: it looks every second
        while words_of(study) and time.monotonic() < until:
            time.sleep(0.1)
        assert words_of(study) == ""


def waited_for(parent: int) -> Iterator[int]:
    """The children of a process, again and again while new ones come."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        yield from children_of(parent)
        time.sleep(0.02)


def words_of(process: int) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return (Path("/proc") / str(process) / "cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


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
    told = visitor.rested(fight="overhill/solo-four-skeletons", precision=2)

    assert 'data-state="resting"' in told
    assert "The party wins" in told
    runs = re.search(r"--runs=(\d+)", told)
    assert runs
    assert f"{int(runs[1]):,} fights" in told


def test_a_change_is_in_the_address_and_beside_its_field(visitor: Visitor) -> None:
    page = visitor.get("/fight", fight="overhill/playtest-1", path="enemies[0].count", value="7").text

    assert "set=enemies%5B0%5D.count%3D7" in page
    assert "was 3" in page
    assert "seven skeletons (was three)" in page


def test_a_command_is_told_in_a_sentence_before_it_is_shown(visitor: Visitor) -> None:
    page = html.unescape(visitor.get("/fight", fight="overhill/playtest-1", set="enemies[0].count=7", seed=4).text)

    sentence, command = page.index("with seven skeletons (was three) "), page.index("fairfight run overhill/playtest-1")
    assert page.index("with luck no. 4:") - sentence < 100
    assert sentence < command
    assert "--set 'enemies[0].count=7'" in page[command:]


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


def test_twenty_tabs_do_not_bring_it_down(visitor: Visitor) -> None:
    def first_news(count: int) -> str:
        with httpx.Client(base_url=visitor.running.root, cookies=visitor.client.cookies, timeout=PATIENCE) as client:
            asked = {"fight": "overhill/playtest-1", "set": f"enemies[0].count={count}", "precision": 2}
            with client.stream("GET", "/watch", params=asked) as stream:
                return next(line for line in stream.iter_lines() if "The party wins" in line)

    with ThreadPoolExecutor(20) as tabs:
        told = list(tabs.map(first_news, range(1, 21)))

    assert len(told) == 20
    assert visitor.get("/").status_code == 200


def test_a_saved_file_is_what_the_page_has_shown(visitor: Visitor) -> None:
    address = "fight=overhill%2Fplaytest-1&set=enemies%5B0%5D.count%3D4"

    answer = visitor.post("/save", {"address": address, "name": "four.toml"})

    assert answer.status_code == 200
    saved = (visitor.running.folder / "four.toml").read_text()
    page = visitor.client.get(f"/fight?{address}").text
    assert html.escape(saved, quote=False).replace('"', "&#34;") in page
    assert visitor.post("/save", {"address": address, "name": "four.toml"}).status_code == 409
    assert visitor.post("/save", {"address": address, "name": "../out.toml"}).status_code == 422
    assert visitor.post("/save", {"address": address + "&set=level%3Dx", "name": "bad.toml"}).status_code == 422
    assert not (visitor.running.folder.parent / "out.toml").exists()
    assert not (visitor.running.folder / "bad.toml").exists()


def test_the_file_to_hand_over_is_the_saved_one_and_who_saves_is_told_where_it_is(visitor: Visitor) -> None:
    address = "fight=overhill%2Fplaytest-1&set=enemies%5B0%5D.count%3D8"

    saved = visitor.post("/save", {"address": address, "name": "eight.toml"})
    handed = visitor.client.get(f"/file?{address}")

    assert str(visitor.running.folder) in saved.text
    assert handed.text == (visitor.running.folder / "eight.toml").read_text()
    assert 'filename="playtest-1-changed.toml"' in handed.headers["content-disposition"]
    assert visitor.client.get(f"/file?{address}&set=level%3Dx").status_code == 404


def test_whoever_saves_a_changed_fight_is_told_that_it_has_its_old_title(visitor: Visitor) -> None:
    changed = "fight=overhill%2Fplaytest-1&set=enemies%5B0%5D.count%3D7"
    still = "Its title is still “Playtest 1: three skeletons and two zombies”"

    assert still in visitor.post("/save", {"address": changed, "name": "seven.toml"}).text
    named = visitor.post("/save", {"address": f"{changed}&set=title%3D%22Seven%22", "name": "named.toml"})
    assert named.status_code == 200
    assert "title is still" not in named.text
    same = visitor.post("/save", {"address": "fight=overhill%2Fplaytest-1", "name": "same.toml"})
    assert "title is still" not in same.text


def test_a_form_that_never_ends_is_refused(visitor: Visitor) -> None:
    assert visitor.post("/save", {"address": "x" * 2_000_000, "name": "x.toml"}).status_code == 404


def test_pages_of_the_folder_run_no_script_but_that_of_our_reports(visitor: Visitor) -> None:
    folder = visitor.running.folder / "studies/evil-1"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<script>alert(1)</script>")

    answer = visitor.get("/study/studies/evil-1/index.html")

    policy = answer.headers["content-security-policy"]
    assert "sandbox allow-scripts" in policy
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]
    assert visitor.get("/study/four.toml").status_code == 404
    assert visitor.get("/study/%2e%2e/%2e%2e/etc/passwd.html").status_code == 404


def test_what_cannot_be_asked_is_told(visitor: Visitor) -> None:
    about = {"address": "fight=overhill%2Fplaytest-1"}

    assert "keep a variant first" in visitor.post("/ask", about | {"question": "compare"}).text
    assert "fill in" in visitor.post("/ask", about | {"question": "sweep"}).text
    assert "no such question" in visitor.post("/ask", about | {"question": "fortune"}).text
    assert "leads out" in visitor.post("/ask", about | {"question": "gate", "file": "../x.toml"}).text
    met = about | {"question": "parties", "size": "1", "against": "overhill/gobbo-trio,../x.toml"}
    assert "leads out" in visitor.post("/ask", met).text
    assert "percent" in visitor.post("/ask", about | {"question": "tune", "knob": "level", "target": "200"}).text


def test_every_study_that_is_about_a_fight_can_be_asked_for() -> None:
    assert set(MODELS) == {name.removesuffix("-enemies") for name in QUESTIONS}  # a study may be two questions


def asked_and_answered(visitor: Visitor, question: str, **given: str) -> str:
    """The words of the queue when a question has been answered."""
    assert visitor.post("/ask", {"question": question, **given}).status_code == 303
    return html.unescape(list(visitor.news("/ask/news", fight="overhill/playtest-1"))[-2]["html"])


def test_the_value_that_tune_has_found_is_taken_over_into_the_fight(visitor: Visitor) -> None:
    address = "fight=overhill%2Fduel-skeleton&set=heroes%5B0%5D.max_health%3D20&seed=3"
    given = {"address": address, "knob": "enemies[0].count", "target": "65"}

    told = asked_and_answered(visitor, "tune", **given)

    link = re.search(r'href="(/fight\?[^"]*)">take over: (\w+) skeletons?<', told)
    assert link
    page = visitor.client.get(link[1]).text
    assert "set=heroes%5B0%5D.max_health%3D20&amp;set=enemies%5B0%5D.count%3D" in page
    assert f"{link[2]} skeletons (was one)" in page
    assert link[0] in html.unescape(visitor.get("/ask", fight="overhill/duel-skeleton").text)  # and it stays there


def test_spans_are_two_numbers_and_names_are_ticked(visitor: Visitor) -> None:
    about = {"address": "fight=overhill%2Fplaytest-1"}
    claims = '[[claims]]\nscenario = "overhill/playtest-1"\nwin_rate = 0.9\n'
    (visitor.running.folder / "balance.toml").write_text(claims)
    page = visitor.get("/ask", fight="brimstone/boot_hill").text

    assert 'type="checkbox" name="units" value="hungry_dead"' in page
    assert 'type="checkbox" name="of" value="us_marshal"' in page
    assert "<option>balance.toml</option>" in page
    sweep = about | {"question": "sweep", "knob": "enemies[0].count"}
    assert "the smaller number first" in visitor.post("/ask", sweep | {"values_from": "5", "values_to": "2"}).text
    assert "expected a number" in visitor.post("/ask", sweep | {"values_from": "x", "values_to": "2"}).text
    assert "fill in: From, to" in visitor.post("/ask", sweep | {"values_from": "1"}).text


def test_parties_meet_the_other_fights_of_the_game_that_were_ticked(visitor: Visitor) -> None:
    fight = 'ruleset = "overhill"\ntitle = "Two rats"\n'
    (visitor.running.folder / "rats.toml").write_text(fight)
    page = html.unescape(visitor.get("/ask", fight="overhill/playtest-1").text)

    assert 'name="against" value="overhill/gobbo-trio"> Two heroes against three gobbos' in page
    assert 'name="against" value="rats.toml"> Two rats' in page
    assert 'name="against" value="overhill/playtest-1"' not in page
    assert 'name="against" value="p52/duel"' not in page
    address = Address.of("fight=overhill%2Fplaytest-1&seed=3")
    given = {"size": "2", "of": "warrior,priest", "against": "overhill/gobbo-trio,rats.toml"}
    words = QUESTIONS["parties"].words(address, given)
    assert words == [
        "parties",
        "overhill/playtest-1",
        "--size=2",
        "--of=warrior,priest",
        "--against=overhill/gobbo-trio",
        "--against=rats.toml",
        "--seed=3",
    ]


def test_a_study_that_fails_says_why(visitor: Visitor) -> None:
    asked = {"question": "sweep", "knob": "enemies[0].count", "values_from": "900", "values_to": "901"}

    assert visitor.post("/ask", asked | {"address": "fight=overhill%2Fplaytest-1"}).status_code == 303

    last = list(visitor.news("/ask/news", fight="overhill/playtest-1"))[-2]["html"]
    assert "could not be answered" in last
    assert "expected between 0 and 200 monsters" in last


def test_a_link_that_somebody_has_sent_opens_here(visitor: Visitor) -> None:
    link = "http://127.0.0.1:1234/fight?fight=overhill%2Fplaytest-1&set=enemies%5B0%5D.count%3D7&seed=9"

    answer = visitor.get("/open", link=link)

    assert answer.status_code == 303
    assert answer.headers["location"] == link.removeprefix("http://127.0.0.1:1234")
    assert visitor.get("/open", link="http://evil.example/").status_code == 404


def test_the_curve_around_a_number_goes_on_to_the_target(visitor: Visitor) -> None:
    asked = {"fight": "overhill/playtest-1", "path": "enemies[0].count", "target": 0.2}

    told = [one["html"] for one in visitor.news("/around", **asked) if "html" in one]

    values = [int(value) for value in re.findall(r'data-value="(\d+)"', told[-1])[:-1]]
    assert values == list(range(max(values) + 1))
    assert max(values) > 7  # four further than three is not enough for 20 %
    shares = [float(share) for share in re.findall(r": ([\d.]+) %</button>", told[-1])]
    assert shares[0] > 99
    assert min(shares) <= 20
    assert visitor.get("/around", fight="overhill/playtest-1", path="policy").status_code == 404
    wrong = {"set": "enemies[0].count=lots", "path": "enemies[0].count"}
    assert visitor.get("/around", fight="overhill/playtest-1", **wrong).status_code == 404


def test_one_run_is_watched_on_the_page_that_replay_writes(visitor: Visitor) -> None:
    watched = visitor.get("/see", fight="overhill/playtest-1", seed=3, run=12)

    address = "fight=overhill%2Fplaytest-1&seed=3"
    expected = replay(load("overhill/playtest-1"), 12, 3).page(f"/fight?{address}", f"/what-if?{address}&run=12")
    assert watched.text == expected
    assert "script-src 'sha256-" in watched.headers["content-security-policy"]
    assert visitor.get("/see", fight="overhill/playtest-1", run="x").status_code == 404


def test_a_run_is_played_on_from_a_round_and_one_continuation_can_be_watched(visitor: Visitor) -> None:
    fight = load("overhill/playtest-1", sets=["enemies[0].count=7"])
    asked = {"fight": "overhill/playtest-1", "set": "enemies[0].count=7", "run": 17, "round": 2, "again": 300}

    told = visitor.get("/what-if", **asked).json()
    other = visitor.get("/what-if", **asked, policy="cautious").json()

    assert told["sentences"] == what_if(fight, 17, 1, 2, 300).sentences()
    assert other["sentences"] == what_if(fight, 17, 1, 2, 300, "cautious").sentences()
    watched = visitor.client.get(other["watch"]["address"])
    assert "other luck and the policy cautious from round 2 on" in watched.text
    assert "connect-src" not in watched.headers["content-security-policy"]
    ends = {"win": "the party wins", "loss": "the party loses"}[what_if(fight, 17, 1, 2, 300, "cautious").ends]
    assert other["watch"]["words"].endswith(ends)


def test_a_round_or_a_policy_that_is_not_there_is_told(visitor: Visitor) -> None:
    asked = {"fight": "overhill/playtest-1", "run": 17}

    late = visitor.get("/what-if", **asked, round=99)
    unknown = visitor.get("/what-if", **asked, round=1, policy="cautius")

    assert late.status_code == unknown.status_code == 422
    assert "was over after round" in late.json()["sentences"][0]
    assert "did you mean 'cautious'" in unknown.json()["sentences"][0]
    assert visitor.get("/what-if", **asked, round="x").status_code == 404
    assert visitor.get("/what-if", **asked, round=1, again=10**9).status_code == 404
    assert visitor.get("/see", **asked, round=99, continuation=1).status_code == 404


def test_a_fight_at_rest_uses_no_processor_and_tells_nothing(tmp_path: Path) -> None:
    with studio_on(tmp_path) as running, httpx.Client(base_url=running.root, timeout=PATIENCE) as client:
        assert client.get(running.address, follow_redirects=True).status_code == 200
        visitor = Visitor(client, running)
        query = {"fight": "overhill/duel-skeleton", "precision": 2}
        assert visitor.get("/fight", **query).status_code == 200
        told = list(visitor.news(**query))

        everybody = [running.process.pid, *children_of(running.process.pid)]
        until, used = time.monotonic() + PATIENCE, processor_of(everybody)
        while time.monotonic() < until:  # what was played ahead for the page is broken off by and by
            time.sleep(1.0)
            before, used = used, processor_of(everybody)
            if used - before <= IDLE:
                break
        time.sleep(2.0)

        assert told[-1] == {"over": True}
        assert [one for one in told if one.get("resting")] == told[-3:-2]  # numbers at rest, figures, the end
        assert processor_of(everybody) - used <= 2 * IDLE
        assert len(everybody) > 1


IDLE = 0.05  # seconds of processor time in a second in which a server only listens


def processor_of(processes: list[int]) -> float:
    """Seconds of processor time that they have used in all."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
