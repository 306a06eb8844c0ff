"""Random streams: known answers, exact uniformity, and independence between games, seats and places.

Chi-square tests have fixed seeds, so they never flake; each must have a p-value between 1e-4 and 1 - 1e-4.
"""

import ast
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from simcore import rng
from simcore.compiler import jit
from simcore.contract import new

ROOT = Path(__file__).resolve().parents[1]
ALL = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


# The same arithmetic in whole numbers of any length, from statistics.md 8.2.


def int_mix64(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & ALL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & ALL
    return z ^ (z >> 31)


def int_key(seed, stream, game):
    run = int_mix64((seed + GOLDEN * (stream + 1)) & ALL)
    return int_mix64((run + 0xD1342543DE82EF95 * (game + 1)) & ALL)


def int_words(state, count):
    return [int_mix64((state + GOLDEN * step) & ALL) for step in range(1, count + 1)]


def stream_from(state):
    stream = new(rng.STREAM)
    rng.open_words(stream, np.uint64(state))
    return stream


def run_key(seed, stream):
    return rng.stream_key(seed, stream)


@pytest.fixture(autouse=True)
def words_wrap():
    """Rules run as plain Python here, where numpy warns of what a kernel does silently."""
    with np.errstate(over="ignore"):
        yield


def open_seat(seed, seat, game):
    stream = new(rng.STREAM)
    rng.open_stream(stream, np.uint64(rng.game_key(run_key(seed, rng.SEAT + seat), game)))
    return stream


def is_plausible(statistic, degrees):
    """Whether a chi-square value is neither too large nor too small to be chance."""
    return 1e-4 < stats.chi2.sf(statistic, degrees) < 1 - 1e-4


def chi_square(counts, expected):
    return float(((np.asarray(counts) - expected) ** 2 / expected).sum())


# Known answers


def test_splitmix64_gives_its_published_words():
    stream = stream_from(0)
    assert [rng.word(stream) for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def xoshiro_words(state, count):
    words = []
    for _ in range(count):
        word, *state = rng.xoshiro(*(np.uint64(part) for part in state))
        words.append(int(word))
    return words


def test_xoshiro_from_1_2_3_4_gives_its_published_words():
    published = [11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600]
    assert xoshiro_words((1, 2, 3, 4), 6) == published


def test_xoshiro_seeded_with_key_0_gives_its_known_words():
    shuffler = new(rng.SHUFFLER)
    rng.open_shuffler(shuffler, np.uint64(0))
    known = [11091344671253066420, 13793997310169335082, 1900383378846508768]
    assert xoshiro_words(shuffler.tolist(), 3) == known


@pytest.mark.parametrize("z", [0, 1, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, ALL - 1, ALL, GOLDEN])
def test_mix64_keeps_all_64_bits(z):
    mixed = rng.mix64(np.uint64(z))
    assert mixed == int_mix64(z)
    assert not isinstance(mixed, float)


@pytest.mark.parametrize("seed", [0, 1, 2**53 + 1, 2**62 + 1, 2**63 - 1])
@pytest.mark.parametrize("stream", [rng.DEAL, rng.LINEUP, rng.SEAT, rng.SEAT + 7])
def test_key_is_that_of_the_notes_for_every_seed_stream_and_game(seed, stream):
    for game in (0, 1, 63, 10**6, 10**12):
        assert int(rng.game_key(run_key(seed, stream), game)) == int_key(seed, stream, game)


def test_keys_with_the_top_bit_set_keep_their_last_bit():
    keys = [run_key(seed, 0) for seed in range(64)]
    high = [key for key in keys if key >= np.uint64(2**63)]
    assert len(high) > 10
    for key in high:
        expected = int_mix64((int(key) + 0xD1342543DE82EF95 * 8) & ALL)
        assert int(rng.game_key(key, 7)) == expected


def test_coins_are_the_low_63_bits_of_successive_words():
    key = np.uint64(rng.game_key(run_key(5, rng.SEAT), 9))
    stream = new(rng.STREAM)
    rng.open_stream(stream, key)
    expected = [word >> place & 1 for word in int_words(int(key), 4) for place in range(63)]
    assert [rng.coin(stream) for _ in range(4 * 63)] == expected


@pytest.mark.parametrize("n", [1, 5, 36, 100, 2**31 + 1, 2**32 - 1])
def test_below_is_the_high_part_of_the_first_word_that_is_fair(n):
    stream = stream_from(2**63 + 11)
    expected = []
    for word in int_words(2**63 + 11, 400):
        product = (word >> 32) * n
        if product % 2**32 >= 2**32 % n:
            expected.append(product >> 32)
    assert [rng.below(stream, n) for _ in range(150)] == expected[:150]


# Exact uniformity


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 36, 40, 52, 64, 100, 999, 2**31 + 1, 2**32 - 1])
def test_every_value_below_n_is_reached_by_equally_many_words(n):
    """Words w with the value v are those with v 2^32 <= w n < (v + 1) 2^32; `is_fair` may refuse only the first."""
    values = range(n) if n <= 999 else [0, 1, 2, n // 3, n // 2, n - 3, n - 2, n - 1]
    for value in values:
        first, end = -(-value * 2**32 // n), -(-(value + 1) * 2**32 // n)
        some = {first, min(first + 1, end - 1), end - 1}
        refused = [word for word in some if not rng.is_fair(np.uint64(word * n), np.uint64(n))]
        assert all(word == first for word in refused)
        assert end - first - len(refused) == 2**32 // n


def test_no_word_is_refused_when_n_divides_the_range():
    for power in range(32):
        n = np.uint64(2**power)
        assert all(rng.is_fair(np.uint64(word * 2**power), n) for word in (0, 1, 2**31, 2**32 - 1))


# Distributions


@jit
def count_below(stream, n, draws, counts):
    for _ in range(draws):
        counts[rng.below(stream, n)] += 1


@jit
def count_below_and_coin(stream, n, draws, counts):
    for _ in range(draws):
        number, side = rng.below_and_coin(stream, n)
        counts[number, side] += 1


@jit
def count_coin_words(stream, draws, counts):
    """Counts the numbers that eight coins in a row spell."""
    for _ in range(draws):
        spelt = 0
        for _ in range(8):
            spelt = spelt << 1 | rng.coin(stream)
        counts[spelt] += 1


@jit
def count_chance(stream, percent, draws):
    hits = 0
    for _ in range(draws):
        hits += rng.chance(stream, percent)
    return hits


@pytest.mark.parametrize("n", [5, 6, 36])
def test_below_gives_every_number_equally_often(n):
    counts = np.zeros(n, np.int64)
    count_below(open_seat(1, 0, n), n, 600_000, counts)
    assert counts.sum() == 600_000
    assert is_plausible(chi_square(counts, 600_000 / n), n - 1)


def test_below_and_coin_are_uniform_and_independent():
    counts = np.zeros((5, 2), np.int64)
    count_below_and_coin(open_seat(2, 0, 0), 5, 600_000, counts)
    assert is_plausible(chi_square(counts, 60_000), 9)


def test_eight_coins_in_a_row_spell_every_number_equally_often():
    counts = np.zeros(256, np.int64)
    count_coin_words(open_seat(3, 0, 0), 256_000, counts)
    assert is_plausible(chi_square(counts, 1000), 255)


@pytest.mark.parametrize("percent", [0, 1, 30, 70, 99, 100])
def test_chance_happens_as_often_as_it_says(percent):
    """Within four standard errors; never at 0 and always at 100."""
    draws, p = 400_000, percent / 100
    hits = count_chance(open_seat(4, 0, percent), percent, draws)
    assert abs(hits - draws * p) <= 4 * np.sqrt(draws * p * (1 - p))


# Shuffles


@jit
def shuffle_all(key, shuffler, first, last, end, decks):
    """Shuffles row g of `decks` with the key of game g."""
    for game in range(len(decks)):
        rng.open_shuffler(shuffler, rng.game_key(key, game))
        rng.shuffle(shuffler, decks[game], first, last, end)


def shuffled(seed, games, first=0, last=35, end=36):
    """Decks 0 … 35 in 64 places, one row a game."""
    decks = np.tile(np.arange(64), (games, 1))
    shuffle_all(run_key(seed, rng.DEAL), new(rng.SHUFFLER), first, last, end, decks)
    return decks


@pytest.fixture(scope="module")
def decks():
    return shuffled(1, 300_000)


def pairs(one, other):
    """How often each pair of cards 0 … 35 occurs."""
    return np.bincount(one * 36 + other, minlength=36 * 36).reshape(36, 36)


def test_every_card_is_equally_often_in_every_place(decks):
    """Rows and columns of the table are fixed, so the statistic times 35/36 is chi-square with 35² degrees."""
    counts = np.array([np.bincount(decks[:, place], minlength=36) for place in range(36)])
    assert counts.shape == (36, 36)
    assert is_plausible(chi_square(counts, len(decks) / 36) * 35 / 36, 35**2)


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 2), (16, 17), (0, 35), (33, 34)])
def test_two_places_hold_every_pair_of_cards_equally_often(decks, one, other):
    """Adjacent places are filled from the two halves of one word, or from two words."""
    counts = pairs(decks[:, one], decks[:, other])
    assert np.trace(counts) == 0
    different = counts[~np.eye(36, dtype=bool)]
    assert is_plausible(chi_square(different, len(decks) / (36 * 35)), 36 * 35 - 1)


