"""Reports: every sentence from the numbers, in both languages, graded rightly, and never a broken page."""

import html as escaping
import json
import re
import string
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from experiments.config import load
from experiments.report_run import report
from experiments.sweep import Sweep, sweep_all
from reports.balance import page
from reports.balance.cells import Study
from reports.balance.claims import CANNOT, INSIDE, LIKELY, OUTSIDE, SURE, Claim, against, around, both, precise
from reports.balance.language import CATALOGUES, LANGUAGES, Language
from reports.figures.words import ENGLISH
from simcore import load_results
from simcore.contract import WHOLE
from simcore.engine import run
from simcore.errors import IllegalAction, UsageError
from simcore.stats import Estimate, Sample

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = sorted((ROOT / "experiments/configs").glob("*.toml"))
GRID = """
title = "Small"
question = "Which rules?"
game = "doigt"
players = [2, 3]
games = 3000
strategies = "random"
course = true
[grid]
steal = ["on", "off"]
extra_bonus = [1, 0]
"""
DUELS = 'title = "T"\ngame = "doigt"\nplayers = 3\ngames = 600\ntournament = ["random", "mode", "ev"]\n'
RULINGS = 'title = "R"\ngame = "doigt"\nplayers = 3\ngames = 640\nstrategies = "random"\nrulings = true\n'


def simulate(*words, **options):
    words = [sys.executable, "-m", "experiments.cli", *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, timeout=200, cwd=ROOT, **options)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, text in (("grid", GRID), ("duels", DUELS), ("rulings", RULINGS)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
        done = simulate("sweep", folder / f"{name}.toml", "-o", folder / f"{name}.db", "-q")
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def study(files):
    return Study([load_results(str(files / f"{name}.db")) for name in ("grid", "duels", "rulings")], 0.01)


@pytest.fixture(scope="module")
def found(study):
    return page.findings(study)


# Two languages


def marked():
    """Every English text that a reader may see."""
    texts = {entry[2] for entry in extract_from_dir(ROOT / "reports", [("**.py", "python")], keywords={"N_": None})}
    texts |= {value for value in vars(ENGLISH).values() if isinstance(value, str)} | set(ENGLISH.curves.values())
    shipped = [load(str(path)) for path in CONFIGS]
    return texts | {one.title for one in shipped} | {one.question for one in shipped}


def french():
    with (CATALOGUES / "fr/LC_MESSAGES/simcore.po").open("rb") as file:
        return [entry for entry in read_po(file) if entry.id]


def test_every_text_is_translated_and_no_translation_is_left_over():
    done = {entry.id for entry in french() if entry.string}
    assert marked() - done == set()
    assert done - marked() == set()
    assert not [entry.id for entry in french() if entry.fuzzy]


def places(text):
    return sorted((name, form) for _, name, form, _ in string.Formatter().parse(text) if name)


@pytest.mark.parametrize("entry", french(), ids=lambda entry: entry.id[:40])
def test_a_translation_has_the_same_numbers_in_the_same_form(entry):
    assert places(entry.string) == places(entry.id)


def test_french_signs_have_a_space_that_does_not_break():
    for entry in french():
        assert not re.search(r"[^\u00a0\u202f][:;?!%»](\s|$)", entry.string), entry.string
        assert not re.search(r" [:;?!%»]|«[^\u00a0]", entry.string), entry.string


@pytest.mark.parametrize(
    ("written", "english", "french"),
    [
        (("share", 0.27345), "27.3\u00a0%", "27,3\u202f%"),
        (("count", 1234567), "1,234,567", "1\u202f234\u202f567"),
        (("points", -0.0123), "1.2\u00a0points", "1,2\u00a0point"),
        (("points", 0.01), "1.0\u00a0point", "1,0\u00a0point"),
        (("change", -0.0004), "0.0", "0,0"),
        (("change", -0.021), "\u22122.1", "\u22122,1"),
        (("change", 0.021), "+2.1", "+2,1"),
        (("band", 0.01), "1\u00a0point", "1\u00a0point"),
        (("band", 0.005), "0.5\u00a0points", "0,5\u00a0point"),
        (("join", [2, 3, 4]), "2, 3, and 4", "2, 3 et 4"),
    ],
)
def test_numbers_are_written_as_each_language_does(written, english, french):
    form, value = written
    assert [getattr(Language(name), form)(value) for name in LANGUAGES] == [english, french]


# Sentences


def test_every_sentence_is_made_from_the_numbers_that_json_gives(files, study, found):
    paths = [str(files / f"{name}.db") for name in ("grid", "duels", "rulings")]
    for name in LANGUAGES:
        done = simulate("report", *paths, "--json", "--lang", name)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        language, text = Language(name), page.html(study, found, Language(name))
        assert len(told["claims"]) > 20
        for claim in told["claims"]:
            again = Claim(claim["section"], claim["text"], claim["grade"], claim["values"]).sentence(language)
            assert again == claim["sentence"]
            assert f'<span class="sentence">{escaping.escape(again)}</span>'.replace("&#x27;", "&#39;") in text
        assert text.count('class="sentence"') == len(told["claims"])


def test_the_verdict_has_at_most_five_sentences_and_a_row_for_each_number_of_players(found):
    assert 1 <= len([claim for claim in found.claims if claim.section == "verdict"]) <= 5
    (table,) = [table for table in found.tables if table.section == "verdict"]
    assert [row[0][1] for row in table.rows] == [2, 3]


def test_no_p_value_is_in_the_text(study, found):
    for name in LANGUAGES:
        text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page.html(study, found, Language(name)), flags=re.DOTALL)
        assert not re.search(r"\bp\s*(<|=|>|&[lg]t;)|p-val|valeurs? p\b", text)


