"""Evidence pages: what is on them, and what they do in a browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from importlib import resources as files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from verifier import Scenario, explore
from verifier.cli import main
from verifier.page.board import board
from verifier.page.document import Options, Report
from verifier.page.happening import Happening
from verifier.page.markup import data, tag
from verifier.report import wording

ROOT = Path(__file__).parents[1]
THREE = "draw/notion_thief_three_players"

EVIL = """
title: "<script>alert('x')</script> & \\"who\\" draws?"
source: "</script><b>"
players: [alice, bob]
battlefield:
  - {card: Notion Thief, controller: bob}
timeline:
  - resolve: {player: alice, does: [{draw: 1}]}
ask: [drawn]
claim: {unique: false}
"""


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run the command line: exit code, and what is printed."""
    result = CliRunner().invoke(main, ["report", *map(str, arguments)])
    return result.exit_code, result.output


class Page(HTMLParser):
    """A page as its elements: names with attributes, and the text outside of scripts."""

    # ruff: noqa: D102

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self.faults: list[str] = []
        self.feed(text)
        self.close()
        self.text = " ".join(" ".join(self.said).split())

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((name, dict(attributes)))
        if name not in ("meta", "link", "input", "br"):
            self.open.append(name)

    def handle_startendtag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((name, dict(attributes)))

    def handle_endtag(self, name: str) -> None:
        if not self.open or self.open.pop() != name:
            self.faults.append(name)

    def handle_data(self, text: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.said.append(text)

    def all(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a name."""
        return [attributes for found, attributes in self.elements if found == name]


@pytest.fixture(scope="module")
def thieves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page about three thieves."""
    target = tmp_path_factory.mktemp("page") / "thieves.html"
    code, printed = run(THREE, "-o", target)
    assert (code, printed) == (0, f"{target}: several: 3 outcomes, 4 orders; claim: holds\n")
    return target


# --- What is on a page --------------------------------------------------------------------


def test_everything_is_there_without_the_script(thieves: Path) -> None:
    found = Page(thieves.read_text("utf-8"))
    graph = explore(THREE)
    assert not found.faults
    assert not found.open
    for result in graph.outcomes:
        ((player, number),) = result.outcome["drawn"].items()
        assert f"drawn: {player} {number}" in found.text
    for rule in (*graph.rules, *graph.scenario.rules):
        assert rule in found.text
    for said in (
        "SEVERAL".lower(), "3 outcomes, 4 orders", "The claim holds.", "alice carries out: draw",
        "Interaction of Replacement and/or Prevention Effects", "20 life", "Notion Thief",
        f"verifier prove {THREE}", "This choice separates the outcomes", "version of June 2025",
    ):  # fmt: skip
        assert said in found.text
    assert len(found.all("svg")) == 1


def test_nothing_is_loaded(thieves: Path) -> None:
    found = Page(thieves.read_text("utf-8"))
    for name, attributes in found.elements:
        for key in ("src", "href"):
            assert (attributes.get(key) or "#").startswith(("#", "data:,")), name
    assert "@import" not in thieves.read_text("utf-8")


def test_every_label_and_link_leads_somewhere(thieves: Path) -> None:
    found = Page(thieves.read_text("utf-8"))
    ids = [a["id"] for _, a in found.elements if a.get("id")]
    assert len(ids) == len(set(ids))
    for _, attributes in found.elements:
        for key in ("aria-labelledby", "for"):
            assert attributes.get(key, ids[0]) in ids
        if (attributes.get("href") or "").startswith("#"):
            assert str(attributes["href"])[1:] in ids


def test_names_are_escaped() -> None:
    graph = explore(Scenario.from_text(EVIL, name="<i>evil</i>"))
    text = graph.page()
    found = Page(text)
    assert not found.faults
    assert not found.all("i")
    assert "alert('x')</script>" not in text.replace("&lt;", "")
    assert "<script>alert('x')</script> & \"who\" draws?" in found.text
    # The page has its own two scripts only: the data and the code.
    assert len(found.all("script")) == 2
    content = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.S)
    assert content
    assert json.loads(content[1])["result"]["title"] == graph.scenario.title


def test_markup_escapes_what_is_no_markup() -> None:
    assert tag("p", "<", tag("b", "&"), None, 3, title='"') == (
        '<p title="&quot;">&lt;<b>&amp;</b>3</p>'
    )
    assert "<" not in data({"a": "</script><!--"})


def test_same_bytes_but_for_the_time(thieves: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    run(THREE, "-o", again)
    texts = [re.sub(r'"time">[^<]*<', "", p.read_text("utf-8")) for p in (thieves, again)]
    assert texts[0] == texts[1]


def test_paths_through_the_graph_end_at_their_outcomes() -> None:
    report = Report(explore(THREE))
    for number, way in report.ways.items():
        assert way.nodes[0] == "start"
        assert way.nodes[-1] == f"outcome{number}"
        assert len(way.nodes) == len(way.edges) + 1
        assert None not in way.steps


def test_paths_through_a_folded_graph() -> None:
    scenario = Scenario.load(THREE)
    scenario.data["timeline"].append(scenario.data["timeline"][0])
    for most in (15, 12):
        report = Report(explore(scenario), Options(most=most))
        assert "folded" in report.drawn.graph
        for number, way in report.ways.items():
            end = report.drawn.nodes[way.nodes[-1]]
            assert end["kind"] in ("outcome", "rest")
            assert number in end["outcomes"]


def test_paths_where_outcomes_are_too_many_to_be_listed() -> None:
    scenario = Scenario.from_text("""
players: [alice, bob, carol]
battlefield:
  - {card: Notion Thief, controller: alice}
  - {card: Notion Thief, controller: bob}
  - {card: Notion Thief, controller: carol}
  - {card: Thought Reflection, controller: alice}
timeline:
  - resolve: {player: alice, does: [{draw: 4}]}
ask: [drawn]
""")
    report = Report(explore(scenario), Options(walks=5))
    assert "outcomes" not in report.drawn.nodes["start"]
    for way in report.ways.values():
        assert report.drawn.nodes[way.nodes[-1]]["kind"] == "rest"
        assert None not in way.steps


def test_board_shows_what_the_file_says() -> None:
    scenario = Scenario.from_text("""
players: [alice, bob]
turn: {active: bob, step: upkeep}
battlefield:
  - {card: Forest, controller: alice, tapped: true, count: 2}
  - {card: Sol Ring, controller: bob, id: ring, owner: alice, default_controller: alice}
  - {card: Confiscate, controller: bob, attached_to: ring}
  - {card: Grizzly Bears, controller: bob, damage: 1, counters: {plus_one: 2}}
state:
  alice: {life: 7, hand: [Forest], library: {top: [Island], others: 3}, mana: {green: 2}}
timeline:
  - resolve: {player: alice, does: [{draw: 1}]}
""")
    found = board(explore(scenario))
    alice, bob = found.seats
    assert (found.step, alice.active, bob.active) == ("upkeep step", False, True)
    assert (alice.life, bob.life) == (7, 20)
    assert next((z.name, z.cards) for z in alice.zones) == ("hand", ["Forest [forest_3]"])
    assert alice.notes == ["unspent mana: 2 green"]
    (forests,) = alice.permanents
    assert (forests.ids, forests.kind, forests.tapped) == (["forest_1", "forest_2"], "land", True)
    ring, bears = bob.permanents
    assert ring.notes == ["owned by alice", "otherwise controlled by alice"]
    assert [tile.card for tile in ring.attached] == ["Confiscate"]
    assert bears.notes == ["2 plus one counters", "1 damage"]


def test_why_it_is_unique_and_who_can_force_what() -> None:
    text = Page(str(Report(explore(THREE)).html())).text
    assert "alice outcome 1 or 2; outcome 1 or 3 outcome 2; outcome 3 bob outcome 1 or 2" in text
    unique = Page(str(Report(explore("draw/aladdins_lamp_reflection")).html())).text
    assert "All orders agree: 3 choices" in unique


def test_every_kind_of_entry_has_words() -> None:
    schema = json.loads((ROOT / "verifier" / "scenario.schema.json").read_text("utf-8"))
    for kind in schema["$defs"]["entry"]["properties"]:
        assert kind in ("attempt", "hold", "may") or hasattr(Happening, f"_{kind}"), kind


def test_entries_in_words() -> None:
    scenario = Scenario.load("time/act_of_treason_on_mana_creature")
    happening = Happening(wording(scenario), scenario.players)
    assert [happening.entry(entry) for entry in scenario.data["timeline"]] == [
        "alice casts Act of Treason (without paying)",
        "checkpoint: taken",
        "alice taps Llanowar Elves for mana",
        "the cleanup step begins",
    ]


# --- Files, codes, errors -----------------------------------------------------------------


def test_several_on_one_page_and_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "fails.yaml").write_text(EVIL, "utf-8")
    names = (THREE, tmp_path / "fails.yaml", "-j", "1")
    code, printed = run(*names, "-o", tmp_path / "all.html")
    assert code == 1
    assert "1 holds, 1 fails" in printed
    found = Page((tmp_path / "all.html").read_text("utf-8"))
    assert [a["id"] for a in found.all("article") if a["class"] == "report"] == ["r1", "r2"]
    (tmp_path / "bad.yaml").write_text("players: [alice]\ntimelime: []\n", "utf-8")
    code, printed = run(THREE, tmp_path / "bad.yaml", "-j", "1", "-o", tmp_path / "pages")
    assert code == 2
    assert "bad.yaml:" in printed
    written = {p.name for p in (tmp_path / "pages").iterdir()}
    assert written == {"index.html", "draw_notion_thief_three_players.html"}
    found = Page((tmp_path / "pages" / "index.html").read_text("utf-8"))
    rows = [a for a in found.all("tr") if "data-claim" in a]
    assert [(a["data-claim"], a["data-verdict"]) for a in rows] == [
        ("holds", "several"), ("error", ""),
    ]  # fmt: skip
    assert rows[0]["data-cards"] == "Notion Thief"
    assert {a["href"] for a in found.all("a")} >= {"draw_notion_thief_three_players.html"}


def test_exit_codes_and_errors(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    code, printed = run(THREE, "--max-states", "1", "-o", target)
    assert (code, "undecided" in printed) == (3, True)
    assert "undecided" in Page(target.read_text("utf-8")).text
    (tmp_path / "bad.yaml").write_text("players: [alice]\ntimelime: []\n", "utf-8")
    code, printed = run(tmp_path / "bad.yaml", "-o", target)
    assert code == 2
    assert re.search(r"bad\.yaml:2:1: error: ", printed)
    code, printed = run(THREE, "-o", tmp_path / "bad.yaml" / "page.html")
    assert code == 2
    assert "cannot write" in printed


@pytest.mark.parametrize("name", ["time/three_oblivion_rings", "mana/thirty_nyxbloom_ancients"])
def test_loops_and_large_numbers(name: str) -> None:
    graph = explore(name)
    assert not Page(graph.page()).faults


# --- In a browser -------------------------------------------------------------------------

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
in_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium with its driver: apt-get install chromium-driver"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless browser."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for switch in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "window-size=1200,900"):
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[[Path], Any]]:
    """Opens a page from disk; in the end nothing may have been logged."""

    def opened(path: Path) -> Any:
        browser.get(path.as_uri())
        return browser

    yield opened
    assert browser.get_log("browser") == []


