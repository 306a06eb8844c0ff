"""Experiment files: wrong ones are refused in one sentence, right ones make the cells that they say."""

import subprocess
import sys

import pytest

from experiments.config import load
from experiments.plan import plan
from experiments.sweep_run import CONFIGS, find
from simcore.errors import UsageError
from simcore.registry import find_game
from simcore.rules import settings

HEAD = {"title": '"Test"', "game": '"doigt"', "players": "[3]", "games": "1000", "strategies": '"random"'}


def written(folder, text, **keys):
    """A file with the usual keys, these in place of them (None: without it), and the text after them."""
    lines = [f"{name} = {value}" for name, value in {**HEAD, **keys}.items() if value is not None]
    path = folder / "test.toml"
    path.write_text("\n".join([*lines, text]), encoding="utf-8")
    return str(path)


def cells(folder, text="", overrides=None, **keys):
    path = written(folder, text, **keys)
    return plan(load(path, overrides), path)


def labels(folder, text="", overrides=None, **keys):
    """The labels of the cells, without what is the same in all of them."""
    found = [entry.label for entry in cells(folder, text, overrides, **keys)]
    return [label.removesuffix(", players=3, strategies=random") for label in found]


COUNT = 'it takes a whole number from 1 to 1e12, such as 20_000, 2e4 or "20k"'
PLAYERS = "it takes whole numbers, such as 4 or [2, 3, 4]"
SEEDS = "it takes a whole number from 0 to 9223372036854775807"
VALUE = "it takes a text in quotes, a whole number, true or false, or a list of whole numbers"
TWO = '[[variant]]\nname = "a"\n[[variant]]\nname = "b"\n'

