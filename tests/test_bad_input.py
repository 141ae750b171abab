"""Bad input, each kind with its message: where it is, what is wrong, what would be right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from verifier.cli import main

#: A scenario without fault; the tests change one thing in it.
GOOD = """\
players: [alice, bob]
battlefield:
  - {card: Notion Thief, controller: alice}
timeline:
  - resolve: {player: alice, does: [{draw: 1}]}
"""

TOP = (
    "ask, battlefield, case, cases, claim, dispute, effects, notes, players, question, readings, "
    "rules, source, state, timeline, timestamps, title, turn"
)


def run(*arguments: str) -> Result:
    """Run a command; what is not meant to happen comes out as an exception."""
    result = CliRunner().invoke(main, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refusal(*arguments: str) -> str:
    """What a command says on stderr when it refuses its input."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def check(said: str, file: Path, place: str, message: str, hint: str) -> None:
    """Compare a message; a hint that ends in ``...`` lists words that may become more."""
    wanted = f"{file}:{place}: error: {message}\n" + (f"  hint: {hint}\n" if hint else "")
    if hint.endswith(" ..."):
        assert said.startswith(wanted.removesuffix("...\n"))
    else:
        assert said == wanted


def changed(old: str, new: str) -> str:
    """The scenario without fault with one part replaced; or, without one, lengthened."""
    assert old in GOOD
    return GOOD.replace(old, new) if old else GOOD + new


def test_the_scenario_to_be_spoiled_is_good(tmp_path: Path) -> None:
    file = tmp_path / "good.yaml"
    file.write_text(GOOD)
    assert run("prove", str(file)).exit_code == 0


# --- Files that are no scenario -----------------------------------------------------------

MAPPING = "a scenario must be a mapping, not"
SYNTAX = (
    "items of a list begin in the same column, after spaces and not tabs; "
    "text with `: ` in it goes into quotes"
)
WHOLE = "a whole number without quotes"
EMPTY = "a scenario needs `players` and `timeline`"

