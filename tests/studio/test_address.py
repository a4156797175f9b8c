"""The address holds the whole state."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sim.studio.address import MOST_KEPT, Address, Variant, next_name

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
variants = st.builds(Variant, texts, st.lists(texts, max_size=4).map(tuple))


@given(variants, st.integers(0, 2**64 - 1), st.sampled_from([2.0, 1.0, 0.5, 0.2]), st.lists(texts, max_size=3))
def test_an_address_is_read_as_it_was_written(variant: Variant, seed: int, precision: float, names: list[str]) -> None:
    address = Address(variant, seed, precision)
    for name in names:
        address = address.keeping(name)

    assert Address.of(address.query) == address


@given(st.text(max_size=200))
def test_no_address_is_too_odd_to_be_read(query: str) -> None:
    read = Address.of(query)

    assert Address.of(read.query).query == read.query


def test_numbers_out_of_bounds_are_as_if_they_were_not_there() -> None:
    assert Address.of("fight=x&seed=-1&precision=nan&target=9&against=3") == Address(Variant("x"))
    assert Address.of(f"fight=x&seed={2**64}&precision=0") == Address(Variant("x"))


def test_a_value_takes_the_place_of_what_was_set_there_or_inside_of_it() -> None:
    variant = Variant("x", ("level=2", "enemies[0].count=3", "enemies[1].count=1"))

    assert variant.with_value("enemies[0].count", "4").sets == ("level=2", "enemies[1].count=1", "enemies[0].count=4")
    assert variant.with_value("enemies", "[]").sets == ("level=2", "enemies=[]")
    assert variant.without("level").sets == ("enemies[0].count=3", "enemies[1].count=1")
    assert variant.typed_at("enemies[1].count") == "1"


def test_dropping_a_variant_keeps_a_what_it_was() -> None:
    address = Address(Variant("x")).keeping("A").keeping("B").keeping("C")

    assert address.baseline is not None
    assert address.baseline.name == "C"
    dropped = address.dropping(0)
    assert dropped.baseline is not None
    assert dropped.baseline.name == "C"
    assert address.dropping(2).baseline is None


def test_the_list_of_variants_ends_somewhere() -> None:
    address = Address(Variant("x"))
    for _ in range(2 * MOST_KEPT):
        address = address.keeping(next_name(address.kept))

    assert len(address.kept) == MOST_KEPT
    assert len({kept.name for kept in address.kept}) == MOST_KEPT
