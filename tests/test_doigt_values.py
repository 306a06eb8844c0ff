"""What a card of Jeu du doigt is worth, exactly: the values of the best announcements and of the best defences.

Strategies are called as plain Python on tables laid out by hand. The values are those of oracles 12 to 14.
"""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from simcore.cards import card_number
from simcore.contract import NONE
from simcore.games.doigt import ANNOUNCE, GAME, KEEP
from simcore.games.doigt_rules import Rules
from simcore.plain import plain_record
from simcore.rng import STREAM, open_stream
from strategies.doigt import MINIMAX, PARTS, best_pay, ev, fingers_left, hardest_to_guess, pay, rewarded_number


def laid_out(players, centre, face_down=0):
    """A table with this centre card, nobody to be robbed, and a long pile; seat 0 announces."""
    table = plain_record(GAME.table(players, Rules()))
    GAME.prepare(table.rules, players, Rules())
    table.centre, table.face_down, table.pile, table.legal = card_number(centre), face_down, 20, table.rules.legal
    for seat in table.seat:
        seat.top = NONE
    return table


def opened(number):
    stream = plain_record(STREAM)
    with np.errstate(over="ignore"):
        open_stream(stream, np.uint64(number))
    return stream


def announced(table, number):
    """The number and own fingers that ev announces, with its `number`-th stream."""
    with np.errstate(over="ignore"):
        action = int(ev(ANNOUNCE, table, 0, None, None, opened(number)))
    return action >> 2, action & 3


# 14: the best announcer against coins


EV = {
    2: {"1/2": "K 4 J", "1": "A 2 3 6 7"},
    3: {"1/2": "J K 3", "1": "A 2 6 7"},
    4: {"3/8": "J K 4", "3/4": "A 2 3 6 7"},
    5: {"3/8": "J K 5", "1/2": "A 4", "3/4": "2 3 6 7"},
}
VALUED = [(n, Fraction(value), cards.split()) for n, row in EV.items() for value, cards in row.items()]
CARDS = [(n, card, value) for n, value, cards in VALUED for card in cards]


@pytest.mark.parametrize(("players", "card", "value"), CARDS)
def test_ev_announces_what_wins_most_cards_against_coins(players, card, value):
    table = laid_out(players, f"{card}♠")
    others = table.rules.fingers - table.rules.announcer_own
    for number in range(20):
        call, own = announced(table, number)
        assert Fraction(comb(others, call - own), 2**others) * int(pay(table, 0, call)) == value


# 12: two players, where the only defender leaves 0, 1 or 2 fingers


PRINTED = {
    "K": ("2/5", "3/4"),
    "A": ("1/2", "6/7"),
    "2": ("2/3", "1"),
    "3": ("1/2", "6/7"),
    "4": ("2/5", "3/4"),
    "6": ("2/3", "1"),
    "7": ("2/3", "1"),
    "J": ("1/3", "2/3"),
}
MIXES = {"K": "1/5 2/5 2/5", "A": "1/4 1/4 1/2", "3": "1/2 1/4 1/4", "4": "2/5 2/5 1/5"}


def pays(table):
    return [int(best_pay(table, guess)) for guess in range(3)]


@pytest.mark.parametrize("face_down", [0, 1])
@pytest.mark.parametrize("card", PRINTED)
def test_value_of_a_card_at_two_players(card, face_down):
    value = 1 / sum(Fraction(1, cards) for cards in pays(laid_out(2, f"{card}♠", face_down)))
    assert value == Fraction(PRINTED[card][face_down])


@pytest.mark.parametrize("card", PRINTED)
def test_minimax_at_two_players_leaves_0_1_or_2_fingers_as_often_as_printed(card):
    """Within four standard errors of the printed mix; uniform where none is printed."""
    table, draws = laid_out(2, f"{card}♠"), 6000
    stream, counts = opened(3), [0, 0, 0]
    with np.errstate(over="ignore"):
        for _ in range(draws):
            counts[int(hardest_to_guess(table, stream))] += 1
    for count, share in zip(counts, MIXES.get(card, "1/3 1/3 1/3").split(), strict=True):
        p = float(Fraction(share))
        assert abs(count - draws * p) < 4 * (draws * p * (1 - p)) ** 0.5


# 13: three players and more, who leave their finger with the same probability


LEAVES = {
    3: {"J": ".667", "K": ".667", "6": ".667", "7": ".667", "A": ".80", "2": ".20", "3": ".333"},
    4: {"J": ".5", "K": ".5", "4": ".5", "6": ".5", "7": ".5", "A": ".75", "2": ".143", "3": ".25"},
    5: {"J": ".40", "K": ".40", "4": ".40", "5": ".40", "6": ".40", "7": ".40", "A": ".60", "2": ".80", "3": ".20"},
}


def share_left(table, players):
    number = int(rewarded_number(table))
    return Fraction(MINIMAX[players - 3][table.face_down][number], PARTS)


def best_of_announcer(table, share):
    """The most cards an announcement wins on average when every defender leaves the finger with this probability."""
    defenders = len(table.seat) - 1
    best = Fraction(0)
    for call in range(table.rules.fingers + 1):
        for guess in {call, call - 1} & set(range(defenders + 1)):
            chance = comb(defenders, guess) * share**guess * (1 - share) ** (defenders - guess)
            best = max(best, chance * int(pay(table, 0, call)))
    return best


CENTRES = [(players, card) for players, cards in LEAVES.items() for card in cards]


@pytest.mark.parametrize(("players", "card"), CENTRES)
def test_minimax_defenders_leave_their_finger_as_often_as_printed(players, card):
    table = laid_out(players, f"{card}♠")
    assert float(share_left(table, players)) == pytest.approx(float(LEAVES[players][card]), abs=6e-4)


@pytest.mark.parametrize("face_down", [0, 1])
@pytest.mark.parametrize(("players", "card"), CENTRES)
def test_no_other_common_probability_holds_the_announcer_to_less(players, card, face_down):
    table = laid_out(players, f"{card}♠", face_down)
    held = best_of_announcer(table, share_left(table, players))
    assert all(best_of_announcer(table, Fraction(share, 200)) >= held for share in range(201))


@pytest.mark.parametrize(("players", "value"), [(3, "4/9"), (4, "3/8"), (5, "216/625")])
def test_value_of_a_card_without_reward(players, value):
    table = laid_out(players, "J♠")
    assert best_of_announcer(table, share_left(table, players)) == Fraction(value)


def test_a_defender_leaves_a_finger_with_the_probability_of_its_table():
    table, stream, draws = laid_out(4, "2♠"), opened(5), 6000
    p = float(share_left(table, 4))
    with np.errstate(over="ignore"):
        left = sum(int(hardest_to_guess(table, stream)) for _ in range(draws))
        certain = int(fingers_left(table, 1, 1, stream))
    assert abs(left - draws * p) < 4 * (draws * p * (1 - p)) ** 0.5
    assert certain == 1 and KEEP == 1