NOT_A_SCENARIO = {
    "flow sequence left open": (
        "players: [alice, bob\ntimeline: 1",
        "2:9",
        "not YAML: while parsing a flow sequence expected ',' or ']', but got ':'",
        SYNTAX,
    ),
    "two colons": (
        "players: alice: bob",
        "1:15",
        "not YAML: mapping values are not allowed here",
        SYNTAX,
    ),
    "tab": (
        "players:\n\t- alice",
        "2:1",
        "not YAML: while scanning for the next token found character '\\t' that cannot start any"
        " token",
        SYNTAX,
    ),
    "item in another column": (
        "players:\n  - alice\n - bob\n",
        "3:2",
        "not YAML: while parsing a block mapping expected <block end>, but found"
        " '<block sequence start>'",
        SYNTAX,
    ),
    "alias of nothing": ("players: *a", "1:10", "not YAML: found undefined alias 'a'", ""),
    "control character": (
        "players: [a\0b]",
        "1:1",
        "not YAML: unacceptable character #x0000: special characters are not allowed in"
        ' "<unicode string>", position 11',
        "",
    ),
    "two documents": (
        GOOD + "---\n" + GOOD,
        "6:1",
        "not YAML: expected a single document in the stream but found another document",
        "",
    ),
    "empty": ("", "1:1", "the file is empty", EMPTY),
    "only a comment": ("# nothing\n", "1:1", "the file is empty", EMPTY),
    "empty document": ("---\n...\n", "1:1", "the file is empty", EMPTY),
    "text": ("hello", "1:1", f"{MAPPING} `hello`", ""),
    "list": ("- a\n- b\n", "1:1", f"{MAPPING} a list", ""),
    "number": ("5", "1:1", f"{MAPPING} 5", ""),
    "null": ("null", "1:1", f"{MAPPING} nothing", ""),
    "list as key": ("[1]: 2", "1:1", "a key must be a word", ""),
    "number as key": ("1: 2", "1:1", "unknown key `1`", f"possible here: {TOP}"),
    "nested without end": (
        "players: " + "[" * 3000 + "]" * 3000,
        "1:1",
        "not YAML: maximum recursion depth exceeded",
        "",
    ),
    "list in itself": ("players: &a [*a]\ntimeline: []", "1:1", "nested too deeply", ""),
    "aliases of aliases": (
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(
            f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
            for before, name in zip("abcdefgh", "bcdefghi", strict=True)
        ),
        "1:32",
        "the file holds too many values",
        "",
    ),
}


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"), NOT_A_SCENARIO.values(), ids=NOT_A_SCENARIO
)
def test_no_scenario(tmp_path: Path, text: str, place: str, message: str, hint: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    check(refusal("prove", str(file)), file, place, message, hint)


def test_file_of_ten_megabytes(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_bytes(b"x" * 10_000_000)
    message = "the file has 10000000 bytes, a scenario at most 1000000"
    check(refusal("prove", str(file)), file, "1:1", message, "")


def test_file_that_is_not_utf8(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_bytes(GOOD.encode() + b"title: caf\xe9\n")
    said = refusal("prove", str(file))
    assert said.startswith(f"{file}:1:1: error: the file is not UTF-8 text: ")


def test_missing_file() -> None:
    assert refusal("prove", "draw/notion_theif_two_players") == (
        "error: no scenario file draw/notion_theif_two_players\n"
        "  hint: did you mean draw/notion_thief_two_players?\n"
    )
    assert refusal("prove", "xyzzy") == (
        "error: no scenario file xyzzy\n  hint: `verifier check --list` names the shipped ones\n"
    )


def test_folder_as_file(tmp_path: Path) -> None:
    assert refusal("prove", str(tmp_path)) == (
        f"error: {tmp_path} is a folder\n"
        "  hint: `verifier check DIR` proves all scenarios in a folder\n"
    )


# --- Faults in a scenario -----------------------------------------------------------------

PLAYERS = "the players are alice, bob"
ROLES = "alice, bob, each_opponent, ..."
STEPS = (
    "untap, upkeep, draw, precombat_main, beginning_of_combat, declare_attackers, "
    "declare_blockers, combat_damage, end_of_combat, postcombat_main, end, cleanup"
)
CARDS = "`verifier cards` lists the cards there are; --cards DIR adds your own"
LIMIT = 2**31 - 1
NAME = "name: small letters, digits and _, a letter first"
RESERVED = "it is a word with a meaning of its own"
WORDS = "words are small letters, digits and _, and begin with a letter"
ARGUMENTS = "an instruction with arguments is {may: {draw: 2}} or {create: [bear, 2]}"
ONLY_IN_CARDS = "only in a card is there an ability whose event, number or source it means"
ONE_STEP = "{draw: 2} or {draw: 2, who: each_player}"

#: name: (what is replaced, by what, line and column, message, hint)
FAULTS = {
    # Keys.
    "key twice": (
        "",
        "players: [carol]\n",
        "6:1",
        "the key `players` stands here twice",
        "it was given in line 1 already",
    ),
    "unknown key": (
        "battlefield",
        "battlefeild",
        "2:1",
        "unknown key `battlefeild`",
        f"did you mean `battlefield`? possible here: {TOP}",
    ),
    "unknown key of a permanent": (
        "controller",
        "controler",
        "3:26",
        "unknown key `controler`",
        "did you mean `controller`? possible here: also, attached_to, card, chosen, commander,"
        " controller,"
        " count, counters, damage, default_controller, exiled, face_down, id, imprinted, owner,"
        " summoning_sick, tapped, timestamp",
    ),
    "name with a comma": (
        "card: Notion Thief,",
        "card: Chatterfang, Squirrel General,",
        "3:25",
        "unknown key `Squirrel General`",
        'if the comma before it belongs to a name: "..., Squirrel General", in quotes; possible'
        " here: also, attached_to, card, chosen, commander, controller, count, counters, damage,"
        " default_controller, exiled, face_down, id, imprinted, owner, summoning_sick, tapped,"
        " timestamp",
    ),
    "unknown key of an entry": (
        "resolve",
        "resolves",
        "5:5",
        "unknown key `resolves`",
        "did you mean `resolve`? possible here: activate, advance, aim, attack, attempt, begin,"
        " block, cast, check, destroy, enter, hold, leave, may, observe, order, pay, play_land,"
        " resolve, resolve_stack, tap_for_mana, turn_face_up",
    ),
    "unknown key of a library": (
        "",
        "state: {alice: {library: {tpo: [Forest]}}}\n",
        "6:27",
        "unknown key `tpo`",
        "did you mean `top`? possible here: bottom, others, top",
    ),
    "unknown key of a player's state": (
        "",
        "state: {alice: {lief: 3}}\n",
        "6:17",
        "unknown key `lief`",
        "did you mean `life`? possible here: command, counters, drawn_this_turn, exile, graveyard,"
        " hand, lands_played, library, life, mana",
    ),
    "missing key": ("players: [alice, bob]\n", "", "1:1", "a scenario lacks `players`", ""),
    "missing key of a permanent": (
        ", controller: alice",
        "",
        "3:5",
        "entry 1 of `battlefield` lacks `controller`",
        "",
    ),
    "neither steps nor a card": (
        ", does: [{draw: 1}]",
        "",
        "5:14",
        "`resolve` needs exactly one of `does` or `card`",
        "",
    ),
    "steps and a card": (
        "does:",
        "card: Divination, does:",
        "5:14",
        "`resolve` needs exactly one of `does` or `card`",
        "",
    ),
    "two things at once": (
        "",
        "  - {begin: upkeep, check: state_based_actions}\n",
        "6:5",
        "entry 2 of `timeline` must have exactly one key, not begin, check",
        "",
    ),
    "empty list": ("[{draw: 1}]", "[]", "5:36", "`does` must not be empty", ""),
    "empty claim": ("", "claim: {}\n", "6:8", "`claim` must not be empty", ""),
    # Cards and players.
    "unknown card": (
        "Notion Thief",
        "Notion Theif",
        "3:12",
        "unknown card `Notion Theif`",
        f"did you mean Notion Thief? {CARDS}",
    ),
    "card like no other": ("Notion Thief", "Xyzzy", "3:12", "unknown card `Xyzzy`", CARDS),
    "unknown card in a zone": (
        "",
        "state: {alice: {hand: [Forest, Frost]}}\n",
        "6:32",
        "unknown card `Frost`",
        f"did you mean Forest? {CARDS}",
    ),
    "unknown card that resolves": (
        "does: [{draw: 1}]",
        "card: Divinaton",
        "5:36",
        "unknown card `Divinaton`",
        f"did you mean Divination? {CARDS}",
    ),
    "unknown player on the battlefield": (
        "controller: alice",
        "controller: alise",
        "3:38",
        "unknown player `alise`",
        f"did you mean `alice`? {PLAYERS}",
    ),
    "unknown player in the state": (
        "",
        "state: {carol: {life: 3}}\n",
        "6:9",
        "unknown player `carol`",
        PLAYERS,
    ),
    "unknown player in the timeline": (
        "player: alice",
        "player: alise",
        "5:23",
        "unknown player `alise`",
        f"did you mean `alice`? {PLAYERS}",
    ),
    "unknown player in a step": (
        "{draw: 1}",
        "{draw: 1, who: alise}",
        "5:52",
        "unknown role `alise`",
        f"did you mean `alice`? possible here: {ROLES}",
    ),
    "unknown player in a claim": (
        "",
        "ask: [drawn]\nclaim: {outcomes: [{drawn: {alise: 1}}]}\n",
        "7:29",
        "unknown player `alise`",
        "did you mean `alice`? possible here: alice, bob",
    ),
    "unknown player who is to force something": (
        "",
        "claim: {can_force: {player: alise, outcome: {drawn: {alice: 1}}}}\n",
        "6:29",
        "unknown player `alise`",
        f"did you mean `alice`? {PLAYERS}",
    ),
    "player with a capital letter on the battlefield": (
        "controller: alice",
        "controller: Alice",
        "3:38",
        f"`Alice` is no {NAME}",
        "did you mean `alice`?",
    ),
    "player with a capital letter in the timeline": (
        "player: alice",
        "player: ALICE",
        "5:23",
        f"`ALICE` is no {NAME}",
        "did you mean `alice`?",
    ),
    "player with a capital letter in a step": (
        "{draw: 1}",
        "{draw: 1, who: Bob}",
        "5:52",
        f"`Bob` is no {NAME}",
        "did you mean `bob`?",
    ),
    "player with a capital letter in an instruction": (
        "{draw: 1}",
        "{may_have: [Bob, {draw: 1}]}",
        "5:49",
        "`Bob` is no word of the vocabulary",
        "did you mean `bob`?",
    ),
    "player with a capital letter in the state": (
        "",
        "state: {Bob: {life: 3}}\n",
        "6:9",
        "unknown player `Bob`",
        f"did you mean `bob`? {PLAYERS}",
    ),
    "player with a capital letter in a claim": (
        "",
        "ask: [drawn]\nclaim: {outcomes: [{drawn: {Bob: 1}}]}\n",
        "7:29",
        "unknown player `Bob`",
        "did you mean `bob`? possible here: alice, bob",
    ),
    "sorcery on the battlefield": (
        "Notion Thief",
        "Divination",
        "3:12",
        "Divination is no permanent but sorcery",
        "`resolve: {player: ..., card: ...}` in the timeline lets it resolve; what it made before"
        " is in `effects`",
    ),
    "unknown active player": ("", "turn: {active: zed}\n", "6:16", "unknown player `zed`", PLAYERS),
    # Names.
    "capital letter": ("[alice", "[Alice, alice", "1:11", f"`Alice` is no {NAME}", ""),
    "name with a space": ("[alice", "[al ice, alice", "1:11", f"`al ice` is no {NAME}", ""),
    "name that starts with a digit": ("[alice", "[1st, alice", "1:11", f"`1st` is no {NAME}", ""),
    "no name at all": ("[alice", "['', alice", "1:11", f"`` is no {NAME}", ""),
    "number as name": (
        "[alice",
        "[1, alice",
        "1:11",
        "entry 1 of `players` must be text, not 1",
        "",
    ),
    "keyword as name": ("[alice", "[not, alice", "1:11", "`not` cannot be a name here", RESERVED),
    "word of the encodings as name": (
        "[alice",
        "[end, alice",
        "1:11",
        "`end` cannot be a name here",
        RESERVED,
    ),
    "role as name": (
        "[alice",
        "[each_player, alice",
        "1:11",
        "`each_player` cannot be a player's name",
        "it is a role that instructions use",
    ),
    "player twice": ("[alice", "[bob, alice", "1:10", "`players` has an entry twice", ""),
    "no players": ("[alice, bob]", "[]", "1:10", "`players` must not be empty", ""),
    "id of a player": (
        "controller: alice",
        "controller: alice, id: bob",
        "3:49",
        "the id `bob` is taken",
        "ids of objects and names of players must all differ",
    ),
    "id of another": (
        "  - {card: Notion Thief, controller: alice}",
        "  - {card: Notion Thief, controller: alice, id: x}\n"
        "  - {card: Notion Thief, controller: bob, id: x}",
        "4:47",
        "the id `x` is taken",
        "ids of objects and names of players must all differ",
    ),
    "id of several": (
        "controller: alice",
        "controller: alice, id: x, count: 2",
        "3:49",
        "an id names one object only",
        "leave out `id` or `count`",
    ),
    "keyword as id": (
        "controller: alice",
        "controller: alice, id: not",
        "3:45",
        "`not` cannot be a name here",
        RESERVED,
    ),
    "keyword as kind of counter": (
        "controller: alice",
        "controller: alice, counters: {not: 1}",
        "3:56",
        "`not` cannot be a name here",
        RESERVED,
    ),
    "kind of counter that is no word": (
        "controller: alice",
        "controller: alice, counters: {+1/+1: 1}",
        "3:55",
        "a key of `counters` is no word: small letters, digits and _, a letter first",
        "",
    ),
    # Numbers.
    "count below 0": (
        "controller: alice",
        "controller: alice, count: -1",
        "3:52",
        "`count` must be at least 1, not -1",
        "",
    ),
    "count 0": (
        "controller: alice",
        "controller: alice, count: 0",
        "3:52",
        "`count` must be at least 1, not 0",
        "",
    ),
    "count with a fraction": (
        "controller: alice",
        "controller: alice, count: 1.5",
        "3:52",
        "the number 1.5 is not an integer",
        WHOLE,
    ),
    "count with a point": (
        "controller: alice",
        "controller: alice, count: 2.0",
        "3:52",
        "the number 2.0 is not an integer",
        WHOLE,
    ),
    "count in words": (
        "controller: alice",
        "controller: alice, count: many",
        "3:52",
        "`count` must be an integer, not `many`",
        "",
    ),
    "count too large": (
        "controller: alice",
        "controller: alice, count: 100000",
        "3:52",
        "`count` must be at most 1000, not 100000",
        "",
    ),
    "number below 0": (
        "draw: 1",
        "draw: -1",
        "5:44",
        "the number -1 is below 0",
        f"possible are 0 to {LIMIT}",
    ),
    "number too large": (
        "draw: 1",
        "draw: 3000000000",
        "5:44",
        "the number 3000000000 is too large",
        f"possible are 0 to {LIMIT}",
    ),
    "number with thousands of digits": (
        "draw: 1",
        f"draw: {'9' * 5000}",
        "5:44",
        f"cannot read the number `{'9' * 40}...`",
        "a number is written 120 and text in quotes",
    ),
    "number with a leading zero": (
        "draw: 1",
        "draw: 010",
        "5:44",
        "cannot read the number `010`",
        "a number is written 120 and text in quotes",
    ),
    "infinity": (
        "draw: 1",
        "draw: .inf",
        "5:44",
        "the number .inf is not an integer",
        WHOLE,
    ),
    "number in quotes": (
        "draw: 1",
        "draw: '1'",
        "5:44",
        "`1` is no word of the vocabulary",
        WHOLE,
    ),
    "count in quotes": (
        "controller: alice",
        "controller: alice, count: '1'",
        "3:52",
        "`count` must be an integer, not `1`",
        WHOLE,
    ),
    "hand in quotes": (
        "",
        "state: {alice: {hand: '5'}}\n",
        "6:23",
        "`hand` must be an integer or a list, not `5`",
        WHOLE,
    ),
    "life with a fraction": (
        "",
        "state: {alice: {life: 19.5}}\n",
        "6:23",
        "the number 19.5 is not an integer",
        WHOLE,
    ),
    "title that is a number": (
        "",
        "title: 1.5\n",
        "6:8",
        "the number 1.5 is not an integer",
        'text goes into quotes: "1.5"',
    ),
    "number in words": (
        "draw: 1",
        "draw: two",
        "5:44",
        "unknown number `two`",
        "possible here: an integer from 0, cards_in_graveyard, cards_in_hand, ...",
    ),
    "truth as number": (
        "draw: 1",
        "draw: true",
        "5:44",
        "an integer or a word is needed here, not true",
        ARGUMENTS,
    ),
    "nothing as number": (
        "draw: 1",
        "draw:",
        "5:43",
        "an integer or a word is needed here, not nothing",
        ARGUMENTS,
    ),
    "hand below 0": (
        "",
        "state: {alice: {hand: -5}}\n",
        "6:23",
        "`hand` must be at least 0, not -5",
        "",
    ),
    "hand too large": (
        "",
        "state: {alice: {hand: 99999999999}}\n",
        "6:23",
        f"`hand` must be at most {LIMIT}, not 99999999999",
        "",
    ),
    "hand in words": (
        "",
        "state: {alice: {hand: five}}\n",
        "6:23",
        "`hand` must be an integer or a list, not `five`",
        "",
    ),
    "life too large": (
        "",
        "state: {alice: {life: 99999999999}}\n",
        "6:23",
        f"`life` must be at most {LIMIT}, not 99999999999",
        "",
    ),
    # Other types.
    "title that is a list": ("", "title: [a]\n", "6:8", "`title` must be text, not a list", ""),
    "rule that is a number": (
        "",
        "rules: [614.5]\n",
        "6:9",
        "the number 614.5 is not an integer",
        'text goes into quotes: "614.5"',
    ),
    "rule that is none": (
        "",
        "rules: [abc]\n",
        "6:9",
        "`abc` is no number of a subrule, like 616.1e",
        "",
    ),
    "rule that there is not": (
        "",
        'rules: ["614.11", "699.9z"]\n',
        "6:19",
        "the Comprehensive Rules have no 699.9z",
        "encodings/rules_index.txt lists the numbers there are",
    ),
    "ask without a list": ("", "ask: drawn\n", "6:6", "`ask` must be a list, not `drawn`", ""),
    "claim that is neither true nor false": (
        "",
        "claim: {unique: maybe}\n",
        "6:17",
        "`unique` must be true or false, not `maybe`",
        "",
    ),
    "claim of a word": (
        "",
        "claim: {outcomes: [{drawn: {alice: x}}]}\n",
        "6:36",
        "`drawn` is an integer, not `x`",
        "",
    ),
    "claim that is null": (
        "",
        "claim: {outcomes: [{drawn: {alice: null}}]}\n",
        "6:36",
        "`alice` must be an integer, true or false, text, a list or a mapping, not nothing",
        "",
    ),
    "claim without a player": (
        "",
        "claim: {outcomes: [{drawn: 3}]}\n",
        "6:28",
        "`drawn` must be a mapping, not 3",
        "",
    ),
    "claim without a list": (
        "",
        "claim: {possible: {drawn: {alice: 1}}}\n",
        "6:19",
        "`possible` must be a list, not a mapping with the keys drawn",
        "",
    ),
    # Steps and instructions.
    "unknown step of the turn": (
        "",
        "turn: {step: upkep}\n",
        "6:14",
        "unknown step `upkep`",
        f"did you mean `upkeep`? possible here: {STEPS}",
    ),
    "unknown step that begins": (
        "",
        "  - begin: upkep\n",
        "6:12",
        "unknown step `upkep`",
        f"did you mean `upkeep`? possible here: {', '.join(sorted(STEPS.split(', ')))}",
    ),
    "unknown check": (
        "",
        "  - check: stuff\n",
        "6:12",
        "`check` must be `state_based_actions`, not `stuff`",
        "",
    ),
    "unknown instruction": (
        "draw: 1",
        "drow: 1",
        "5:38",
        "unknown instruction `drow`",
        "did you mean `draw`?",
    ),
    "unknown instruction in another": (
        "{draw: 1}",
        "{may: {drow: 1}}",
        "5:44",
        "unknown instruction `drow`",
        "did you mean `draw`?",
    ),
    "too many arguments": (
        "draw: 1",
        "draw: [1, 2]",
        "5:38",
        "`draw` takes 1 argument, not 2",
        "",
    ),
    "too few arguments": (
        "draw: 1",
        "create: bear",
        "5:38",
        "`create` takes 2 arguments, not 1",
        "",
    ),
    "one of several numbers of arguments": (
        "draw: 1",
        "may: []",
        "5:38",
        "`may` takes 1 or 2 arguments, not 0",
        "",
    ),
    "number of an event where none was replaced": (
        "draw: 1",
        "draw: that_many",
        "5:44",
        "`that_many` says nothing here",
        ONLY_IN_CARDS,
    ),
    "multiple of the number of an event where none was replaced": (
        "{draw: 1}",
        "{may: {draw: {times: 2}}}",
        "5:51",
        "`times` says nothing here",
        ONLY_IN_CARDS,
    ),
    "player of an event where none was replaced": (
        "{draw: 1}",
        "{draw: 1, who: that_player}",
        "5:52",
        "`that_player` says nothing here",
        ONLY_IN_CARDS,
    ),
    "both players of an event where none was replaced": (
        "{draw: 1}",
        "{draw: 1, who: you_and_that_player}",
        "5:52",
        "`you_and_that_player` says nothing here",
        ONLY_IN_CARDS,
    ),
    "change of an event where none was replaced": (
        "draw: 1",
        "multiply: 2",
        "5:38",
        "`multiply` says nothing here",
        ONLY_IN_CARDS,
    ),
    "no hint at what says nothing": (
        "{draw: 1}",
        "{may_have: [nobody, {draw: 1}]}",
        "5:49",
        "unknown single role `nobody`",
        "possible here: alice, bob, you",
    ),
    "two instructions in one step": (
        "{draw: 1}",
        "{draw: 1, discard: 1}",
        "5:37",
        "a step names exactly one instruction",
        ONE_STEP,
    ),
    "a step without instruction": (
        "{draw: 1}",
        "{who: alice}",
        "5:37",
        "a step names exactly one instruction",
        ONE_STEP,
    ),
    "two instructions as an argument": (
        "draw: 1",
        "may: {draw: 1, discard: 1}",
        "5:43",
        "an integer or a word is needed here, not a mapping with the keys draw, discard",
        ARGUMENTS,
    ),
    "text that is no word": (
        "draw: 1",
        'draw: "1). foo(2"',
        "5:44",
        "`1). foo(2` is no word of the vocabulary",
        WORDS,
    ),
    "step that is a number": (
        "{draw: 1}",
        "7",
        "5:37",
        "entry 1 of `does` must be text or a mapping, not 7",
        "",
    ),
    # Abilities and effects.
    "card without effect": (
        "does: [{draw: 1}]",
        "card: Notion Thief",
        "5:36",
        "Notion Thief has no spell effect",
        "nothing of it that resolves is encoded",
    ),
    "ability that a card does not have": (
        "does: [{draw: 1}]",
        "card: Divination, ability: 3",
        "5:57",
        "Divination has no ability 3",
        "its abilities are spell",
    ),
    "unknown target": (
        "does: [{draw: 1}]",
        "card: Plagiarize, target: zed",
        "5:56",
        "unknown target `zed`",
        "the targets are alice, bob, notion_thief_1",
    ),
    "unknown target of a part": (
        "does: [{draw: 1}]",
        "card: Remedy, targets: [{alice: 2, zed: 3}]",
        "5:70",
        "unknown target `zed`",
        "the targets are alice, bob, notion_thief_1",
    ),
    "effect that a card does not make": (
        "",
        "effects: [{card: Notion Thief, controller: alice}]\n",
        "6:18",
        "Notion Thief makes no effect of ability 1",
        "it makes none",
    ),
    "effect of another ability": (
        "",
        "effects: [{card: Plagiarize, controller: alice, ability: 4, target: bob}]\n",
        "6:58",
        "Plagiarize makes no effect of ability 4",
        "there is one of ability 1",
    ),
    "effect without its target": (
        "",
        "effects: [{card: Plagiarize, controller: alice}]\n",
        "6:11",
        "the effect of Plagiarize needs a `target`",
        "",
    ),
    "effect with a target too many": (
        "",
        "effects: [{card: Words of Worship, controller: alice, target: bob}]\n",
        "6:55",
        "the effect of Words of Worship has no target",
        "",
    ),
    "effect without its color": (
        "",
        "effects: [{card: Hall of Gemstone, controller: alice}]\n",
        "6:11",
        "the effect of Hall of Gemstone needs the color `chosen` for it",
        "",
    ),
    "effect with a color too many": (
        "",
        "effects: [{card: Words of Worship, controller: alice, chosen: red}]\n",
        "6:55",
        "no color is chosen for the effect of Words of Worship",
        "",
    ),
    "target of what is done without a card": (
        "does: [{draw: 1}]",
        "does: [{draw: 1}], target: bob",
        "5:49",
        "`target` goes with `card`, not with `does`",
        "an instruction names what it does something to: {deal_damage: [2, bob]}",
    ),
    "effect without the number that it was made with": (
        "",
        "effects: [{card: Panacea, controller: alice, target: bob}]\n",
        "6:11",
        "the effect of Panacea needs the number `x` that it was made with",
        "",
    ),
    "effect with a number that it is not made with": (
        "",
        "effects: [{card: Words of Worship, controller: alice, x: 3}]\n",
        "6:55",
        "the effect of Words of Worship is made with no number `x`",
        "",
    ),
    "effect with an unknown target": (
        "",
        "effects: [{card: Words of War, controller: alice, target: zed}]\n",
        "6:59",
        "unknown player or object `zed`",
        "possible here: alice, bob, notion_thief_1",
    ),
    # Observables.
    "unknown observable": (
        "",
        "ask: [drwan]\n",
        "6:7",
        "unknown observable `drwan`",
        "did you mean `drawn`?",
    ),
    "observable that is no word": (
        "",
        "ask: [drawn won]\n",
        "6:7",
        "unknown observable `drawn won`",
        "did you mean `drawn`?",
    ),
    "unknown observable in a claim": (
        "",
        "claim: {never: [{drwan: {alice: 1}}]}\n",
        "6:18",
        "unknown observable `drwan`",
        "did you mean `drawn`?",
    ),
    "claim of what is not asked": (
        "",
        "ask: [drawn]\nclaim: {outcomes: [{life: {alice: 1}}]}\n",
        "7:21",
        "the claim speaks of `life`, which is not asked for",
        "add it to `ask: [drawn]`",
    ),
}


@pytest.mark.parametrize(("old", "new", "place", "message", "hint"), FAULTS.values(), ids=FAULTS)
def test_fault(tmp_path: Path, old: str, new: str, place: str, message: str, hint: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(changed(old, new))
    check(refusal("prove", str(file)), file, place, message, hint)


@pytest.mark.parametrize("command", ["outcomes", "orders", "facts"])
def test_every_command_refuses_a_fault(tmp_path: Path, command: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(changed("Notion Thief", "Notion Theif"))
    assert refusal(command, str(file)).startswith(f"{file}:3:12: error: unknown card")


def test_a_corpus_with_a_fault_names_it(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(changed("draw: 1", "drow: 1"))
    (tmp_path / "good.yaml").write_text(GOOD)
    result = run("check", str(tmp_path), "-j", "1")
    assert result.exit_code == 2
    assert f"{tmp_path / 'bad.yaml'}:5:38: error: unknown instruction `drow`" in result.stdout


# --- Faults in a card ---------------------------------------------------------------------

CARD = """\
name(my_card, "My Card").
would(my_card, 1, draw, you).
instead(my_card, 1, 1, you, draw(2)).
"""

ONLY_RULES = "only facts and normal rules are possible here"
RULES_HINT = "one atom, or an atom and a body: `head :- body.`"
VOCABULARY = "encodings/README.md lists the vocabulary"

#: name: (what is replaced, by what, line and column, message, hint)
CARD_FAULTS = {
    "syntax error": (
        "",
        "would(my_card 1).\n",
        "4:15",
        "syntax error, unexpected <NUMBER>, expecting ) or ;",
        "",
    ),
    "no period": (
        "would(my_card, 1, draw, you).",
        "would(my_card, 1, draw, you)",
        "3:1",
        "syntax error, unexpected <IDENTIFIER>",
        "a fact ends with a period: perhaps the one above has none",
    ),
    "file cut off": ("", "would(my_card,\n", "5:1", "syntax error, unexpected EOF", ""),
    "unsafe variable": (
        "",
        "cannot(my_card, N, draw, you) :- not dredge(my_card, N).\n",
        "4:17",
        "unsafe variable N",
        "",
    ),
    "unknown predicate": (
        "",
        "woud(my_card, 1, draw, you).\n",
        "4:1",
        "unknown predicate woud/4",
        f"did you mean `would`? {VOCABULARY}",
    ),
    "unknown predicate in a body": (
        "",
        "mana_value(my_card, 3) :- dregde(my_card, 1).\n",
        "4:1",
        "unknown predicate dregde/2",
        f"did you mean `dredge`? {VOCABULARY}",
    ),
    "number of arguments": (
        "",
        "would(my_card, 2, draw).\n",
        "4:1",
        "`would` takes 4 arguments, not 3",
        "",
    ),
    "instruction": (
        "draw(2)",
        "drow(2)",
        "3:1",
        "unknown instruction `drow`",
        "did you mean `draw`?",
    ),
    "instruction in another": (
        "draw(2)",
        "may(drow(2))",
        "3:1",
        "unknown instruction `drow`",
        "did you mean `draw`?",
    ),
    "arguments of an instruction": (
        "draw(2)",
        "draw(2, 3)",
        "3:1",
        "`draw` takes 1 argument, not 2",
        "",
    ),
    "number": (
        "draw(2)",
        "draw(lots)",
        "3:1",
        "unknown number `lots`",
        "possible here: an integer from 0, cards_in_graveyard, cards_in_hand, ...",
    ),
    "number below 0": (
        "draw(2)",
        "draw(-2)",
        "3:1",
        "the number -2 is below 0",
        f"possible are 0 to {LIMIT}",
    ),
    "undefined operation": (
        "",
        "mana_value(my_card, 1/0).\n",
        "4:21",
        "operation undefined: (1/0)",
        "",
    ),
    "kind of event": (
        "draw, you",
        "drew, you",
        "2:1",
        "unknown event `drew`",
        "did you mean `draw`?",
    ),
    "scope": (
        "draw, you",
        "draw, opponents",
        "2:1",
        "unknown scope `opponents`",
        "did you mean `opponent`? possible here: any_player, enchanted, opponent, target, you",
    ),
    "condition": (
        "",
        "while(my_card, 1, hand_emty).\n",
        "4:1",
        "unknown condition `hand_emty`",
        "did you mean `hand_empty`?",
    ),
    "role": (
        "1, 1, you",
        "1, 1, yuo",
        "3:1",
        "unknown role `yuo`",
        "did you mean `you`? possible here: each_opponent, each_other_player, ...",
    ),
    "time": (
        "",
        "trigger(my_card, 2, on(drew), you).\n",
        "4:1",
        "unknown triggering event `drew`",
        "did you mean `draw`?",
    ),
    "step": (
        "",
        "trigger(my_card, 2, at(upkep), you).\n",
        "4:1",
        "unknown step `upkep`",
        f"did you mean `upkeep`? possible here: {', '.join(sorted(STEPS.split(', ')))}",
    ),
    "name without quotes": (
        '"My Card"',
        "my_card",
        "1:1",
        "unknown text `my_card`",
        "possible here: a string",
    ),
    "another card": (
        "",
        "would(my_crad, 1, draw, you).\n",
        "4:1",
        "`my_crad` is not the card of this file",
        "a file says what its own card does, which is `my_card`",
    ),
    "choice": ("", "{a}.\n", "4:1", ONLY_RULES, RULES_HINT),
    "disjunction": ("", "a; b.\n", "4:1", ONLY_RULES, RULES_HINT),
    "constraint": ("", ":- not a.\n", "4:1", ONLY_RULES, RULES_HINT),
    "script": (
        "",
        "#script(python)\nprint(1)\n#end.\n",
        "4:1",
        "`#script` is not possible in a card",
        "only facts and normal rules are: a card reads no files and runs no code",
    ),
    "include": (
        "",
        '#include "/etc/passwd".\n',
        "4:1",
        "`#include` is not possible in a card",
        "only facts and normal rules are: a card reads no files and runs no code",
    ),
    "empty file": (
        CARD,
        "",
        "1:1",
        "the file says nothing of the card",
        'at least `name(my_card, "...").`',
    ),
    # Parts that do not fit together (encodings/rules/check.lp).
    "event without steps": (
        "",
        "would(my_card, 2, draw, you).\n",
        "4:1",
        "ability 2 of my_card would replace an event, but has no step 1 of `instead`",
        "",
    ),
    "steps without event": (
        "",
        "instead(my_card, 2, 1, you, draw(1)).\n",
        "4:1",
        "ability 2 of my_card has steps of `instead`, but no `would`",
        "",
    ),
    "exception without event": (
        "",
        "except(my_card, 2, hand_empty).\n",
        "4:1",
        "ability 2 of my_card has an `except`, but no `would`",
        "",
    ),
    "condition of a lasting effect": (
        "",
        "lasting(my_card, 2).\ncontinuous(my_card, 2, creature, you).\n"
        "modifies(my_card, 2, add_size(1, 1)).\nwhile(my_card, 2, hand_empty).\n",
        "4:1",
        "ability 2 of my_card is `lasting`, for which no rule looks at `while`; see `lasts`",
        "",
    ),
    "condition without event": (
        "",
        "while(my_card, 2, hand_empty).\n",
        "4:1",
        "ability 2 of my_card has a `while`, but no `would`",
        "",
    ),
    "manner without event": (
        "",
        "only(my_card, 2, combat).\n",
        "4:1",
        "ability 2 of my_card has an `only`, but no event that it is about",
        "",
    ),
    "misspelt manner": (
        "",
        "only(my_card, 1, noncombt).\n",
        "4:1",
        "unknown manner `noncombt`",
        "did you mean `noncombat`?",
    ),
    "choice without event": (
        "",
        "optional(my_card, 2, you).\n",
        "4:1",
        "ability 2 of my_card is `optional`, but has no `would`",
        "",
    ),
    "gap between steps": (
        "",
        "instead(my_card, 1, 3, you, draw(1)).\n",
        "4:1",
        "ability 1 of my_card has a step 3 of `instead`, but not the one before it",
        "",
    ),
    "gap between steps of an ability": (
        "",
        "effect_step(my_card, 3, 2, you, draw(1)).\n",
        "4:1",
        "ability 3 of my_card has a step 2 of `effect_step`, but not the one before it",
        "",
    ),
    "steps from 0 on": (
        "",
        "instead(my_card, 1, 0, you, draw(1)).\n",
        "4:1",
        "ability 1 of my_card has a step 0 of `instead`, but not the one before it",
        "",
    ),
    "two steps with one number": (
        "",
        "instead(my_card, 1, 1, you, gain_life(1)).\n",
        "4:1",
        "ability 1 of my_card has a step 1 of `instead` twice",
        "",
    ),
    "two steps of two players with one number": (
        "",
        "instead(my_card, 1, 1, each_opponent, draw(2)).\n",
        "4:1",
        "ability 1 of my_card has a step 1 of `instead` twice",
        "",
    ),
    "two steps of a spell with one number": (
        "",
        "effect_step(my_card, spell, 1, you, draw(1)).\n"
        "effect_step(my_card, spell, 1, you, gain_life(1)).\n",
        "5:1",
        "ability spell of my_card has a step 1 of `effect_step` twice",
        "",
    ),
    "the same step twice": (
        "",
        "instead(my_card, 1, 1, you, draw(2)).\n",
        "4:1",
        "the same stands in this file twice",
        "two equal steps need two numbers",
    ),
    "name of another file": (
        '"My Card"',
        '"My Other Card"',
        "1:1",
        "the card `My Other Card` would not be found in a file of this name",
        "the file of My Other Card is my_other_card.lp and speaks of `my_other_card`",
    ),
    "no name": (
        'name(my_card, "My Card").\n',
        "",
        "1:1",
        "the file does not name its card",
        '`name(my_card, "...").`',
    ),
    "condition that no rule knows": (
        "",
        "word(condition, hungry(count)).\nwhile(my_card, 1, hungry(2)).\n",
        "4:1",
        "no rule says when the condition `hungry(count)` holds",
        "such a rule has the head met/4, as in encodings/rules/conditions.lp",
    ),
    "trigger without steps": (
        "",
        "trigger(my_card, 2, at(upkeep), you).\n",
        "4:1",
        "ability 2 of my_card has a `trigger`, but no `effect_step`",
        "",
    ),
    "condition without trigger": (
        "",
        "if(my_card, 2, hand_empty).\n",
        "4:1",
        "ability 2 of my_card has an `if`, but no `trigger`",
        "",
    ),
    "effect that is none": (
        "",
        "effect_step(my_card, 2, 1, you, create_effect(my_card, 1)).\n",
        "2:1",
        "ability 1 of my_card is made by an instruction, but neither `lasting` nor `used_up`",
        "",
    ),
    "effect of damage that is none": (
        "",
        "for_damaged(my_card, 1).\n",
        "2:1",
        "ability 1 of my_card is made for what is dealt damage, but neither `lasting` nor "
        "`used_up`",
        "",
    ),
}


def with_card(tmp_path: Path, card: str) -> tuple[Path, list[str]]:
    """A card file, and the arguments to prove a scenario with it."""
    (tmp_path / "cards").mkdir()
    file = tmp_path / "cards" / "my_card.lp"
    file.write_text(card)
    scenario = tmp_path / "mine.yaml"
    scenario.write_text(GOOD.replace("Notion Thief", "My Card"))
    return file, ["prove", str(scenario), "--cards", str(tmp_path / "cards")]


def test_the_card_to_be_spoiled_is_good(tmp_path: Path) -> None:
    _, arguments = with_card(tmp_path, CARD)
    result = run(*arguments)
    assert result.exit_code == 0
    assert "drawn: alice 2" in result.stdout


@pytest.mark.parametrize(
    ("old", "new", "place", "message", "hint"), CARD_FAULTS.values(), ids=CARD_FAULTS
)
def test_fault_in_a_card(
    tmp_path: Path, old: str, new: str, place: str, message: str, hint: str
) -> None:
    assert old in CARD
    file, arguments = with_card(tmp_path, CARD.replace(old, new) if old else CARD + new)
    check(refusal(*arguments), file, place, message, hint)


def test_a_card_that_negates_itself(tmp_path: Path) -> None:
    """Negation through recursion has no single answer."""
    rules = "one(my_card) :- not other(my_card).\nother(my_card) :- not one(my_card).\n"
    _, arguments = with_card(tmp_path, CARD + rules)
    said = refusal(*arguments)
    assert said == "error: some rule of a card or of the game negates what rests on it\n"


def test_a_card_can_bring_words_of_its_own(tmp_path: Path) -> None:
    card = CARD.replace("draw(2)", "wink") + (
        "word(instruction, wink).\n"
        "push(S, go, 1, event(gain_life(Q,3,effect), F, L)) :-\n"
        "    does(S, wink, Q), item(S, do(_,_,_,F,L)).\n"
    )
    _, arguments = with_card(tmp_path, card)
    result = run(*arguments)
    assert result.exit_code == 0
    assert "life_gained: alice 3" in result.stdout


def test_a_card_can_bring_a_condition_of_its_own(tmp_path: Path) -> None:
    card = CARD + (
        "word(condition, hungry(count)).\nwhile(my_card, 1, hungry(1)).\n"
        "met(S, hungry(N), You, P) :- item(S, _), condition(hungry(N)), player(You), player(P).\n"
    )
    _, arguments = with_card(tmp_path, card)
    result = run(*arguments)
    assert result.exit_code == 0
    assert "drawn: alice 2" in result.stdout


def test_card_in_a_file_of_another_name(tmp_path: Path) -> None:
    file, arguments = with_card(tmp_path, CARD)
    other = file.rename(file.with_name("mine.lp"))
    (file.parent / "broken.lp").write_text("name(")
    hint = f"{other} names it, but its file must be called my_card.lp"
    check(refusal(*arguments), Path(arguments[1]), "3:12", "unknown card `My Card`", hint)


def test_sorcery_of_ones_own_on_the_battlefield(tmp_path: Path) -> None:
    _, arguments = with_card(tmp_path, CARD + "type(my_card, kindred).\ntype(my_card, instant).\n")
    said = refusal(*arguments)
    message = "error: My Card is no permanent but instant kindred\n"
    assert said.startswith(f"{arguments[1]}:3:12: {message}")


def test_card_file_as_scenario(tmp_path: Path) -> None:
    file, _ = with_card(tmp_path, CARD)
    assert refusal("prove", str(file)) == (
        f"error: {file} is a card file, no scenario\n"
        "  hint: `--cards DIR` adds the cards in a folder; a scenario names them\n"
    )


def test_folder_to_check_that_does_not_exist(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    assert refusal("check", str(folder)) == (
        f"error: there is no folder {folder}\n"
        "  hint: without a folder, the shipped scenarios are checked\n"
    )


def test_what_was_done_this_way_can_be_asked_in_a_scenario(tmp_path: Path) -> None:
    file = tmp_path / "good.yaml"
    steps = "{draw: 2}, {if_this_way: [drawn, {gain_life: {this_way: drawn}}]}"
    file.write_text(changed("{draw: 1}", steps))
    result = run("prove", str(file))
    assert result.exit_code == 0
    assert "life_gained: alice 2" in result.stdout


def test_folder_of_cards_that_does_not_exist(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    for arguments in (["prove", "draw/notion_thief_two_players"], ["cards"]):
        assert refusal(*arguments, "--cards", str(folder)) == (
            f"error: no folder {folder}\n  hint: --cards takes a folder of .lp files\n"
        )


def test_unknown_card_to_show() -> None:
    assert refusal("cards", "Notion Theif") == (
        f"error: unknown card `Notion Theif`\n  hint: did you mean Notion Thief? {CARDS}\n"
    )


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("Thalia, Guardian of Thraben", "did you mean Thalia, Heretic Cathar? "),
        ("Zurgo Bellstriker", ""),
    ],
)
def test_a_card_that_is_like_none_is_not_taken_for_another(name: str, like: str) -> None:
    assert refusal("cards", name) == f"error: unknown card `{name}`\n  hint: {like}{CARDS}\n"


# --- What the driver or the encodings cannot answer ---------------------------------------


def test_number_past_the_limit_names_the_event(tmp_path: Path) -> None:
    """Twice two thousand million is more than the solver's integers hold."""
    file = tmp_path / "large.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        "battlefield: [{card: Scribe, controller: alice}]\n"
        "timeline:\n  - resolve: {player: alice, does: [{gain_life: 2000000000}]}\n"
    )
    (tmp_path / "scribe.lp").write_text(
        "% Scribe: twice as many cards instead of life.\n"
        'name(scribe, "Scribe").\ntype(scribe, enchantment).\n'
        "would(scribe, 1, gain_life, you).\ninstead(scribe, 1, 1, you, draw(times(2))).\n"
    )
    said = refusal("prove", str(file), "--cards", str(tmp_path))
    assert said.startswith(f"error: a number would pass {LIMIT}")
    assert "gain_life(alice,2000000000,effect)" in said


def test_life_is_exact_past_the_limit(tmp_path: Path) -> None:
    """Twice two thousand million, though no integer of the solver holds it."""
    file = tmp_path / "large.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        'battlefield: [{card: "Alhammarret\'s Archive", controller: alice}]\n'
        "timeline:\n  - resolve: {player: alice, does: [{gain_life: 2000000000}]}\n"
        "ask: [life_gained]\nclaim: {outcomes: [{life_gained: {alice: 4000000000}}]}\n"
    )
    assert run("prove", str(file)).exit_code == 0


def test_tokens_are_exact_past_the_limit(tmp_path: Path) -> None:
    """Tokens are doubled exactly, however many they are."""
    file = tmp_path / "large.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        'battlefield: [{card: "Bard, King of Dale", controller: alice}]\n'
        "timeline:\n  - resolve: {player: alice, does: [{create: [treasure, 2000000000]}]}\n"
        "ask: [treasure]\nclaim: {outcomes: [{treasure: {alice: 4000000000}}]}\n"
    )
    assert run("prove", str(file)).exit_code == 0


def test_total_past_the_limit(tmp_path: Path) -> None:
    """A total may pass the limit as long as no rule has to read it."""
    file = tmp_path / "large.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        f"state: {{alice: {{life: {LIMIT}}}}}\n"
        "timeline:\n  - resolve: {player: alice, does: [{gain_life: 5}]}\n"
        f"ask: [life]\nclaim: {{outcomes: [{{life: {{alice: {LIMIT + 5}}}}}]}}\n"
    )
    assert run("prove", str(file)).exit_code == 0


def test_cards_that_must_be_named(tmp_path: Path) -> None:
    """Whether the top card is a creature matters, and the scenario leaves it open."""
    file = tmp_path / "open.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        "battlefield: [{card: Enduring Renewal, controller: alice}]\n"
        "timeline:\n  - resolve: {player: alice, does: [{draw: 1}]}\n"
    )
    said = refusal("prove", str(file))
    assert said.startswith("error: the answer depends on cards that are not named")
    assert "unknown_cards(alice)" in said
    assert "name them in `state`" in said


def test_cards_that_were_shuffled_away(tmp_path: Path) -> None:
    """What is milled could be the card that would be shuffled in once more."""
    file = tmp_path / "shuffled.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        "state: {alice: {library: [Darksteel Colossus, Swamp]}}\n"
        "timeline:\n"
        "  - resolve: {player: alice, does: [{mill: 1}]}\n"
        "  - resolve: {player: alice, does: [{mill: 1}]}\n"
    )
    assert "unknown_cards(alice)" in refusal("prove", str(file))


