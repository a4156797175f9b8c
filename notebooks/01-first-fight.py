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
# # A first fight
#
# Fairfight plays an encounter thousands of times and tells you how it goes. This tour plays one of the built-in fights,
# looks at the numbers, and listens to one of the runs.

# %%
import sim

result = sim.run("overhill/playtest-1", runs=20_000, seed=7, progress=False)
print(result.verdict)

# %% [markdown]
# Every number comes with its interval. `low` and `high` are the ends of the 95 % interval.

# %%
result.summary().head(12)

# %% [markdown]
# One row per run, and one row per run and unit: ordinary pandas frames.

# %%
result.runs.groupby("outcome")[["rounds", "party_hp"]].mean().round(2)

# %%
result.units.groupby("unit")[["damage_dealt", "damage_taken"]].mean().round(2)

# %% [markdown]
# Results name the runs worth looking at. Here is the closest win, told move by move.

# %%
story = sim.replay("overhill/playtest-1", run=result.picks["closest"], seed=7)
print("\n".join(list(story.lines())[:40]))

# %% [markdown]
# The same fight with one number changed. A scenario is data: change anything by its path.

# %%
harder = sim.run("overhill/playtest-1", runs=20_000, seed=7, set={"enemies.skeleton.count": 6}, progress=False)
print(harder.verdict)

# %% [markdown]
# Every figure of a report can be drawn here. `plot` returns ordinary matplotlib axes: outcome, rounds, party_hp, damage,
# abilities, survival.

# %%
harder.plot();

# %%
harder.plot("rounds")
harder.plot("survival");
