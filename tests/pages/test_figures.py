"""Figures: what is drawn, that every text can be read, and what is written to files."""

import re
from contextlib import contextmanager
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from reports import figures
from reports.balance.figure_words import figure_words
from reports.balance.language import Language
from reports.figures import ENGLISH, as_svg, panels, save
from reports.figures.sheet import Sheet
from reports.figures.style import COLOURS, as_ink, contrast, ink_on
from reports.figures.text import shorten, spread, width, wrap
from simcore import UsageError

FRENCH = figure_words(Language("fr"))

NAN = float("nan")
LONG_TITLE = (
    "Seat 1 wins surely more often than its fair share at four players, and no ruling that was tried, alone or with "
    "another one, takes more than a third of that advantage away"
)
LONG_NAMES = ["adaptive:memory=90,epsilon=0.05,prior=2", "minimax:depth=3,samples=200,noise=0.001x", "ev", "random"]
SVG = "{http://www.w3.org/2000/svg}"


def around(estimate, half):
    return {"estimate": estimate, "low": estimate - half, "high": estimate + half}


def seats(*shares, half=0.005):
    return pd.DataFrame([{"seat": seat, **around(share, half), "n": 20000} for seat, share in enumerate(shares, 1)])


def advantages(variants, counts, sd=0.05):
    dice = np.random.default_rng(2)
    rows = [{"variant": v, "players": p, **around(dice.normal(0, sd), 0.01)} for v in variants for p in counts]
    return pd.DataFrame(rows)


def payoffs(names, half=0.006):
    dice = np.random.default_rng(3)
    return pd.DataFrame(
        {"focal": a, "field": b, **around(dice.normal(0, 0.08), half), "dominated": a == names[-1]}
        for a in names
        for b in names
        if a != b
    )


