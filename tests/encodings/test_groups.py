"""The rules that are hardest to get right, each on the smallest question that shows it.

Every test asks plain clingo: ``orders.lp`` makes each way through an answer one answer set.
"""

from __future__ import annotations

from clintest.assertion import Assertion, Contains, Not, True_
from clintest.quantifier import All, Exact
from clintest.solver import Clingo
from clintest.test import And, Assert, Test
from shipped import ENCODINGS

PLAYERS = """
player(alice). player(bob). player(carol).
turn_order(alice,0). turn_order(bob,1). turn_order(carol,2).
turn(alice,precombat_main).
"""


def draw(who: str = "alice", applied: str = "end") -> str:
    """The question what becomes of a draw."""
    return f"item(0,event(draw({who}),none,{applied}))."


def permanent(card: str, controller: str, number: int = 1) -> str:
    """A permanent of a card."""
    thing = f"{card}_{controller}_{number}"
    facts = f"permanent({thing},{card},{controller},{controller}). card({thing},{card})."
    return f"{facts} owner({thing},{controller})."


def effect(card: str, becomes: str, scope: str = "you", role: str = "you") -> str:
    """A card with one effect on draws."""
    return f"would({card},1,draw,{scope}). instead({card},1,1,{role},{becomes})."


def solve(facts: str, *tests: Test) -> None:
    """Hold tests against the answer sets of ``orders.lp`` with some facts."""
    test = And(*tests)
    Clingo(["0"], PLAYERS + facts, [str(ENCODINGS / "orders.lp")]).solve(test)
    test.assert_()  # noqa: PT009


def orders(number: int) -> Test:
    """There are so many answer sets."""
    return Assert(Exact(number), True_())


def always(*symbols: str) -> Test:
    """All of these hold in every answer set."""
    return And(*(Assert(All(), Contains(symbol)) for symbol in symbols))


def never(*symbols: str) -> Test:
    """None of these holds in any answer set."""
    return And(*(Assert(All(), Not(Contains(symbol))) for symbol in symbols))


def some(assertion: str | Assertion, number: int) -> Test:
    """It holds in exactly so many answer sets."""
    return Assert(Exact(number), Contains(assertion) if isinstance(assertion, str) else assertion)


# --- The classes of CR 616.1a-f ----------------------------------------------------------------

#: Effects of each class on the same draw; each ends it as the loss of another amount.
CLASSES = "\n".join(
    effect(card, f"lose_life({amount})") + permanent(card, "alice")
    for amount, card in enumerate(["plain", "control", "copy", "back", "own"], 1)
)
CONTROL = "enters_under_control(control,1)."
COPY = "enters_as_copy(copy,1)."
BACK = "enters_back_face_up(back,1)."
#: A self-replacement effect applies to what its own spell does, whose frame is `none` here.
OWN = "self_replacement(own,1). stated. holds(0,resolving(none,own,1,alice))."
HELD = """
holds(0,active(alice)). holds(0,step(precombat_main)).
holds(0,controls(alice,O)) :- permanent(O,_,alice,_).
"""


def test_own_effects_go_first() -> None:
    solve(
        CLASSES + CONTROL + COPY + BACK + OWN + HELD + draw(),
        orders(1),
        always("ends(lose_life(alice,5,effect))"),
    )


def test_effects_on_control_go_second() -> None:
    solve(
        CLASSES + CONTROL + COPY + BACK + draw(),
        orders(1),
        always("ends(lose_life(alice,2,effect))"),
    )


def test_effects_on_copies_go_third() -> None:
    solve(CLASSES + COPY + BACK + draw(), orders(1), always("ends(lose_life(alice,3,effect))"))


def test_effects_on_back_faces_go_fourth() -> None:
    solve(CLASSES + BACK + draw(), orders(1), always("ends(lose_life(alice,4,effect))"))


