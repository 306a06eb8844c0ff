"""Pages broken on purpose, each in a few ways: what of the good page becomes what, and what is said of it."""

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
HERE = "<h2"  # what is added to the page is put before its second heading


def figure(caption: str, drawn: str, style: str = "", name: str = 'role="img" aria-label="x"') -> str:
    """A figure of its own, put into the page."""
    return (
        f'<figure style="{style}"><svg viewBox="0 0 600 240" {name}>{drawn}</svg>'
        f"<figcaption>{caption}</figcaption></figure><h2"
    )


BAR = '<path d="M0 0h600v240z" fill="#1f5fa8"/>'
BROKEN: dict[str, list[tuple[str, str, str]]] = {
    "it fetches from elsewhere": [
        (HERE, '<img src="https://example.org/a.png" alt="a"><h2', "asks for https://example.org/a.png"),
        ("</main>", '<img src="beside.png" alt="a"></main>', "beside.png: everything must be in the page itself"),
        ("</head>", '<link rel="stylesheet" href="a.css"></head>', "a.css: everything must be in the page itself"),
        (
            "h1, h2 {",
            "@font-face { font-family: f; src: url(https://example.org/f) } h1 { font-family: f } h1, h2 {",
            "asks for https://example.org/f",
        ),
    ],
    "it complains": [
        ("</main>", "<script>console.error('lost')</script></main>", "console error: lost"),
        ("</head>", "<script>console.warn('odd')</script></head>", "console warning: odd"),
        ("</body>", "<script>null.x</script></body>", "script error: Cannot read properties of null"),
    ],
    "it is wider than the window": [
        (HERE, '<p style="width: 500px">phone</p><h2', 'at 360 px: <p> "phone" reaches to 516 px'),
        ("<table>", '<table style="min-width: 1500px">', "at 1280 px: the page is"),
        (".wide { overflow-x: auto; }", "", "at 768 px: <table>"),
    ],
    "it cannot be scrolled by keyboard": [
        ('tabindex="0"', "", "at 360 px: axe scrollable-region-focusable (serious)"),
    ],
    "it is cut": [
        ("overflow-x: auto", "overflow-x: hidden", "at 360 px: <div> "),
        (HERE, HERE, "cuts off what it holds"),
    ],
    "it cannot be printed": [
        ("@media print", "@media speech", "would have to be scrolled"),
        ("h1, h2 {", "@page { size: A3 } h1, h2 {", "on paper: the PDF is 842 points wide"),
        ("The seats</h2>", 'The seats</h2><p style="break-before: page">', "the last thing on a page: 'The seats'"),
    ],
    "it cannot be read": [
        (HERE, '<p style="color: #999; background: #fff">pale</p><h2', "light: axe color-contrast (serious), 1 ×"),
        ('y="50"', 'y="50" style="fill: #bbb"', "light: text in a picture has a contrast of"),
        ("--ink: #eeeeee", "--ink: #333333", "dark: axe color-contrast (serious)"),
        (HERE, HERE, "dark: text in a picture has a contrast of"),
    ],
    "its text is small": [
        (HERE, '<p style="font-size: 10px">tiny</p><h2', 'text of 10.0 px in <p> "tiny"'),
        ("font-size: 16px", "font-size: 11px", "at 360 px: text of 6.0 px in a picture"),
        (
            HERE,
            figure("x", '<g id="text_1"><g transform="translate(9 99) scale(.11 -.11)"><use href="#path"/></g></g>'),
            'in a picture: "text_1"',
        ),
        ("</main>", '<svg hidden><path id="path" d="M0 0h60v70z"/></svg></main>', "text of 6."),
    ],
    "its figures are not drawn": [
        (HERE, "<figure><figcaption>none</figcaption></figure><h2", 'figure "none": it has no picture'),
        (HERE, figure("empty", ""), 'figure "empty": its picture has nothing drawn'),
        (HERE, figure("tiny", BAR, "width: 80px; height: 32px"), 'figure "tiny": its picture is only 80 × 32 px'),
        (HERE, figure("hidden", BAR, "display: none"), 'figure "hidden": its picture is only 0 × 0 px'),
        (HERE, figure("white", '<path d="M0 0h600v240z" fill="#fff"/>'), "light: a picture is one colour all over"),
    ],
    "its figures cannot be told": [
        (HERE, figure("nameless", BAR, name='role="img"'), 'figure "nameless": its picture has no name'),
        (HERE, figure("no image", BAR, name='aria-label="x"'), 'figure "no image": its picture lacks role=img'),
        (HERE, figure("cut", '<text x="580" y="50">label</text>'), 'figure "cut": its picture cuts off its label'),
        ("<figcaption>Win shares by seat.</figcaption>", "", "it has no <figcaption>"),
        ("</main>", f'<img src="{PIXEL}"></main>', "axe image-alt (critical)"),
    ],
    "it has no order": [
        ("<h2", "<h1>Again</h1><h2", "2 <h1>, and there should be one"),
        ("</main>", "<h4>Deep</h4></main>", '<h4> "Deep" skips a level'),
        ('<th scope="col">Games', "<th>Games", '<th> "Games" has no scope'),
        ("</main>", "<table><tr><td>1</td></tr></table></main>", "a table without <th>"),
    ],
    "it points at what is not there": [
        ("</main>", '<a href="#chairs">chairs</a></main>', "#chairs is pointed at and is not in the page"),
        ("<p>The numbers", '<p id="seats">The numbers', "#seats is pointed at and is there more than once"),
        (HERE, figure("x", '<path d="M0 0h9v9z" fill="url(#gone)"/>'), "#gone is pointed at"),
    ],
    "its head is wrong": [
        ('lang="en"', 'lang="fr"', '<html lang="fr"> in a page whose name says en'),
        ('<meta name="viewport"', '<meta name="viewpoint"', "no <meta name=viewport"),
        ('<meta charset="utf-8">', "", "no <meta charset"),
    ],
    "it is too large": [("</body>", f"<!--{'x' * 2_000_000}--></body>", "bytes, and 2,000,000 are allowed")],
}