def lengths(scale=1.0, width=1):
    dice = np.random.default_rng(4)
    played = (dice.gamma(16, 4.2 * scale, 20000) // width * width).astype(int)
    length, count = np.unique(played, return_counts=True)
    return pd.DataFrame({"length": length, "width": width, "count": count})


def curves():
    values = {"leader_wins": (0.37, 0.77), "decided": (0.12, 0.67), "last_wins": (0.39, 0.02)}
    return pd.DataFrame(
        {"progress": eighth / 8, "curve": curve, **around(first + (last - first) * (eighth - 1) / 6, 0.015)}
        for curve, (first, last) in values.items()
        for eighth in range(1, 8)
    )


def changes(rules, sd=0.03):
    dice = np.random.default_rng(5)
    return pd.DataFrame({"rule": rule, **around(dice.normal(0, sd), 0.006)} for rule in rules)


def settling(share=0.26):
    n = np.array([100, 300, 1000, 3000, 10000, 30000, 100000])
    half = 0.9 / np.sqrt(n)
    frame = pd.DataFrame({"n": n, "estimate": share + 0.3 * half * np.cos(n), "low": share - half})
    return frame.assign(high=share + half, outer_low=share - 1.6 * half, outer_high=share + 1.6 * half)


NEAR = seats(0.1290, 0.1262, 0.1248, 0.1252, 0.1242, 0.1255, 0.1229, 0.1222, half=0.0015)
RULES = ["heart_bonus=0", "steal=off", "ties=share", "draw_table=T3", "redeal=never"]
VARIANTS = [f"announcer_rotation=clockwise, redeal_when_nobody_matches=always, variant {one}" for one in range(40)]
EMPTY_ENDS = {"low": NAN, "high": NAN}
DRAWN = {
    "seats of doigt": lambda w: figures.seat_shares(seats(0.264, 0.254, 0.245, 0.237), title="Unfair", words=w),
    "eight seats near to fair": lambda w: figures.seat_shares(NEAR, title=LONG_TITLE, footer="seed 1", words=w),
    "one seat of four": lambda w: figures.seat_shares(seats(0.26), players=4, words=w),
    "all or nothing": lambda w: figures.seat_shares(seats(1.0, 0.0).assign(**EMPTY_ENDS), words=w),
    "a map": lambda w: figures.advantage_map(advantages("abcde", [2, 3, 4, 5]).drop(3), title="Fair", words=w),
    "a large map": lambda w: figures.advantage_map(advantages(VARIANTS, [2, 3, 8]), title=LONG_TITLE, words=w),
    "one variant": lambda w: figures.advantage_map(advantages(VARIANTS[:1], [4]), title="One", words=w),
    "pay-offs": lambda w: figures.payoff_matrix(payoffs(["ev", "adaptive", "random"]), title="Who wins", words=w),
    "pay-offs, long names": lambda w: figures.payoff_matrix(payoffs(LONG_NAMES), title="Who wins", words=w),
    "many pay-offs": lambda w: figures.payoff_matrix(payoffs([*LONG_NAMES, *"abcdefg"]), words=w),
    "lengths": lambda w: figures.game_length(lengths(), title="Games are short", footer="20 000 games", words=w),
    "long lengths": lambda w: figures.game_length(lengths(50, 100), cut_off=0.031, title="Long", words=w),
    "one length": lambda w: figures.game_length(
        pd.DataFrame({"length": [12], "width": [1], "count": [500]}), cut_off=0.0, words=w
    ),
    "course": lambda w: figures.course(curves(), fair=0.25, title="Late", words=w),
    "curves that meet": lambda w: figures.course(
        curves().assign(estimate=0.25, low=0.24, high=0.26), fair=0.25, words=w
    ),
    "tornado": lambda w: figures.tornado(changes(RULES), title="Steals matter", footer="seed 1", words=w),
    "tornado in turns": lambda w: figures.tornado(
        changes([*LONG_NAMES, *VARIANTS[:8]], 3), band=None, unit="turns", title=LONG_TITLE, words=w
    ),
    "convergence": lambda w: figures.convergence(settling(), fair=0.25, title="Settled", words=w),
    "one look": lambda w: figures.convergence(settling().iloc[2:3], fair=0.25, words=w),
    "panels of seats": lambda w: panels(
        figures.seat_shares,
        {"3 players": seats(0.396, 0.29, 0.313), "4": seats(0.34, 0.23, 0.23, 0.2), "8": NEAR, "8 again": NEAR},
        title="All",
        shared=False,
        words=w,
    ),
    "panels in one row": lambda w: panels(
        figures.seat_shares, {str(n): seats(*[1 / n] * n) for n in (2, 3, 4, 5)}, columns=4, title="Fair", words=w
    ),
    "panels of courses": lambda w: panels(figures.course, {"3": curves(), "4": curves()}, fair=0.25, words=w),
    "panels of pay-offs": lambda w: panels(
        figures.payoff_matrix, {f"{n} players": payoffs(["aa", "bb", *LONG_NAMES]) for n in (3, 4)}, words=w
    ),
    "one panel": lambda w: panels(figures.seat_shares, {"4 players": seats(0.27, 0.24, 0.25, 0.24)}, words=w),
    "panels of tornados": lambda w: panels(figures.tornado, {"3": changes(RULES), "4": changes(VARIANTS[:9])}, words=w),
    "panels of maps": lambda w: panels(
        figures.advantage_map,
        {"doigt": advantages("abcd", [2, 3]), "paris": advantages("xyz", [2, 3, 4])},
        title="Both",
        words=w,
    ),
}
every_figure = pytest.mark.parametrize("name", DRAWN)


@cache
def finished(name, words):
    """The figure of this name with its texts, drawn once for all tests that only look."""
    drawn = DRAWN[name](words)
    return figure_of(drawn), texts_on(drawn)


def figure_of(drawn):
    return drawn if isinstance(drawn, Figure) else drawn.figure


@contextmanager
def watched_texts():
    """The texts that are drawn meanwhile; ticks beyond an axis, for example, are not."""
    found, draw = [], Text.draw

    def seen(text, renderer, *args, **kwargs):
        if text.get_visible() and text.get_text().strip():
            found.append(text)
        return draw(text, renderer, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", seen)
        yield found


def texts_on(drawn, dpi=100):
    """Every text with its box in pixels, as Agg draws it."""
    figure = figure_of(drawn)
    figure.set_dpi(dpi)
    with watched_texts() as found:
        figure.canvas.draw()
    unique = list({id(text): text for text in found}.values())
    return [(text, Text.get_window_extent(text, figure.canvas.get_renderer())) for text in unique]


def words_on(drawn):
    """What is written, with plain spaces."""
    return [text.get_text().replace("\u00a0", " ").replace("\u202f", " ") for text, _ in texts_on(drawn)]


def overlap(one, other, slack=1.0):
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    upright = min(one.y1, other.y1) - max(one.y0, other.y0)
    return across > slack and upright > slack


@pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["english", "french"])
@every_figure
def test_no_text_is_over_another_or_outside_of_the_figure(name, words):
    figure, found = finished(name, words)
    whole = figure.bbox
    for text, box in found:
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= whole.x1 and box.y1 <= whole.y1, text.get_text()
    for (one, first), (other, second) in combinations(found, 2):
        assert not overlap(first, second), (one.get_text(), other.get_text())


@every_figure
def test_every_text_is_large_enough_and_reads_well(name):
    for text, _ in finished(name, ENGLISH)[1]:
        assert text.get_fontsize() >= 9
        if text.get_color() != "#FFFFFF":  # white is for dark cells, which have a test of their own
            assert contrast(text.get_color(), "white") >= 4.5, text.get_text()


def test_two_texts_on_each_other_would_be_seen():
    axes = figures.seat_shares(seats(0.5, 0.5))
    axes.text(1.5, 0.5, "here")
    axes.text(1.5, 0.5, "there")
    (first, second) = [box for text, box in texts_on(axes) if text.get_text() in ("here", "there")]
    assert overlap(first, second)


def test_the_fair_line_is_at_one_nth_and_has_its_label():
    axes = figures.seat_shares(seats(0.264, 0.254, 0.245, 0.237))
    assert any(list(line.get_ydata()) == [0.25, 0.25] and line.get_linestyle() == "--" for line in axes.lines)
    found = words_on(axes)
    assert "fair 25 %\n± 1 point" in found
    assert [text for text in found if text.startswith("2") and "." in text] == ["26.4 %", "25.4 %", "24.5 %", "23.7 %"]
    assert "20 000 games" in found


def test_the_number_of_players_comes_from_the_frame_when_a_seat_is_missing():
    frame = seats(0.3, 0.2)
    frame.attrs["players"] = 5
    axes = figures.seat_shares(frame)
    assert [0.2, 0.2] in [list(line.get_ydata()) for line in axes.lines]


@pytest.mark.parametrize("frame", [NEAR, seats(0.264, 0.254, 0.245, 0.237)], ids=["near", "doigt"])
def test_the_label_of_a_seat_touches_neither_interval_nor_fair_line(frame):
    axes = figures.seat_shares(frame)
    found = {text.get_text(): box for text, box in texts_on(axes)}
    line = axes.transData.transform((1, 1 / len(frame)))[1]
    for row in frame.itertuples():
        x, low = axes.transData.transform((row.seat, row.low))
        high = axes.transData.transform((row.seat, row.high))[1]
        for text, box in found.items():
            if "." not in text or "fair" in text or "%" not in text:
                continue
            assert not box.y0 < line < box.y1, text
            assert not (box.x0 < x + 3 and box.x1 > x - 3 and box.y0 < high and box.y1 > low), text


def test_certain_shares_have_no_decimals_and_no_interval():
    axes = figures.seat_shares(seats(1.0, 0.0).assign(**EMPTY_ENDS))
    assert {"100 %", "0 %"} <= set(words_on(axes))


def cells(axes):
    """The filled squares of a grid by (row, column)."""
    found = [patch for patch in axes.patches if patch.get_fill() and patch.get_width() == 1]
    return {(patch.get_y(), patch.get_x()): patch for patch in found}


def test_cells_are_hatched_around_zero_and_outlined_outside_of_the_band():
    rows = [("a", 2, 0.05, 0.01), ("a", 3, 0.002, 0.01), ("b", 2, 0.008, 0.001), ("b", 3, NAN, NAN)]
    frame = pd.DataFrame({"variant": v, "players": p, **around(e, h)} for v, p, e, h in rows)
    axes = figures.advantage_map(frame)
    assert {place for place, patch in cells(axes).items() if patch.get_hatch()} == {(0, 1)}
    outlined = [(int(p.get_y()), int(p.get_x())) for p in axes.patches if p.get_gid() == "outline"]
    assert outlined == [(0, 0)]
    found = words_on(axes)
    assert {"+5.0", "+0.2", "+0.8", "–"} <= set(found)
    assert any("Hatched" in text and "Outlined" in text and "1 point" in text for text in found)


def test_the_same_difference_has_the_same_colour_on_every_map():
    one = figures.advantage_map(advantages(["a"], [2]).assign(estimate=0.03))
    other = figures.advantage_map(pd.concat([advantages(["a"], [2]).assign(estimate=0.03), advantages("bcd", [2], 1)]))
    assert cells(one)[0, 0].get_facecolor() == cells(other)[0, 0].get_facecolor()


def test_the_number_in_every_cell_reads_well_on_its_colour():
    frame = advantages(["a"], range(2, 43)).assign(estimate=np.linspace(-0.12, 0.12, 41))
    axes = figures.advantage_map(frame)
    there = cells(axes)
    for text in axes.texts:
        if text.get_text()[1:2].isdigit() and text.xy[1] == 0.5:
            background = there[0, text.xy[0] - 0.5].get_facecolor()[:3]
            assert contrast(text.get_color(), background) >= 4.5
    assert len(there) == 41


def test_dominated_rows_have_a_cross_and_the_word():
    axes = figures.payoff_matrix(payoffs(["ev", "habit", "random"]))
    marks = [text for text in axes.texts if text.get_text() == "× dominated"]
    assert [mark.xy for mark in marks] == [(3, 2.5)]


def test_pay_offs_have_half_their_interval_and_columns_are_in_the_order_of_rows():
    axes = figures.payoff_matrix(payoffs(["ev", "habit", "random"]))
    assert sum(text.endswith("± 0.6") for text in words_on(axes)) == 6
    heads = [text.get_text() for text in sorted(axes.texts, key=lambda one: one.xy[0]) if text.xy[1] == 0]
    assert heads == ["ev", "habit", "random"]


def test_long_names_of_columns_become_letters_that_stand_at_the_rows():
    found = words_on(figures.payoff_matrix(payoffs(LONG_NAMES)))
    assert {"A", "B", "C", "D"} <= set(found)
    assert "random  D" in found


def test_percentiles_are_those_of_the_games():
    frame = lengths()
    played = np.sort(np.repeat(frame["length"], frame["count"]))
    levels = [played[int(np.ceil(level * len(played))) - 1] for level in (0.05, 0.5, 0.95)]
    axes = figures.game_length(frame)
    lines = [collection.get_segments()[0][0][0] for collection in axes.collections]
    assert lines == levels
    assert {f"5 % by {levels[0]}", f"half by {levels[1]}", f"95 % by {levels[2]}"} <= set(words_on(axes))


def test_percentiles_inside_wide_bins_are_interpolated():
    frame = pd.DataFrame({"length": [0, 100], "width": [100, 100], "count": [500, 500]})
    axes = figures.game_length(frame)
    assert [one.get_segments()[0][0][0] for one in axes.collections] == pytest.approx([10, 100, 190])


def test_games_that_were_cut_off_have_a_bar_of_their_own_and_all_bars_are_all_games():
    axes = figures.game_length(lengths(), cut_off=0.2)
    (cut,) = [patch for patch in axes.patches if patch.get_gid() == "cut off"]
    others = [patch for patch in axes.patches if patch is not cut]
    assert cut.get_height() == 0.2 and cut.get_hatch()
    assert cut.get_x() > max(patch.get_x() + patch.get_width() for patch in others)
    assert sum(patch.get_height() for patch in axes.patches) == pytest.approx(1)
    assert "cut off\n20.0 %" in words_on(axes)


def test_curves_differ_in_colour_marker_and_dash_and_say_their_names():
    axes = figures.course(curves(), fair=0.25)
    drawn = [line for line in axes.lines if line.get_marker() not in ("None", None, "")]
    assert [line.get_color() for line in drawn] == list(COLOURS[:3])
    assert len({line.get_marker() for line in drawn}) == len({str(line._dash_pattern) for line in drawn}) == 3
    assert {"the leader wins", "decided", "the last win", "fair 25 %"} <= set(words_on(axes))


def test_bars_are_sorted_by_size_and_hatched_when_they_may_be_nothing():
    rows = {"small": (0.002, 0.006), "large": (-0.05, 0.01), "middle": (0.02, 0.01)}
    axes = figures.tornado(pd.DataFrame({"rule": rule, **around(*numbers)} for rule, numbers in rows.items()))
    bars = [patch for patch in axes.patches if patch.get_height() == pytest.approx(0.62)]
    assert [bar.get_width() for bar in bars] == [-0.05, 0.02, 0.002]
    assert [bool(bar.get_hatch()) for bar in bars] == [False, False, True]
    found = words_on(axes)
    assert {"−5.0", "+2.0", "+0.2"} <= set(found)
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first row is on top


def test_numbers_of_another_unit_are_drawn_as_they_are():
    frame = pd.DataFrame([{"rule": "steal=off", **around(3.21, 0.5)}])
    found = words_on(figures.tornado(frame, unit="turns", band=None))
    assert "+3.2" in found and "turns" in found


def test_a_share_that_settles_has_its_last_value_at_the_end():
    frame = settling()
    found = words_on(figures.convergence(frame, fair=0.25))
    assert f"{100 * frame['estimate'].iloc[-1]:.1f} %" in found
    assert any("dashed" in text for text in found)
    without = figures.convergence(frame.drop(columns=["outer_low", "outer_high"]), fair=0.25)
    assert not any("dashed" in text for text in words_on(without))


def test_panels_share_their_upright_axis_unless_told_otherwise():
    frames = {"2 players": seats(0.52, 0.48), "5 players": seats(0.22, 0.2, 0.2, 0.19, 0.19)}
    figure = panels(figures.seat_shares, frames, title="Fair enough", footer="seed 1")
    found = words_on(figure)
    assert {"Fair enough", "2 players", "5 players", "seed 1"} <= set(found)
    one, other = figure.plots
    assert one.get_ylim() == other.get_ylim()
    apart = panels(figures.seat_shares, frames, shared=False)
    assert apart.plots[0].get_ylim() != apart.plots[1].get_ylim()


def test_panels_that_are_too_wide_to_stand_side_by_side_stand_below_each_other():
    wide, _ = finished("panels of pay-offs", ENGLISH)
    assert (wide.rows, wide.columns) == (2, 1)
    assert wide.get_size_inches()[0] == 7
    narrow, _ = finished("panels of maps", ENGLISH)
    assert (narrow.rows, narrow.columns) == (1, 2)


def test_one_panel_has_its_heading_too():
    assert "4 players" in [text.get_text() for text in finished("one panel", ENGLISH)[0].findobj(Text)]


def test_french_words_have_a_comma_and_a_narrow_space_before_per_cent():
    axes = figures.seat_shares(seats(0.264, 0.254, 0.245, 0.237), words=FRENCH)
    found = [text.get_text() for text, _ in texts_on(axes)]
    assert {"26,4\u202f%", "équitable\u00a0: 25\u202f%\n±\u00a01\u00a0point"} <= set(found)


def test_names_with_dollar_signs_are_not_read_as_formulas():
    frame = changes(["stake=$5$", "stake=$10$"])
    assert {"stake=$5$", "stake=$10$"} <= set(words_on(figures.tornado(frame)))
    assert "stake=$5$" in as_svg(figures.tornado(frame).figure)


def test_axes_of_a_figure_of_ones_own_can_be_drawn_in():
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    assert figures.seat_shares(seats(0.6, 0.4), axes, title="Two", footer="seed 1") is axes
    assert {"Two", "seed 1", "60.0\u00a0%"} <= {text.get_text() for text in figure.findobj(Text)}


@every_figure
def test_an_svg_is_well_formed_as_wide_as_its_page_and_has_text(name):
    svg = as_svg(finished(name, ENGLISH)[0])
    root = ElementTree.fromstring(svg)
    assert svg.startswith("<svg") and root.get("viewBox") and not {"width", "height"} & set(root.attrib)
    assert len(list(root.iter(f"{SVG}text"))) > 3 and not list(root.iter(f"{SVG}style"))


@pytest.mark.parametrize("name", ["seats of doigt", "a map", "long lengths", "course", "tornado", "panels of seats"])
def test_an_svg_is_the_same_every_time(name):
    figure = figure_of(DRAWN[name](ENGLISH))
    assert as_svg(figure) == as_svg(figure) == as_svg(figure_of(DRAWN[name](ENGLISH)))


def test_the_same_prefix_starts_every_id_and_every_reference():
    svg = as_svg(figures.advantage_map(advantages("ab", [2, 3], 0.001), title="Fair <&> square").figure, "fig3")
    root = ElementTree.fromstring(svg)
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert ids and len(set(ids)) == len(ids) and all(one.startswith("fig3-") for one in ids)
    references = re.findall(r'url\(#(.*?)\)|href="#(.*?)"', svg)
    assert references and {one or other for one, other in references} == set(ids)
    assert root.get("aria-label") == "Fair <&> square"


def test_figures_on_one_page_have_different_ids():
    one, other = (as_svg(figures.seat_shares(seats(*shares)).figure) for shares in ((0.5, 0.5), (0.6, 0.4)))
    ids = [{node.get("id") for node in ElementTree.fromstring(svg).iter()} - {None} for svg in (one, other)]
    assert all(ids) and not ids[0] & ids[1]


def test_a_notebook_shows_what_a_figure_gives_back():
    axes = figures.seat_shares(seats(0.5, 0.5), title="Fair")
    assert axes._repr_svg_() == axes.figure._repr_svg_() == as_svg(axes.figure)
    assert isinstance(axes.figure, Sheet)


def test_save_writes_the_picture_twice_and_its_numbers(tmp_path):
    frame = seats(0.6, 0.4)
    figure = figures.seat_shares(frame).figure
    paths = save(figure, tmp_path / "new" / "figures", "seats", frame)
    assert [path.name for path in paths] == ["seats.png", "seats.svg", "seats.csv"]
    png = paths[0].read_bytes()
    assert png[:4] == b"\x89PNG" and int.from_bytes(png[16:20], "big") == 1400  # 7 inches of 200 dots
    ElementTree.parse(paths[1])
    pd.testing.assert_frame_equal(pd.read_csv(paths[2]), frame)
    before = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in save(figure, paths[0].parent, "seats", frame)] == before


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"file: figures cannot be written there: \S"):
        save(figures.seat_shares(seats(0.5, 0.5)).figure, tmp_path / "file", "a", seats(0.5, 0.5))