def test_any_of_the_rest() -> None:
    solve(
        CLASSES + draw(),
        orders(5),
        *(some(f"ends(lose_life(alice,{n},effect))", 1) for n in range(1, 6)),
    )


def test_one_of_the_earlier_class_and_the_process_is_repeated() -> None:
    """Two effects of one class leave a choice; then those of later classes come (616.1f)."""
    facts = effect("one", "draw(1)", "any_player") + effect("two", "draw(1)", "any_player")
    facts += effect("last", "lose_life(1)", "any_player")
    for card in ("one", "two", "last"):
        facts += permanent(card, "alice")
    solve(
        facts + "enters_as_copy(one,1). enters_as_copy(two,1)." + draw(),
        orders(2),
        always("ends(lose_life(alice,1,effect))"),
        some("applied(1,alice,apply(eff(one,1,alice,any)),1)", 1),
        some("applied(2,alice,apply(eff(one,1,alice,any)),1)", 1),
        always("applied(3,alice,apply(eff(last,1,alice,any)),1)"),
    )


# --- CR 614.5: one opportunity for each effect -------------------------------------------------

TWIN = effect("twin", "draw(1)", "you")


def test_each_copy_has_one_opportunity() -> None:
    """Three copies: 3! orders, in each of which every copy is applied once."""
    first = [f"applied(1,alice,apply(eff(twin,1,alice,any)),{copy})" for copy in (1, 2, 3)]
    solve(
        TWIN + "".join(permanent("twin", "alice", n) for n in (1, 2, 3)) + draw(),
        orders(6),
        always("ends(draw(alice))"),
        *(some(symbol, 2) for symbol in first),
        never("applied(4,alice,apply(eff(twin,1,alice,any)),1)"),
    )


def test_copies_count_as_one_class_for_each_controller() -> None:
    solve(
        effect("thief", "draw(1)", "opponent")
        + "".join(permanent("thief", "alice", n) for n in (1, 2))
        + permanent("thief", "bob")
        + draw(),
        always(
            "effect(0,eff(thief,1,alice,any),2)",
            "effect(0,eff(thief,1,bob,any),1)",
            "classes(0,2)",
            "weight(0,eff(thief,1,alice,any),1)",
            "weight(0,eff(thief,1,bob,any),3)",
        ),
    )


def test_what_is_inherited_counts() -> None:
    """Of two copies one has been applied to what contains this draw: one is left."""
    facts = TWIN + permanent("twin", "alice", 1) + permanent("twin", "alice", 2)
    once = "((eff(twin,1,alice,any),1),end)"
    solve(facts + draw(applied=once), orders(1), always("applied_before(0,1)"))
    solve(
        facts + draw(applied=once),
        always("applied(1,alice,apply(eff(twin,1,alice,any)),1)"),
        never("applied(2,alice,apply(eff(twin,1,alice,any)),1)"),
    )
    both = "((eff(twin,1,alice,any),2),end)"
    solve(
        facts + draw(applied=both),
        orders(1),
        never("applied(1,alice,apply(eff(twin,1,alice,any)),1)"),
    )


def test_what_is_gone_is_no_digit() -> None:
    """An effect in the inherited list whose source has left counts for nothing."""
    gone = "((eff(gone,1,alice,any),1),((eff(twin,1,alice,any),1),end))"
    facts = TWIN + permanent("twin", "alice", 1) + permanent("twin", "alice", 2)
    solve(facts + draw(applied=gone), orders(1), always("applied_before(0,1)"))


def test_contained_draws_inherit_what_was_applied() -> None:
    """Twice as many: both draws come with the list, so that it is not applied again (616.1g)."""
    facts = effect("double", "draw(2)") + permanent("double", "alice") + draw()
    applied = "((eff(double,1,alice,any),1),end)"
    solve(
        facts,
        orders(1),
        always(
            "ends(draw(alice,2))",
            f"push(0,final(draw(alice,2),1),1,happen(draw(alice,2),none,{applied}))",
        ),
    )
    solve(
        facts.replace(draw(), f"item(0,happen(draw(alice,2),none,{applied}))."),
        always(
            f"push(0,go,1,event(draw(alice),none,{applied}))",
            f"push(0,go,2,event(draw(alice),none,{applied}))",
        ),
    )


