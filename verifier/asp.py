"""The only module that talks to clingo.

Programs go in as text, answers come out as text.  clingo reports what is wrong with a
program through a log callback, as ``file:line:columns: error: reason``; here it becomes an
exception that carries the position.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

import clingo
from clingo import ast

from verifier.errors import CardError, EncodingError, Position
from verifier.terms import Function, Term, Variable

VERSION: str = clingo.__version__

#: Name and arity.
Predicate = tuple[str, int]

_MESSAGE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+)[-:\d]*: (?P<text>.*)", re.S)
#: Where clingo says which variable it is: a note after the rule.
_UNSAFE = re.compile(r":(?P<line>\d+):(?P<column>\d+)[-:\d]*: note: '(?P<name>[^']+)' is unsafe")


class _Log:
    """Collects what clingo says about a program."""

    def __init__(self) -> None:
        self.messages: list[tuple[clingo.MessageCode, str]] = []

    def __call__(self, code: clingo.MessageCode, message: str) -> None:
        self.messages.append((code, message))

    def error(self, fallback: str) -> tuple[str, Position | None]:
        """The first real error and its place."""
        errors = [m for code, m in self.messages if code == clingo.MessageCode.RuntimeError]
        text = (errors or [m for _, m in self.messages] or [fallback])[0].strip()
        match = _MESSAGE.match(text)
        if match is None:
            return text, None
        position = Position(match["file"], int(match["line"]), int(match["column"]))
        reason = " ".join(re.sub("^(error|info): ", "", match["text"]).split())
        unsafe = _UNSAFE.search(text)
        if unsafe is not None:
            return (
                f"unsafe variable {unsafe['name']}",
                Position(match["file"], int(unsafe["line"]), int(unsafe["column"])),
            )
        return reason, position


# --- Waiting ------------------------------------------------------------------------------

Done = TypeVar("Done")

#: Called about every 50 ms while clingo is busy; may raise to give up.
Poll = Callable[[], None]

_poll: ContextVar[Poll | None] = ContextVar("poll", default=None)


@contextmanager
def polling(poll: Poll | None) -> Iterator[None]:
    """Let clingo's work within this context be given up by `poll`, which raises then."""
    token = _poll.set(poll)
    try:
        yield
    finally:
        _poll.reset(token)


def _patiently(work: Callable[[], Done]) -> Done:
    """Do something in a worker thread, and wait for it in short steps.

    Grounding cannot be interrupted, and a blocking call ignores Ctrl-C: so that the caller can
    give up, an abandoned worker is a daemon thread.
    """
    poll = _poll.get()
    if poll is None:
        return work()
    result: list[Done] = []
    problem: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            result.append(work())
        except BaseException as caught:
            problem.append(caught)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    # Not `join`: interrupted, it takes the thread for ended (before Python 3.13).
    while not done.wait(0.05):
        poll()
    if problem:
        raise problem[0]
    return result[0]


# --- Reading programs ---------------------------------------------------------------------


@dataclass(frozen=True)
class Literal:
    """One literal of a rule body.

    ``required`` is false for a negated literal and inside an aggregate: the rule may fire
    without it.
    """

    name: str
    arguments: tuple[Term, ...]
    required: bool

    @cached_property
    def predicate(self) -> Predicate:
        """Name and arity."""
        return self.name, len(self.arguments)


@dataclass(frozen=True)
class Rule:
    """A normal rule, its text and what it mentions.

    ``built`` are the compound terms that it can make besides those in its head and body: in
    comparisons, aggregates and pools.
    """

    text: str
    position: Position
    head: str
    head_arguments: tuple[Term, ...]
    body: tuple[Literal, ...] = field(default=())
    built: tuple[Term, ...] = field(default=())

    @cached_property
    def predicate(self) -> Predicate:
        """Name and arity of the head."""
        return self.head, len(self.head_arguments)

    @cached_property
    def body_predicates(self) -> frozenset[Predicate]:
        """Name and arity of every atom in the body."""
        return frozenset(literal.predicate for literal in self.body)

    @cached_property
    def required(self) -> tuple[Literal, ...]:
        """The literals without which the rule cannot fire."""
        return tuple(literal for literal in self.body if literal.required)

    @cached_property
    def required_predicates(self) -> frozenset[Predicate]:
        """Name and arity of the atoms without which the rule cannot fire."""
        return frozenset(literal.predicate for literal in self.required)

    @cached_property
    def places(self) -> tuple[tuple[Predicate, tuple[tuple[str, tuple[int, ...]], ...]], ...]:
        """Where variables stand in the required literals: their names and the ways to them."""
        return tuple(
            (literal.predicate, tuple(_places(literal.arguments, ()))) for literal in self.required
        )

    @cached_property
    def head_variables(self) -> tuple[str | None, ...]:
        """The arguments of the head that are variables, by name."""
        return tuple(
            argument.name if isinstance(argument, Variable) else None
            for argument in self.head_arguments
        )


