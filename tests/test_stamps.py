"""Which order of timestamps leads to which outcome."""

from __future__ import annotations

from verifier.engine import explore
from verifier.report import proof
from verifier.stamps import separating_orders


def test_each_outcome_says_its_order() -> None:
    graph = explore("layers/harbinger_and_blood_moon_in_any_order")
    moon, harbinger = "blood_moon_1", "harbinger_of_the_seas_1"
    orders = separating_orders(graph)
    assert sorted(orders) == [[(moon, harbinger)], [(harbinger, moon)]]
    assert "  timestamps: Blood Moon before Harbinger of the Seas" in list(proof(graph))
    shown = [outcome["timestamps"] for outcome in graph.to_dict()["outcomes"]]
    assert sorted(shown) == [[[moon, harbinger]], [[harbinger, moon]]]


def test_only_what_makes_a_difference_is_said() -> None:
    """Of seven effects the order of two matters."""
    orders = separating_orders(explore("layers/seven_effects_in_any_order"))
    moon, dryad = "blood_moon_1", "dryad_of_the_ilysian_grove_1"
    assert sorted(orders) == [[(moon, dryad)], [(dryad, moon)]]


def test_what_the_active_player_chooses() -> None:
    """CR 613.7m: of what enters at the same time."""
    orders = separating_orders(explore("layers/lay_humility_opalescence_simultaneous"))
    humility, opalescence = "humility_1", "opalescence_1"
    assert sorted(orders) == [[(humility, opalescence)], [(opalescence, humility)]]


def test_nothing_where_timestamps_are_no_choice() -> None:
    graph = explore("draw/chains_and_reflection_one_card")
    assert separating_orders(graph) == [[] for _ in graph.outcomes]
    assert all("timestamps" not in outcome for outcome in graph.to_dict()["outcomes"])
