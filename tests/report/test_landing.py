"""The landing page: a card for every report, with picture, verdict and link, and nothing from outside."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import sim
from sim.report.landing import Card, answer_card, landing_page, result_card, telling_card

DEMO = Path(__file__).parents[2] / "experiments" / "demo.py"
FIGHT = "overhill/playtest-1"


@pytest.fixture(scope="module")
def demo() -> ModuleType:
    """The script behind `make demo`."""
    spec = spec_from_file_location("demo", DEMO)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def shown(demo: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its landing page, with few runs of everything."""
    page: Path = demo.show(tmp_path_factory.mktemp("demo"), runs=120)
    return page


def test_the_demo_leads_to_a_fight_of_each_game_a_comparison_a_curve_and_a_replay(shown: Path) -> None:
    page = shown.read_text(encoding="utf-8")
    links = list(dict.fromkeys(re.findall(r'<a href="([^"]+)"', page)))

    assert links == [
        *(f"{game}/index.html" for game in ("overhill", "p52", "brimstone", "second_era")),
        *("compare/index.html", "levels/index.html", "replay.html"),
    ]
    for link in links:
        assert (shown.parent / link).is_file(), link
    assert page.count("<figure") == 6
    assert page.count("<pre") == 1


def test_every_demo_fight_is_in_the_balance(demo: ModuleType) -> None:
    for name, changes in demo.FIGHTS.values():
        win = sim.run(name, set=changes, runs=600, seed=3, keep="summary", progress=False).win_rate
        slack = 4 * (0.25 / win.n) ** 0.5  # four standard errors

        assert 0.45 - slack < win.value < 0.80 + slack, name


def test_the_page_asks_for_nothing_and_runs_nothing_but_its_own_script(shown: Path) -> None:
    page = shown.read_text(encoding="utf-8")

    assert "default-src 'none'" in page
    assert page.count("<script") == 1
    assert not re.search(r'\bsrc=|https?://(?!www\.w3\.org)|@import|url\((?!#)', page)


def test_no_two_pictures_share_an_id(shown: Path) -> None:
    ids = re.findall(r'\bid="([^"]+)"', shown.read_text(encoding="utf-8"))

    assert ids
    assert len(ids) == len(set(ids))


def test_references_inside_a_picture_still_lead_somewhere(shown: Path) -> None:
    page = shown.read_text(encoding="utf-8")
    ids = set(re.findall(r'\bid="([^"]+)"', page))
    used = set(re.findall(r'(?:url\(#|href="#|aria-labelledby=")([^")]+)', page))

    assert used
    assert used <= ids


def test_a_card_of_a_fight_says_what_was_changed_and_how_it_ends() -> None:
    result = sim.run(FIGHT, sets=["enemies.skeleton.count=7"], runs=200, progress=False)

    card = result_card(result, "there/index.html")

    assert card.title.endswith("changed: seven skeletons (was three)")
    assert card.verdict == result.verdict
    assert card.picture is not None


def test_a_card_of_a_comparison_has_wins_draws_and_losses_of_each() -> None:
    answer = sim.compare(FIGHT, {"swarm": {"enemies.skeleton.count": 9}}, runs=200, progress=False)

    said = answer_card(answer, "there/index.html").details

    assert re.fullmatch(r"baseline: wins \d+ %, draws \d+ %, losses \d+ %\.", said[-2])
    assert re.fullmatch(r"swarm \(nine skeletons \(was three\)\): wins \d+ %, draws \d+ %, losses \d+ %\.", said[-1])


def test_a_replay_begins_on_its_card() -> None:
    telling = sim.replay(FIGHT, run=0)
    lines = [line.strip() for line in telling.lines() if line.strip()]

    card = telling_card(telling, "A fight", "Overhill", "replay.html")

    assert card.verdict == next(line for line in lines if line.startswith("The end"))
    assert card.excerpt.splitlines()[1].strip() == lines[2]


def test_texts_cannot_break_out_of_a_card() -> None:
    evil = "</pre><script>alert(1)</script>"
    page = landing_page(evil, evil, [Card(evil, evil, evil, (evil,), "x.html", excerpt=evil)])

    assert "<script>alert" not in page
