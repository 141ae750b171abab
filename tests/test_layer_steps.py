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


def test_conditions_and_what_is_done_are_tests_too() -> None:
    """CR 613.8a: what an effect does may depend on another one, not only what it applies to."""
    wanderer, jailer = "static(cairn_wanderer,2,cairn_wanderer_1)", "static(yixlid_jailer,1,"
    (found,) = [d for s in steps(explore("layers/wanderer_and_jailer")) for d in s.dependencies]
    assert (found.effect, found.why, found.thing) == (wanderer, "does", "cairn_wanderer_1")
    assert found.on.startswith(jailer)
    first, second = steps(explore("layers/starfield_and_evening"))
    starfield = "static(starfield_of_nyx,2,starfield_of_nyx_1)"
    assert second.applied == [starfield]
    assert {(d.effect, d.why) for d in first.dependencies} == {(starfield, "applies_to")}


def test_values_before_and_after() -> None:
    first, *_ = steps(explore(LOOP))
    (effect,) = first.applied
    before, after = first.before["grizzly_bears_1"], first.after(effect)["grizzly_bears_1"]
    assert set(after) - set(before) == {"of(saproling)"}


def test_layer_seven_is_told_where_it_is_asked_for() -> None:
    graph = explore("layers/what_is_added_after_switching")
    found = [(s.layer, [g.what for gains in s.gains.values() for g in gains])
             for s in steps(graph, measured=True)]  # fmt: skip
    assert found == [("7c", ["6/5"]), ("7c", ["4/4"]), ("7d", ["4/4"])]
    assert steps(graph) == []
    text = "\n".join(graph.explanation().lines())
    assert "7d the effect of About Face" in text


def test_steps_are_followed_by_those_of_their_run() -> None:
    """Of two runs over the board, the last step of the first leads to none of the second."""
    for step in (all_steps := steps(explore("layers/lay_humility_opalescence_simultaneous"))):
        assert all(all_steps[after].run == step.run for after in step.following)


def test_the_walkthrough_tells_the_layers() -> None:
    text = "\n".join(explore(LOOP).explanation().lines())
    assert "layer 4: the effect of Xenograft (in a loop of dependencies)" in text
    assert "Grizzly Bears: creature, green, bear -> creature, green, bear, saproling" in text
    assert "layer 7, Grizzly Bears: 2/2; 7b the effect of Life and Limb: 1/1" in text
    told = explore("layers/starfield_and_evening").explanation().to_dict()
    layers = [step["layer"] for step in told["walkthroughs"][0]["steps"] if "layer" in step]
    assert [layer["number"] for layer in layers[:2]] == ["4", "4"]
    assert layers[0]["waiting"][0]["why"] == "applies_to"


def test_nothing_to_show() -> None:
    view = explore("draw/notion_thief_three_players").layers()
    assert len(view.graph) == 0
    assert view.graph.graph["note"]