WRONG = [
    # keys
    ({"gmes": "5"}, "", 'there is no key "gmes"; did you mean "games"?'),
    ({"gmes": "5", "games": None}, "", 'there is no key "gmes"; did you mean "games"?'),
    ({"title": None}, "", "title is missing"),
    ({"game": None}, "", "game is missing"),
    ({"players": None}, "", "players is missing"),
    ({"games": None}, "", "games is missing"),
    ({}, "[[variant]]\nrules = { steal = 'off' }", "variant.1.name is missing"),
    ({}, TWO + "rule = { steal = 'off' }", 'there is no key "variant.2.rule"; did you mean "rules"?'),
    ({}, TWO + "steal = 'off'", 'there is no key "variant.2.steal"; there are: name, rules'),
    # types and values
    ({"title": "5"}, "", "title = 5: it takes a text in quotes"),
    ({"title": '""'}, "", 'title = "": it takes at least one letter'),
    ({"games": "1.5"}, "", f"games = 1.5: {COUNT}"),
    ({"games": '"1e30"'}, "", f'games = "1e30": {COUNT}'),
    ({"games": "0"}, "", f"games = 0: {COUNT}"),
    ({"games": "inf"}, "", f"games = inf: {COUNT}"),
    ({"games": "true"}, "", f"games = true: {COUNT}"),
    ({"seed": "-1"}, "", f"seed = -1: {SEEDS}"),
    ({"seed": "9223372036854775808"}, "", f"seed = 9223372036854775808: {SEEDS}"),
    ({"seed": '"clock"'}, "", 'seed = "clock": it takes a whole number'),
    ({"players": '"2-4"'}, "", f'players.1 = "2-4": {PLAYERS}'),
    ({"players": "3.5"}, "", f"players = 3.5: {PLAYERS}"),
    ({"players": "[]"}, "", "players = []: it takes at least one value"),
    ({"players": "[3, 3]"}, "", "players: 3 is there twice"),
    ({"rotate": '"yes"'}, "", 'rotate = "yes": it takes true or false'),
    ({"rules": "5"}, "", "rules = 5: it takes a table of names and values"),
    ({}, "[variant]\nname = 'a'", 'variant = { name = "a" }: write it as [[variant]]'),
    ({}, "[exclude]\nplayers = 2", "exclude = { players = 2 }: write it as [[exclude]]"),
    ({}, "[grid]\nsteal = 'on'", 'grid.steal = "on": it takes a list, such as [0, 1]'),
    ({}, "[grid]\nsteal = []", "grid.steal = []: it takes at least one value"),
    ({}, "[grid]\nheart_bonus = [0, 0.5]", f"grid.heart_bonus.2 = 0.5: {VALUE}"),
    ({}, "[rules]\nheart_bonus = 1.0", f"rules.heart_bonus = 1.0: {VALUE}"),
    # games, players, strategies
    ({"game": '"dogt"'}, "", 'game = "dogt": there is no game "dogt"; did you mean "doigt"?'),
    ({"players": "[3, 7]"}, "", "players = 7: doigt takes 2 to 5 players"),
    ({"strategies": '"randm"'}, "", 'strategies = "randm": doigt has no strategy "randm"; did you mean "random"?'),
    (
        {"strategies": '"adaptive:memry=9"'},
        "",
        'strategies = "adaptive:memry=9": strategy adaptive has no parameter "memry"; did you mean "memory"?',
    ),
    (
        {"strategies": '"adaptive:memory=900"'},
        "",
        'strategies = "adaptive:memory=900": strategy adaptive: memory = 900: it takes a whole number from 1 to 100',
    ),
    (
        {"strategies": '["random", "ev,random"]'},
        "",
        "cell players=3, strategies=ev,random: strategies ev,random: 2 strategies for 3 players; give 1 or 3; "
        "or leave it out with [[exclude]]",
    ),
    (
        {"strategies": "[3]"},
        "",
        'strategies.1 = 3: it takes line-ups in quotes, such as "random" or ["random", "ev,random,random"]',
    ),
    (
        {"pool": '["ev"]'},
        "",
        "give one of strategies (line-ups), pool (each plays against itself) and tournament (each against each)",
    ),
    (
        {"tournament": '["ev", "mode"]'},
        "",
        "give one of strategies (line-ups), pool (each plays against itself) and tournament (each against each)",
    ),
    (
        {"strategies": None, "tournament": '["ev", "bonis"]'},
        "",
        'tournament = "bonis": doigt has no strategy "bonis"; did you mean "bonus"?',
    ),
    (
        {"strategies": None, "pool": '["ev", "bonis"]'},
        "",
        'pool = "bonis": doigt has no strategy "bonis"; did you mean "bonus"?',
    ),
    (
        {"strategies": None, "pool": '["ev,random,random"]'},
        "",
        'pool = "ev,random,random": it takes single strategies; line-ups go into strategies',
    ),
    (
        {"strategies": None, "pool": '"ev"'},
        "",
        'pool = "ev": it takes a list of strategies in quotes, such as ["random", "ev"]',
    ),
    # rules
    ({}, "[rules]\nheart_bonu = 1", 'rules: doigt has no rule "heart_bonu"; did you mean "heart_bonus"?'),
    ({}, "[grid]\nstal = ['on']", 'grid: doigt has no rule "stal"; did you mean "steal"?'),
    ({}, "[rules]\nheart_bonus = 7", "rules.heart_bonus = 7: it takes 0, 1, red"),
    ({}, "[grid]\nmax_attempts = [10, 0]", "grid.max_attempts = 0: it takes a whole number from 1 to 1000000"),
    ({}, "[grid]\nheart_bonus = [1, '1']", 'grid.heart_bonus: "1" is there twice'),
    (
        {},
        "[grid]\nsteal = ['on']\nseed = [1, 2]",
        'grid: "seed" is no rule; as a key of the file it goes above the first [table]',
    ),
    (
        {},
        TWO + "rules = { heart_bonu = 1 }",
        'variant.2.rules: doigt has no rule "heart_bonu"; did you mean "heart_bonus"?',
    ),
    ({}, TWO + "rules = { heart_bonus = 7 }", "variant.2.rules.heart_bonus = 7: it takes 0, 1, red"),
    ({}, TWO + '[[variant]]\nname = "a"', 'variant: the name "a" is there twice'),
    (
        {},
        "[zip]\nheart_bonus = [0, 1]\nsteal = ['on']",
        "zip: lists that go together are equally long, these have heart_bonus 2, steal 1",
    ),
    (
        {},
        "[zip]\nheart_bonus = [1, 1]\nsteal = ['on', 'on']",
        "the cell heart_bonus=1, steal=on, players=3, strategies=random is there twice; leave one of them out",
    ),
    (
        {},
        "[grid]\nsteal = ['on']\n[zip]\nsteal = ['on']",
        "grid.steal: it is in zip too; leave it in one of them",
    ),
    (
        {},
        "[grid]\nsteal = ['on']\n[rules]\nsteal = 'off'",
        "grid.steal: it is in rules too; leave it in one of them",
    ),
    (
        {},
        TWO + "rules = { steal = 'off' }\n[zip]\nsteal = ['on']",
        "zip.steal: it is in variant.2 too; leave it in one of them",
    ),
    # rulings
    (
        {"rulings": "true"},
        "[grid]\nsteal = ['on']",
        "grid: rulings = true flips one rule at a time; put it into another file",
    ),
    ({}, "[numbers]\nmax_attempts = [20]", "numbers: it goes with rulings = true only"),
    (
        {"rulings": "true"},
        "[numbers]\nmax_atempts = [1]",
        'numbers: doigt has no rule "max_atempts"; did you mean "max_attempts"?',
    ),
    (
        {"rulings": "true"},
        "[companions]\non_cap = { max_attempts = 0 }",
        "companions.on_cap.max_attempts = 0: it takes a whole number from 1 to 1000000",
    ),
    (
        {"rulings": "true"},
        "[[exclude]]\nsteal = 'on'",
        "cell steal=off, players=3, strategies=random: what it is compared with, players=3, strategies=random, "
        "is in [[exclude]]",
    ),
    # exclude
    ({}, "[[exclude]]\nplayrs = 3", 'exclude.1: doigt has no rule "playrs"; did you mean "players"?'),
    ({}, "[[exclude]]\nplayers = [2, 8]", "exclude.1.players = 8: doigt takes 2 to 5 players"),
    ({}, "[[exclude]]\nheart_bonus = 9", "exclude.1.heart_bonus = 9: it takes 0, 1, red"),
    ({}, "[[exclude]]\nvariant = 'a'", "exclude.1.variant: there is no [[variant]] in this file"),
    ({}, TWO + "[[exclude]]\nvariant = 'c'", 'exclude.1: there is no variant "c"; there are: a, b'),
    ({}, "[[exclude]]", "exclude.1: it is empty; name what to leave out, such as players = 2"),
    ({}, "[[exclude]]\nplayers = 3", "there are no cells; [[exclude]] takes them all"),
    (
        {"game": '"paris"'},
        "[grid]\nexclusive_bets = ['true']\nbets = ['open', 'hidden']",
        "cell exclusive_bets=true, bets=hidden, players=3, strategies=random: rule exclusive_bets = true: nobody can "
        "see which bets are taken while bets = hidden; or leave it out with [[exclude]]",
    ),
    # TOML
    ({"title": ""}, "", "it is not a TOML file: Invalid value (at line 1, column 9)"),
]