def test_first_cards_of_successive_games_are_independent(decks):
    counts = pairs(decks[::2, 0], decks[1::2, 0])
    assert is_plausible(chi_square(counts, len(decks) / 2 / 36**2), 36**2 - 1)


def test_first_card_is_independent_of_the_first_number_of_seat_0(decks):
    key = run_key(1, rng.SEAT)
    numbers = np.zeros(len(decks), np.int64)
    first_numbers(key, new(rng.STREAM), numbers)
    assert is_plausible(chi_square(pairs(decks[:, 0], numbers), len(decks) / 36**2), 36**2 - 1)


@jit
def first_numbers(key, stream, numbers):
    for game in range(len(numbers)):
        rng.open_stream(stream, rng.game_key(key, game))
        numbers[game] = rng.below(stream, 36)


def test_first_numbers_of_two_seats_are_independent():
    numbers = np.zeros((2, 300_000), np.int64)
    for seat in (0, 1):
        first_numbers(run_key(1, rng.SEAT + seat), new(rng.STREAM), numbers[seat])
    assert is_plausible(chi_square(pairs(*numbers), 300_000 / 36**2), 36**2 - 1)


def test_shuffle_keeps_all_cards(decks):
    assert (np.sort(decks, axis=1) == np.arange(64)).all()