def _places(
    arguments: tuple[Term, ...], path: tuple[int, ...]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    for index, argument in enumerate(arguments):
        if isinstance(argument, Function):
            yield from _places(argument.arguments, (*path, index))
        elif isinstance(argument, Variable) and argument.name not in ("", "_"):
            yield argument.name, (*path, index)


def read_program(paths: Iterable[Path]) -> list[Rule]:
    """Parse files into rules.

    Raises
    ------
    CardError
        On a syntax error or a statement other than a normal rule, with its position.
    """
    log = _Log()
    statements: list[ast.AST] = []
    files = [str(path) for path in paths]
    if not files:
        return []
    for file in files:
        _check_letters(Path(file))
    try:
        ast.parse_files(files, statements.append, logger=log)
    except RuntimeError as problem:
        reason, position = log.error(str(problem))
        hint = None
        if "unexpected <IDENTIFIER>" in reason and position and position.column == 1:
            hint = "a fact ends with a period: perhaps the one above has none"
        raise CardError(reason, position=position, hint=hint) from None
    return [_rule(statement) for statement in statements if statement.ast_type not in _SILENT]


_SILENT = {
    ast.ASTType.Program,
    ast.ASTType.Comment,
    ast.ASTType.Defined,
    ast.ASTType.ShowSignature,
}


def _position(statement: ast.AST) -> Position:
    begin = statement.location.begin
    return Position(begin.filename, begin.line, begin.column)


def _rule(statement: ast.AST) -> Rule:
    position = _position(statement)
    if statement.ast_type != ast.ASTType.Rule or (
        statement.head.ast_type != ast.ASTType.Literal
        or statement.head.atom.ast_type != ast.ASTType.SymbolicAtom
        or statement.head.sign != ast.Sign.NoSign
    ):
        raise CardError(
            "only facts and normal rules are possible here",
            position=position,
            hint="one atom, or an atom and a body: `head :- body.`",
        )
    name, arguments = _atom(statement.head.atom)
    body: list[Literal] = []
    for element in statement.body:
        _literals(element, True, body)
    built = [*_pools(statement.head), *(term for e in statement.body for term in _built(e))]
    return Rule(str(statement), position, name, arguments, tuple(body), tuple(built))


_COMPARED = (ast.ASTType.Comparison, ast.ASTType.BodyAggregate)


def _built(node: ast.AST) -> Iterator[Term]:
    """The compound terms in what compares or counts, and in pools."""
    if node.ast_type in _COMPARED:
        yield from _compounds(node)
    else:
        yield from _pools(node)
        if node.ast_type == ast.ASTType.Literal and node.atom.ast_type in _COMPARED:
            yield from _compounds(node.atom)


def _pools(node: ast.AST) -> Iterator[Term]:
    """The compound terms in pools."""
    for part in _parts(node):
        yield from _compounds(part) if part.ast_type == ast.ASTType.Pool else _pools(part)


def _compounds(node: ast.AST) -> Iterator[Term]:
    """The compound terms in a part of a rule, atoms among them."""
    if node.ast_type == ast.ASTType.Function and node.arguments:
        yield _term(node)
    for part in _parts(node):
        yield from _compounds(part)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    for key in node.child_keys:
        child = getattr(node, key)
        if isinstance(child, ast.AST):
            yield child
        elif child is not None:
            yield from child


def _atom(atom: ast.AST) -> tuple[str, tuple[Term, ...]]:
    symbol = atom.symbol
    if symbol.ast_type == ast.ASTType.SymbolicTerm:
        return str(symbol.symbol), ()
    return symbol.name, tuple(map(_term, symbol.arguments))


def _term(term: ast.AST) -> Term:
    kind = term.ast_type
    if kind == ast.ASTType.Variable:
        return Variable(term.name)
    if kind == ast.ASTType.SymbolicTerm:
        symbol = term.symbol
        return symbol.number if symbol.type == clingo.SymbolType.Number else str(symbol)
    if kind == ast.ASTType.UnaryOperation and term.operator_type == ast.UnaryOperator.Minus:
        negated = _term(term.argument)
        return -negated if isinstance(negated, int) else Variable("")
    if kind == ast.ASTType.Function:
        return Function(term.name, tuple(map(_term, term.arguments)))
    return Variable("")


def _literals(element: ast.AST, required: bool, found: list[Literal]) -> None:
    kind = element.ast_type
    if kind == ast.ASTType.Literal:
        required = required and element.sign == ast.Sign.NoSign
        if element.atom.ast_type == ast.ASTType.SymbolicAtom:
            found.append(Literal(*_atom(element.atom), required))
        elif element.atom.ast_type == ast.ASTType.BodyAggregate:
            for part in element.atom.elements:
                for condition in part.condition:
                    _literals(condition, False, found)
    elif kind == ast.ASTType.ConditionalLiteral:
        _literals(element.literal, False, found)
        for condition in element.condition:
            _literals(condition, False, found)


def check_program(path: Path) -> None:
    """Ground one file alone, to find unsafe variables and the like.

    Raises
    ------
    CardError
        With the position of the first fault.
    """
    log = _Log()

    def ground() -> None:
        control = clingo.Control(logger=log)
        control.load(str(path))
        control.ground()

    try:
        _patiently(ground)
    except RuntimeError as problem:
        reason, position = log.error(str(problem))
        raise CardError(reason, position=position) from None
    if any(code == clingo.MessageCode.OperationUndefined for code, _ in log.messages):
        reason, position = log.error("")
        raise CardError(reason, position=position)


#: Comments and strings, in which any letter may stand.
_FREE = re.compile(r'%\*.*?\*%|%[^\n]*|"(?:[^"\\\n]|\\.)*"', re.S)


def _check_letters(path: Path) -> None:
    """Outside of comments and strings a program is ASCII; clingo cannot tell what else it met."""
    text = path.read_text(encoding="utf-8", errors="replace")
    program = _FREE.sub(lambda free: re.sub(r"[^\n]", " ", free[0]), text)
    if odd := re.search(r"[^\x00-\x7f]", program):
        line = program.count("\n", 0, odd.start()) + 1
        column = odd.start() - program.rfind("\n", 0, odd.start())
        raise CardError(
            f"`{odd[0]}` can stand only in a comment or in quotes",
            position=Position(str(path), line, column),
        )


# --- Evaluating programs ------------------------------------------------------------------


def evaluate(program: str) -> list[str]:
    """The shown atoms of the one answer set of a stratified program.

    Raises
    ------
    EncodingError
        If the program has a fault, or not exactly one answer set.
    """
    return _patiently(lambda: _parts_of(str(clingo.Function("", _symbols(program)))))


@lru_cache(maxsize=2048)
def evaluate_to_text(program: str) -> str:
    """The shown atoms of the one answer set of a stratified program, as one tuple.

    One large term is written in less than half the time of its parts.  The same programs come
    up in many scenarios, so that what is found is kept.
    """
    return _patiently(lambda: str(clingo.Function("", _symbols(program))))


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def _parts_of(text: str) -> list[str]:
    """The parts of a tuple, as texts: one large term is written much faster than its parts."""
    masked = _STRING.sub(lambda string: "_" * len(string[0]), text) if '"' in text else text
    found: list[str] = []
    start = end = 1
    depth = 0
    for piece in masked[1:-1].removesuffix(",").split(","):
        end += len(piece)
        depth += piece.count("(") - piece.count(")")
        if not depth and end > start:
            found.append(text[start:end])
            start = end + 1
        end += 1
    return found


def _symbols(program: str) -> Sequence[clingo.Symbol]:
    log = _Log()
    # That what no rule derives is looked at is no fault here.
    control = clingo.Control(["2", "--warn=no-atom-undefined"], logger=log, message_limit=10)
    try:
        control.add("base", [], program)
        control.ground()
    except RuntimeError as problem:
        raise EncodingError(log.error(str(problem))[0]) from None
    if log.messages:
        raise EncodingError(log.messages[0][1])
    with control.solve(yield_=True) as handle:
        model = handle.model()
        if model is None:
            raise EncodingError("the program has no answer set")
        shown: Sequence[clingo.Symbol] = model.symbols(shown=True)
        handle.resume()
        if handle.model() is not None:
            raise EncodingError("some rule of a card or of the game negates what rests on it")
        return shown


def enumerate_models(files: Sequence[Path], facts: str, limit: int = 0) -> Iterable[list[str]]:
    """The answer sets of shipped files and facts, as lists of shown atoms, lazily."""
    control = clingo.Control([str(limit)])
    for path in files:
        control.load(str(path))
    control.add("base", [], facts)
    control.ground()
    with control.solve(yield_=True) as handle:
        for model in handle:
            yield sorted(str(symbol) for symbol in model.symbols(shown=True))
