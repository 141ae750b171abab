# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # First rulings
#
# A scenario is a board, what happens, and a claim. `explore` finds every legal outcome.

# %%
from verifier import Scenario, explore

graph = explore("draw/notion_thief_three_players")
graph

# %% [markdown]
# Three outcomes: who draws depends on the choices. Each order is a complete sequence of them.

# %%
from verifier.claims import describe
from verifier.report import wording

words = wording(graph.scenario)
for outcome, steps in graph.orders():
    print("; ".join(words.choice(step) for step in steps), "->", describe(outcome))

# %% [markdown]
# The way to one outcome, step by step, with the subrules.

# %%
for step in graph.explain(graph.outcomes[1]):
    if step.rules:
        print(words.step(step), step.rules)

# %% [markdown]
# The states as a networkx graph.

# %%
network = graph.to_networkx()
print(network)
for source, target, data in network.edges(data=True):
    print(source, target, data["player"], data["rules"], data["orders"])

# %% [markdown]
# How the number of outcomes and orders grows with the players, one Thief each.

# %%
for count in range(2, 8):
    names = [f"p{n}" for n in range(count)]
    board = "\n".join(f"  - {{card: Notion Thief, controller: {name}}}" for name in names)
    text = f"""
players: [{", ".join(names)}]
battlefield:
{board}
timeline:
  - resolve: {{player: p0, does: [{{draw: 1}}]}}
ask: [drawn]
"""
    result = explore(Scenario.from_text(text))
    print(count, result.verdict, len(result.outcomes), result.orders_count)
