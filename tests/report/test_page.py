"""The page: self-contained, safe, and with everything a reader needs."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sim
from sim.replays.page import fight_of
from sim.report import result_page as page_module
from sim.report.result_fights import AROUND, MOST_BYTES, fights_to_watch, picked_tellings
from sim.report.result_figures import result_drawings
from sim.report.result_page import result_page
from sim.report.result_tables import damage_table, deaths_table, downs_table
from sim.report.svg import COLOURS, Drawing, start_at_zero_or_say_so
from sim.results.result import WHEN, Result
from sim.results.verdict import BANDS
from sim.runs.runner import run
from sim.scenario import load
from tests.games.misbehaving import duel

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = ("outcome", "rounds", "party-hp", "damage", "abilities", "survival")


class Reader(HTMLParser):
    """Collects the elements of a page, and the text outside scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside = tag

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style"):
            self.text += data

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)

    @property
    def scripts(self) -> int:
        """Those that a browser would run; the frames of a fight are data."""
        return sum(tag == "script" and attributes.get("type") is None for tag, attributes in self.elements)


@pytest.fixture(scope="module")
def page(page_file: Path) -> str:
    return page_file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def troubled(troubled_file: Path) -> str:
    return troubled_file.read_text(encoding="utf-8")


def test_the_page_refers_to_nothing_outside_itself(page: str) -> None:
    for tag, attributes in Reader(page).elements:
        for name in ("src", "href", "xlink:href", "data", "action", "poster", "srcset"):
            target = attributes.get(name) or ""
            assert target.startswith("#") or target in ("", "data:,"), f"<{tag} {name}={target!r}>"
    assert not re.search(r"@import|url\((?!#)", page)


def test_its_policy_allows_the_one_script_it_has_and_no_request(page: str) -> None:
    reader = Reader(page)

    policies = [attributes["content"] for tag, attributes in reader.elements if "http-equiv" in attributes]

    assert reader.scripts == 1
    assert len(policies) == 1
    assert str(policies[0]).startswith("default-src 'none';")
    assert "script-src 'sha256-" in str(policies[0])


def test_the_page_says_itself_how_it_is_read(page: str) -> None:
    reading = page[page.index('<section id="reading">') :]

    assert reading.count("<details>") == 2
    assert all(f"<td>{band.name}</td><td>{band.meaning}</td>" in reading for band in BANDS)
    assert "<td>under 5 %</td>" in reading
    assert "<td>95 % and more</td>" in reading
    assert "docs/" not in page
    assert ".md" not in page


def test_the_verdict_comes_before_the_first_figure(page: str, plain_result: Result) -> None:
    assert 0 < page.index(plain_result.verdict) < page.index("<svg")


def test_every_part_is_there(page: str, plain_result: Result) -> None:
    text = Reader(page).text

    for part in ("How it ends", "The heroes", "Runs worth looking at", "The scenario as played", "Switches"):
        assert part in text
    for part in ("Modelled", "Simplified", "Not modelled", "House figures", "cheating", "Play it again"):
        assert part in text
    for caution in plain_result.warnings:
        assert caution.text in text
    assert plain_result.command in text
    assert plain_result.scenario.digest in text
    assert "seed" in text


def test_switches_that_differ_are_marked(page: str) -> None:
    rows = re.findall(r"<tr( class=\"differs\")?><td title=\"switches\.(\w+)\">", page)

    assert {name: bool(marked) for marked, name in rows} == {"heads_takes": True, "mood": False}


def test_there_is_a_table_under_every_figure(page: str) -> None:
    reader = Reader(page)

    ids = {str(attributes.get("id")) for _, attributes in reader.elements}

    assert {f"figure-{name}" for name in FIGURES} <= ids
    tables = ("outcomes", "fight", "rounds-histogram", "party_hp-histogram", "damage", "abilities", "survival", "downs")
    assert {f"table-{name}" for name in tables} <= ids


def test_ids_are_used_once(page: str) -> None:
    ids = [attributes["id"] for _, attributes in Reader(page).elements if attributes.get("id")]

    assert len(ids) == len(set(ids))


def test_no_text_of_a_scenario_becomes_an_element(troubled: str) -> None:
    reader = Reader(troubled)

    assert reader.scripts == 1
    assert reader.count("img") == reader.count("iframe") == 0
    own = re.findall('class="(?:tile|chip|die|code|playing-card|from)[ "]|<div class="along"><p><b>', troubled)
    assert reader.count("b") == len(own)  # the page's own
    assert not any(name.startswith("on") for _, attributes in reader.elements for name in attributes)
    assert "alert('name')" in reader.text
    assert "{{ 7 * 7 }}" in reader.text
    assert "Cost $5 & $x 1^{2}$ -->]]>" in reader.text