def one(driver: Any, selector: str) -> Any:
    """The element that a selector finds."""
    return driver.find_element("css selector", selector)


def lit(driver: Any, what: str) -> set[str]:
    """The nodes or edges of the picture that are lit."""
    found = driver.find_elements("css selector", f".graph svg.lit [data-{what}].on")
    return {part.get_attribute(f"data-{what}") for part in found}


@in_browser
def test_an_outcome_lights_its_path(thieves: Path, visit: Callable[[Path], Any]) -> None:
    driver = visit(thieves)
    assert lit(driver, "node") == set()
    one(driver, "button[data-outcome='2']").click()
    way = Report(explore(THREE)).ways[2]
    assert lit(driver, "node") == set(way.nodes)
    assert lit(driver, "edge") == set(map(str, way.edges))
    assert "Path to outcome 2" in one(driver, ".status").text
    inside = """
        const view = document.querySelector(".graph").getBoundingClientRect();
        return [...document.querySelectorAll(".graph .on")].every((part) => {
          const box = part.getBoundingClientRect();
          return box.top >= view.top && box.bottom <= view.bottom && box.left >= view.left;
        });
    """
    assert driver.execute_script(inside)
    assert one(driver, ".walk.current").get_attribute("data-walk") == "2"
    # A click on an outcome in the picture does the same; one more on the button ends it.
    one(driver, ".graph [data-node='outcome3']").click()
    assert "outcome3" in lit(driver, "node")
    one(driver, "button[data-outcome='3']").click()
    assert lit(driver, "node") == set()


