"""The one answer set of a program, as text."""

from __future__ import annotations

import clingo
from hypothesis import given
from hypothesis import strategies as st

from verifier import asp

NAMES = st.sampled_from(["a", "b", "f", ""])
LEAVES = st.one_of(
    st.integers(-9, 9).map(clingo.Number),
    st.text('a,()"\\ x', max_size=6).map(clingo.String),
    st.sampled_from([clingo.Infimum, clingo.Supremum, clingo.Function("a"), clingo.Function("")]),
)
TERMS = st.recursive(
    LEAVES,
    lambda parts: st.builds(clingo.Function, NAMES, st.lists(parts, min_size=1, max_size=3)),
    max_leaves=8,
)


@given(st.lists(st.builds(clingo.Function, st.just("p"), st.lists(TERMS, max_size=3)), max_size=5))
def test_every_shown_atom_once(atoms: list[clingo.Symbol]) -> None:
    texts = set(map(str, atoms))
    assert sorted(asp.evaluate("".join(f"{text}." for text in texts))) == sorted(texts)


def test_nothing_is_shown() -> None:
    assert asp.evaluate("a. #show.") == []
