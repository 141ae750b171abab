"""Who controls what, and what that makes of everything, as the game goes on: naively.

Nothing is kept of who controls what: it is found from all effects that there are (CR 613.1b),
whenever something has happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .layers import Control, Effect, Things, Trace, controllers, evaluate, in_scope


@dataclass(frozen=True)
class Lasting:
    """A player has gained control of a thing: `until` says for how long.

    That is ``for_good``, ``turn_end`` or a thing: for as long as the player controls that, or
    (if `while_there`) for as long as it is on the battlefield.
    """

    thing: str
    player: str
    time: int
    until: str
    while_there: bool = False


@dataclass
class Game:
    """Things on the battlefield, Auras that give control, and what spells have made.

    Attributes
    ----------
    things
        As printed, under the control of those under whose control they entered.
    statics
        Effects of static abilities, each with the place of its source as its timestamp.
    takers
        The Auras that give control of what they are attached to.
    since
        When things became attached (CR 613.7e).
    made
        Effects that spells have made, and whether they last for good.
    players
        Those who are still in the game, in turn order, from the active player on.
    """

    things: Things
    statics: list[Effect]
    takers: set[str]
    players: list[str] = field(default_factory=lambda: ["alice", "bob", "carol"])
    clock: int = 1000
    since: dict[str, int] = field(default_factory=dict)
    taken: list[Lasting] = field(default_factory=list)
    made: list[tuple[Effect, bool]] = field(default_factory=list)
    stamps: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """CR 613.7d: in the order in which they are listed."""
        self.stamps = {name: place for place, name in enumerate(self.things)}

    # --- How things are ---------------------------------------------------------------------

    def controls(self) -> list[Control]:
        """All effects of layer 2."""
        made: dict[int, dict[str, str]] = {}
        for effect in self.taken:
            made.setdefault(effect.time, {})[effect.thing] = effect.player
        found = [Control(tuple(m), time, tuple(m.values())) for time, m in made.items()]
        for aura in sorted(self.takers & set(self.things)):
            host = self.things[aura].attached_to
            if host is not None:
                found.append(Control((host,), self.stamp(aura), aura=aura))
        return found

    def stamp(self, name: str) -> int:
        """The timestamp of a thing: when it entered, or when it became attached."""
        return max(self.stamps[name], self.since.get(name, 0))

    def controllers(self) -> dict[str, str]:
        """Who controls what."""
        return controllers(self.things, self.controls())

    def now(self) -> tuple[Things, list[Trace]]:
        """What everything is, and how the layers made it so."""
        effects = [
            replace(e, time=self.stamp(e.source)) for e in self.statics if e.source in self.things
        ]
        # (What was made for things that have left is still an effect.)
        made = [e for e, _ in self.made if e.locked]
        return evaluate(self.things, effects + made, self.controls())

    # --- What happens -----------------------------------------------------------------------

    def gain(self, player: str, thing: str, until: str, *, while_there: bool = False) -> None:
        """A player gains control of a thing."""
        self.clock += 1
        lasting = Lasting(thing, player, self.clock, until, while_there)
        if self._lasts(lasting, self.controllers()):  # CR 611.2b
            self.taken.append(lasting)
        self.settle()

    def exchange(self, one: str, other: str) -> None:
        """CR 701.12b: who controls them, unless that is one player."""
        now = self.controllers()
        self.clock += 1
        if now[one] != now[other]:
            self.taken.append(Lasting(one, now[other], self.clock, "for_good"))
            self.taken.append(Lasting(other, now[one], self.clock, "for_good"))
        self.settle()

    def attach(self, aura: str, host: str) -> None:
        """CR 701.3b: it moves, if it is not there already."""
        self.clock += 1
        if self.things[aura].attached_to != host:
            self.things[aura].attached_to = host
            self.since[aura] = self.clock
        self.settle()

    def leave(self, player: str) -> None:
        """CR 800.4a: all that is the player's, then all that the player still controls.

        (Who controls something by default is its owner here.)
        """
        self.players.remove(player)
        self._remove([name for name, thing in self.things.items() if thing.controller == player])
        self.taken = [effect for effect in self.taken if effect.player != player]
        self._remove([name for name, who in self.controllers().items() if who == player])
        self.settle()

    def destroy(self, name: str) -> None:
        """It leaves, and so do Auras that were on it (CR 704.5m)."""
        self._remove([name])
        self.settle()

    def _remove(self, leaving: list[str]) -> None:
        while leaving:
            gone = leaving.pop()
            self.things.pop(gone, None)
            self.taken = [e for e in self.taken if e.thing != gone]
            leaving += [n for n, thing in self.things.items() if thing.attached_to == gone]

    def make(self, player: str, effect: Effect, *, for_good: bool) -> None:
        """A player's spell makes an effect for what it names, or what is of its kind by then."""
        self.clock += 1
        if effect.locked is None:  # CR 611.2c
            now, _ = self.now()
            reached = {
                name
                for name, thing in now.items()
                if thing.fits(effect.kind) and in_scope(effect.scope, player, thing.controller)
            }
            effect = replace(effect, locked=frozenset(reached))
        self.made.append((replace(effect, time=self.clock), for_good))
        self.settle()

    def exchange_words(self, name: str, old: str, new: str) -> None:
        """A spell exchanges a word in the text of a thing, for good."""
        self.clock += 1
        self.things[name].words_changed.append((old, new, self.clock))
        self.settle()

    def put_counters(self, name: str, word: str, number: int) -> None:
        """Counters are put on a thing."""
        self.clock += 1
        counters = self.things[name].counters
        self.things[name].counted_since[word] = self.clock
        counters[word] = counters.get(word, 0) + number
        self.settle()

    def end_turn(self) -> None:
        """CR 514.2."""
        self.players = [*self.players[1:], self.players[0]]
        self.taken = [e for e in self.taken if e.until != "turn_end"]
        self.made = [(effect, for_good) for effect, for_good in self.made if for_good]
        self.settle()

    # --- For as long as -----------------------------------------------------------------------

    def settle(self) -> None:
        """CR 611.2a: what is over is over for good, which may end something else."""
        while True:
            now = self.controllers()
            kept = [effect for effect in self.taken if self._lasts(effect, now)]
            if kept == self.taken:
                return
            self.taken = kept

    def _lasts(self, effect: Lasting, now: dict[str, str]) -> bool:
        if effect.until in ("for_good", "turn_end"):
            return True
        return effect.until in now and (effect.while_there or now[effect.until] == effect.player)
