"""What is said of the layers step by step, and the graph of it."""

from __future__ import annotations

from verifier.engine import explore
from verifier.stepwise import Dependency, Gain, steps

LOOP = "layers/lay_xenograft_life_limb_loop_xenograft_first"
MOON = "layers/lay_blood_moon_after_urborg"


def test_a_loop_is_told() -> None:
    first, second, third = steps(explore(LOOP))
    xenograft, life = "static(xenograft,2,xenograft_1)", "static(life_and_limb,1,life_and_limb_1)"
    assert first.applied == [xenograft]
    assert first.loops == [life, xenograft]
    assert first.dependencies == [
        Dependency(life, xenograft, "applies_to", "grizzly_bears_1"),
        Dependency(xenograft, life, "applies_to", "forest_1"),
    ]
    assert first.gains[xenograft] == [Gain("grizzly_bears_1", "gains", "of(saproling)")]
    assert (second.applied, second.loops, second.layer) == ([life], [], "4")
    assert (third.applied, third.layer) == ([life], "5")


def test_the_graph_shows_what_is_not_applied() -> None:
    view = explore(MOON).layers()
    kinds = sorted(data["kind"] for _, data in view.graph.nodes(data=True))
    assert kinds == ["step", "unapplied"]
    ((_, _, data),) = view.graph.edges(data=True)
    assert (data["kind"], data["why"]) == ("waits", "existence")
    assert data["objects"] == ["urborg_tomb_of_yawgmoth_1"]
    assert "Urborg, Tomb of Yawgmoth would lose the ability" in str(view.export("text"))
    for form in ("svg", "dot", "mermaid", "json", "graphml", "html"):
        assert view.export(form)


def test_all_orders_of_seven_effects_are_few_states() -> None:
    """Of 5040 orders there are two results; what is alike so far is one state."""
    graph = explore("layers/seven_effects_in_any_order")
    assert (len(graph.outcomes), len(graph.run.states) < 200) == (2, True)


def test_nothing_to_show() -> None:
    view = explore("draw/notion_thief_three_players").layers()
    assert len(view.graph) == 0
    assert view.graph.graph["note"]
