"""Values that are worked out once: for all lanes of a view, and for every narrower view of some of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from sim.core.batch import only
from sim.core.lanes import Whole, columns

V = TypeVar("V")


class Narrowed:
    """A view of some lanes of a wider view, or of none."""

    def __init__(self, wider: Any, places: Whole) -> None:
        self.wider = wider  # a view of more lanes, or None
        self.places = places  # where these lanes stand in it


class remembered(Generic[V]):  # noqa: N801 (used like `property`)
    """A value of a view: worked out when first asked, or taken from a wider view that has it already."""

    def __init__(self, work_out: Callable[[Any], V]) -> None:
        self.work_out = work_out
        self.name = work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, view: None, owner: type) -> remembered[V]: ...

    @overload
    def __get__(self, view: Narrowed, owner: type) -> V: ...

    def __get__(self, view: Narrowed | None, owner: type) -> remembered[V] | V:
        if view is None:
            return self
        wider, narrower = view.wider, []
        while wider is not None and self.name not in wider.__dict__:
            narrower.append(wider)
            wider = wider.wider
        if wider is None:
            value: V = self.work_out(view)
        else:
            places = view.places
            for between in narrower:
                places = columns(between.places, places)
            value = only(wider.__dict__[self.name], places)
        view.__dict__[self.name] = value
        return value
