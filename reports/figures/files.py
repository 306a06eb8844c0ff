"""Figures as files and as elements of a page: SVG whose text stays text, the same bytes every time."""

import re
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import matplotlib
from matplotlib.figure import Figure

from simcore.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

DOTS = 200  # a PNG's dots per inch
FAMILY = "'DejaVu Sans', Verdana, sans-serif"
SVG, LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
PARAMETERS: Any = {"svg.fonttype": "none", "svg.hashsalt": "simcore"}

ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", LINK)
_parameters = Lock()  # matplotlib's parameters belong to all threads


def as_svg(figure: Figure, prefix: str | None = None, alt: str = "") -> str:
    """The figure as an <svg> element for a page: it is as wide as its container, its text is text.

    prefix: what its ids start with; unless given, it is made from the picture, so that different pictures on one page
    have different ids. alt: what is read out instead of it; else the figure's title.
    """
    root = _element(figure)
    _rename(root, prefix or "f")
    if prefix is None:
        _rename(root, "f" + sha256(ElementTree.tostring(root)).hexdigest()[:10])
    alt = alt or getattr(figure, "headline", "")
    if alt:
        root.set("role", "img")
        root.set("aria-label", alt)
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    return ElementTree.tostring(root, encoding="unicode")


def _element(figure: Figure) -> ElementTree.Element:
    """The root of matplotlib's SVG without what is about the file, or would act on the rest of a page."""
    buffer = BytesIO()
    with _parameters, matplotlib.rc_context(PARAMETERS):
        figure.savefig(buffer, format="svg", dpi=72, metadata={"Date": None, "Creator": None})
    root = ElementTree.fromstring(buffer.getvalue())
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    root.set("style", f"font-family: {FAMILY}; stroke-linejoin: round; stroke-linecap: butt")
    for text in root.iter(f"{{{SVG}}}text"):
        text.set("style", re.sub(r"(font-family: |(?<=px) )'[^;]*", "", text.get("style", "")).replace("; ;", ";"))
        if re.match(r"rotate\(-?0 ", text.get("transform", "")):
            del text.attrib["transform"]
    return root


def _rename(root: ElementTree.Element, prefix: str) -> None:
    """Numbers the ids that are used, in the order of the document, and drops the others."""
    used = set(re.findall(r"url\(#(.*?)\)", ElementTree.tostring(root, encoding="unicode")))
    used |= {node.get(f"{{{LINK}}}href", "").removeprefix("#") for node in root.iter()}
    names: dict[str, str] = {}
    for node in root.iter():
        old = node.attrib.pop("id", None)
        if old in used and old is not None:
            names[old] = f"{prefix}-{len(names) + 1}"
            node.set("id", names[old])
    for node in root.iter():
        for key, value in node.attrib.items():
            if key == f"{{{LINK}}}href":
                node.set(key, "#" + names[value.removeprefix("#")])
            elif "url(#" in value:
                node.set(key, re.sub(r"url\(#(.*?)\)", lambda match: f"url(#{names[match[1]]})", value))


def save(figure: Figure, folder: str | Path, name: str, frame: "pd.DataFrame") -> list[Path]:
    """Writes name.png, name.svg and, with the frame that was drawn, name.csv; gives back their paths.

    Makes the folder when there is none. Raises UsageError when it cannot be written.
    """
    place = Path(folder)
    paths = [place / f"{name}.{kind}" for kind in ("png", "svg", "csv")]
    png = BytesIO()
    figure.savefig(png, format="png", dpi=DOTS, metadata={"Software": None})
    contents = (
        png.getvalue(),
        f'<?xml version="1.0" encoding="utf-8"?>\n{as_svg(figure)}\n'.encode(),
        frame.to_csv(index=False, lineterminator="\n").encode(),
    )
    try:
        place.mkdir(parents=True, exist_ok=True)
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{place}: figures cannot be written there: {error.strerror or error}") from None
    return paths