# --- Steps that never come --------------------------------------------------------------------

TURNS = """\
players: [alice, bob, carol]
battlefield:
  - {card: Eon Hub, controller: alice}
timeline:
  - leave: bob
  - advance: STEP
ask: [drawn]
"""


@pytest.mark.parametrize(
    ("step", "what", "rule"),
    [
        ("{player: bob, step: draw}", "bob", "800.4k"),
        ("{player: carol, step: upkeep}", "carol", "614.10"),
        ("upkeep", "carol", "614.10"),
        ("declare_blockers", "alice", "508.8"),
    ],
)
def test_a_step_that_never_comes(step: str, what: str, rule: str, tmp_path: Path) -> None:
    file = tmp_path / "turns.yaml"
    file.write_text(TURNS.replace("STEP", step), encoding="utf-8")
    said = refusal("prove", str(file))
    assert f"{file}:6:5: error: `advance` is not possible for {what}:" in said
    assert f"(CR {rule})" in said
    assert "end the timeline before it" in said


@pytest.mark.parametrize(
    ("step", "column", "problem"),
    [
        ("upkep", 14, "unknown step `upkep`"),
        ("{player: alice, step: upkep}", 36, "unknown step `upkep`"),
        ("{player: alise, step: upkeep}", 23, "unknown player `alise`"),
        ("{player: alice}", 14, "`advance` lacks `step`"),
    ],
)
def test_a_step_that_is_none(step: str, column: int, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "turns.yaml"
    file.write_text(TURNS.replace("STEP", step), encoding="utf-8")
    said = refusal("prove", str(file))
    assert f"{file}:6:{column}: error: {problem}" in said


# --- Mana -------------------------------------------------------------------------------------

MANA = """\
players: [alice, bob]
battlefield:
  - {card: Forest, controller: alice, tapped: true}
  - {card: Grizzly Bears, controller: alice}
  - {card: Llanowar Elves, controller: alice, summoning_sick: true}
  - {card: Mystic Gate, controller: alice}
  - {card: Temple of the False God, controller: alice}
timeline:
  - STEP
ask: [mana, illegal]
"""


@pytest.mark.parametrize(
    ("step", "what", "rule"),
    [
        ("tap_for_mana: {player: alice, object: forest_1}", "forest_1", "107.5"),
        ("tap_for_mana: {player: alice, object: grizzly_bears_1}", "grizzly_bears_1", "106.12"),
        ("tap_for_mana: {player: alice, object: llanowar_elves_1}", "llanowar_elves_1", "302.6"),
        ("tap_for_mana: {player: bob, object: mystic_gate_1}", "mystic_gate_1", "602.2"),
        (
            "tap_for_mana: {player: alice, object: mystic_gate_1, ability: 2}",
            "mystic_gate_1",
            "118.3",
        ),
        (
            "tap_for_mana: {player: alice, object: temple_of_the_false_god_1}",
            "temple_of_the_false_god_1",
            "602.5",
        ),
        (
            "activate: {player: alice, object: mystic_gate_1, ability: island}",
            "mystic_gate_1",
            "602.1",
        ),
        ("tap_for_mana: {player: alice, object: mystic_gate_1, x: 2}", "mystic_gate_1", "107.3"),
        ('pay: {player: alice, mana: "{G}"}', "alice", "118.3"),
        ("play_land: {player: alice, object: forest_1}", "forest_1", "305.1"),
    ],
)
def test_what_is_not_legal(step: str, what: str, rule: str, tmp_path: Path) -> None:
    """An error with its place and subrule; asked as a question, it is the outcome."""
    file = tmp_path / "mana.yaml"
    file.write_text(MANA.replace("STEP", step), encoding="utf-8")
    said = refusal("prove", str(file))
    name = step.partition(":")[0]
    assert f"{file}:9:5: error: `{name}` is not possible for {what}:" in said
    assert f"(CR {rule})" in said
    assert refusal("facts", str(file)) == said
    file.write_text(MANA.replace("STEP", f"attempt: {{{step}}}"), encoding="utf-8")
    result = run("outcomes", "--output", "json", str(file))
    assert result.exit_code == 0
    (outcome,) = json.loads(result.stdout)["outcomes"]
    assert rule in outcome["illegal"][what]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("tap_for_mana: {player: alice, object: forrest_1}", "unknown object `forrest_1`"),
        ("tap_for_mana: {player: carol, object: forest_1}", "unknown player `carol`"),
        ('pay: {player: alice, mana: "2G"}', "mana symbols such as {2}{G}"),
        ("activate: {player: alice, object: forest_1, ability: lake}", "ability"),
        (
            "activate: {player: alice, object: mystic_gate_1, ability: 9}",
            "Mystic Gate has no activated ability 9\n  hint: its activated abilities are 1, 2",
        ),
        (
            "attempt: {activate: {player: alice, object: forest_1, from: Mystic Gate, ability: 3}}",
            "Mystic Gate has no activated ability 3",
        ),
        ("attempt: {resolve: {player: alice, does: [{draw: 1}]}}", "unknown key `resolve`"),
        ('pay: {player: alice, mana: "{1}", convoke: [forest_1, forest_1]}', "an entry twice"),
        ('pay: {player: alice, mana: "{1}", for: ["not"]}', "`not` cannot be a name here"),
        ('pay: {player: alice, mana: "{1}", as: any}', "`any` cannot be a name here"),
    ],
)
def test_what_an_entry_about_mana_can_say(step: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "mana.yaml"
    file.write_text(MANA.replace("STEP", step), encoding="utf-8")
    said = refusal("prove", str(file))
    assert f"{file}:9:" in said
    assert message in said


@pytest.mark.parametrize(
    ("said", "place", "message"),
    [
        ("chosen: grean", "2:60", "unknown color `grean`\n  hint: did you mean `green`?"),
        ("also: [creture]", "2:59", "did you mean `creature`?"),
        ("also: [colorless]", "2:59", "`colorless` is no type, subtype, supertype or color"),
        ("also: [tapped]", "2:59", "`tapped` is no type, subtype, supertype or color"),
        ("imprinted: Forest", "2:52", "Caged Sun says nothing of a card that is `imprinted`"),
        ("attached_to: caged_sun_1", "2:65", "`caged_sun_1` cannot be attached to itself"),
        ("attached_to: island_1", "2:65", "`island_1`, which is no permanent"),
        ("attached_to: bob", "2:65", "`bob` is a player, and Caged Sun does not enchant players"),
    ],
)
def test_what_a_permanent_can_have(said: str, place: str, message: str, tmp_path: Path) -> None:
    """Words that no rule would read are no words."""
    file = tmp_path / "mana.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        f"battlefield: [{{card: Caged Sun, controller: alice, {said}}}]\n"
        "state: {alice: {hand: [Island]}}\n"
        "timeline: [{check: state_based_actions}]\n",
        encoding="utf-8",
    )
    told = refusal("prove", str(file))
    assert told.startswith(f"{file}:{place}: error: ")
    assert message in told


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{card: Forest, controller: alice, chosen: green}", "nothing is chosen for Forest"),
        ("{card: Hall of Gemstone, controller: bob, chosen: red}", "nothing is chosen for Hall"),
        ("{card: Caged Sun, controller: alice}", "Caged Sun needs what is `chosen` for it"),
        ("{card: Cavern of Souls, controller: alice}", "hint: chosen: elf"),
        (
            "{card: Sand Silos, controller: alice, counters: {storrage: 1}}",
            "no card here speaks of `storrage` counters\n  hint: did you mean `storage`?",
        ),
    ],
)
def test_what_only_some_permanents_can_have(entry: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "mana.yaml"
    file.write_text(
        f"players: [alice, bob]\nbattlefield: [{entry}]\ntimeline: [{{begin: upkeep}}]\n",
        encoding="utf-8",
    )
    told = refusal("prove", str(file))
    assert told.startswith(f"{file}:2:")
    assert message in told


@pytest.mark.parametrize(
    ("claimed", "message"),
    [
        ("{mana: {alice: {grean: 1}}}", "did you mean `green`?"),
        ("{mana: {alice: {green (creature_spells): 1}}}", "`creature_spells`"),
        ("{mana: {alice: [green]}}", "`mana` is a mapping such as {green: 1}"),
        ("{mana_options: {alice: {green: 1}}}", "`mana_options` is a list of mappings"),
        ("{could_produce: {forest_1: [grean]}}", "did you mean `green`?"),
        ('{illegal: {forest_1: ["999.1"]}}', "the Comprehensive Rules have no 999.1"),
        ('{illegal: {forest_1: "107.5"}}', 'a list of subrules is ["107.5"]'),
        ("{tapped: {forest_1: [yes]}}", "`tapped` is true or false, not a list"),
    ],
)
def test_what_can_be_claimed_about_mana(claimed: str, message: str, tmp_path: Path) -> None:
    """A claim that something never happens must not hold because it is misspelt."""
    file = tmp_path / "mana.yaml"
    step = "tap_for_mana: {player: alice, object: mystic_gate_1}"
    text = MANA.replace("STEP", step).replace("ask: [mana, illegal]\n", "")
    file.write_text(f"{text}claim: {{never: [{claimed}]}}\n", encoding="utf-8")
    told = refusal("prove", str(file))
    assert told.startswith(f"{file}:10:")
    assert message in told


def test_tokens_that_must_be_known(tmp_path: Path) -> None:
    """Whether a token is a creature matters, and no card says what it is."""
    file = tmp_path / "open.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        "battlefield: [{card: Divine Visitation, controller: alice}]\n"
        "timeline:\n  - resolve: {player: alice, does: [{create: [soldier, 1]}]}\n"
    )
    said = refusal("prove", str(file))
    assert said.startswith("error: the answer depends on what a token is")
    assert "unknown_token(soldier)" in said


def test_more_tokens_than_can_be_told_apart(tmp_path: Path) -> None:
    """Tokens that enter tapped are objects, of which there are only so many."""
    file = tmp_path / "many.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        "timeline:\n  - resolve: {player: alice, does: [{create_tapped: [treasure, 65]}]}\n"
    )
    said = refusal("prove", str(file))
    assert said.startswith("error: more tokens than can be told apart would enter")


def test_letters_that_a_program_cannot_hold(tmp_path: Path) -> None:
    """They may stand in comments and names, and nowhere else."""
    card = tmp_path / "evil.lp"
    card.write_text('% Evil: é.\nname(evil,"Évil").\ntype(evil,trampleé).\n', encoding="utf-8")
    said = refusal("cards", "Évil", "--cards", str(tmp_path))
    assert said.startswith(f"{card}:3:18: error: `é` can stand only in a comment or in quotes")