def test_too_many_classes_are_an_error() -> None:
    """Rather than wrap around at the largest integer."""
    cards = [f"many{n}" for n in range(31)]
    facts = "".join(effect(card, "draw(1)") + permanent(card, "alice") for card in cards)
    facts += "item(0,event(gain_life(alice,1,effect),none,end))."
    solve(facts, always("error(0,too_many_effects(gain_life(alice,1,effect)))"))
    fewer = "".join(effect(card, "draw(1)") + permanent(card, "alice") for card in cards[:30])
    fewer += "item(0,event(gain_life(alice,1,effect),none,end))."
    solve(fewer, never("error(0,too_many_effects(gain_life(alice,1,effect)))"))


# --- Effects that are used up ------------------------------------------------------------------

WORDS = effect("words", "gain_life(5)") + "used_up(words,1)."


def test_the_next_time_is_used_up() -> None:
    """Two of them: one is applied to the draw and is gone; the other stays."""
    solve(
        WORDS + draw() + "given_effect(words,1,alice,any,2).",
        orders(2),
        always(
            "ends(gain_life(alice,5,effect))",
            "add(0,final(gain_life(alice,5,effect),1),floating(words,1,alice,any),-1,used_up)",
        ),
    )


def test_what_is_used_up_is_in_no_list() -> None:
    """A further effect of the same kind has its own opportunity at what this one became."""
    facts = effect("words", "draw(2)") + "used_up(words,1). given_effect(words,1,alice,any,1)."
    solve(facts + draw(), always("push(0,final(draw(alice,2),1),1,happen(draw(alice,2),none,end))"))


def test_skipping_is_nothing() -> None:
    """CR 614.10: two effects that skip a draw leave the same, which happens to nobody."""
    facts = effect("idle", "skip") + effect("lazy", "skip")
    solve(
        facts + permanent("idle", "alice") + permanent("lazy", "alice") + draw(),
        orders(2),
        always("ends(nothing)", 'cites(0,apply(eff(idle,1,alice,any)),"614.10")'),
    )


# --- Offers to another player ------------------------------------------------------------------

OFFER = effect("offer", "lose_life(2)", "opponent", "that_player") + "optional(offer,1,you)."


def test_the_affected_player_picks_and_the_other_decides() -> None:
    """An offer counts as applied whether it is accepted or declined (614.5, 608.2d)."""
    solve(
        OFFER + permanent("offer", "bob") + draw(),
        orders(2),
        some("ends(lose_life(alice,2,effect))", 1),
        some("ends(draw(alice))", 1),
        some("applied(2,bob,accept(eff(offer,1,bob,any)),1)", 1),
        some("applied(2,bob,decline(eff(offer,1,bob,any)),1)", 1),
        always("who(0,offer(eff(offer,1,bob,any),draw(alice)),bob)", "who(0,draw(alice),alice)"),
    )


def test_the_affected_players_own_option_is_one_choice() -> None:
    facts = effect("choice", "lose_life(2)") + "optional(choice,1,you)."
    solve(
        facts + permanent("choice", "alice") + draw(),
        orders(2),
        some("ends(lose_life(alice,2,effect))", 1),
        some("ends(draw(alice))", 1),
        never("applied(2,alice,accept(eff(choice,1,alice,any)),1)"),
    )


# --- CR 614.17c: what can't happen -------------------------------------------------------------

FORBID = "cannot(ban,1,draw,opponent)." + permanent("ban", "bob")