@in_browser
def test_an_effect_shows_where_it_applied(thieves: Path, visit: Callable[[Path], Any]) -> None:
    driver = visit(thieves)
    button = one(driver, "button[data-effect='1']")
    assert button.text == "Notion Thief (bob) (3)"
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert len(lit(driver, "edge")) == 3
    assert "Notion Thief (bob)" in one(driver, ".walk.current li.lit").text


@in_browser
def test_steps_by_keyboard(thieves: Path, visit: Callable[[Path], Any]) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    driver = visit(thieves)
    for _ in range(60):
        ActionChains(driver).send_keys(Keys.TAB).perform()
        if driver.switch_to.active_element.get_attribute("data-outcome") == "2":
            break
    focused = driver.switch_to.active_element
    assert driver.execute_script("return getComputedStyle(arguments[0]).outlineWidth", focused) == (
        "3px"
    )
    focused.send_keys(Keys.ENTER)
    assert "outcome2" in lit(driver, "node")
    stepper = one(driver, ".stepper")
    place = one(driver, ".place")
    total = len(driver.find_elements("css selector", ".walk.current .steps > li"))
    assert place.text == f"step 1 of {total}"
    stepper.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert place.text == f"step 3 of {total}"
    now = driver.find_elements("css selector", "[aria-current=step]")
    assert len(now) == 1
    assert now[0].text.startswith("carol would draw a card: carol applies")
    assert len(driver.find_elements("css selector", ".graph [data-edge].here")) == 1
    stepper.send_keys(Keys.ARROW_LEFT)
    assert place.text == f"step 2 of {total}"
    one(driver, "[data-go=forward]").click()
    assert place.text == f"step 3 of {total}"
    stepper.send_keys(Keys.END)
    assert not one(driver, "[data-go=forward]").is_enabled()
    stepper.send_keys(Keys.ESCAPE)
    assert lit(driver, "node") == set()