def test_numbers_in_the_page_are_those_in_the_file(files, study, found):
    text = page.html(study, found, Language("en"))
    results = load_results(str(files / "grid.db"))
    entry = next(one for one in results.cells if one.label.startswith("steal=on, extra_bonus=1, players=3"))
    for line in entry.result.seat_lines:
        assert f"<td>{100 * line.win_share.estimate:.1f}\u00a0%</td>" in text
    length = entry.result.metric_estimates["attempts"].estimate
    assert f"a game takes {length:,.1f} announcements on average" in text
    assert entry.result.digest in text


def test_every_section_is_there_in_order(study, found):
    text = page.html(study, found, Language("en"))
    names = re.findall(r'<section id="(\w+)">', text)
    assert names == ["verdict", "box", "seats", "strategies", "course", "rules", "questions", "reading", "provenance"]
    assert len(re.findall(r"<figure>", text)) == len(found.pictures) >= 7
    assert {one.kind for one in found.pictures} == {
        *("seat_shares", "convergence", "payoff_matrix", "course", "game_length", "advantage_map", "tornado")
    }


def test_a_picture_is_read_out_in_the_words_below_it(study, found):
    text = page.html(study, found, Language("en"))
    for caption in re.findall(r"<figcaption>(.*?)</figcaption>", text):
        assert f'aria-label="{caption}"' in text


# Grades


def synthetic(rng, shares, games):
    """The seats of a result that has these true win shares."""
    wins = rng.multinomial(games, shares)
    return [Sample(games, 1, int(n) * WHOLE, int(n) * WHOLE**2, int(n) * WHOLE**2, WHOLE) for n in wins]


def graded(rng, shares, games):
    players = len(shares)
    return around([both(one, players) for one in synthetic(rng, shares, games)], 1 / players, 0.01)


def test_sure_is_right_99_times_in_100_and_likely_nine_in_ten():
    """A thousand results of known truth, seats off by 0 to 3 points, 3 000 to 300 000 games."""
    rng = np.random.default_rng(5)
    right = {SURE: [], LIKELY: []}
    for _ in range(1000):
        off = rng.uniform(0, 0.03)
        shares = np.array([1 / 3 + off, 1 / 3, 1 / 3 - off])
        found = graded(rng, shares, int(10 ** rng.uniform(3.5, 5.5)))
        truth = OUTSIDE if off > 0.01 else INSIDE
        if found.grade != CANNOT:
            right[found.grade].append(found.where == truth)
    assert len(right[SURE]) > 300 and np.mean(right[SURE]) >= 0.99
    assert len(right[LIKELY]) > 30 and np.mean(right[LIKELY]) >= 0.85


def test_on_the_edge_of_the_band_nothing_is_said():
    rng = np.random.default_rng(6)
    found = [graded(rng, np.array([1 / 3 + 0.01, 1 / 3, 1 / 3 - 0.01]), 100_000).grade for _ in range(1000)]
    assert found.count(SURE) <= 10
    assert found.count(CANNOT) >= 850


def test_a_number_alone_is_graded_like_a_seat():
    rng, wrong, sure = np.random.default_rng(7), 0, 0
    for _ in range(1000):
        truth = rng.uniform(-2, 2)
        value = rng.normal(truth, 1)
        found = against(value, value - 1.96, value + 1.96, 0.0)
        sure += found.grade == SURE
        wrong += found.grade == SURE and (value > 0) != (truth > 0)
    assert sure > 50 and wrong <= 0.01 * sure