def test_partial_shuffle_touches_only_its_own_places():
    drawn = shuffled(2, 2000, first=4, last=9, end=36)
    assert (drawn[:, :4] == np.arange(4)).all()
    assert (drawn[:, 36:] == np.arange(36, 64)).all()
    assert (np.sort(drawn, axis=1) == np.arange(64)).all()


def test_partial_shuffle_draws_from_the_whole_rest():
    drawn = shuffled(3, 200_000, first=4, last=9, end=36)
    for place in range(4, 9):
        counts = np.bincount(drawn[:, place] - 4, minlength=32)
        assert is_plausible(chi_square(counts, 200_000 / 32), 31)


def test_shuffling_less_draws_the_same_first_cards():
    whole, part = shuffled(4, 500), shuffled(4, 500, last=10)
    assert (whole[:, :10] == part[:, :10]).all()


def test_shuffles_of_a_deck_of_four_are_equally_likely():
    decks = shuffled(5, 240_000, last=3, end=4)
    counts = np.bincount(decks[:, 0] * 16 + decks[:, 1] * 4 + decks[:, 2], minlength=64)
    counts = counts[counts > 0]
    assert len(counts) == 24
    assert is_plausible(chi_square(counts, 10_000), 23)


# Keys


@jit
def game_keys(key, keys):
    for game in range(len(keys)):
        keys[game] = rng.game_key(key, game)


def test_a_million_games_have_a_million_keys_in_every_stream():
    keys = np.zeros((3, 10**6), np.uint64)
    for row, stream in zip(keys, (rng.DEAL, rng.SEAT, rng.SEAT + 1), strict=True):
        game_keys(run_key(1, stream), row)
    in_order = np.sort(keys, axis=None)
    assert (in_order[1:] != in_order[:-1]).all()


def test_streams_of_a_run_have_different_keys():
    streams = [rng.DEAL, rng.LINEUP, *(rng.SEAT + seat for seat in range(8))]
    keys = {int(run_key(seed, stream)) for seed in range(100) for stream in streams}
    assert len(keys) == 100 * len(streams)


# Nobody else's random numbers


def foreign_randomness(text):
    """What a source uses of `random`, `secrets` and `numpy.random`."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name.split(".")[0] in ("random", "secrets")]
            found += [name.name for name in node.names if name.name.startswith("numpy.random")]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found += [node.module] if node.module in ("random", "secrets", "numpy.random") else []
            found += ["numpy.random" for name in node.names if (node.module, name.name) == ("numpy", "random")]
        elif isinstance(node, ast.Attribute) and node.attr == "random":
            found += ["numpy.random"] if getattr(node.value, "id", "") in ("np", "numpy") else []
    return found


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "from random import choice",
        "import secrets",
        "import numpy.random",
        "from numpy import random",
        "from numpy.random import default_rng",
        "import numpy as np\ndef f():\n    return np.random.rand()",
    ],
)
def test_foreign_randomness_is_seen(text):
    assert foreign_randomness(text)


@pytest.mark.parametrize("package", ["simcore", "strategies"])
def test_nothing_but_our_own_streams_is_random(package):
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    assert {str(file): found for file in files if (found := foreign_randomness(file.read_text()))} == {}
