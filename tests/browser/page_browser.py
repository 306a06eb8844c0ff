"""Chromium without a network: found, started, and a page opened in it and what it says and asks for."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
MEASURE = Path(__file__).parent / "measure.js"
HEIGHT = 800  # px of every window
SHARPNESS = 2  # device pixels in a px, as on most screens

_running: list[Browser] = []  # one at most: a process can have no second one beside it


def chromium() -> str:
    """The browser's path; FileNotFoundError when there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise FileNotFoundError(f"no browser found (looked for {', '.join(NAMES)}); `make browser` installs Chromium")
    return found


@contextmanager
def started() -> Iterator[Browser]:
    """The headless Chromium that is running already, or else one that is gone when the block ends."""
    if _running:
        yield _running[0]
        return
    with sync_playwright() as playwright:
        # A container's shared memory is often too small for a browser.
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--disable-dev-shm-usage"])
        _running.append(browser)
        try:
            yield browser
        finally:
            _running.clear()
            browser.close()


@contextmanager
def opened(browser: Browser, path: Path) -> Iterator[tuple[Page, list[str]]]:
    """The page, and what went wrong with it so far: the list grows while the page is open."""
    address, wrong = path.resolve().as_uri(), list[str]()
    context = browser.new_context(offline=True, reduced_motion="reduce", device_scale_factor=SHARPNESS)

    def answer(route: Route, request: Request) -> None:
        if request.url == address:
            route.continue_()
        else:
            wrong.append(f"asks for {request.url}: everything must be in the page itself")
            route.abort()

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            wrong.append(f"console {message.type}: {message.text}")

    context.route("**/*", answer)
    page = context.new_page()
    page.on("console", hear)
    page.on("pageerror", lambda error: wrong.append(f"script error: {error}"))
    page.on("requestfailed", lambda request: wrong.append(f"request failed: {request.url}"))
    try:
        page.goto(address)
        page.evaluate(MEASURE.read_text(encoding="utf-8"))
        yield page, wrong
    finally:
        context.close()


def load_axe(page: Page) -> None:
    """Puts axe-core into the page; FileNotFoundError when it has not been fetched."""
    if not AXE.exists():
        raise FileNotFoundError("axe-core is not here; `make browser` fetches it")
    page.evaluate(AXE.read_text(encoding="utf-8") + "\n0")  # 0: nothing large is sent back


def resize(page: Page, width: int) -> None:
    """Makes the window so many px wide."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