@pytest.mark.parametrize(("keys", "text", "sentence"), WRONG, ids=[sentence[:60] for _, _, sentence in WRONG])
def test_a_wrong_file_is_refused_with_this_sentence(tmp_path, keys, text, sentence):
    with pytest.raises(UsageError) as caught:
        cells(tmp_path, text, **keys)
    assert str(caught.value) == f"{tmp_path}/test.toml: {sentence}"


def test_files_that_cannot_be_read(tmp_path):
    path = tmp_path / "test.toml"
    with pytest.raises(UsageError) as caught:
        load(str(path))
    assert str(caught.value) == f"{path}: it cannot be read (No such file or directory)"
    path.write_bytes(b'title = "caf\xe9"\n')
    with pytest.raises(UsageError) as caught:
        load(str(path))
    assert str(caught.value) == f"{path}: byte 13 is not UTF-8; save the file as UTF-8"
    with pytest.raises(UsageError) as caught:
        load(str(tmp_path))
    assert str(caught.value) == f"{tmp_path}: it cannot be read (Is a directory)"


def test_a_wrong_file_ends_with_2_and_its_sentence_alone(tmp_path):
    path = written(tmp_path, "", players="[7]")
    words = [sys.executable, "-m", "experiments.cli", "sweep", path, "-o", str(tmp_path / "r.db")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"simulate: {path}: players = 7: doigt takes 2 to 5 players\n"
    assert not (tmp_path / "r.db").exists()


def test_a_name_that_is_no_file_is_an_experiment_that_comes_along():
    assert find("doigt-bonus") == str(CONFIGS / "doigt-bonus.toml")
    with pytest.raises(UsageError, match='there is no experiment "doigt-bonis"; did you mean "doigt-bonus"'):
        find("doigt-bonis")


def test_a_grid_is_every_combination_and_the_last_changes_fastest(tmp_path):
    found = cells(tmp_path, "[grid]\nheart_bonus = [0, 'red']\nsteal = ['off', 'on']", players="[2, 3]")
    assert [entry.label for entry in found] == [
        f"heart_bonus={bonus}, steal={steal}, players={players}, strategies=random"
        for bonus in ("0", "red")
        for steal in ("off", "on")
        for players in (2, 3)
    ]
    for entry in found:
        rules = entry.cell.rules
        assert entry.factors["heart_bonus"] == rules.heart_bonus and entry.factors["steal"] == rules.steal
        assert entry.factors["players"] == entry.cell.players == len(entry.cell.line_up)
        assert (entry.cell.games_asked, entry.cell.seed, entry.base) == (1000, 1, "")
        assert rules.zero_is_even == "true"


def test_values_are_named_as_the_game_names_them(tmp_path):
    assert labels(tmp_path, "[grid]\nsteal = [true]\nzero_is_even = [false]\nheart_bonus = [1]") == [
        "steal=on, zero_is_even=false, heart_bonus=1"
    ]


def test_variants_are_named_sets_of_rules(tmp_path):
    text = """
        [rules]
        heart_bonus = "red"
        [[variant]]
        name = "as written"
        [[variant]]
        name = "calm"
        rules = { steal = "off", heart_bonus = 0 }
    """
    written_one, calm = cells(tmp_path, text)
    assert [written_one.label, calm.label] == [
        "as written, players=3, strategies=random",
        "calm, players=3, strategies=random",
    ]
    assert (written_one.cell.rules.heart_bonus, written_one.cell.rules.steal) == ("red", "on")
    assert (calm.cell.rules.heart_bonus, calm.cell.rules.steal) == ("0", "off")
    assert calm.factors == {"variant": "calm", "players": 3, "strategies": "random"}


def test_lists_in_zip_go_together_and_multiply_with_the_rest(tmp_path):
    text = TWO + "[grid]\nsteal = ['off', 'on']\n[zip]\nheart_bonus = [0, 1]\nextra_bonus = [1, 0]"
    assert labels(tmp_path, text) == [
        f"{variant}, steal={steal}, {together}"
        for variant in ("a", "b")
        for steal in ("off", "on")
        for together in ("heart_bonus=0, extra_bonus=1", "heart_bonus=1, extra_bonus=0")
    ]


def test_exclude_takes_out_what_fits_in_every_word(tmp_path):
    grid = "[grid]\nheart_bonus = [0, 1]\nsteal = ['off', 'on']\n"
    assert labels(tmp_path, grid + "[[exclude]]\nheart_bonus = 0\nsteal = true") == [
        "heart_bonus=0, steal=off",
        "heart_bonus=1, steal=off",
        "heart_bonus=1, steal=on",
    ]
    assert labels(tmp_path, grid + "[[exclude]]\nheart_bonus = [0, 1]\nsteal = 'on'\n[[exclude]]\nheart_bonus = 1") == [
        "heart_bonus=0, steal=off"
    ]
    by_default = "[grid]\nheart_bonus = [0, 1]\n[[exclude]]\nsteal = 'on'\nheart_bonus = 1"  # thefts are the default
    assert labels(tmp_path, by_default) == ["heart_bonus=0"]
    assert labels(tmp_path, TWO + "[[exclude]]\nvariant = 'a'") == ["b"]


def test_exclude_is_the_way_out_of_a_line_up_for_another_number_of_players(tmp_path):
    line_ups = '["random", "ev,random"]'
    found = cells(tmp_path, "[[exclude]]\nplayers = 3\nstrategies = 'ev,random'", players="[2, 3]", strategies=line_ups)
    assert [(entry.cell.players, entry.factors["strategies"]) for entry in found] == [
        (2, "random"),
        (2, "ev,random"),
        (3, "random"),
    ]


def test_each_of_a_pool_plays_against_itself(tmp_path):
    found = cells(tmp_path, strategies=None, pool='["random", "ev", "adaptive:memory=90"]')
    assert [[one.text for one in entry.cell.line_up] for entry in found] == [
        ["random"] * 3,
        ["ev"] * 3,
        ["adaptive:memory=90"] * 3,
    ]


def test_without_strategies_the_games_own_line_up_plays(tmp_path):
    (found,) = cells(tmp_path, strategies=None)
    assert found.factors["strategies"] == find_game("doigt").default_line_up


def test_a_mixed_line_up_keeps_its_seats_where_the_file_says_so(tmp_path):
    line_up = '["ev,random,random"]'
    (moved,), (kept,) = cells(tmp_path, strategies=line_up), cells(tmp_path, strategies=line_up, rotate="false")
    assert (moved.cell.rotations, kept.cell.rotations) == (3, 1)


@pytest.mark.parametrize(("text", "games"), [("2e4", 20_000), ('"20k"', 20_000), ("20_000", 20_000), ('"1M"', 10**6)])
def test_games_are_numbers_as_people_write_them(tmp_path, text, games):
    assert cells(tmp_path, games=text)[0].cell.games_asked == games


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path):
    path = tmp_path / "test.toml"
    lines = [f"{name} = {value}" for name, value in HEAD.items()]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert load(str(path)).title == "Test"


