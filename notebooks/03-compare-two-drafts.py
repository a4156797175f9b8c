# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Compare two drafts
#
# P52 exists in two drafts. Are its enemies harder in the current one? Both are played with the same luck, run by run, so
# that the difference shows early; the comparison stops as soon as it knows.

# %%
import sim

fight = sim.load("p52/duel", preset="p52-1.4", set={"level": 4, "enemies": [{"card": "K hearts", "spot": [0, 0]}]})
drafts = sim.compare(fight, {"draft": {"preset": "p52-draft"}}, runs=4_000, seed=7)
for line in drafts.verdicts:
    print(line)

# %%
drafts.frame()

# %% [markdown]
# Which of the draft's switches makes the difference? Each one alone, on top of the current rules.

# %%
switches = {
    "weakest first": {"set": {"switches.target_order": "weakest"}},
    "king adds damage": {"set": {"switches.enemy_king": "extra"}},
    "flat penalty": {"set": {"switches.untrained_defence": "flat3"}},
    "frozen recover": {"set": {"switches.frozen_recovers": "on"}},
}
each = sim.compare(fight, switches, runs=4_000, seed=7)
for line in each.verdicts:
    print(line)

# %% [markdown]
# The same as a figure: every switch alone against the current rules, with its interval.

# %%
axes = each.plot()
axes.set_title("What each switch of the draft does");
