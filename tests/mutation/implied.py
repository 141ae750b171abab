"""Which literals of a rule say no more than the others do: the rule is the same without them.

A literal follows from an atom of the same body if it is, or follows from, a literal of every rule
that can derive the atom.  That is looked into as far as `DEPTH` rules; of what cards or scenarios
say nothing follows.  What holds in a state has been set by some rule in some question, or holds at
the beginning: what is the same in all questions follows from that, too.

A mutant without such a literal is no fault (an equivalent mutant): the literal is there so that
grounding begins with what is rare, or for the reader.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from clingo import ast
from trials import RULES

from verifier import asp, engine, resources
from verifier.terms import signature

if TYPE_CHECKING:
    from mutants import Mutant

#: So many rules are gone back.
DEPTH = 4


@dataclass(frozen=True)
class Var:
    """A variable."""

    name: str


#: A variable, or a functor with terms: a constant and a number have none.
Term: TypeAlias = "Var | tuple[str, tuple[Term, ...]]"

#: What variables stand for.
Bound = Mapping[Var, Term]

#: A literal: its sign, and a term; of a comparison the operator is the functor.
Part: TypeAlias = "tuple[bool, Term]"


@dataclass(frozen=True)
class Clause:
    """A rule: what is derived, and from what; ``None`` stands for what is not looked into.

    The texts of the literals are only there of a rule as it was read.
    """

    head: Term
    body: tuple[Part | None, ...]
    texts: tuple[str, ...] = ()


def is_implied(mutant: Mutant) -> bool:
    """Whether a mutant that lacks a literal is the same rule, as that follows from the others."""
    (rule,) = _clauses(mutant.rule.text)
    place = rule.texts.index(mutant.fault.removeprefix("without "))
    dropped = rule.body[place]
    rest = rule.body[:place] + rule.body[place + 1 :]
    return dropped is not None and _follows(dropped, rest, DEPTH)


# --- Reading rules ----------------------------------------------------------------------------


@cache
def _clauses(text: str) -> tuple[Clause, ...]:
    """A rule, or each of several in one text."""
    found: list[Clause] = []
    fresh = count()

    def read(statement: ast.AST) -> None:
        if statement.ast_type == ast.ASTType.Rule:
            head = _term(statement.head.atom.symbol, fresh)
            body = tuple(_part(part, fresh) for part in statement.body)
            found.append(Clause(head, body, tuple(map(str, statement.body))))

    ast.parse_string(text, read)
    return tuple(found)


def _part(literal: ast.AST, fresh: Iterator[int]) -> Part | None:
    if literal.ast_type != ast.ASTType.Literal:
        return None
    positive = literal.sign == ast.Sign.NoSign
    if literal.atom.ast_type == ast.ASTType.SymbolicAtom:
        return positive, _term(literal.atom.symbol, fresh)
    if literal.atom.ast_type == ast.ASTType.Comparison and len(literal.atom.guards) == 1:
        (guard,) = literal.atom.guards
        sides = _term(literal.atom.term, fresh), _term(guard.term, fresh)
        return positive, (f"compare {ast.ComparisonOperator(guard.comparison)}", sides)
    return None


def _term(term: ast.AST, fresh: Iterator[int]) -> Term:
    if term.ast_type == ast.ASTType.Variable:
        return Var(f"_{next(fresh)}" if term.name == "_" else term.name)
    if term.ast_type == ast.ASTType.Function:
        return term.name or "()", tuple(_term(part, fresh) for part in term.arguments)
    if term.ast_type == ast.ASTType.BinaryOperation:
        sides = _term(term.left, fresh), _term(term.right, fresh)
        return f"operation {term.operator_type}", sides
    if term.ast_type == ast.ASTType.SymbolicTerm:
        return str(term), ()
    # Pools and the like can be several things.
    return Var(f"?{next(fresh)}")


@cache
def _all_clauses() -> dict[tuple[str, int], list[Clause]]:
    found: dict[tuple[str, int], list[Clause]] = defaultdict(list)
    for rule in RULES:
        for clause in _clauses(rule.text):
            found[_shape(clause.head)].append(clause)
    return found


@cache
def _derived_by() -> dict[tuple[str, int], list[Clause]]:
    """The rules for each predicate that the scenario and cards say nothing of."""
    found = dict(_all_clauses())
    given = resources.encodings("defined.lp").read_text(encoding="utf-8")
    for name, arity in re.findall(r"#defined (\w+)/(\d+)\.", given):
        found.pop((name, int(arity)), None)
    for name, arity in _said_by_cards():
        found.pop((name, arity), None)
    return found


#: Where what holds, what there is of a quantity and what is to be done come from.
_FROM = {
    ("holds", 2): (("set", 3, 2), ("initially", 1, 0)),
    ("amount", 3): (("add", 5, 2), ("initially", 2, 0)),
    ("at_least", 3): (("add", 5, 2), ("initially", 2, 0)),
    ("item", 2): (
        ("push", 4, 3), ("agenda", 2, 1), ("standing", 2, 1), ("observes_most", 4, 3),
    ),
}  # fmt: skip


def _comes_from(shape: tuple[str, int]) -> list[Clause]:
    """What a rule that brings about such a fluent, quantity or item says of it."""
    found = []
    for name, arity, place in _FROM[shape]:
        for clause in _all_clauses()[name, arity]:
            assert isinstance(clause.head, tuple)
            found.append(Clause(clause.head[1][place], clause.body))
    return found


def _is_static(term: Term) -> bool:
    return _shape(term) not in engine.shipped_split().dynamic


def _said_by_cards() -> Iterator[tuple[str, int]]:
    """The predicates that cards can speak with."""
    for rule in asp.read_program([resources.encodings("vocabulary.lp")]):
        if rule.predicate == ("word", 2) and rule.head_arguments[0] == "fact":
            yield signature(rule.head_arguments[1])


def _shape(term: Term) -> tuple[str, int]:
    assert isinstance(term, tuple)
    return term[0], len(term[1])


# --- What follows -----------------------------------------------------------------------------


def _follows(wanted: Part, body: tuple[Part | None, ...], depth: int) -> bool:
    """Whether a literal follows from some others."""
    for part in body:
        if part is None:
            continue
        if _says(part, wanted) or _is_contract(part, wanted):
            return True
        positive, atom = part
        if not (depth and positive and isinstance(atom, tuple)):
            continue
        clauses = _derived_by().get(_shape(atom))
        if _shape(atom) in _FROM and _is_static(wanted[1]):
            clauses = _comes_from(_shape(atom))
            atom = atom[1][1]
        if clauses and all(_yields(clause, atom, wanted, depth) for clause in clauses):
            return True
    return False


def _yields(clause: Clause, atom: Term, wanted: Part, depth: int) -> bool:
    """Whether a literal holds wherever a rule derives an atom."""
    own = {var: Var(f"{var.name} {depth}") for var in _variables(clause)}
    bound = _unified(_filled(clause.head, own), atom, {})
    if bound is None:
        return True
    body = tuple(part and (part[0], _filled(_filled(part[1], own), bound)) for part in clause.body)
    return _follows((wanted[0], _filled(wanted[1], bound)), body, depth - 1)


def _says(part: Part, wanted: Part) -> bool:
    """Whether a literal says another one, in which unnamed variables stand for anything."""
    if part[0] != wanted[0]:
        return False
    if part[0]:
        return _matched(wanted[1], part[1], {}) is not None
    return _matched(part[1], wanted[1], {}) is not None


#: How comparisons are told apart.
_ABOVE = str(ast.ComparisonOperator.GreaterThan)


def _is_contract(part: Part, wanted: Part) -> bool:
    """What the driver warrants: it gives no amounts of nothing, and only life can be below that."""
    positive, term = part
    if not positive or _shape(term) != ("amount", 3) or not isinstance(term, tuple):
        return False
    _, quantity, number = term[1]
    if isinstance(quantity, Var) or quantity[0] == "life":
        return False
    return wanted == (True, (f"compare {_ABOVE}", (number, ("0", ()))))


def _variables(clause: Clause) -> set[Var]:
    return _within(clause.head, *(part[1] for part in clause.body if part))


def _within(*terms: Term) -> set[Var]:
    """The variables in some terms."""
    found: set[Var] = set()
    waiting = list(terms)
    for term in waiting:
        if isinstance(term, Var):
            found.add(term)
        else:
            waiting += term[1]
    return found


def _filled(term: Term, bound: Bound) -> Term:
    if isinstance(term, Var):
        return _filled(bound[term], bound) if term in bound else term
    return term[0], tuple(_filled(part, bound) for part in term[1])


def _matched(pattern: Term, term: Term, bound: Bound) -> Bound | None:
    """What unnamed variables of a pattern stand for if it is a term."""
    if isinstance(pattern, Var):
        if not pattern.name.startswith("_"):
            return bound if pattern == term else None
        return {**bound, pattern: term} if bound.get(pattern, term) == term else None
    if isinstance(term, Var) or pattern[0] != term[0] or len(pattern[1]) != len(term[1]):
        return None
    return _each(_matched, pattern[1], term[1], bound)


def _unified(one: Term, other: Term, bound: Bound) -> Bound | None:
    """What variables stand for if two terms are the same."""
    one, other = _filled(one, bound), _filled(other, bound)
    if one == other:
        return bound
    if isinstance(one, Var):
        return None if one in _within(other) else {**bound, one: other}
    if isinstance(other, Var):
        return None if other in _within(one) else {**bound, other: one}
    if "operation" in one[0] or "operation" in other[0]:
        return bound
    if one[0] != other[0] or len(one[1]) != len(other[1]):
        return None
    return _each(_unified, one[1], other[1], bound)


def _each(
    compare: Callable[[Term, Term, Bound], Bound | None],
    ones: Sequence[Term],
    others: Sequence[Term],
    bound: Bound,
) -> Bound | None:
    found: Bound | None = bound
    for one, other in zip(ones, others, strict=True):
        if found is None:
            return None
        found = compare(one, other, found)
    return found
