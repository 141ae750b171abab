"""Words that none of the shipped cards says in this way, on cards that are made for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boards import to_yaml

from verifier import Scenario, explore

#: 4 damage by an ability of a creature; excess damage is dealt to the controller instead.
PINGER = """% Test Pinger: 4 damage to a creature; what is excess is dealt to its controller.
name(test_pinger, "Test Pinger").
type(test_pinger, creature).
power(test_pinger, 1).
toughness(test_pinger, 1).
cost(test_pinger, 1, 1, tap).
effect_step(test_pinger, 1, 1, you, deal_damage(4, target(creature, any_player))).
excess_to_controller(test_pinger, 1).
"""

#: Only life that a creature or its ability makes players gain or lose.
CHANGER = """% Test Changer: life that creatures of opponents make players gain or lose is doubled.
name(test_changer, "Test Changer").
type(test_changer, enchantment).
would(test_changer, 1, gain_life, any_player).
caused_by(test_changer, 1, creature, opponent).
instead(test_changer, 1, 1, that_player, multiply(2)).
would(test_changer, 2, lose_life, any_player).
caused_by(test_changer, 2, creature, opponent).
instead(test_changer, 2, 1, that_player, multiply(2)).
"""


def outcome(folder: Path, card: str, text: str, content: dict[str, Any]) -> Any:
    """The one outcome of a scenario with a card that is made for it."""
    (folder / f"{card}.lp").write_text(text)
    scenario = Scenario.from_text(to_yaml({"players": ["alice", "bob"], **content}), cards=[folder])
    (found,) = explore(scenario).outcomes
    return found.outcome


def test_excess_damage_by_a_creature_with_deathtouch_is_all_but_one(tmp_path: Path) -> None:
    """CR 120.4a, 702.2b: one damage is lethal; the other three are dealt to the controller."""
    found = outcome(tmp_path, "test_pinger", PINGER, {
        "battlefield": [
            {"card": "Test Pinger", "controller": "alice", "id": "pinger"},
            {"card": "Basilisk Collar", "controller": "alice", "attached_to": "pinger"},
            {"card": "Colossal Dreadmaw", "controller": "bob", "id": "dreadmaw"},
        ],
        "timeline": [{"activate": {
            "player": "alice", "object": "pinger", "ability": 1, "targets": ["dreadmaw"],
        }}],
        "ask": ["damage", "life"],
    })  # fmt: skip
    assert found == {
        "damage": {"bob": 3, "dreadmaw": 1},
        "life": {"alice": 24, "bob": 17},
    }


def test_life_is_changed_by_objects_of_a_kind(tmp_path: Path) -> None:
    """Of a creature, of an enchantment, of a creature of the player themselves."""
    steps = [
        (who, {"source": [source, {change: 3}]})
        for who, source in (("bob", "angel"), ("bob", "season"), ("alice", "bears"))
        for change in ("gain_life", "lose_life")
    ]
    found = outcome(tmp_path, "test_changer", CHANGER, {
        "battlefield": [
            {"card": "Test Changer", "controller": "alice"},
            {"card": "Serra Angel", "controller": "bob", "id": "angel"},
            {"card": "Doubling Season", "controller": "bob", "id": "season"},
            {"card": "Grizzly Bears", "controller": "alice", "id": "bears"},
        ],
        "timeline": [{"resolve": {"player": who, "does": [step]}} for who, step in steps],
        "ask": ["life_gained", "life_lost"],
    })  # fmt: skip
    assert found == {
        "life_gained": {"alice": 3, "bob": 9},
        "life_lost": {"alice": 3, "bob": 9},
    }