def test_rulings_flip_every_rule_to_every_other_value_once(tmp_path):
    text = "[numbers]\nmax_attempts = [20, 100]"
    base, *flipped = cells(tmp_path, text, rulings="true")
    assert (base.label, base.base) == ("players=3, strategies=random", "")
    assert base.cell.rules == find_game("doigt").rules()
    assert {entry.base for entry in flipped} == {base.label}
    expected = set()
    for name, (default, setting) in settings(find_game("doigt").rules).items():
        values = [option.name for option in setting.options]
        if setting.takes_numbers:
            few = setting.most - setting.least < 13
            values += [20, 100] if name == "max_attempts" else range(setting.least, setting.most + 1) if few else []
        expected |= {(name, str(value)) for value in values if str(value) != str(default)}
    found = [(name, str(value)) for entry in flipped for name, value in list(entry.factors.items())[:-2]]
    assert sorted(found) == sorted(expected)
    for entry in flipped:
        changed = {
            name: getattr(entry.cell.rules, name)
            for name in settings(type(entry.cell.rules))
            if getattr(entry.cell.rules, name) != getattr(base.cell.rules, name)
        }
        assert list(changed) == list(entry.factors)[:-2]


def test_a_ruling_is_flipped_beside_its_companions(tmp_path):
    text = "[companions]\non_cap = { max_attempts = 20 }"
    found = {entry.label: entry for entry in cells(tmp_path, text, rulings="true")}
    beside = "max_attempts=20, players=3, strategies=random"
    assert found[beside].cell.rules.max_attempts == 20
    flipped = [entry for entry in found.values() if "on_cap" in entry.factors]
    others = [option.name for option in settings(find_game("doigt").rules)["on_cap"][1].options]
    assert len(flipped) == len(others) - 1
    assert {(entry.base, entry.cell.rules.max_attempts) for entry in flipped} == {(beside, 20)}