CALLS = {
    "seat_shares": (figures.seat_shares, seats(0.5, 0.5), "n"),
    "advantage_map": (figures.advantage_map, advantages("ab", [2]), "variant"),
    "payoff_matrix": (figures.payoff_matrix, payoffs(["a", "b"]), "dominated"),
    "game_length": (figures.game_length, lengths(), "width"),
    "course": (figures.course, curves(), "curve"),
    "tornado": (figures.tornado, changes(RULES), "low"),
    "convergence": (lambda frame: figures.convergence(frame, fair=0.25), settling(), "high"),
}
every_call = pytest.mark.parametrize("name", CALLS)


@every_call
def test_a_frame_without_rows_is_refused(name):
    draw, frame, _ = CALLS[name]
    with pytest.raises(UsageError, match=f"{name}: the frame has no rows"):
        draw(frame.iloc[:0])


@every_call
def test_a_missing_column_is_named(name):
    draw, frame, column = CALLS[name]
    with pytest.raises(UsageError, match=f'{name}: the frame has no column "{column}"; its columns are: '):
        draw(frame.drop(columns=column))


@every_call
def test_text_in_a_column_of_numbers_is_refused(name):
    draw, frame, _ = CALLS[name]
    column = "count" if name == "game_length" else "estimate"
    with pytest.raises(UsageError, match=f'{name}: column "{column}" must have finite numbers only'):
        draw(frame.assign(**{column: "many"}))


