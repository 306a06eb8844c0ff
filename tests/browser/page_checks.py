"""Whether a report is fit to be sent to somebody: everything that is wrong with a page, a sentence each."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from page_browser import SHARPNESS, load_axe, opened, resize, started
from page_paper import paper
from PIL import Image
from playwright.sync_api import ElementHandle, Page

WIDTHS = (360, 768, 1280)  # px: a phone, a tablet, a desk
LARGEST_FILE = 2_000_000
LEAST_TEXT = 11.0  # px
LEAST_DRAWN = {360: 7.0, 768: 9.0, 1280: 9.0}  # px of text in pictures, by width of the window
LEAST_CONTRAST = 3.0  # of text in pictures, as drawn: edges are blurred, so WCAG's 4.5 would be too much
LEAST_INK = 0.002  # of a picture's pixels that are not its commonest colour
AXE_RULES = ("wcag2a", "wcag2aa", "best-practice")
NARROW_RULES = ("scrollable-region-focusable",)  # where room is short
GRAVE = ("serious", "critical")
LONGEST_LIST = 5


def check_page(path: Path) -> list[str]:
    """What is wrong with the page, nothing when all is well. Uses the browser that is running, or starts one."""
    size = path.stat().st_size
    wrong = [f"{size:,} bytes, and {LARGEST_FILE:,} are allowed"] if size > LARGEST_FILE else []
    with started() as browser, opened(browser, path) as (page, heard):
        page.emulate_media(color_scheme="light")
        load_axe(page)
        wrong += page.evaluate("language => measure.order(language)", language_of(path))
        wrong += layout(page)
        wrong += colours(page)
        wrong += shortened("on paper", paper(page))
        return wrong + heard


def language_of(path: Path) -> str:
    """What the name says: fr for doigt.fr.html, nothing for doigt.html."""
    return path.suffixes[-2].removeprefix(".") if len(path.suffixes) > 1 else ""


def shortened(where: str, wrong: list[str]) -> list[str]:
    """The first few of many, each with where it was seen."""
    more = [f"and {len(wrong) - LONGEST_LIST} more"] if len(wrong) > LONGEST_LIST else []
    return [f"{where}: {sentence}" for sentence in [*wrong[:LONGEST_LIST], *more]]


def layout(page: Page) -> list[str]:
    """What is too wide, too small or not drawn in windows of three widths."""
    wrong = []
    for width in WIDTHS:
        resize(page, width)
        sizes = [LEAST_TEXT, LEAST_DRAWN[width]]
        wrong += shortened(f"at {width} px", page.evaluate("measure.wide(false)"))
        wrong += shortened(f"at {width} px", page.evaluate("sizes => measure.small(...sizes)", sizes))
        wrong += shortened(f"at {width} px", page.evaluate("measure.figures()"))
    return wrong


def colours(page: Page) -> list[str]:
    """What axe-core finds and what cannot be read, in light, and in dark when the page has dark colours."""
    resize(page, WIDTHS[0])
    wrong = shortened(f"at {WIDTHS[0]} px", axe(page, {"type": "rule", "values": NARROW_RULES}))
    resize(page, WIDTHS[-1])
    wrong += shortened("light", [*axe(page, {"type": "tag", "values": AXE_RULES}), *ink(page)])
    if page.evaluate("measure.hasDark()"):
        page.emulate_media(color_scheme="dark")
        wrong += shortened("dark", [*axe(page, {"type": "rule", "values": ["color-contrast"]}), *ink(page)])
    return wrong


def axe(page: Page, rules: dict[str, Any]) -> list[str]:
    """Serious and critical violations of the rules that axe-core finds."""
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [_violation(rule) for rule in found if rule["impact"] in GRAVE]


def _violation(rule: dict[str, Any]) -> str:
    first, count = rule["nodes"][0], len(rule["nodes"])
    why = " ".join(first["failureSummary"].split())
    return f"axe {rule['id']} ({rule['impact']}), {count} × {rule['help']}: {first['html'][:120]}: {why}"


def ink(page: Page) -> list[str]:
    """Pictures that show one colour only, and their labels that hardly differ from what is behind them."""
    wrong = []
    for picture in page.query_selector_all("figure svg:not(svg svg), figure img"):
        if not picture.is_visible():
            continue
        pixels = _pixels(picture)
        some = pixels[::2, ::2]
        share = float((some != _commonest(some)).any(axis=2).mean())
        if share < LEAST_INK:
            wrong.append(f"a picture is one colour all over: {100 * share:.2f} % differ from it")
        wrong += _faint_labels(pixels, page.evaluate("picture => measure.labelBoxes(picture)", picture))
    return wrong


def _faint_labels(pixels: NDArray[np.uint8], boxes: list[dict[str, Any]]) -> Iterator[str]:
    for box in boxes:
        top, left, height, width = (round(SHARPNESS * box[side]) for side in ("top", "left", "height", "width"))
        part = pixels[max(top, 0) : top + height, max(left, 0) : left + width]
        if part.size and (ratio := _contrast(part)) < LEAST_CONTRAST:
            yield f"text in a picture has a contrast of {ratio:.1f}, {LEAST_CONTRAST} is the least: {box['what']!r}"


def _pixels(picture: ElementHandle) -> NDArray[np.uint8]:
    """What is seen of the picture: (height, width, 3)."""
    return np.asarray(Image.open(BytesIO(picture.screenshot())).convert("RGB"))


def _commonest(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    flat, count = np.unique(pixels.reshape(-1, 3) @ np.array([65536, 256, 1]), return_counts=True)
    code = int(flat[count.argmax()])
    return np.array([code >> 16, code >> 8 & 255, code & 255], np.uint8)


def _contrast(pixels: NDArray[np.uint8]) -> float:
    """WCAG's ratio between the commonest colour and the one that differs most from it, 1 to 21."""
    ground, all_lights = _light(_commonest(pixels)), _light(pixels)
    return float(max((all_lights.max() + 0.05) / (ground + 0.05), (ground + 0.05) / (all_lights.min() + 0.05)))


def _light(colour: NDArray[np.uint8]) -> Any:
    """Relative luminance as WCAG 2 defines it, 0 to 1."""
    part = colour / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4) @ np.array([0.2126, 0.7152, 0.0722])