def test_the_same_result_gives_the_same_page(plain_result: Result) -> None:
    assert result_page(plain_result) == result_page(plain_result)


@pytest.mark.parametrize("runs", [1, 2, 30])
def test_a_handful_of_runs_still_makes_a_page(runs: int) -> None:
    result = run(duel(), runs=runs, jobs=1)

    page = result_page(result)

    assert ("Only 1 encounter was played" if runs == 1 else f"Only {runs} encounters were played") in page
    assert page.rstrip().endswith("</html>")


@pytest.mark.parametrize("only", [{"empty_percent": 100}, {"avoid_percent": 100}, {"coins": [500, 500, 1, 1]}])
def test_a_page_can_be_made_where_one_thing_always_happens(only: dict[str, object]) -> None:
    page = result_page(run(duel(**only), runs=250, jobs=1))

    assert "Play it again" in page


# ----------------------------------------------------------------------------------------------------------- figures


@pytest.fixture(scope="module")
def drawings(plain_result: Result) -> dict[str, Drawing]:
    return result_drawings(plain_result)


@pytest.fixture(scope="module")
def svgs(drawings: dict[str, Drawing]) -> dict[str, ElementTree.Element]:
    return {name: ElementTree.fromstring(drawn.svg) for name, drawn in drawings.items()}


def texts(svg: ElementTree.Element) -> list[str]:
    return ["".join(element.itertext()).strip() for element in svg.iter(f"{SVG}text")]


def test_all_figures_are_drawn_and_well_formed(svgs: dict[str, ElementTree.Element]) -> None:
    assert tuple(svgs) == FIGURES


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_a_title_for_eyes_and_for_ears(svgs: dict[str, ElementTree.Element], name: str) -> None:
    svg = svgs[name]

    title = svg.find(f"{SVG}title")

    assert title is not None
    assert title.text
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == title.get("id") == f"{name}-title"
    assert any(text and text in texts(svg) for text in (title.text, "Damage dealt"))


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("outcome", {"share of encounters, %"}),
        ("rounds", {"rounds", "share of fights, %"}),
        ("party-hp", {"party hit points left", "share of fights, %"}),
        ("damage", {"damage per fight", "Ada", "Ogre"}),
        ("abilities", {"damage per fight", "Ada: flip"}),
        ("survival", {"rounds played", "not yet down, % of fights", "Ada", "Bo"}),
    ],
)
def test_axes_say_what_they_measure(svgs: dict[str, ElementTree.Element], name: str, labels: set[str]) -> None:
    assert labels <= set(texts(svgs[name]))


def test_a_few_long_fights_do_not_stretch_the_axis_of_rounds() -> None:
    """Most fights of this duel take a few rounds; the round cap of 100 makes the rest very long."""
    result = sim.run("p52/hall-scaling", runs=600, seed=1, jobs=1)
    values, counts = result.sums.endings.histogram("rounds", WHEN["all"])
    drawn = result_drawings(result)

    ticks = [text for text in texts(ElementTree.fromstring(drawn["rounds"].svg)) if re.fullmatch(r"\d+\+?", text)]
    (end,) = (int(text[:-1]) for text in ticks if text.endswith("+"))

    assert values[-1] == 100
    assert end < 50
    assert not any(int(text) > end for text in ticks if not text.endswith("+"))
    longer = int(counts[values >= end].sum())
    assert f"{longer:,} ({100 * longer / 600:.1f} %) last longer, up to 100 rounds" in drawn["rounds"].caption
    assert f"Shown up to round {end - 1}" in drawn["survival"].caption
    assert drawn["survival"].svg.count("<use ") < 100  # ticks and a dozen markers for each hero, not one a round


def test_captions_say_how_many_values_a_bar_holds() -> None:
    result = sim.run("p52/hall-scaling", runs=200, seed=1, jobs=1)

    drawn = result_drawings(result)

    assert "2 to a bar" in drawn["party-hp"].caption
    assert "to a bar" not in drawn["rounds"].caption


def test_the_health_of_a_party_ends_at_zero_in_reports_and_not_in_the_tables_of_runs(tmp_path: Path) -> None:
    result = sim.run("p52/hall-scaling", runs=200, seed=1, jobs=1, keep="runs", out=tmp_path / "kept")
    lost = result.runs[result.runs.outcome == "loss"]

    values, _ = result.sums.endings.histogram("party_hp", WHEN["loss"])

    assert lost.party_hp.min() < 0
    assert values.tolist() == [0]
    assert result.ending("party_hp", "loss").value == 0


