"""The site in a real browser: clicked through, by keyboard alone, in light and dark, on a phone."""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import NARROW, WIDE, Browser, need_browser, served
from patience import assert_soon
from selenium.webdriver.common.keys import Keys
from sights import KLONDIKE, make_runs, sights

import yamafuda
from pages.address import address


@pytest.fixture(scope="module")
def runs(roots: Path) -> list[yamafuda.Run]:
    need_browser()
    return make_runs()


@pytest.fixture(scope="module")
def window(runs: list[yamafuda.Run], roots: Path) -> Iterator[Browser]:
    """At the site, with runs."""
    browser = Browser()
    try:
        with served(roots.parent) as (browser.home, _):
            yield browser
    finally:
        browser.close()


@pytest.fixture
def browser(window: Browser) -> Iterator[Browser]:
    """It must not complain."""
    window.look(WIDE)
    window.complaints()
    yield window
    assert window.complaints() == []


def opened_replay(browser: Browser) -> None:
    """Klondike at move 20, with all positions fetched."""
    browser.open(address("/replay/klondike", KLONDIKE))
    browser.wait(lambda: browser.one("#replay").get_attribute("data-ready") is not None)


def is_at(browser: Browser, move: int) -> bool:
    return (
        browser.text("#move").startswith(f"Move {move} of 85")
        and f"step={move}" in browser.driver.current_url
    )


def press(browser: Browser, *keys: str) -> None:
    """On whatever has the focus."""
    for key in keys:
        browser.driver.switch_to.active_element.send_keys(key)


def tab_to(browser: Browser, words: str) -> None:
    """Press the tabulator until something that says this has the focus."""
    for _ in range(300):
        press(browser, Keys.TAB)
        focused = browser.driver.switch_to.active_element
        if words in (focused.text or focused.get_attribute("value") or ""):
            return
    raise AssertionError(f"nothing is reached that says {words!r}")


def test_every_page_keeps_the_rules_in_light_and_dark_and_fits_on_a_phone(
    window: Browser, runs: list[yamafuda.Run]
) -> None:
    broken: dict[str, list[str]] = {}
    for name, path in sights(runs).items():
        window.look(WIDE)
        window.open(path)
        broken[name] = window.broken_rules()
        window.look(NARROW, is_dark=True)
        broken[name] += [f"dark: {rule}" for rule in window.broken_rules("color-contrast", "target-size")]
        broken[name] += [f"{window.overflow()} pixels too wide"] if window.overflow() > 0 else []
    # A failed request is what two of them show.
    refused = [line for line in window.complaints() if "Failed to load resource" not in line]
    assert ({name: rules for name, rules in broken.items() if rules}, refused) == ({}, [])


def test_a_page_that_breaks_a_rule_is_found(window: Browser) -> None:
    window.look(WIDE)
    window.open("/runs")
    window.driver.execute_script("document.querySelector('h1').style.color = '#eee'")
    assert [rule.partition(":")[0] for rule in window.broken_rules()] == ["color-contrast"]
    window.complaints()


def test_from_the_runs_to_a_question(browser: Browser, runs: list[yamafuda.Run]) -> None:
    browser.open("/")
    browser.follow(runs[0].name)
    assert "redeals" in browser.text()
    browser.wait(lambda: browser.one("#report").size["height"] > 700)
    browser.follow("items, one by one")
    browser.one("select").send_keys("won")
    browser.click("main button")
    browser.follow("item")
    browser.wait(lambda: "What is stored" in browser.text())
    browser.follow("Replay it")
    assert "The deal, before" in browser.text("#move")
    browser.wait(lambda: browser.one("#replay").get_attribute("data-ready") is not None)
    browser.follow("Last")
    browser.click("a[data-go=back]")
    browser.click(".ask button")
    browser.wait(lambda: "won" in browser.text("#answer"))
    browser.follow("Step through it")
    assert browser.text("#move").startswith("Move ")
    assert runs[0].name in browser.text()


def test_a_replay_by_keyboard_alone(browser: Browser) -> None:
    opened_replay(browser)
    press(browser, Keys.TAB)
    assert browser.driver.switch_to.active_element.text == "Skip to the content"
    press(browser, Keys.ENTER, Keys.ARROW_RIGHT)
    browser.wait(lambda: is_at(browser, 21))
    press(browser, Keys.HOME)
    assert browser.text("#move").startswith("The deal")
    press(browser, Keys.END)
    assert is_at(browser, 85)
    press(browser, Keys.ARROW_LEFT)
    assert is_at(browser, 84)
    tab_to(browser, "Back")
    press(browser, Keys.ENTER)
    assert is_at(browser, 83)
    tab_to(browser, "83")  # the slider, by its value
    press(browser, Keys.ARROW_LEFT)
    assert is_at(browser, 82)
    tab_to(browser, "Solve from here")
    press(browser, Keys.ENTER)
    browser.wait(lambda: "after move 82" in browser.text("#answer"))
    tab_to(browser, "What is each play worth?")
    press(browser, Keys.ENTER)
    browser.wait(lambda: browser.has("#answer table"))
    assert browser.broken_rules() == []
    # The address is what is shown.
    browser.driver.refresh()
    assert is_at(browser, 82)


