"""The report pages in a real browser, and pages broken on purpose, so that every check is seen to fail."""

from collections import defaultdict
from pathlib import Path

import pytest
from broken import BROKEN
from page_checks import check_page

HERE = Path(__file__).resolve().parent
REPORTS = HERE.parents[1] / "docs" / "reports"
PAGES = sorted(REPORTS.glob("*.html"))
GOOD = (HERE / "good.en.html").read_text(encoding="utf-8")


def test_there_are_three_reports_each_in_both_languages():
    languages = defaultdict(set)
    for page in PAGES:
        name, _, language = page.stem.rpartition(".")
        languages[name].add(language)
    assert languages, f"no page to look at: {REPORTS} holds no .html file"
    assert {name: spoken for name, spoken in languages.items() if spoken != {"fr", "en"}} == {}
    assert len(languages) >= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_report_is_fit_to_be_sent(page):
    assert check_page(page) == []


def test_the_good_page_passes():
    assert check_page(HERE / "good.en.html") == []


@pytest.mark.parametrize("faults", BROKEN.values(), ids=BROKEN)
def test_every_fault_of_a_broken_page_is_told(faults, tmp_path):
    text, page = GOOD, tmp_path / "broken.en.html"
    for old, new, _ in faults:
        assert old in text
        text = text.replace(old, new, 1)
    page.write_text(text, encoding="utf-8")
    wrong = check_page(page)
    assert [said for *_, said in faults if not any(said in sentence for sentence in wrong)] == [], wrong


def test_a_page_in_another_language_than_its_name_says_is_told(tmp_path):
    page = tmp_path / "page.fr.html"
    page.write_text(GOOD.replace('lang="en"', 'lang="fr"'), encoding="utf-8")
    assert check_page(page) == ["the text reads like en, and the name says fr"]


def test_the_language_of_a_page_must_be_in_its_name(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(GOOD, encoding="utf-8")
    assert check_page(page) == ["the name ends neither in .fr.html nor in .en.html"]
