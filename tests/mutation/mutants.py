"""Small faults that a rule could have: each of its mutants is the rule with one of them.

A mutant is the rule left out, the rule without one literal of its body, or with one comparison
turned round.  What is no program then (a variable is unsafe) is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import clingo
from clingo import ast

from verifier.asp import Rule

#: What is the opposite of a comparison.
OPPOSITES = {
    ast.ComparisonOperator.Equal: ast.ComparisonOperator.NotEqual,
    ast.ComparisonOperator.NotEqual: ast.ComparisonOperator.Equal,
    ast.ComparisonOperator.LessThan: ast.ComparisonOperator.GreaterEqual,
    ast.ComparisonOperator.GreaterEqual: ast.ComparisonOperator.LessThan,
    ast.ComparisonOperator.GreaterThan: ast.ComparisonOperator.LessEqual,
    ast.ComparisonOperator.LessEqual: ast.ComparisonOperator.GreaterThan,
}


@dataclass(frozen=True)
class Mutant:
    """A rule with a fault.

    Attributes
    ----------
    rule
        The rule.
    fault
        ``left out``, ``without <literal>`` or ``<comparison>`` as it is turned round.
    text
        What stands for the rule; nothing, if it is left out.
    """

    rule: Rule
    fault: str
    text: str | None = None


def mutants(rule: Rule) -> list[Mutant]:
    """All mutants of a rule."""
    found = [Mutant(rule, "left out")]
    statements: list[ast.AST] = []
    ast.parse_string(rule.text, statements.append)
    (statement,) = (s for s in statements if s.ast_type == ast.ASTType.Rule)
    body = list(statement.body)
    for place, literal in enumerate(body):
        rest = body[:place] + body[place + 1 :]
        if rest:
            found.append(Mutant(rule, f"without {literal}", str(statement.update(body=rest))))
        for other in _turned_round(literal):
            changed = [*body[:place], other, *body[place + 1 :]]
            found.append(Mutant(rule, str(other), str(statement.update(body=changed))))
    return [mutant for mutant in found if mutant.text is None or _is_program(mutant.text)]


def _turned_round(literal: ast.AST) -> Iterator[ast.AST]:
    """The literal with one of its comparisons turned round."""
    if literal.ast_type != ast.ASTType.Literal:
        return
    if literal.atom.ast_type == ast.ASTType.Comparison:
        guards = list(literal.atom.guards)
        for place, guard in enumerate(guards):
            other = guard.update(comparison=OPPOSITES[guard.comparison])
            atom = literal.atom.update(guards=[*guards[:place], other, *guards[place + 1 :]])
            yield literal.update(atom=atom)
    elif literal.atom.ast_type == ast.ASTType.BodyAggregate and literal.atom.left_guard:
        guard = literal.atom.left_guard
        other = guard.update(comparison=OPPOSITES[guard.comparison])
        yield literal.update(atom=literal.atom.update(left_guard=other))


def _is_program(text: str) -> bool:
    """Whether a rule is safe; it is not ground, as there may be no end."""
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    control.add("not_ground", [], text)
    try:
        control.ground()
    except RuntimeError:
        return False
    return True
