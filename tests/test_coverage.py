"""The page on coverage is what the command writes; its list is sound."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from verifier import resources, subrules
from verifier.cards import Library
from verifier.cli import main
from verifier.coverage import Coverage
from verifier.engine import shipped_rules

ENCODINGS = Path(__file__).parent.parent / "encodings"


@pytest.fixture(scope="module")
def shipped() -> Coverage:
    return Coverage.of(Library())


def test_the_page_is_what_the_command_writes(shipped: Coverage) -> None:
    page = (ENCODINGS / "COVERAGE.md").read_text(encoding="utf-8")
    whole = f"{shipped.markdown()}\n{subrules.markdown(subrules.known())}"
    assert page == whole, "run: verifier coverage -o encodings/COVERAGE.md"


def test_ranges_of_subrules_are_meant_in_full() -> None:
    assert subrules.cited_in("CR 616.1b-d, 614.5") == {"616.1b", "616.1c", "616.1d", "614.5"}
    assert subrules.cited_in("(CR 614.12-614.12b)") == {"614.12", "614.12a", "614.12b"}
    assert subrules.cited_in("the 3.5 of 614") == set()


def test_what_a_scenario_exercises() -> None:
    """Rules that fire in it are what counts, not those that are loaded or named."""
    found = subrules.measure(["draw/notion_thief_two_players", "time/clone_attacks"], 1)
    assert "draw/notion_thief_two_players" in found["614.1a"][1]
    assert found["508.1a"][1] == ["time/clone_attacks"]
    assert "701.8a" not in found


def test_what_was_measured_is_so() -> None:
    """One subrule in so many; the measurement itself takes minutes."""
    for number, (count, examples) in list(subrules.known().items())[::25]:
        assert count >= len(examples) > 0
        assert number in subrules.measure(examples[:1], 1), (
            "verifier coverage --measure encodings/exercised.json"
        )


def test_what_was_measured_is_of_rules_that_are_cited() -> None:
    cited = subrules.citations(shipped_rules())
    assert set(subrules.known()) <= set(cited), (
        "verifier coverage --measure encodings/exercised.json"
    )
    assert set(cited) <= resources.rule_numbers()


def test_the_list_uses_its_own_words(shipped: Coverage) -> None:
    for name, (kinds, waits) in shipped.cards.items():
        assert kinds, name
        assert set(kinds) <= set(shipped.kinds), name
        assert set(waits) <= set(shipped.mechanisms), name
    assert list(shipped.cards) == sorted(shipped.cards)


def test_the_list_cites_rules_that_there_are(shipped: Coverage) -> None:
    text = " ".join([*shipped.kinds.values(), *shipped.mechanisms.values()])
    cited = re.findall(r"[1-9][0-9]{2}(?:\.[0-9]+[a-z]?)?", text)
    assert set(cited) <= resources.rule_numbers()


def test_every_card_is_encoded_or_missing_once(shipped: Coverage) -> None:
    waiting = [name for cards in shipped.waiting.values() for name in cards]
    assert sorted([*waiting, *shipped.encoded]) == sorted(shipped.cards)


def test_the_command_counts_and_writes(tmp_path: Path, shipped: Coverage) -> None:
    page = tmp_path / "page.md"
    done = CliRunner().invoke(main, ["coverage", "-o", str(page)])
    assert done.exit_code == 0
    assert f"{len(shipped.encoded)} of {len(shipped.cards)} listed cards" in done.output
    assert page.read_text(encoding="utf-8").startswith(shipped.markdown())


def test_cards_of_ones_own_count(tmp_path: Path, shipped: Coverage) -> None:
    own = next(name for name in shipped.missing if name.replace(" ", "").isalpha())
    constant = own.lower().replace(" ", "_")
    (tmp_path / f"{constant}.lp").write_text(f'% {own}.\nname({constant}, "{own}").\n')
    done = CliRunner().invoke(main, ["coverage", "--cards", str(tmp_path), "--output", "json"])
    assert own in json.loads(done.output)["encoded"]


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["coverage", "-o", str(tmp_path / "none" / "page.md")])
    assert done.exit_code == 2
    assert "cannot write" in done.output
