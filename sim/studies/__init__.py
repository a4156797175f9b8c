"""The questions that designers ask, for every game alike.

    compare       is B better than A?
    sweep         how does it change with one or two knobs?
    scale         how does it go from level to level?
    tune          which value gives 65 %?
    sensitivity   which number matters most, and which not at all?
    ladder        what are skill and each ability worth?
    improve       can the party win more by playing otherwise?
    price         what is each enemy worth, and what does a fair fight cost?
    parties       which party is best, and what does each class add?
    gate          does the balance still hold?
    study         any of these from a file
    diff          what changed between two results?

Shared by all: `measures` (whole-number sums of fights and of pairs of fights), `cards` (fights on the same runs),
`pool` (one pool of work), `record` (what is finished, safe in a folder), `work` (processes, folder, cluster), `points`
(fights played to a precision), `race` (fights watched together), `variants` (named changes and knobs), `answer`
(verdicts and tables), `words` (sentences). Who plays and where is the business of `sim.runs.workers`.
"""
