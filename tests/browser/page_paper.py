"""A page on paper: printed to PDF, and read again."""

from io import BytesIO
from itertools import pairwise

from page_browser import resize
from playwright.sync_api import Page
from pypdf import PdfReader

A4_WIDTH = 595.3  # points
PAPER_WINDOW = 680  # px: A4 with margins of 15 mm


def paper(page: Page) -> list[str]:
    """What is cut on A4, wider than A4, or parted from the text below it."""
    resize(page, PAPER_WINDOW)
    page.emulate_media(media="print", color_scheme="light")
    wrong = list(page.evaluate("measure.wide(true)"))
    headings = page.evaluate("measure.headingTexts()")
    pdf = PdfReader(BytesIO(page.pdf(format="A4", prefer_css_page_size=True, print_background=True)))
    page.emulate_media(media="screen")
    if not pdf.pages:
        return [*wrong, "the PDF has no page"]
    widest = max(float(sheet.mediabox.width) for sheet in pdf.pages)
    if widest > A4_WIDTH + 1:
        wrong.append(f"the PDF is {widest:.0f} points wide, and A4 has {A4_WIDTH:.0f}")
    texts = [sheet.extract_text() for sheet in pdf.pages]
    if not any(text.strip() for text in texts):
        wrong.append("the PDF has no text")
    return wrong + [f"a heading is the last thing on a page: {text!r}" for text in parted(texts, headings)]


def parted(texts: list[str], headings: list[str]) -> list[str]:
    """Headings that end a page which is not the last, written in up to three lines."""
    known, found = {"".join(text.split()): text for text in headings}, []
    for text, _ in pairwise(texts):
        lines = ["".join(line.split()) for line in text.splitlines() if line.strip()]
        found += [known[end] for n in (1, 2, 3) if (end := "".join(lines[-n:])) in known and n <= len(lines)]
    return found