@in_browser
def test_pan_and_zoom(thieves: Path, visit: Callable[[Path], Any]) -> None:
    driver = visit(thieves)
    view = one(driver, ".graph")

    def box() -> list[float]:
        return list(map(float, one(driver, ".graph svg").get_dom_attribute("viewBox").split()))

    before = box()
    view.send_keys("+")
    assert box()[2] < before[2]
    one(driver, "[data-zoom=out]").click()
    assert box()[2] == pytest.approx(before[2])
    view.send_keys("0")
    view.send_keys("\ue014")  # to the right
    assert box()[0] > 0


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(scheme: str, thieves: Path, visit: Callable[[Path], Any]) -> None:
    driver = visit(thieves)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    one(driver, "button[data-outcome='1']").click()
    axe = files.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    driver.execute_script(axe)
    script = "axe.run(document).then(arguments[arguments.length - 1])"
    found = driver.execute_async_script(script)
    told = [(v["id"], [node["html"] for node in v["nodes"]]) for v in found["violations"]]
    assert told == []
    assert len(found["passes"]) > 20


@in_browser
@pytest.mark.parametrize("width", [1200, 400])
def test_no_text_is_clipped(width: int, thieves: Path, visit: Callable[[Path], Any]) -> None:
    driver = visit(thieves)
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    clipped = driver.execute_script("""
        const within = (e) => e.closest(".graph, .scroll, [hidden], .skip, select");
        return [...document.querySelectorAll("main *")]
          .filter((e) => !within(e) && e.clientWidth && e.scrollWidth > e.clientWidth + 1)
          .map((e) => e.outerHTML.slice(0, 80));
    """)
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert clipped == []
    assert wide <= width


