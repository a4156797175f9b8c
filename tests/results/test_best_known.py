"""The best known policy of a fight, told with its results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import sim
from sim.results.best_known import best_known

FIGHT = "overhill/duel-skeleton"


def answer(folder: Path, digest: str, **other: Any) -> None:
    folder.mkdir(parents=True)
    facts = {"question": "improve", "digest": digest, "policy_before": "plain", "gain": 0.09, "gain_low": 0.07}
    facts |= {"settings": {"side": "party"}}
    (folder / "study.json").write_text(json.dumps(facts | {"gain_high": 0.11} | other), encoding="utf-8")


def test_a_report_says_how_much_is_left_on_the_table(tmp_path: Path) -> None:
    digest = sim.load(FIGHT).digest
    answer(tmp_path / "better", digest)
    answer(tmp_path / "weaker", digest, gain=0.02, gain_low=0.01, gain_high=0.03)

    found = sim.run(FIGHT, runs=50, out=tmp_path / "report", jobs=1)

    said = "At least 7 points are left on the table by plain: fairfight improve has found a policy that wins 9.0 points"
    assert found.better_play.startswith(f"{said} more (7.0 to 11.0); see better, ")
    assert said in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_a_search_in_vain_is_told_too(tmp_path: Path) -> None:
    answer(tmp_path / "tried", "abc", gain=0.0, gain_low=0.0, gain_high=0.0)

    known = best_known("abc", tmp_path / "report")

    assert known is not None
    assert known.sentence.startswith("fairfight improve has found nothing better than plain (tried, ")


def test_other_fights_other_questions_and_rubbish_are_left_alone(tmp_path: Path) -> None:
    answer(tmp_path / "another fight", "xyz")
    answer(tmp_path / "another question", "abc", question="sweep")
    answer(tmp_path / "no number", "abc", gain=None)
    answer(tmp_path / "not a number", "abc", gain=float("nan"))
    (tmp_path / "rubbish").mkdir()
    (tmp_path / "rubbish" / "study.json").write_bytes(b"\xff{")
    (tmp_path / "list").mkdir()
    (tmp_path / "list" / "study.json").write_text("[1]", encoding="utf-8")

    assert best_known("abc", tmp_path / "report") is None
    assert best_known("abc", tmp_path / "nowhere" / "at" / "all") is None
    assert sim.run(FIGHT, runs=20, jobs=1).better_play == ""
