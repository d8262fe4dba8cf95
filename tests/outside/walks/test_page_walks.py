"""Two people who never saw the local page: a reviewer with a PDF, a student who pastes a table.

Each walk says the first useful sentence, after how many steps it stood there, and that no honest row was red on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By

from outside.page_steps import cards, drop, fill, outcomes, put, shows, until
from outside.report_browser import only

PAPERS = Path(__file__).parents[2] / "data" / "papers"


class Walk:
    """Steps that are counted; after each, no row is red but those that may be."""

    def __init__(self, page: webdriver.Chrome, wrong: int) -> None:
        self.page, self.wrong, self.steps = page, wrong, 0

    def step(self, act: Callable[[], object], *shown: str) -> None:
        act()
        self.steps += 1
        shows(self.page, *shown)
        assert all(verdict != "inconsistent" or row == self.wrong for row, verdict in enumerate(outcomes(self.page)))
        red = self.page.find_elements(By.CSS_SELECTOR, "#grid td.inconsistent")
        rows = {cell.find_element(By.XPATH, "..").get_attribute("data-row") for cell in red}
        assert rows <= {str(self.wrong + 1)}

    def press(self, words: str) -> Callable[[], object]:
        buttons = self.page.find_elements(By.CSS_SELECTOR, "#cards button, #readings button")
        return next(button for button in buttons if button.text == words).click


def test_a_reviewer_drops_a_pdf(page: webdriver.Chrome) -> None:
    walk = Walk(page, wrong=1)
    walk.step(lambda: drop(page, PAPERS / "sepsis.pdf"), "consistent", "question")
    assert walk.steps == 1
    assert cards(page) == ["Accuracy 0.865 is not possible with 80 cases: 69 of 80 is 0.863, 70 of 80 is 0.875."]
    card = only(page, "#cards article").text
    assert "We studied 80 patients, 45 with sepsis and 35 without." in card  # on what it rests, with its page
    assert "page 1" in card
    walk.step(walk.press("Another set"), "consistent", "question")  # of which cases, then?
    walk.step(lambda: put(page, "We studied 80 patients", 0), "consistent", "question")
    walk.step(walk.press("This is right"), "consistent", "inconsistent")
    assert cards(page) == ["Accuracy 0.865 is not possible with 80 cases: 69 of 80 is 0.863, 70 of 80 is 0.875."]
    page.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    walk.step(walk.press("Copy for the review"), "consistent", "inconsistent")
    copied = until(lambda: page.execute_script("return window.copied"))
    assert copied.startswith("Table 1, RF: Accuracy 0.865 is not possible with 80 cases")
    assert copied.endswith("as it was computed, or should it be 0.863?")


def test_a_student_pastes_a_table(page: webdriver.Chrome) -> None:
    """Sens 0.871 of 96 positives: 83 of them are 0.865, 84 are 0.875."""
    table = "Model,Accuracy,Sensitivity,Specificity\nCNN,0.834,0.792,0.855\nOurs,0.895,0.871,0.905\n"
    walk = Walk(page, wrong=1)
    walk.step(lambda: fill(page, "paste", table), "consistent", "consistent")  # of unknown cases both are possible
    assert cards(page) == []
    walk.step(lambda: fill(page, "p", "96"), "consistent", "consistent")
    walk.step(lambda: fill(page, "n", "200"), "consistent", "inconsistent")
    assert walk.steps == 3
    assert cards(page)[0].startswith("Sensitivity 0.871 is not possible with 96 positives: 83 of 96 is 0.865, 84 of 96")
    cell = only(page, "input[aria-label='row 2, Sensitivity']")

    def corrected() -> None:
        cell.clear()
        cell.send_keys("0.875")

    walk.step(corrected, "consistent", "consistent")
    assert cards(page) == []