def test_rulings_flip_from_the_rules_of_the_file(tmp_path):
    base, *flipped = cells(tmp_path, "[rules]\nsteal = 'off'", rulings="true")
    assert base.cell.rules.steal == "off"
    assert {entry.cell.rules.steal for entry in flipped} == {"off", "on"}
    assert [entry.label for entry in flipped if "steal" in entry.factors] == ["steal=on, players=3, strategies=random"]


def test_the_command_line_replaces_keys_of_the_file(tmp_path):
    overrides = {"players": [2, 4], "games": "5k", "seed": 9, "strategies": ["ev"], "rules": {"steal": "off"}}
    found = cells(tmp_path, "[rules]\nheart_bonus = 0", overrides, strategies=None, pool='["random", "bonus"]')
    assert [entry.label for entry in found] == ["players=2, strategies=ev", "players=4, strategies=ev"]
    for entry in found:
        assert (entry.cell.games_asked, entry.cell.seed) == (5000, 9)
        assert (entry.cell.rules.steal, entry.cell.rules.heart_bonus) == ("off", "0")


def test_a_rule_from_the_command_line_replaces_what_varies_in_the_file(tmp_path):
    overrides = {"rules": {"steal": "off"}}
    found = cells(tmp_path, "[grid]\nheart_bonus = [0, 1]\nsteal = ['off', 'on']", overrides)
    assert [entry.factors["heart_bonus"] for entry in found] == ["0", "1"]
    assert {entry.cell.rules.steal for entry in found} == {"off"}
    (one,) = cells(tmp_path, "[[variant]]\nname = 'a'\nrules = { steal = 'on' }", overrides)
    assert one.cell.rules.steal == "off"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_experiment_that_comes_along_says_what_it_asks(path):
    experiment = load(str(path))
    assert experiment.title and experiment.question.endswith("?")
    found = plan(experiment, str(path))
    assert {entry.cell.players for entry in found} == set(experiment.players)
    assert len({entry.label for entry in found}) == len(found) > 1


def test_the_grids_that_come_along_are_those_of_their_questions():
    """Counts worked out by hand: values by values by player counts."""
    counts = {
        "doigt-bonus": 2**5 * 4,
        "paris-draws": 8 * 3,
        "paris-endgame": 5 * 2 * 3,
        "nain-jaune-readings": 2 * 4 * 3 * 2 * 6,
    }
    for name, count in counts.items():
        assert len(plan(load(find(name)), name)) == count
