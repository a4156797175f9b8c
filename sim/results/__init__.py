"""What many runs add up to.

    summary      whole-number sums and histograms, streamed: the same whatever the chunks were
    statistics   intervals of rates, means and differences; when to stop
    sequences    intervals that are valid while watching
    tables       the tables of the single runs, as Parquet
    plausible    whether sums and rows from a folder can be those of certain runs
    verdict      what the numbers mean, in a sentence
    result       the Result: frames, numbers, JSON
"""