def test_damage_that_is_not_the_same_thing_is_named_and_kept_apart() -> None:
    result = sim.run("overhill/playtest-1", runs=200, seed=1, jobs=1)

    drawn = result_drawings(result)
    damage, abilities = (texts(ElementTree.fromstring(drawn[name].svg)) for name in ("damage", "abilities"))

    assert damage.count("monsters removed per fight") == damage.count("health lost per fight") == 2
    assert {"monsters removed per fight", "health lost per fight"} <= set(abilities)
    assert "counts monsters removed" in drawn["damage"].caption
    assert "counts monsters removed" in damage_table(result).about


def test_who_goes_down_and_who_dies_are_one_table_where_they_are_the_same() -> None:
    same = sim.run("second_era/se_patrol", runs=200, seed=1, jobs=1)
    differ = sim.run("p52/hall-scaling", runs=200, seed=1, jobs=1)

    assert deaths_table(same) is None
    assert downs_table(same).title == "Who goes down and dies"
    assert deaths_table(differ) is not None
    assert downs_table(differ).title == "Who goes down"


def test_an_axis_that_does_not_start_at_zero_says_so() -> None:
    from matplotlib.figure import Figure

    near, far = Figure().subplots(1, 2)
    near.plot([10, 30])
    far.plot([80, 100])

    for axes in (near, far):
        axes.set_ylabel("share")
        start_at_zero_or_say_so(axes)

    assert near.get_ylim()[0] == 0
    assert near.get_ylabel() == "share"
    assert "the axis starts at 79, not at 0" in far.get_ylabel()


@pytest.mark.parametrize("name", FIGURES)
def test_every_colour_is_one_of_the_page(drawings: dict[str, Drawing], name: str) -> None:
    """So that nothing stays black on a dark page."""
    left = re.sub(r"var\(--[\w-]+, #[0-9a-f]{6}\)", "", drawings[name].svg)

    assert re.findall(r"#[0-9a-fA-F]{6}\b", left) == []


def test_colours_of_roles_are_all_different() -> None:
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_figures_are_the_same_bytes_every_time(plain_result: Result, drawings: dict[str, Drawing]) -> None:
    again = result_drawings(plain_result)

    assert again == drawings
    assert not any("date" in drawn.svg or "<metadata" in drawn.svg for drawn in again.values())


def test_drawing_leaves_matplotlibs_settings_alone(plain_result: Result) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)

    result_drawings(plain_result)

    assert dict(matplotlib.rcParams) == before


def test_pyplot_is_not_needed(plain_result: Result) -> None:
    import subprocess
    import sys

    parts = "sim.report.result_folder, sim.report.study_folder"
    code = f"import sys, {parts}; assert 'matplotlib.pyplot' not in sys.modules"

    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_changed_fight_does_not_bear_the_name_of_the_unchanged_one() -> None:
    result = run(load("overhill/playtest-1", sets=["enemies.skeleton.count=9"]), runs=60, jobs=1)

    page = result_page(result)

    changed = "changed: nine skeletons (was three)"
    assert changed in page[page.index("<title>") : page.index("</title>")]
    assert changed in page[page.index("<h1>") : page.index("</h1>")]
    assert "9 (was 3)" in page[page.index('id="played"') :]


def test_a_fight_as_written_is_marked_nowhere() -> None:
    page = Reader(result_page(run(load("overhill/playtest-1"), runs=60, jobs=1)))

    assert "changed:" not in page.text
    assert "(was " not in page.text


# ------------------------------------------------------------------------------------------------- fights to be watched


def test_runs_worth_looking_at_can_be_watched_in_the_report(page: str, plain_result: Result) -> None:
    reader = Reader(page)

    watched = {str(attributes["data-run"]) for _, attributes in reader.elements if "data-run" in attributes}

    assert watched == {str(run) for run in plain_result.picks.values()}
    assert "A typical fight: the party " in reader.text
    assert "The table as the fight begins" in reader.text


def test_a_report_leaves_out_fights_that_have_no_room(plain_result: Result) -> None:
    tellings = picked_tellings(plain_result)
    sizes = [len(fight_of(telling).encode()) for telling in tellings.values()]

    fitting = fights_to_watch(tellings, sum(sizes) + AROUND * len(sizes) - 1)

    assert [fight.run for fight in fitting] == [telling.run for telling in tellings.values()][:-1]


def test_a_report_says_which_fights_it_left_out(plain_result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = result_page(plain_result)
    monkeypatch.setattr(page_module, "MOST_BYTES", len(whole.encode()) - 1)

    smaller = result_page(plain_result)

    assert "too long for this page" not in whole
    assert "1 more is too long for this page" in smaller
    assert len(smaller.encode()) < len(whole.encode())


def test_a_report_stays_small(page: str) -> None:
    assert len(page.encode()) < MOST_BYTES
