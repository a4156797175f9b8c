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
# # Tune an enemy
#
# The author of playtest 1 found the party too strong. Which number should change, and to what?

# %%
import sim

today = sim.run("overhill/playtest-1", seed=7, progress=False)
print(today.verdict)

# %% [markdown]
# First: which numbers matter at all? Every number of every monster is moved by one step, with the same luck.

# %%
numbers = sim.sensitivity("overhill/playtest-1", runs=4_000, only="enemies", seed=7)
for line in numbers.verdicts:
    print(line)

# %%
numbers.plot();

# %% [markdown]
# Then: how many skeletons make a fight that the party wins two times in three? The answer comes with an interval and is
# confirmed on fresh luck.

# %%
answer = sim.tune("overhill/playtest-1", knob="enemies.skeleton.count", target={"win_rate": 0.65}, low=1, high=12, seed=7)
for line in answer.verdicts:
    print(line)

# %% [markdown]
# What was tried on the way, and where the target lies.

# %%
answer.plot();

# %% [markdown]
# The whole curve, to see how steep it is there.

# %%
curve = sim.sweep("overhill/playtest-1", knobs={"enemies.skeleton.count": list(range(2, 11, 2))}, runs=3_000, seed=7)
curve.frame()

# %%
curve.plot();