def test_what_cannot_happen_is_not_replaced() -> None:
    facts = effect("plain", "lose_life(1)") + permanent("plain", "alice")
    solve(
        facts + FORBID + draw(),
        orders(1),
        always("ends(draw(alice))", 'cites(0,final(draw(alice),0),"614.17")'),
        never("push(0,final(draw(alice),0),1,happen(draw(alice),none,end))"),
    )


def test_only_an_own_effect_replaces_what_cannot_happen() -> None:
    facts = effect("plain", "lose_life(1)") + effect("own", "lose_life(2)")
    facts += permanent("plain", "alice") + OWN + HELD + FORBID
    solve(
        facts + "holds(0,controls(bob,O)) :- permanent(O,_,bob,_)." + draw(),
        orders(1),
        always("ends(lose_life(alice,2,effect))"),
    )


def test_what_becomes_impossible_is_not_replaced_further() -> None:
    """A draw that passes to a player who can't draw stays there, and does not happen."""
    facts = effect("thief", "draw(1)", "opponent") + permanent("thief", "carol")
    facts += effect("gain", "gain_life(1)") + permanent("gain", "carol")
    facts += "cannot(ban,1,draw,opponent)." + permanent("ban", "alice")
    solve(
        facts + draw(),
        orders(1),
        always("ends(draw(carol))"),
        never("push(0,final(draw(carol),1),1,happen(draw(carol),none,end))"),
    )


# --- Choosing objects --------------------------------------------------------------------------


def hand(*cards: str, unnamed: int = 0) -> str:
    """Alice's hand."""
    named = "".join(
        f"given_card(alice,hand,{i},{card}). card({card},{card})." for i, card in enumerate(cards)
    )
    return f"given(alice,hand,{unnamed}). {named}"


def discard(number: int, last: str = "0", chosen: str = "end") -> str:
    """The question which card Alice chooses next."""
    return (
        f"item(0,select(discard(effect(alice)),((alice,{number}),end),{last},{chosen},none,end))."
    )


def test_a_set_is_chosen_in_one_way() -> None:
    """Two of a, b, c: after a come b and c, after b only c, and c can't come first."""
    cards = hand("a", "b", "c")
    solve(
        cards + discard(2),
        orders(2),
        always("choice(0,pick(a))", "choice(0,pick(b))"),
        never("choice(0,pick(c))"),
    )
    solve(cards + discard(1, "b", "((alice,b),end)"), orders(1), always("choice(0,pick(c))"))


def test_unnamed_cards_are_alike() -> None:
    """Two of four unnamed cards are chosen in one way."""
    solve(hand(unnamed=4) + discard(2), orders(1), always("choice(0,pick(unnamed(plain,1)))"))
    following = discard(1, "unnamed(plain,1)", "((alice,unnamed(plain,1)),end)")
    solve(hand(unnamed=4) + following, orders(1), always("choice(0,pick(unnamed(plain,2)))"))


def test_named_and_unnamed_cards() -> None:
    """Two of a and three unnamed ones: with a or without."""
    solve(hand("a", unnamed=3) + discard(2), orders(2))


def test_as_many_as_there_are() -> None:
    """CR 609.3: both of two cards if three are to be chosen."""
    solve(hand("a", "b") + discard(3), orders(1), always("choice(0,pick(a))"))
    solve(hand() + discard(3), orders(1), always("choice(0,none_left)"))


def test_players_choose_in_turn_order_before_anything_is_discarded() -> None:
    """CR 101.4: Bob's turn; he chooses first, then Carol, then Alice."""
    facts = "instead(all,1,1,each_player,discard(1))."
    question = "item(0,do(discard(1),each_player,ctx(alice,alice,0,any),none,end))."
    expected = "((bob,1),((carol,1),((alice,1),end)))"
    solve(
        facts + question + "stated. holds(0,active(bob)).",
        orders(1),
        always(f"push(0,go,1,select(discard(effect(alice)),{expected},0,end,none,end))"),
    )