def test_moves_are_played_on(browser: Browser) -> None:
    opened_replay(browser)
    press(browser, Keys.ARROW_LEFT)
    browser.wait(lambda: is_at(browser, 19))
    browser.wait(lambda: browser.has("#plays a"))
    words = browser.text("#plays li:last-child")
    browser.wait(lambda: "step=20" in (browser.one("#plays li:last-child a").get_attribute("href") or ""))
    browser.click("#plays li:last-child a")
    assert browser.text("#move") == f"Move 20 of 20: {words}"


def test_a_deal_is_pasted_and_a_mistake_is_told(window: Browser) -> None:
    window.look(WIDE)
    window.open("/replay/superpuzz")
    window.one("#deal").send_keys("S2 S3 D3 / HA H3 SA / DA D2 -- / H2 -- C9")
    window.click("form.sheet button")
    window.wait(lambda: "deal" in window.text("[role=alert]"))
    window.one("#deal").clear()
    window.one("#deal").send_keys("S2 S3 D3 / HA H3 SA / DA D2 -- / H2 -- C2")
    assert window.one("#deal").get_attribute("value").endswith("C2")
    window.complaints()


def test_a_card_that_is_wrong_is_told_beside_its_cell(browser: Browser) -> None:
    browser.open("/replay/klondike/fill")
    browser.one("#c0-0").send_keys("s14", Keys.TAB, "h3", Keys.TAB, "3h", Keys.TAB)
    browser.wait(lambda: browser.text("#c1-1-wrong"))
    assert browser.text("#c1-1-wrong") == "H3 is there twice; first in column 2, card 1"
    assert "is no card" in browser.text("#c0-0-wrong")
    assert browser.text("#c1-0-wrong") == browser.text("#c2-0-wrong") == ""
    assert browser.text("#missing").startswith("A♣, 2♣")
    assert browser.one("#c1-1").get_attribute("aria-invalid") == "true"
    assert browser.broken_rules() == []


def test_a_question_is_taken_back(browser: Browser) -> None:
    hard = {"deal": (Path(__file__).parents[2] / "engines/superpuzz/examples/figure-1.deal").read_text()}
    browser.open(address("/replay/superpuzz", hard))
    browser.wait(lambda: browser.one("#replay").get_attribute("data-ready") is not None)
    browser.click(".ask summary")
    browser.one("[name=census]").send_keys("yes")
    browser.click(".ask button")
    browser.wait(lambda: browser.has("#answer button"))
    begin_s = time.monotonic()
    browser.click("#answer button")
    browser.wait(lambda: browser.text("#answer") == "Cancelled.")
    assert_soon(begin_s, 10)


def test_a_table_is_explored(browser: Browser) -> None:
    browser.open("/explore")
    browser.follow("2 boards of 4 cards")
    assert "Stored" in browser.text("#worth")
    begin = browser.driver.current_url
    # Arrow keys go from cell to cell; what is followed is fetched, and the same page shows it.
    browser.driver.execute_script("window.stays = true")
    tab_to(browser, "stack 0")  # the table, which can be scrolled
    press(browser, Keys.TAB)
    first = browser.driver.switch_to.active_element.get_attribute("aria-label")
    press(browser, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    reached = browser.driver.switch_to.active_element.get_attribute("aria-label")
    assert (first.split(":")[0], reached.split(":")[0]) == ("card 0.0 on stack 0", "card 0.1 on stack 1")
    press(browser, Keys.ENTER)
    browser.wait(lambda: "[1{}] -> [2{1}]; [4{}]" in (browser.one("#position").get_attribute("value") or ""))
    assert browser.driver.execute_script("return window.stays")
    assert browser.driver.current_url != begin
    browser.driver.back()
    browser.wait(lambda: "stacks=3; [4{}]; [4{}]" in (browser.one("#position").get_attribute("value") or ""))
    browser.follow("Change this position")
    browser.follow("A card more in chain 1")
    browser.wait(lambda: browser.has("[aria-label^='card 1.4 on stack 0']"))
    browser.follow("Done")
    browser.wait(lambda: "Computed now" in browser.text("#worth"))


def test_a_deal_to_play_is_found(browser: Browser) -> None:
    browser.open("/deals")
    browser.follow("draw 3")
    browser.follow("Hard")
    assert browser.one("[aria-current=page]").text == "Hard"
    words = browser.text(".deals")
    browser.follow("Play deal")
    assert browser.text("#move").startswith("The deal")
    assert browser.one("#text").get_attribute("value")
    browser.driver.back()
    assert browser.text(".deals") == words


def test_progress_is_seen_while_it_goes_on(browser: Browser, runs: list[yamafuda.Run]) -> None:
    folder = Path(runs[1].folder)
    manifest = folder / "manifest.json"
    kept = manifest.read_bytes()

    def stand(count: int) -> None:
        standing = {"done_count": count, "total_count": 6, "inside_count": 0, "rate_per_s": 2.5, "left_s": 9}
        (folder / "progress.json").write_text(json.dumps(standing))

    with (folder / "driver.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        manifest.unlink()
        stand(1)
        browser.open("/runs")
        row = f"tr[data-run='{runs[1].name}']"
        browser.wait(lambda: "running" in browser.text(row) and "16.7%" in browser.text(row))
        stand(3)
        browser.wait(lambda: "50.0%" in browser.text(row) and "2.5/s" in browser.text(row))
        browser.open(f"/runs/{runs[1].name}")
        stand(5)
        browser.wait(lambda: "83.3%" in browser.text("#standing"))
        manifest.write_bytes(kept)
        (folder / "progress.json").unlink()
    browser.wait(lambda: browser.one("#again").is_displayed())
