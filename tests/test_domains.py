"""Which rules can fire: no rule that fires in an answer set is left out."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier import asp
from verifier.asp import Rule
from verifier.domains import Domains, Spreading
from verifier.program import Program, Split, kind_of
from verifier.terms import parse_term

CONSTANTS = ("a", "b", "f(a)", "f(b)", "g(a,f(b))", "3", '"t"', "()")
PATTERNS = ("X", "Y", "_", "f(X)", "f(f(Y))", "g(X,_)", "g(X,f(Y))", *CONSTANTS)
PREDICATES = {"p": 1, "q": 2, "r": 1, "s": 0, "p2": 2}


@st.composite
def atoms(draw: st.DrawFn, arguments: tuple[str, ...]) -> str:
    name = draw(st.sampled_from(sorted(PREDICATES)))
    parts = [draw(st.sampled_from(arguments)) for _ in range(PREDICATES[name])]
    return f"{name}({','.join(parts)})" if parts else name


@st.composite
def rules(draw: st.DrawFn) -> str:
    """A rule of which every variable in the head stands in the body."""
    body = draw(st.lists(atoms(PATTERNS), min_size=1, max_size=3))
    text = " ".join(body)
    known = tuple(v for v in ("X", "Y") if v in text)
    built = tuple(f"{functor}" for v in known for functor in (v, f"f({v})", f"g(b,{v})"))
    compared = draw(st.sampled_from(["", *(f"Z = f({v})" for v in known)]))
    if compared:
        built += ("Z",)
    head = draw(atoms(built + CONSTANTS))
    return f"{head} :- {', '.join([*body, *filter(None, [compared])])}."


def read(lines: list[str]) -> list[Rule]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "program.lp"
        file.write_text("\n".join(lines))
        return asp.read_program([file])


def that_fire(program: list[Rule], facts: list[str]) -> set[str]:
    """The rules with an instance whose body holds; terms are not nested without end."""
    markers = [
        f"fired({number}) :- {rule.text.partition(' :- ')[2]}"
        for number, rule in enumerate(program)
    ]
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join([*facts, *(rule.text for rule in program), *markers]))
    control.ground()
    with control.solve(yield_=True) as handle:
        model = handle.model()
        assert model is not None
        atoms = model.symbols(atoms=True)
    return {program[a.arguments[0].number].text for a in atoms if a.name == "fired"}


def layered(lines: list[str]) -> list[str]:
    """Rules of which each reads facts and what those before it derive, so that grounding ends."""
    found = []
    derived: dict[str, str] = {}
    for number, line in enumerate(lines):
        head, _, body = line.partition(" :- ")
        name = head.partition("(")[0]
        for before, after in derived.items():
            body = re.sub(rf"(^|, ){before}\b", rf"\g<1>{after}", body)
        derived[name] = f"h{number}"
        found.append(f"h{number}{head.removeprefix(name)} :- {body}")
    return found


@settings(max_examples=300, deadline=None)
@given(st.lists(rules(), min_size=1, max_size=5), st.lists(atoms(CONSTANTS), max_size=5))
def test_what_fires_can_fire(lines: list[str], given_atoms: list[str]) -> None:
    program = read(layered(lines))
    facts = [f"{atom}." for atom in given_atoms]
    domains = Domains(program)
    spreading = Spreading(domains, domains.nothing(), {})
    spreading.look(range(len(program)))
    spreading.give(put for atom in given_atoms for put in domains.of_atom(atom))
    assert that_fire(program, facts) <= {program[number].text for number in spreading.fired}


@settings(max_examples=200, deadline=None)
@given(
    st.lists(rules(), min_size=2, max_size=6, unique=True),
    st.lists(atoms(CONSTANTS), max_size=5),
    st.data(),
)
def test_it_is_the_same_whatever_came_first(
    lines: list[str], given_atoms: list[str], data: st.DataObject
) -> None:
    program = read(lines)
    gone = data.draw(st.sampled_from(program)).text
    rest = [rule for rule in program if rule.text != gone]
    cut = {rule.text for rule in Split(program).without({gone}).can_fire(given_atoms)}
    assert cut == {rule.text for rule in Split(rest).can_fire(given_atoms)}
    shuffled = data.draw(st.permutations(given_atoms))
    assert cut == {rule.text for rule in Split(program).without({gone}).can_fire(shuffled)}


def test_a_name_that_cannot_come_keeps_a_rule_out() -> None:
    program = read(["p(X) :- q(X,a).", "q(f(X),a) :- r(X).", "s :- p(f(b)).", "p2(X,X) :- p(X)."])
    split = Split(program)

    def fired(*facts: str) -> list[str]:
        return [rule.head for rule in split.can_fire(facts)]

    assert fired("q(b,b)") == []
    assert fired("q(b,a)") == ["p", "p2"]
    assert sorted(fired("r(b)")) == ["p", "p2", "q", "s"]
    assert sorted(fired("r(a)")) == ["p", "p2", "q"]


@pytest.mark.parametrize(
    "first", ["ward", "ward(2)", "ward(2,3)", "other", "other(1)", "4", "f(1)"]
)
def test_items_of_a_kind_can_be_any_with_that_name(first: str) -> None:
    """A kind names the first thing in an item, whatever its arguments."""
    program = read(
        [
            "push(S,go,1,X) :- item(S,does(A,X)), static(A).",
            "choice(S,go) :- item(S,does(ward,X)).",
            "choice(S,go) :- item(S,does(f(_,_),X)).",
        ]
    )
    static = [f"static({first})", f"agenda(1,does({first},a))"]
    found = Program(Split(program), [], static, [])
    text = found.kind(kind_of(parse_term(f"does({first},a)"))).text
    assert "push(S,go,1,X)" in text