@every_call
def test_two_rows_about_the_same_are_refused(name):
    draw, frame, _ = CALLS[name]
    with pytest.raises(UsageError, match="has several rows; give one row for each "):
        draw(pd.concat([frame, frame]))


def test_what_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="band = 0: give a number above 0"):
        figures.seat_shares(seats(0.5, 0.5), band=0)
    with pytest.raises(UsageError, match='column "estimate" has a row without a number'):
        figures.seat_shares(seats(0.5, NAN))
    with pytest.raises(UsageError, match=r"cut_off = 1\.5: give a share from 0 to 1"):
        figures.game_length(lengths(), cut_off=1.5)
    with pytest.raises(UsageError, match="some games must have ended"):
        figures.game_length(lengths().assign(count=0))
    with pytest.raises(UsageError, match="give at least one frame"):
        panels(figures.seat_shares, {})


def test_lines_are_no_wider_than_asked_and_lose_no_letter():
    text = "redeal_when_nobody_matches=always, steal=off and averyveryverylongwordwithoutanysign"
    for points in (40, 90, 200):
        lines = wrap(text, points)
        assert all(width(line) <= points for line in lines)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert len(wrap(text, 90, most=2)) == 2 and "…" in wrap(text, 90, most=2)[1]


def test_a_shortened_name_keeps_both_ends():
    short = shorten("announcer_rotation=clockwise", 100)
    assert short.startswith("announ") and short.endswith("wise") and width(short) <= 100


def test_labels_move_apart_no_further_than_they_must():
    assert spread([10, 50], [10, 10], 0, 100) == [10, 50]
    assert spread([20, 20], [10, 10], 0, 100) == [15, 25]
    assert spread([1, 2, 99], [10, 10, 10], 0, 100) == [5, 15, 95]


@pytest.mark.parametrize("colour", COLOURS)
def test_a_darkened_colour_reads_well_on_white(colour):
    assert contrast(as_ink(colour), "#FFFFFF") >= 4.5
    assert contrast(ink_on(to_rgb(colour)), colour) >= 4.5