@pytest.mark.parametrize(("half", "grade"), [(0.5, SURE), (0.69, SURE), (0.8, LIKELY), (1.18, LIKELY), (1.3, CANNOT)])
def test_a_number_is_as_sure_as_its_last_digit(half, grade):
    assert precise(Estimate(100, 5.0, 5.0 - half, 5.0 + half, "", 1.0), 1.0) == grade


# Files of all kinds


def test_a_file_that_is_not_played_to_its_end_gives_a_page_that_says_so(files, tmp_path):
    def one(cells, progress):
        yield run(cells[0].cell, 1)

    sweep_all(Sweep(str(files / "grid.toml"), {}, str(tmp_path / "part.db"), 1, quiet=True), one)
    for name, words in (("en", "7 cells of these files are still to be played"), ("fr", "7 cellules de ces fichiers")):
        report([str(tmp_path / "part.db")], str(tmp_path / "part.html"), name, 0.01, None, False)
        assert words in (tmp_path / "part.html").read_text(encoding="utf-8")


def test_a_file_without_a_finished_cell_is_refused(files, tmp_path):
    sweep_all(Sweep(str(files / "grid.toml"), {}, str(tmp_path / "none.db"), 1, quiet=True), lambda *_: iter(()))
    with pytest.raises(UsageError) as told:
        report([str(tmp_path / "none.db")], str(tmp_path / "none.html"), "en", 0.01, None, False)
    assert str(told.value) == "report: no cell is finished yet; play the sweep to its end, with --resume"
    assert not (tmp_path / "none.html").exists()


@pytest.mark.parametrize(
    "text",
    [
        'title = "One"\ngame = "doigt"\nplayers = 3\ngames = 10\nstrategies = "random"\n',
        'title = "One"\ngame = "nain-jaune"\nplayers = 4\ngames = 64\nstrategies = "random"\n',
        'title = "One"\ngame = "paris"\nplayers = [2, 4]\ngames = 64\nstrategies = "random"\n'
        '[grid]\nbets = ["open", "hidden"]\n',
        'title = "Deal"\ngame = "nain-jaune"\nplayers = [3, 8]\ngames = 640\nstrategies = "random"\ncourse = true\n'
        '[rules]\ndeals = "n"\n',
    ],
    ids=["ten games", "no course", "a small grid", "eight players"],
)
def test_small_files_give_whole_pages(text, tmp_path):
    (tmp_path / "small.toml").write_text(text, encoding="utf-8")
    assert simulate("sweep", tmp_path / "small.toml", "-o", tmp_path / "small.db", "-q").returncode == 0
    for name in LANGUAGES:
        report([str(tmp_path / "small.db")], str(tmp_path / "small.html"), name, 0.01, None, False)
        text = (tmp_path / "small.html").read_text(encoding="utf-8")
        assert "nan" not in re.sub(r"<[^>]*>", " ", text).lower().split()
        assert text.count("<section") == 9 and text.rstrip().endswith("</html>")


def played(folder, text, cells=None):
    """A results file of these games, of which only the cells that a test picks are played."""
    (folder / "odd.toml").write_text(text, encoding="utf-8")

    def some(planned, progress):
        return (run(entry.cell, 1) if cells is None or cells(entry) else IllegalAction("not now") for entry in planned)

    path = folder / f"odd-{len(list(folder.glob('*.db')))}.db"
    sweep_all(Sweep(str(folder / "odd.toml"), {}, str(path), 1, quiet=True), some)
    return str(path)


def told(*paths, language="en"):
    """Sentences with their grades."""
    claims = page.findings(Study([load_results(path) for path in paths], 0.01)).claims
    return {claim.sentence(Language(language)): claim.grade for claim in claims}


def test_of_one_game_nothing_is_sure_but_what_holds_for_all(tmp_path):
    sentences = told(played(tmp_path, DUELS.replace("600", "1").replace('tournament = ["random", "mode", "ev"]', "")))
    assert sentences
    assert not [text for text, grade in sentences.items() if grade == SURE and re.search(r"\d[.,]\d", text)]


def test_rulings_without_the_cell_they_are_flipped_in_are_left_out(tmp_path):
    path = played(tmp_path, RULINGS, lambda entry: bool(entry.base))
    assert not [text for text in told(path) if "rulings" in text]


