"""Setup, order of play, the end of encounters, rewards and gauntlets (sections 3, 4 and 8)."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome, room_counts
from sim.replays.replay import replay
from sim.rulesets.p52.player import take_turn
from sim.rulesets.p52.rules.damage import hurt_hero
from sim.rulesets.p52.rules.ending import check_end, leave_space, reward
from sim.rulesets.p52.rules.hero_turns import hero_turn
from sim.rulesets.p52.rules.setup import start_flip
from sim.scenario import load
from tests.rulesets.p52.fights import ONE, begin, compiled, flips, foe, hero, next_round, stack, told

PARTY = [hero("fighter"), hero("rogue"), hero("captain")]
FOES = [foe("J clubs"), foe("K clubs")]


@pytest.mark.rule("P52-S2", "P52-S5", "P52-T1")
def test_w31_order_of_play() -> None:
    encounter, s = begin(PARTY, FOES)

    names = [encounter.cast.units[int(unit)].name for unit in s.order[:, 0]]

    assert names == ["captain", "K clubs", "J clubs", "fighter", "rogue"]


@pytest.mark.rule("P52-S5")
def test_who_ties_in_the_order_of_play_goes_first_by_lot_and_the_others_go_as_ever() -> None:
    _, apart = begin(PARTY, FOES, runs=400)
    _, alike = begin(PARTY, [foe("K clubs"), foe("K clubs")], runs=400)  # units 3 and 4

    assert {tuple(order) for order in apart.order.T.tolist()} == {(2, 4, 3, 0, 1)}
    assert {tuple(order) for order in alike.order.T.tolist()} == {(2, 3, 4, 0, 1), (2, 4, 3, 0, 1)}


@pytest.mark.rule("P52-S6")
@pytest.mark.parametrize(("value", "attacks"), [(1, (0, 2)), (13, (2, 0)), (7, (0, 0))])
def test_the_start_flip_gives_a_free_pass(value: int, attacks: tuple[int, int]) -> None:
    _, s = begin(PARTY, [foe("J clubs", max_hp=500), foe("K clubs", max_hp=500)], stamina_start=0, counter_depth=0)
    s.facts.switches["drop_mode"] = "free_pass"
    stack(s, value, *[2] * 12)

    start_flip(s, take_turn, ONE)

    # The rogue of level 1 has a bow and no knife: it cannot attack on the same spot.
    assert (flips(s, "attacks"), flips(s, "enemy_attacks")) == attacks


@pytest.mark.rule("P52-S7")
def test_with_calico_there_is_no_start_flip_but_an_extra_turn() -> None:
    _, s = begin([hero("fighter")], [foe("calico")], drop_mode="free_pass")

    assert not told(s, "opens")
    assert told(s, "extra_turn")
    assert flips(s, "enemy_attacks") >= 1
    assert s.round == 0


@pytest.mark.rule("P52-T2", "P52-H11", "P52-Y7")
def test_lost_turns_and_what_a_stunned_hero_may_do() -> None:
    _, s = begin([hero("fighter", consumables={})], [foe("J clubs")], stamina_start=0)
    s.lost[0], s.stance[0], s.aim[0] = 1, 2, 1
    hero_turn(s, take_turn, 0, ONE)
    assert (int(s.lost[0, 0]), int(s.stance[0, 0]), int(s.aim[0, 0])) == (0, 0, 0)

    s.hp[0] = 0
    hero_turn(s, take_turn, 0, ONE)

    assert int(s.stance[0, 0]) == 1
    assert flips(s, "attacks") == 0


def test_a_stunned_healer_may_heal_itself_only_by_the_draft() -> None:
    for preset, healed in (("p52-1.4", False), ("p52-draft", True)):
        _, s = begin(
            [hero("cleric", consumables={}), hero("fighter")], [foe("J clubs")], preset=preset, stamina_start=0
        )
        s.hp[0] = 0
        stack(s, 13)
        hero_turn(s, take_turn, 0, ONE)
        assert (int(s.hp[0, 0]) > 0) == healed


@pytest.mark.rule("P52-T5", "P52-X1", "P52-I41")
def test_the_end_is_a_win_if_both_sides_fall_at_once() -> None:
    _, s = begin([hero("fighter", consumables={"phoenix_feather": 1})], [foe("J clubs")])
    hurt_hero(s, 0, ONE, np.array([99]))
    check_end(s, ONE)
    assert not s.on[0]
    assert s.outcome[0] == Outcome.LOSS

    _, s = begin([hero("fighter")], [foe("J clubs")])
    hurt_hero(s, 0, ONE, np.array([99]))
    s.standing[:] = 0
    check_end(s, ONE)
    assert s.outcome[0] == Outcome.WIN


@pytest.mark.rule("P52-T6")
def test_the_round_cap_is_a_draw_and_a_chase_a_stalemate() -> None:
    heroes = [hero("fighter", at=(0, 0), movement=0)]
    outcomes = play(compiled(heroes, [foe("J hearts", 8, 0, hp=1)], board=".........", round_cap=2), 1, np.arange(3))

    assert (outcomes.outcome == Outcome.DRAW).all()
    assert (outcomes.rounds == 2).all()
    assert outcomes.counts["stalemate"].tolist() == [0, 0, 0]  # 3 of 9 is not weak any more
    chase = play(
        compiled(heroes, [foe("J hearts", 8, 0, hp=1, max_hp=90)], board=".........", round_cap=2), 1, np.arange(3)
    )
    assert chase.counts["stalemate"].tolist() == [1, 1, 1]


@pytest.mark.rule("P52-X3", "P52-X4")
@pytest.mark.parametrize(("outcome", "xp"), [(Outcome.WIN, 5 + 4 + 1), (Outcome.DRAW, 4 + 1), (Outcome.LOSS, 0)])
def test_rewards(outcome: Outcome, xp: int) -> None:
    _, s = begin([hero("fighter")], FOES)
    s.earned[0], s.foes_met[0], s.outcome[:] = 4, 2, outcome
    row = s.facts.kits[0].defence.rows[0]
    s.saves[row], s.foes_by[s.facts.kits[0].attacks[0].row] = 3, 7

    reward(s, ONE)

    assert int(s.xp[0, 0]) == xp
    assert int(s.tally["core_gain"][0]) == 2


@pytest.mark.rule("P52-X5")
@pytest.mark.parametrize(("preset", "hp"), [("p52-1.4", 21), ("p52-draft", 10)])
def test_w20_leaving_a_space(preset: str, hp: int) -> None:
    _, s = begin([hero("fighter", hp=10)], [foe("J clubs")], preset=preset, stamina_start=4)
    stack(s, 3, 9)

    leave_space(s, ONE)

    assert int(s.hp[0, 0]) == hp
    assert int(s.cards[0, 0]) == 5


def test_a_gauntlet_goes_on_until_somebody_does_not_win() -> None:
    parts = [{"enemies": [foe("J clubs", hp=1)]}, {"enemies": [foe("Q clubs", hp=1)], "board": "S."}]
    outcomes = play(compiled([hero("fighter", 6)], [], encounters=parts), 2, np.arange(30))

    won = outcomes.outcome == Outcome.WIN
    assert won.any()
    assert outcomes.dead[1:, won].all()


@pytest.mark.rule("P52-X6")
def test_the_accounts_add_up() -> None:
    outcomes = play(compiled(PARTY, FOES, policy="random_legal"), 5, np.arange(60))

    assert (outcomes.damage_dealt[:3].sum(axis=0) == outcomes.damage_taken[3:].sum(axis=0)).all()
    assert (outcomes.counts["hits"] <= outcomes.counts["attacks"]).all()
    assert (outcomes.kills[:3].sum(axis=0) == outcomes.dead[3:].sum(axis=0)).all()


def test_whoever_listens_sees_the_board_with_everybody_on_it() -> None:
    encounter, s = begin([hero("fighter", at=(0, 0))], [foe("K hearts", 6, 0)], board="lane")

    next_round(encounter, s)

    scene = encounter.look(s)
    assert scene.board is s.space.ground.board
    assert [(token.key, token.place) for token in scene.tokens] == [
        ("fighter", int(s.spot[0, 0])),
        ("K hearts", int(s.foe_spot[0, 0])),
    ]
    assert [token.name or token.key for token in scene.tokens] == ["fighter", "king of hearts"]


def test_a_gauntlet_is_counted_room_by_room() -> None:
    fight = load("p52/mountain-pass", policy="brawler", values={"switches.round_cap": 9})
    cast, runs = fight.encounter().cast, np.arange(40)

    played = play(fight.encounter(), 3, runs)

    reached, won, rounds, hp = (
        np.array([played.counts[room_counts(room)[column]] for room in range(3)]) for column in range(4)
    )  # (rooms, runs) each
    assert cast.rooms == ("1: The Jacks", "2: The Queens", "3: The Kings")
    assert 0 < reached[1].sum() < 40
    assert (reached[0] == 1).all()
    assert (reached[1:] == won[:-1]).all()
    assert (won[2] == (played.outcome == Outcome.WIN)).all()
    assert (rounds.sum(axis=0) == played.rounds).all()
    assert ((rounds > 0) == (reached == 1)).all()
    assert (hp[won == 0] == 0).all()
    assert (hp[won == 1] > 0).all()
    at_the_end = np.maximum(played.hp[cast.party], 0).sum(axis=0)
    assert (hp[2] == at_the_end * won[2]).all()


def test_the_rooms_of_a_gauntlet_are_told_as_they_are_counted() -> None:
    fight = load("p52/mountain-pass", policy="focus_fire", values={"switches.round_cap": 20})

    for run in range(4):
        played = play(fight.encounter(), 1, np.array([run]))
        events = replay(fight, run, 1).events
        turned = [event.after.notes[0] for event in events if event.kind == "enters"]
        assert len(turned) + 1 == sum(int(played.counts[room_counts(room)[0]][0]) for room in range(3))
        ends = [event.round for event in events if event.kind in ("is_won", "is_lost", "is_broken_off")]
        rounds = [int(played.counts[room_counts(room)[2]][0]) for room in range(3)]
        assert np.cumsum(rounds)[: len(ends)].tolist() == ends
