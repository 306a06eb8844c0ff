"""The drift gate on a small game: what a baseline holds, what is said of each change, and with which exit code."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import gates
import numpy as np
import pytest
from gates import TOY, as_of_now, kept, tampered, toy_cells, toy_document

from experiments import drift_run
from experiments.drift_run import gate, make
from simcore.baseline import KINDS, Incomparable, checksum, read
from simcore.engine import run
from simcore.errors import UsageError
from simcore.gate import verdicts
from simcore.loop import BLOCKS
from simcore.registry import find_game


def check(*paths, exact=False, allow=False, junit=None, github=False, as_json=False, **options):
    """The exit code of `simulate check`."""
    how = {"tolerance": None, "max_games": None, **options}
    return gate(paths, how["tolerance"], how["max_games"], exact, allow, junit, github, as_json, None, True)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory, forgotten_plugins):
    """Baselines of unchanged games, of another seed, and of engines that favoured the first seat."""
    folder = tmp_path_factory.mktemp("baselines")
    made = {"same": toy_document(), "seed": as_of_now(toy_document(seed=2))}
    made |= {f"favour {often}": as_of_now(toy_document(favour=often)) for often in (2, 200, 500, 2500)}
    return {name: kept(document, folder / f"{name.replace(' ', '-')}.json") for name, document in made.items()}


def only_cell(path, **options):
    (found,) = verdicts([path], **options)
    return found, found.checks.cells[-1]


# what a baseline is


def test_the_file_has_one_line_for_each_block_sorted_keys_and_no_fractions_but_tolerance_and_alpha(shelf):
    text = Path(shelf["same"]).read_text(encoding="utf-8")
    document = json.loads(text, parse_float=lambda number: pytest.fail(number) if number not in ("0.05", "0.01") else 0)
    lines = text.splitlines()
    for cell in document["cells"]:
        assert len(cell["blocks"]) == BLOCKS
        for row in cell["blocks"]:
            assert sum(line.strip().rstrip(",") == json.dumps(row) for line in lines) == 1
            assert len(row) == len(cell["columns"]) and cell["columns"][-3:] == list(KINDS)
    keys = [line.split('"')[1] for line in lines if line.startswith(' "')]
    assert keys == sorted(keys) and len(keys) > 10
    assert document["checksum"] == checksum(document | {"tolerance": 0.05, "alpha": 0.01})


def test_the_same_engine_writes_the_same_bytes_on_any_number_of_threads(tmp_path):
    texts = []
    for threads in (1, 3):
        document = gates.make(toy_cells(players=(2,), games=640), "The highest card", threads=threads)
        texts.append(Path(kept(document, tmp_path / f"{threads}.json")).read_bytes())
    assert texts[0] == texts[1]


def test_sums_of_blocks_are_those_of_the_games_one_by_one(shelf):
    (kept_cell, cell) = next(iter(read(shelf["same"]).cells()))
    lines = []
    run(replace(cell, game=find_game("highest")), rows=lambda first, numbers: lines.append(numbers.copy()))
    outcomes = np.concatenate(lines).view(cell.game.outcome(2)).ravel()
    for block in (0, 1, 63):
        assert kept_cell["blocks"][block][0] == outcomes["share"][block::BLOCKS, 0].sum()


# nothing has changed


@pytest.mark.parametrize("exact", [False, True])
def test_unchanged_is_0(shelf, capsys, exact):
    assert check(shelf["same"], exact=exact) == 0
    told = capsys.readouterr().out
    assert told.count("PASS") == 2 and "the same games, to the last card" in told
    assert ("no code has changed; played again" in told) == (not exact)


def test_a_quick_answer_needs_unchanged_code_and_the_first_games_again(shelf, tmp_path, capsys):
    """A sixteenth of the games is enough where no hash has changed; else all are played."""
    _, cell = only_cell(shelf["same"])
    assert cell.games * 16 <= 2 * cell.kept["games"]
    other = tampered(
        shelf["same"], lambda document: document["code"].update({"game highest": "0" * 48}), tmp_path / "a"
    )
    found, cell = only_cell(other)
    assert (found.code, cell.answer, cell.games) == (0, "unchanged", cell.kept["games"])
    assert any(
        "code of the game highest, finish: its hash was 00000000, it is " in text for text in found.checks.changes
    )


# other games


def test_another_stream_of_random_numbers_with_the_same_distribution_passes_by_statistics(shelf, capsys):
    found, cell = only_cell(shelf["seed"])
    assert (found.code, cell.answer, cell.differs) == (0, "pass", KINDS)
    assert all(abs(one.change) < 0.03 and one.low < 0 < one.high for one in cell.drifts)
    assert check(shelf["seed"]) == 0
    assert "other games, but no win share has moved by more than 5 points" in capsys.readouterr().out


def test_exact_allows_no_other_games(shelf, capsys):
    assert check(shelf["seed"], exact=True) == 5
    assert "FAIL" in (told := capsys.readouterr().out) and "--exact allows no other games" in told


def test_a_first_seat_that_loses_its_favour_fails(shelf, capsys):
    assert check(shelf["favour 2500"]) == 1
    told = capsys.readouterr().out
    assert "FAIL" in told and "win shares have moved by more than 5 points: seat 1" in told
    assert f'accept it with: simulate baseline {shelf["favour 2500"]} --update --reason "why"' in told


def test_numbers_of_a_drift_are_those_of_the_two_runs(shelf):
    _, cell = only_cell(shelf["favour 2500"])
    was, now = (
        next(iter(run(toy_cells(players=(3,), favour=favour)["players=3"]).tally.total("share_seat_0")))
        for favour in (2500, 0)
    )
    drift = cell.drifts[0]
    assert (drift.before, drift.after) == (
        was / 840 / cell.kept["games"],
        pytest.approx(now / 840 / cell.games, abs=0.02),
    )
    assert drift.low < drift.change < drift.high < -0.05


def test_a_change_within_the_tolerance_passes_and_is_named(shelf, capsys):
    """Half of 5 % of the wins at two players: 2.5 points; the same deals, so that it is sure."""
    found, _ = only_cell(shelf["favour 500"])
    assert found.code == 0
    assert check(shelf["favour 500"]) == 0
    assert "within that, these have surely moved: seat 1" in capsys.readouterr().out


def test_a_smaller_tolerance_makes_it_a_drift(shelf):
    assert check(shelf["favour 500"], tolerance="0.5%") == 1


def test_what_cannot_be_said_is_3_or_0_when_allowed(shelf, capsys):
    """2 % of the wins favoured: a point at two players, at the edge of the tolerance."""
    assert check(shelf["favour 200"], tolerance="1%") == 3
    assert "INCONCLUSIVE" in (told := capsys.readouterr().out) and "cannot be said yet" in told
    assert check(shelf["favour 200"], tolerance="1%", allow=True) == 0


def test_fresh_games_are_played_when_those_of_the_baseline_do_not_suffice(shelf):
    _, cell = only_cell(shelf["seed"], tolerance=0.001)
    assert cell.games == 2 * cell.kept["games"]
    _, cell = only_cell(shelf["seed"], tolerance=0.001, max_games=5 * cell.kept["games"])
    assert cell.games == 5 * cell.kept["games"]


def test_a_budget_below_the_replay_is_inconclusive_and_never_a_pass(shelf, capsys):
    assert check(shelf["seed"], max_games="6400") == 3
    assert "to replay the baseline takes 12800 games, and --max-games allows 6400" in capsys.readouterr().out


def test_what_was_not_measured_is_not_excused(shelf):
    """Nor is anything when the games must be the same."""
    assert check(shelf["seed"], max_games="6400", allow=True) == 3
    assert check(shelf["favour 200"], tolerance="1%", allow=True, exact=True) == 5


def test_fresh_games_are_not_played_where_those_of_old_are_much_the_same(shelf):
    """A thousandth of the games differ: what they all have in common cancels, and fresh games would bring it back."""
    _, cell = only_cell(shelf["favour 200"], tolerance=0.013)
    assert all(drift.gain > 2 for drift in cell.drifts)
    assert (cell.answer, cell.games) == ("inconclusive", cell.kept["games"])


@pytest.mark.parametrize("tolerance", [0, 1, 50, float("nan"), -0.1])
def test_a_tolerance_is_a_share(shelf, tolerance):
    with pytest.raises(UsageError, match=r"give a share of the wins between 0 and 1, such as 0\.005"):
        verdicts([shelf["same"]], tolerance)


def test_a_wrong_number_of_threads_is_wrong_input_and_no_drift(shelf):
    with pytest.raises(UsageError, match="--threads 0: give a whole number"):
        verdicts([shelf["same"]], threads=0)


@pytest.mark.parametrize("most", ["0", "-1", "x"])
def test_a_run_of_no_games_is_refused(shelf, most):
    with pytest.raises(UsageError, match="give a whole number from 1"):
        check(shelf["same"], max_games=most)


# the first game that differs


def first_by_hand(favour, players):
    """The first game that two engines, played wholly, end otherwise."""
    shares = []
    for often in (favour, 0):
        cell, lines = toy_cells(players=(players,), favour=often)[f"players={players}"], []
        run(cell, rows=lambda first, numbers, lines=lines: lines.append(numbers.copy()))
        shares.append(np.concatenate(lines).view(cell.game.outcome(players)).ravel()["share"])
    return int(np.nonzero((shares[0] != shares[1]).any(axis=1))[0][0])


@pytest.mark.parametrize(("favour", "at_least"), [(2500, 0), (200, 8), (2, 512)])
def test_the_first_game_that_differs_is_named(shelf, favour, at_least):
    """Among the first few, of which all is kept; the first 512; and wherever a lone one is."""
    found, _ = only_cell(shelf[f"favour {favour}"], exact=True)
    for cell in found.checks.cells:
        first = found.firsts[cell.label]
        expected = first_by_hand(favour, cell.cell.players)
        assert (first.least, first.most) == (expected, expected)
        assert first.command.endswith(f"--number {expected}")
        assert expected >= at_least


def test_the_old_result_is_told_against_the_new_one(shelf):
    found, cell = only_cell(shelf["favour 2500"])
    first = found.firsts[cell.label]
    assert cell.differs == ("outcome",) and first.least < 8
    assert first.was.endswith("Player 1 wins.") and first.now.startswith("End: ")
    assert first.was != first.now and first.line > 0


def test_where_the_old_decisions_are_not_known_the_new_game_is_told(shelf, capsys):
    found, cell = only_cell(shelf["seed"])
    first = found.firsts[cell.label]
    assert (first.least, first.was) == (0, "") and len(first.transcript) > 4
    check(shelf["seed"])
    told = capsys.readouterr().out
    assert "the first game that differs is game 0: simulate replay --game highest" in told
    assert "| Highest card, game 0, seed 1" in told


def test_another_decision_is_told_line_by_line(shelf, tmp_path):
    def guess_otherwise(document):
        for cell in document["cells"]:
            cell["told"][0]["actions"][1] ^= 1
            cell["early"][0] = f"{int(cell['early'][0][:5], 16) ^ 1:05x}{cell['early'][0][5:]}"
            for row in cell["blocks"]:
                row[-2:] = ["0" * 16] * 2

    found, cell = only_cell(tampered(shelf["same"], guess_otherwise, tmp_path / "a"), exact=True)
    first, guess = found.firsts[cell.label], cell.kept["told"][0]["actions"][1]
    assert cell.differs == ("decisions", "outcome")
    assert (first.least, first.was, first.now) == (0, f"Player 2 guesses {guess}.", f"Player 2 guesses {guess ^ 1}.")


def test_other_decisions_with_the_same_results_are_a_pass_that_is_noted(shelf, tmp_path, capsys):
    def guess_otherwise(document):
        document["code"]["strategy highest random"] = "0" * 32
        for cell in document["cells"]:
            cell["blocks"][0][-2] = "0" * 16
            cell["ranges"][0][1] = "0" * 16

    path = tampered(shelf["same"], guess_otherwise, tmp_path / "a")
    assert check(path) == 0
    assert "other decisions, but every outcome is the same" in capsys.readouterr().out
    assert check(path, exact=True) == 5


# what cannot be compared


def edited_by_hand(path, to):
    to.write_text(Path(path).read_text().replace('"tolerance": 0.05', '"tolerance": 0.5'))


def cut_off(path, to):
    to.write_text(Path(path).read_text()[:9000])


def emptied(path, to):
    to.write_text("")


def no_cells(path, to):
    tampered(path, lambda document: document["cells"].clear(), to)


def newer(path, to):
    tampered(path, lambda document: document.update(schema=99), to)


def game_gone(path, to):
    tampered(path, lambda document: document.update(game="whist", plugins=[]), to)


def strategy_gone(path, to):
    def change(document):
        for cell in document["cells"]:
            cell["line_up"] = ["rnd"] * cell["players"]

    tampered(path, change, to)


def rule_gone(path, to):
    tampered(path, lambda document: document["cells"][0]["rules"].update(luck=3), to)


def another_file(path, to):
    to.write_text('{"kind": "results"}')


def not_complete(path, to):
    tampered(path, lambda document: document.pop("alpha"), to)


def wrong_type(path, to):
    tampered(path, lambda document: document.update(plugins=None), to)


def wide_open(path, to):
    tampered(path, lambda document: document.update(tolerance=9), to)


def a_block_short(path, to):
    tampered(path, lambda document: document["cells"][0]["blocks"].pop(), to)


def a_cell_twice(path, to):
    tampered(path, lambda document: document["cells"].append(document["cells"][0]), to)


def without_end(path, to):
    to.write_text("[" * 100_000)


def a_schema_of_nobody(path, to):
    to.write_text('{"kind": "simcore baseline", "schema": 2, "created_with": null}')


def nothing(path, to):
    pass


PROBLEMS = {
    edited_by_hand: "it was edited by hand; take it from version control",
    cut_off: "it is empty, cut off or no JSON",
    emptied: "it is empty, cut off or no JSON",
    no_cells: "it has no cells, so that it measures nothing",
    newer: "its schema is 99, this simcore reads 1; check it with the simcore that made it (0.1.0)",
    game_gone: 'there is no game "whist"',
    strategy_gone: 'highest has no strategy "rnd"',
    rule_gone: '"luck"',
    another_file: "it is not a baseline",
    not_complete: "it is not complete: alpha: Field required",
    wrong_type: "it is not complete: plugins: Input should be a valid list",
    wide_open: "it is not complete: tolerance: Input should be less than 1",
    a_block_short: "it is not complete: cells.0.blocks: List should have at least 64 items",
    a_cell_twice: "a cell is there twice",
    without_end: "it is empty, cut off or no JSON",
    a_schema_of_nobody: "check it with the simcore that made it (unknown)",
    nothing: "it cannot be read (No such file or directory)",
}


@pytest.mark.parametrize("change", PROBLEMS, ids=lambda change: change.__name__)
def test_what_cannot_be_compared_is_4_with_what_would_do(shelf, tmp_path, capsys, change):
    path = tmp_path / "changed.json"
    change(shelf["same"], path)
    with pytest.raises(Incomparable):
        list(read(str(path)).cells())
    assert check(str(path)) == 4
    told = capsys.readouterr().out
    assert told.startswith(f"CANNOT COMPARE  {path}: ") and len(told.splitlines()) == 1
    assert PROBLEMS[change] in told and "simulate baseline CONFIG -o " in told
    assert check(str(path), allow=True) == 4


def test_one_file_that_cannot_be_compared_does_not_hide_the_others(shelf, capsys):
    assert check(shelf["same"], "missing.json") == 4
    assert check(shelf["favour 2500"], "missing.json") == 1
    told = capsys.readouterr().out
    assert "CANNOT COMPARE" in told and "FAIL" in told


def test_an_error_in_simcore_is_70(shelf, capsys, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(drift_run, "verdicts", broken)
    assert check(shelf["same"]) == 70
    assert "an error in simcore; there is no answer" in capsys.readouterr().err


# making and renewing


CONFIG = """title = "The highest card"
game = "highest"
players = [2, 3]
games = 1280
strategies = ["random"]
"""


def renew(file, output=None, tolerance=None, update=True, reason="a better rule", plugins=()):
    make(str(file), output and str(output), tolerance, update, reason, None, plugins, False)


def test_renewing_prints_old_against_new_and_keeps_the_reason(shelf, tmp_path, capsys):
    path = tmp_path / "baseline.json"
    path.write_bytes(Path(shelf["favour 2500"]).read_bytes())
    renew(path)
    told = capsys.readouterr().out
    was = only_cell(shelf["favour 2500"])[1].drifts[0].before
    assert f"seat 1  {100 * was:6.2f} % ->" in told
    history = read(str(path)).document["history"]
    assert history[-1]["reason"] == "a better rule" and len(history[-1]["at"]) == 10
    assert check(str(path), exact=True) == 0
    renew(path, reason="once more")
    assert [entry["reason"] for entry in read(str(path)).document["history"]][-2:] == ["a better rule", "once more"]


def test_a_baseline_from_an_experiment_file_and_anew(tmp_path, capsys):
    (tmp_path / "my.toml").write_text(CONFIG)
    path = tmp_path / "my.json"
    renew(tmp_path / "my.toml", path, "1%", update=False, reason=None, plugins=[TOY])
    document = read(str(path)).document
    assert (document["tolerance"], document["plugins"], document["title"]) == (0.01, [TOY], "The highest card")
    assert check(str(path)) == 0
    (tmp_path / "my.toml").write_text(CONFIG.replace("[2, 3]", "[3, 4]"))
    capsys.readouterr()
    renew(tmp_path / "my.toml", path, reason="four players too")
    told = capsys.readouterr().out
    assert "players=4, strategies=random: new" in told and "players=2, strategies=random: gone" in told
    assert read(str(path)).document["tolerance"] == 0.01


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"update": False, "reason": None}, "it exists; renew it with --update"),
        ({"reason": None}, "say why, with --reason"),
        ({"reason": "  "}, "say why, with --reason"),
    ],
)
def test_a_baseline_is_not_replaced_without_a_reason(shelf, tmp_path, how, says):
    (tmp_path / "my.toml").write_text(CONFIG)
    with pytest.raises(UsageError, match=says):
        renew(tmp_path / "my.toml", shelf["same"], **how)


def test_a_baseline_of_another_game_is_not_replaced(shelf, tmp_path):
    (tmp_path / "doigt.toml").write_text(CONFIG.replace('"highest"', '"doigt"'))
    with pytest.raises(UsageError, match=r"it is a baseline of highest, and .* plays another game"):
        renew(tmp_path / "doigt.toml", shelf["same"])


def test_plugins_are_kept_when_more_are_named(shelf, tmp_path):
    path, more = tmp_path / "baseline.json", tmp_path / "more.py"
    path.write_bytes(Path(shelf["same"]).read_bytes())
    more.write_text(
        "from simcore.contract import strategy\n\n\n"
        '@strategy("highest", answers=(0,))\n'
        'def zero(point, table, seat, hand, params, stream):\n    """Guesses nothing."""\n    return 0\n'
    )
    renew(path, plugins=[str(more)])
    assert read(str(path)).document["plugins"] == [TOY, str(more)]
    assert check(str(path)) == 0


# what CI reads


def test_json_has_the_code_the_answers_and_the_numbers(shelf, capsys):
    assert check(shelf["favour 2500"], "missing.json", as_json=True) == 1
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert document["exit_code"] == 1
    drift, missing = document["files"]
    assert [cell["answer"] for cell in drift["cells"]] == ["drift", "drift"]
    seat = drift["cells"][0]["drifts"][0]
    assert seat["low"] < seat["change"] < seat["high"] < 0 and seat["what"] == "seat 1"
    assert drift["cells"][0]["first_difference"]["was"].endswith("Player 1 wins.")
    assert missing == {"file": "missing.json", "exit_code": 4, "problem": missing["problem"]}


def test_junit_has_a_case_for_each_cell(shelf, tmp_path):
    check(shelf["same"], shelf["favour 2500"], "missing & <gone>.json", junit=str(tmp_path / "drift.xml"))
    suite = ElementTree.parse(tmp_path / "drift.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "1")
    cases = list(suite)
    assert [case.find("failure") is not None for case in cases] == [False, False, True, True, False]
    assert cases[2].find("failure").get("message").startswith("win shares have moved")
    assert "seat 1" in cases[2].find("failure").text
    assert "missing & <gone>.json" in cases[4].find("error").get("message")


def test_github_gets_annotations_and_a_summary(shelf, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    check(shelf["favour 2500"], shelf["seed"], "100 %|:,.json", github=True)
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::")]
    assert [note.split(" ")[0] for note in notes] == ["::error", "::error", "::warning", "::warning", "::error"]
    assert notes[0].startswith(f"::error file={shelf['favour 2500']},title=win rates%3A FAIL::players=2: win shares")
    assert notes[4].startswith("::error file=100 %25|%3A%2C.json,title=cannot compare::100 %25|:,.json: ")
    rows = (tmp_path / "summary.md").read_text().splitlines()
    assert rows[0] == "## Win rates against the baselines"
    assert [row.count(" | ") for row in rows[2:]] == [3, 0, 3, 3, 3, 3, 3]
    assert rows[-1].startswith("| 100 %\\|:,.json |  | CANNOT COMPARE |")
    check(shelf["same"], github=True)
    assert len((tmp_path / "summary.md").read_text().splitlines()) == len(rows) + 6


def test_a_file_that_cannot_be_written_is_said(shelf, tmp_path):
    with pytest.raises(UsageError, match=r"--junit .*: it cannot be written \(Is a directory\)"):
        check(shelf["same"], junit=str(tmp_path))