def test_a_tournament_that_is_not_finished_is_said_to_be(tmp_path):
    path = played(tmp_path, DUELS, lambda entry: "ev" not in entry.label)
    assert "With 3 players, the tournament is not played to its end yet." in told(path)


def test_of_a_tournament_with_several_sets_of_rules_the_first_is_told(tmp_path):
    several = told(played(tmp_path, DUELS + '[grid]\nsteal = ["on", "off"]\n'))
    (one,) = [text for text in told(played(tmp_path, DUELS)) if "does best" in text or "won most" in text]
    assert one in several


def test_other_strategies_at_other_seats_are_no_seat_effect(tmp_path):
    text = 'title = "M"\ngame = "doigt"\nplayers = 3\ngames = 64\nstrategies = "ev,random,random"\nrotate = false\n'
    with pytest.raises(UsageError, match="other strategies sit at other seats, so that seats cannot be compared"):
        told(played(tmp_path, text))


def test_a_file_of_tables_may_lack_a_number_of_players(tmp_path):
    text = 'title = "P"\ngame = "paris"\nplayers = {}\ngames = 64\nstrategies = "random"\n'
    tables = text.format("2") + '[grid]\ndraw_table = ["T0", "T1"]\n'
    assert told(played(tmp_path, text.format("[2, 3]")), played(tmp_path, tables))


def test_games_that_had_to_be_cut_off_are_told(tmp_path):
    text = 'title = "C"\ngame = "doigt"\nplayers = 3\ngames = 640\nstrategies = "random"\n[rules]\nmax_attempts = 3\n'
    assert [text for text in told(played(tmp_path, text)) if "never ended and were cut off" in text]


def test_a_game_of_ones_own_has_a_page_in_french(tmp_path):
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs/first-game.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    (tmp_path / "bataille.py").write_text(code, encoding="utf-8")
    words = ["--plugin", tmp_path / "bataille.py", "--game", "bataille", "--players", "2", "-n", "2000", "-q"]
    done = simulate(*words, "--report", tmp_path / "b.html", "--lang", "fr")
    assert done.returncode == 0, done.stderr
    assert "une partie compte en moyenne" in (tmp_path / "b.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("band", "words"), [(0.01, "1\u00a0point"), (0.0025, "0.25\u00a0points"), (0.07, "7\u00a0points")]
)
def test_a_band_is_written_to_its_last_digit(band, words):
    assert Language("en").band(band) == words


def test_files_of_two_games_are_refused(files, tmp_path):
    (tmp_path / "p.toml").write_text('title = "P"\ngame = "paris"\nplayers = 3\ngames = 5\nstrategies = "random"\n')
    assert simulate("sweep", tmp_path / "p.toml", "-o", tmp_path / "p.db", "-q").returncode == 0
    done = simulate("report", files / "grid.db", tmp_path / "p.db", "-o", tmp_path / "x.html")
    assert done.returncode == 2
    assert done.stderr == "simulate: report: these are files of several games (doigt, paris); give one at a time\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "report: say where to: -o report.html, --figures FOLDER, or --json"),
        (("-o", "no/x.html"), "-o no/x.html: it cannot be written (No such file or directory)"),
        (("--json", "--lang", "de"), "--lang de: there are en and fr"),
        (("--json", "--band", "0"), "--band 0: give a share of the wins between 0 and 100 %, such as 0.2%"),
    ],
)
def test_wrong_options_are_one_sentence(files, words, says):
    done = simulate("report", files / "grid.db", *words)
    assert (done.returncode, done.stderr) == (2, f"simulate: {says}\n")


def test_figures_are_written_with_their_data(files, found, tmp_path):
    done = simulate("report", files / "grid.db", "--figures", tmp_path / "figures")
    assert done.returncode == 0, done.stderr
    names = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert {"seats", "convergence", "course", "length", "map-small", "tornado-small"} <= names
    for name in names:
        assert {path.suffix for path in (tmp_path / "figures").glob(f"{name}.*")} == {".png", ".svg", ".csv"}


def test_a_run_makes_a_report_of_its_own(tmp_path):
    words = ["--game", "doigt", "--players", "2,3", "-n", "2000", "--strategies", "random", "-q"]
    done = simulate(*words, "--report", tmp_path / "run.html", "--lang", "fr")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert '<html lang="fr">' in text and "celui qui mène à mi-partie" in text
    assert "simulate --game doigt --players 2,3 -n 2000" in text


def test_the_same_file_gives_the_same_page(study, found):
    assert page.html(study, found, Language("fr")) == page.html(study, page.findings(study), Language("fr"))
