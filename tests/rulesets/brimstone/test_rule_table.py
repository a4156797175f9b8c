"""Every rule of the table is named by the engine and shown by a test."""

from pathlib import Path

from sim.rulesets.brimstone import RULESET
from sim.testing import rule_gaps


def test_every_rule_is_in_the_engine_and_in_a_test() -> None:
    gaps = rule_gaps(RULESET, Path(__file__).parent)

    assert not gaps["undocumented"], f"no docstring of the engine names {', '.join(gaps['undocumented'])}"
    assert not gaps["untested"], f"no test is marked with {', '.join(gaps['untested'])}"
    assert not gaps["unknown"], f"tests are marked with ids that rules.toml does not have: {', '.join(gaps['unknown'])}"


def test_every_rule_has_a_sentence_of_its_own() -> None:
    sentences = list(RULESET.rules.values())

    assert len(set(sentences)) == len(sentences)
    assert all(sentence.endswith(".") and len(sentence) > 20 for sentence in sentences)