@in_browser
def test_prints_everything(thieves: Path, visit: Callable[[Path], Any]) -> None:
    driver = visit(thieves)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = [w.is_displayed() for w in driver.find_elements("css selector", ".walk")]
    bars = [b.is_displayed() for b in driver.find_elements("css selector", ".bar, button")]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert all(shown)
    assert not any(bars)


@in_browser
def test_two_thousand_nodes(thieves: Path, tmp_path: Path, visit: Callable[[Path], Any]) -> None:
    """Ten times as many nodes do not take much more than ten times as long to answer."""
    small, large = (answers(thieves, tmp_path, visit, nodes) for nodes in (200, 2000))
    # (Nothing is quicker than a frame.)
    assert large < 40 * max(small, 20)


def answers(thieves: Path, folder: Path, visit: Callable[[Path], Any], number: int) -> float:
    """How long a page with a large picture takes to light an outcome and to zoom, in ms."""
    nodes, lines = [], []
    for n in range(number):
        x, y = n % 50 * 120, n // 50 * 80
        nodes.append(
            f'<g data-node="n{n}" data-kind="choice" data-outcomes="{n % 3 + 1}"><path '
            f'd="M{x} {y} h90 v40 h-90 Z"/><text x="{x}" y="{y + 20}">choice {n}</text></g>'
        )
        lines.append(
            f'<g data-edge="{n + 99}" data-outcomes="{n % 3 + 1}"><path d="M{x} {y} l40 80"/></g>'
        )
    svg = f'<svg viewBox="0 0 6000 3300" height="3300">{"".join(lines + nodes)}</svg>'
    text = re.sub(r"<svg.*</svg>", svg, thieves.read_text("utf-8"), flags=re.S)
    page = folder / f"{number}.html"
    page.write_text(text.replace('"paths":', '"paths":{},"unused":'), "utf-8")
    driver = visit(page)
    wait = (
        "const done = arguments[arguments.length - 1], began = performance.now();"
        "document.querySelector(arguments[0]).dispatchEvent(arguments[1]"
        " ? new KeyboardEvent('keydown', {key: arguments[1], bubbles: true})"
        " : new MouseEvent('click', {bubbles: true}));"
        "requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));"
    )
    taken = [
        driver.execute_async_script(wait, selector, key)
        for selector, key in (("button[data-outcome='2']", ""), (".graph", "+"), (".graph", "0"))
    ]
    assert len(lit(driver, "node")) == len(range(1, number, 3))
    return float(max(taken))


@in_browser
def test_a_picture_alone(tmp_path: Path, visit: Callable[[Path], Any]) -> None:
    explore(THREE).decisions().save(tmp_path / "picture.html")
    driver = visit(tmp_path / "picture.html")
    one(driver, "[data-node='outcome2']").click()
    on = driver.find_elements("css selector", "svg.lit [data-node].on")
    assert {"start", "outcome2"} <= {part.get_attribute("data-node") for part in on}
    driver.switch_to.active_element.send_keys("\ue00c")  # Escape
    assert not driver.find_elements("css selector", "svg.lit")


@in_browser
def test_filters_of_a_list(tmp_path: Path, visit: Callable[[Path], Any]) -> None:
    from selenium.webdriver.support.select import Select

    target = tmp_path / "all.html"
    run(THREE, "draw/notion_thief_two_players", "-j", "1", "-o", target)
    driver = visit(target)

    def shown() -> list[str]:
        rows = driver.find_elements("css selector", ".index tbody tr th")
        return [row.text for row in rows if row.is_displayed()]

    assert len(shown()) == 2
    Select(one(driver, "[data-filter=verdict]")).select_by_visible_text("unique")
    assert shown() == ["draw/notion_thief_two_players"]
    Select(one(driver, "[data-filter=rule]")).select_by_visible_text("616.2")
    assert shown() == []
    one(driver, "button[type=reset]").click()
    one(driver, "[data-filter=text]").send_keys("three")
    assert shown() == [THREE]
    assert not one(driver, "#r1").is_displayed()
    one(driver, ".index tbody a").click()
    assert one(driver, "#r1").is_displayed()
    one(driver, "#r1 button[data-outcome='1']").click()
    assert "outcome1" in lit(driver, "node")
