"""What a study file may say: one model for every question."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from sim.core.schema import Strict, one_of
from sim.studies.measures import EVERY_MEASURE, MEASURES
from sim.studies.options import MOST_CONFIDENCE, MOST_GENERATIONS, MOST_POINTS, MOST_SECONDS, MOST_TRIALS

Count = Annotated[int, Field(ge=2, le=10**12)]
Share = Annotated[float, Field(ge=0.5, le=MOST_CONFIDENCE)]
Above = Annotated[float, Field(gt=0, le=MOST_POINTS)]
Number = Annotated[float, Field(allow_inf_nan=False)]
MeasureName = one_of(EVERY_MEASURE, "measure")
PlainMeasureName = one_of(MEASURES, "measure")  # of questions that play no more than the runs of each fight


class Variant(Strict):
    """A change of the fight."""

    scenario: str | None = Field(None, description="Another fight altogether.")
    preset: str | None = None
    policy: str | None = None
    set: dict[str, Any] = Field(default_factory=dict, description="Values by path, as with --set.")


class Span(Strict):
    """Values from one end to the other."""

    first: Number = Field(alias="from")
    to: Number
    step: Above | None = None


class StudyModel(Strict):
    """What all study files have in common."""

    question: str = Field(description="What is asked: compare, sweep, scale, tune, sensitivity, ladder, improve ...")
    title: str = Field("", description="One line for reports.")
    about: str = Field("", description="The design question that it answers.")
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 1


class FightStudy(StudyModel):
    """A study of one fight."""

    scenario: str = Field(description="A name, or the path of a file beside the study.")
    preset: str | None = None
    policy: str | None = None
    set: dict[str, Any] = Field(default_factory=dict, description="Values by path, as with --set.")
    confidence: Share = 0.95


class CompareStudy(FightStudy):
    """Variants against a baseline."""

    question: Literal["compare"]
    variants: dict[str, Variant] = Field(min_length=1)
    runs: Count | None = None
    precision: Above | None = None
    margin: Above = 0.5
    measure: MeasureName = "win_rate"  # type: ignore[valid-type]
    best: Literal["highest", "lowest"] | None = None
    max_runs: Count | None = None


class SweepStudy(FightStudy):
    """One or two knobs."""

    question: Literal["sweep"]
    knobs: dict[str, Span | list[Any]] = Field(min_length=1, max_length=2)
    runs: Count | None = None
    full: bool = Field(False, description="Give everything all its runs, also where it is clear.")
    precision: Above | None = None
    measure: MeasureName = "win_rate"  # type: ignore[valid-type]
    iso: list[Number] | None = None
    max_runs: Count | None = None


class ScaleStudy(FightStudy):
    """From level to level."""

    question: Literal["scale"]
    levels: Span | list[int]
    level: str | None = None
    enemy_level: str | None = None
    enemy_levels: list[int] | None = None
    parties: dict[str, Variant] = Field(default_factory=dict)
    policies: list[str] = Field(default_factory=list)
    runs: Count | None = None
    precision: Above | None = None
    measure: MeasureName = "win_rate"  # type: ignore[valid-type]
    max_runs: Count | None = None


class TuneStudy(FightStudy):
    """A target and the knob or knobs that reach it."""

    question: Literal["tune"]
    knob: str | None = None
    knobs: dict[str, list[Number]] = Field(default_factory=dict, description="Several: path = [low, high].")
    target: dict[MeasureName, Number] = Field(min_length=1, max_length=1)  # type: ignore[valid-type]
    low: Number | None = None
    high: Number | None = None
    precision: Above | None = None
    search: Literal["fewest", "optuna"] = "fewest"
    trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)] = 200
    max_runs: Count | None = None


class SensitivityStudy(FightStudy):
    """Every number one step up and down."""

    question: Literal["sensitivity"]
    runs: Count | None = None
    measure: PlainMeasureName = "win_rate"  # type: ignore[valid-type]
    only: str | None = None
    switches: bool = False
    full: bool = Field(False, description="Give everything all its runs, also where it is clear.")


class LadderStudy(FightStudy):
    """Policies and abilities."""

    question: Literal["ladder"]
    policies: list[str] | None = None
    abilities: list[str] | None = None
    runs: Count | None = None
    full: bool = Field(False, description="Give everything all its runs, also where it is clear.")


class ImproveStudy(FightStudy):
    """A stronger policy, or harder enemies."""

    question: Literal["improve"]
    side: Literal["party", "enemies"] | None = Field(None, description="Whose play is searched; the party's if absent.")
    budget: Annotated[float, Field(gt=0, le=MOST_SECONDS)] | None = Field(None, description="Seconds.")
    generations: Annotated[int, Field(ge=0, le=MOST_GENERATIONS)] | None = None
    runs: Count | None = None


class PriceStudy(FightStudy):
    """What each enemy is worth."""

    question: Literal["price"]
    units: list[str] = Field(min_length=2)
    party: list[str] | None = Field(None, description="Classes of the heroes; those of the fight if absent.")
    scale: dict[str, Above] | None = None
    levels: list[int] | None = None
    precision: Above | None = None
    runs: Count | None = None


class PartiesStudy(FightStudy):
    """Every party of so many heroes."""

    question: Literal["parties"]
    size: Annotated[int, Field(ge=1, le=6)] | None = None
    of: list[str] | None = None
    against: list[str] | None = None
    runs: Count | None = None
    full: bool = Field(False, description="Give everything all its runs, also where it is clear.")


class WhyStudy(FightStudy):
    """What decides it."""

    question: Literal["why"]
    runs: Count | None = None
    precision: Above | None = None
    curves: Annotated[int, Field(ge=0)] | None = None
    again: Annotated[int, Field(ge=2)] | None = None
    choices: bool = False
    switches: bool = False
    max_runs: Count | None = None


class GateStudy(StudyModel):
    """Claims."""

    question: Literal["gate"] = "gate"
    claims: list[dict[str, Any]] = Field(min_length=1)
    max_runs: Count | None = None


MODELS: dict[str, type[StudyModel]] = {
    "compare": CompareStudy,
    "sweep": SweepStudy,
    "scale": ScaleStudy,
    "tune": TuneStudy,
    "sensitivity": SensitivityStudy,
    "ladder": LadderStudy,
    "improve": ImproveStudy,
    "parties": PartiesStudy,
    "price": PriceStudy,
    "why": WhyStudy,
    "gate": GateStudy,
}
