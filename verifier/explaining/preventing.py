"""What prevents an outcome: the smallest sets of what can be left out so that it is possible.

The sets are tried by size, each in a run of its own, and none that holds one already found.
So every set that is given was seen to allow the outcome, and leaving out less does not.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from verifier.engine import explore
from verifier.errors import EncodingError, InputError, VerifierError
from verifier.explaining.explanation import meant, nearest
from verifier.explaining.removals import Removal, removals
from verifier.explaining.showing import Shown
from verifier.explorer import INTERRUPTED

if TYPE_CHECKING:
    from verifier.explaining.walkthrough import Walkthrough
    from verifier.graph import Graph, Result
    from verifier.outcomes import Outcome

#: A run without something is given up after so many states unless told otherwise.
MOST_STATES = 50_000


@dataclass(frozen=True)
class Cause:
    """A smallest set of what prevents an outcome.

    Attributes
    ----------
    removals
        What is left out.
    graph
        The run without it, in which the outcome was found.
    walkthrough
        A shortest way to the outcome there.
    """

    removals: tuple[Removal, ...]
    graph: Graph
    walkthrough: Walkthrough


@dataclass(frozen=True)
class WhyNot(Shown):
    """What prevents an outcome.

    Attributes
    ----------
    graph
        The run with everything.
    wanted
        The outcome, as a pattern.
    possible
        If it is possible after all: a shortest way to it.
    causes
        The smallest sets up to `size` without which it is possible.
    size
        How many things were left out together, at most.
    tried
        How many sets were tried.
    open
        The sets that were given up without having found the outcome.
    limit
        The limit that ended the search before all sets were tried, if one did.
    """

    graph: Graph
    wanted: Outcome
    possible: Walkthrough | None
    causes: tuple[Cause, ...]
    size: int
    tried: int
    open: tuple[tuple[Removal, ...], ...]
    limit: str | None

    @property
    def decided(self) -> bool:
        """Whether these are all smallest sets up to the size."""
        return self.possible is not None or not (self.open or self.limit)

    def __repr__(self) -> str:
        if self.possible is not None:
            return "<WhyNot: it is possible>"
        state = "all" if self.decided else "not all"
        return f"<WhyNot: {len(self.causes)} causes, {state} up to size {self.size}>"

    def lines(self) -> Iterator[str]:
        """The result as text."""
        from verifier.explaining.telling_why import why_not_lines

        return why_not_lines(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as in ``--output json``."""
        from verifier.explaining.telling_why import why_not_dict

        return why_not_dict(self)


def why_not(
    graph: Graph,
    outcome: Outcome | Result | int,
    *,
    size: int = 2,
    max_states: int = MOST_STATES,
    time_limit: float | None = None,
    poll: Callable[[int], None] | None = None,
) -> WhyNot:
    """What prevents an outcome (see `Graph.why_not`)."""
    wanted = meant(graph, outcome)
    if way := nearest(graph, wanted):
        return WhyNot(graph, wanted, way, (), size, 0, (), None)
    if not graph.exhausted:
        return WhyNot(graph, wanted, None, (), size, 0, (), graph.limit)
    search = _Search(graph, wanted, max_states, time_limit, poll)
    limit = search.run(size)
    return WhyNot(
        graph, wanted, None, tuple(search.causes), size, search.tried, tuple(search.open), limit
    )


class _Search:
    def __init__(
        self,
        graph: Graph,
        wanted: Outcome,
        max_states: int,
        time_limit: float | None,
        poll: Callable[[int], None] | None,
    ) -> None:
        self._graph = graph
        self._wanted = wanted
        self._max_states = max_states
        self._deadline = None if time_limit is None else time.perf_counter() + time_limit
        self._poll = poll
        self._candidates = removals(graph.scenario)
        #: For what is left out already, the rules that cannot fire then.
        self._idle: dict[tuple[Removal, ...], frozenset[Removal]] = {(): self._idle_in(graph)}
        self.causes: list[Cause] = []
        self.open: list[tuple[Removal, ...]] = []
        self.tried = 0

    def _idle_in(self, graph: Graph) -> frozenset[Removal]:
        return frozenset(one for one in self._candidates if one.is_idle(graph.setup))

    def run(self, size: int) -> str | None:
        """Try all sets up to a size; the limit that was reached, if one was."""
        for length in range(1, size + 1):
            for together in combinations(self._candidates, length):
                if self._is_spare(together):
                    continue
                left = None
                if self._deadline is not None:
                    left = self._deadline - time.perf_counter()
                    if left <= 0:
                        return "time limit reached"
                if self._try(together, left) == INTERRUPTED:
                    return INTERRUPTED
        return None

    def _is_spare(self, together: Sequence[Removal]) -> bool:
        """Whether a set is like another one, or can bring nothing that a smaller one does not."""
        chosen = set(together)
        if any(chosen >= set(cause.removals) for cause in self.causes):
            return True
        # Of interchangeable things the first ones are left out.
        groups: dict[str, list[bool]] = defaultdict(list)
        for one in self._candidates:
            if one.alike:
                groups[one.alike].append(one in chosen)
        if any(picked != sorted(picked, reverse=True) for picked in groups.values()):
            return True
        # A rule that cannot fire without the others need not be left out besides them.
        for one in together:
            idle = self._idle.get(tuple(other for other in together if other != one))
            if idle is not None and one in idle:
                self._idle[tuple(together)] = idle
                return True
        return False

    def _try(self, together: tuple[Removal, ...], left: float | None) -> str | None:
        self.tried += 1
        try:
            graph = explore(
                self._graph.scenario,
                max_states=self._max_states,
                time_limit=left,
                poll=self._poll,
                without=together,
            )
            self._idle[together] = self._idle_in(graph)
            if way := nearest(graph, self._wanted):
                self.causes.append(Cause(together, graph, way))
                return None
        except (InputError, EncodingError):
            # Without it the timeline cannot be carried out.
            return None
        except VerifierError:
            self.open.append(together)
            return None
        if not graph.exhausted:
            self.open.append(together)
        return graph.limit
