"""Nain jaune in words: each kind of sentence in both languages, and nothing that did not happen."""

import re
from collections import Counter

import pytest

from simcore.api import make_cell
from simcore.cards import card_number
from simcore.games.nain_jaune_table import (
    BOARD_HAS,
    BROKE,
    CUT_OFF,
    DEAL,
    DECLINED,
    FIRST,
    FIVE,
    FORGOT,
    GAVE,
    HAND,
    LEFT,
    OPERA,
    OUT,
    PAID,
    PLAYED,
    PUT,
    REFUNDED,
    SHARED,
    SITS_OUT,
    STAKED,
    STOPPED,
    SWEPT,
    TALON,
    TOOK,
)
from simcore.games.nain_jaune_words import ENGLISH, FRENCH, narrate
from simcore.replay import replay, transcript

THREE, TEN, KING = 2, 9, 12
BOARD = [(BOARD_HAS, 0, 4 << 6 | card_number("10♦")), (BOARD_HAS, 0, 8 << 6 | card_number("J♣"))]
VARIANTS = [
    (4, {}),
    (3, {"deals": 3, "start_chips": 20, "end": "fixed_deals"}),
    (2, {"compulsory": "false", "stop_rule": "skip_rank", "wrap": "true"}),
    (8, {"deals": 2, "holding_penalty": "pay_winner", "opera": "first_possession"}),
    (5, {"deals": 4, "carry_over": "refund", "forget_prob": 50}),
    (6, {"deals": 9, "start_chips": 40, "insolvency": "eliminate", "leftover": "split"}),
    (4, {"deal_table": "1", "deals": 6, "carry_over": "to_winner", "opera_penalty": "before_sweep"}),
    (3, {"deals": 5, "leftover": "last_winner", "stake_by": "dealer", "talon": "shown_at_end"}),
    (2, {"deal_table": "26", "opera_five": "true", "holding_penalty": "base_stake", "stakes": "1,0,1,0,1"}),
]


def cards(words):
    return sum(1 << card_number(word) for word in words.split())


def played(seat, words):
    return [(PLAYED, seat, card_number(word)) for word in words.split()]


def told(events, language="en", players=4):
    return [line.strip() for line in narrate(events, players, language) if line.strip()]


def pot(card, chips):
    return chips << 6 | card_number(card)


SENTENCES = [
    ([(DEAL, 3, 0)], "Deal 1: player 4 deals.", "Donne 1\u202f: joueur 4 donne."),
    ([(FIRST, 0, 0)], "Player 1 plays first.", "Joueur 1 joue le premier."),
    ([(STAKED, s, 15) for s in range(4)], "Each player stakes 15 chips.", "Chaque joueur mise 15 jetons."),
    ([(STAKED, 2, 1)], "Player 3 stakes 1 chip.", "Joueur 3 mise 1 jeton."),
    (
        [(STAKED, 0, 15), (STAKED, 2, 15)],
        "Stakes: player 1 15 chips, player 3 15 chips.",
        "Mises\u202f: joueur 1 15 jetons, joueur 3 15 jetons.",
    ),
    (BOARD, "On the board: 10♦ 4, J♣ 8.", "Sur le tableau\u202f: 10♦ 4, V♣ 8."),
    ([(HAND, 1, cards("A♥ K♠ 2♦"))], "Player 2 holds A♥ 2♦ K♠.", "Joueur 2 a en main A♥ 2♦ R♠."),
    (
        [*played(0, "A♥ 2♦ 3♣"), (STOPPED, 0, THREE + 1)],
        "Player 1 plays A♥ 2♦ 3♣: 3 without 4.",
        "Joueur 1 joue A♥ 2♦ 3♣\u202f: 3 sans 4.",
    ),
    ([(STOPPED, 0, THREE + 1)], "No 4 follows.", "Personne ne met de 4."),
    ([(DECLINED, 0, KING)], "Player 1 keeps the K.", "Joueur 1 garde son R."),
    ([*played(1, "K♠")], "Player 2 plays K♠.", "Joueur 2 joue R♠."),
    (
        [*played(1, "5♠"), (OUT, 1, 0)],
        "Player 2 plays 5♠, and has no cards left.",
        "Joueur 2 joue 5♠, et n’a plus de cartes.",
    ),
    ([(FIVE, 2, 0)], "Player 3 was dealt all five marked cards.", "Joueur 3 a reçu les cinq cartes marquées."),
    ([(OPERA, 2, 0)], "Grand Opéra!", "Grand Opéra\u202f!"),
    (
        [(PAID, 1, 1), (PAID, 2, 20)],
        "Player 1 is paid 21 chips: player 2 pays 1 chip, player 3 pays 20 chips.",
        "Joueur 1 reçoit 21 jetons\u202f: joueur 2 paie 1 jeton, joueur 3 paie 20 jetons.",
    ),
    (
        [(GAVE, 1, pot("Q♠", 12))],
        "Player 2 still holds Q♠ and pays 12 chips to the winner.",
        "Joueur 2 garde D♠ en main et paie 12 jetons au gagnant.",
    ),
    ([(TALON, 0, cards("3♥ 2♥"))], "In the talon: 2♥ 3♥.", "Au talon\u202f: 2♥ 3♥."),
    ([(TALON, 0, 0)], "There is no talon.", "Il n’y a pas de talon."),
    (
        [(BROKE, 1, 7)],
        "Player 2 has 7 chips and cannot stake: the game is over.",
        "Joueur 2 n’a que 7 jetons et ne peut plus miser\u202f: la partie est finie.",
    ),
    (
        [(SITS_OUT, 1, 0)],
        "Player 2 has 0 chips, cannot stake and sits out.",
        "Joueur 2 n’a que 0 jeton, ne peut plus miser et se retire.",
    ),
    (
        [(CUT_OFF, 0, 33_554_432)],
        "The game is stopped: 33554432 chips lie on the board or before a player.",
        "La partie est arrêtée\u202f: 33554432 jetons sont sur le tableau ou devant un joueur.",
    ),
]
ON_THE_BOARD = [
    (
        [*played(2, "9♠ 10♦"), (TOOK, 2, pot("10♦", 4))],
        "Player 3 plays 9♠ 10♦ (takes 4 chips).",
        "Joueur 3 joue 9♠ 10♦ (prend 4 jetons).",
    ),
    (
        [*played(2, "10♦"), (FORGOT, 2, card_number("10♦"))],
        "Player 3 plays 10♦ (forgets to take the pot).",
        "Joueur 3 joue 10♦ (oublie de prendre l’enjeu).",
    ),
    (
        [(PUT, 1, pot("J♣", 8))],
        "Player 2 still holds J♣ and puts 8 chips on it: 16 now.",
        "Joueur 2 garde V♣ en main et y ajoute 8 jetons\u202f: il y en a maintenant 16.",
    ),
    ([(LEFT, 1, pot("J♣", 8))], "Player 2 takes 8 chips from J♣.", "Joueur 2 prend 8 jetons sur V♣."),
    (
        [(SWEPT, 1, pot("10♦", 4)), (SWEPT, 1, pot("J♣", 8))],
        "Player 2 takes the whole board: 4 chips from 10♦, 8 chips from J♣.",
        "Joueur 2 ramasse tout le tableau\u202f: 4 jetons sur 10♦, 8 jetons sur V♣.",
    ),
    (
        [(REFUNDED, 0, pot("10♦", 1)), (REFUNDED, 1, pot("10♦", 1))],
        "Back to those who staked: player 1 1 chip, player 2 1 chip.",
        "Les mises restantes sont rendues\u202f: joueur 1 1 jeton, joueur 2 1 jeton.",
    ),
    (
        [(SHARED, 0, pot("J♣", 2))],
        "The board is shared out: 2 chips from J♣ for each player.",
        "Le tableau est partagé\u202f: 2 jetons sur V♣ pour chaque joueur.",
    ),
]


@pytest.mark.parametrize(("events", "english", "french"), SENTENCES)
def test_sentences(events, english, french):
    assert told(events)[0] == english
    assert told(events, "fr")[0] == french


@pytest.mark.parametrize(("events", "english", "french"), ON_THE_BOARD)
def test_sentences_about_the_board(events, english, french):
    events = [(FIRST, 2, 0), *BOARD, *events]
    assert told(events)[2] == english
    assert told(events, "fr")[2] == french


def test_who_is_passed_over_has_none():
    events = [*played(0, "3♣"), *played(3, "4♣"), *played(0, "5♣")]
    assert told(events) == [
        "Player 1 plays 3♣: 3 without 4.",
        "Players 2, 3: no 4.",
        "Player 4 plays 4♣: 4 without 5.",
        "Player 1 plays 5♣.",
    ]


def test_who_keeps_the_rank_is_not_said_to_have_none():
    events = [*played(0, "3♣"), (DECLINED, 2, THREE + 1), *played(3, "4♣")]
    assert told(events)[1:3] == ["Player 2: no 4.", "Player 3 keeps the 4."]


def test_who_sits_out_is_not_passed_over():
    events = [(HAND, 0, cards("3♣")), (HAND, 1, 0), (HAND, 2, cards("4♣")), *played(0, "3♣"), *played(2, "4♣")]
    assert told(events)[2:] == ["Player 1 plays 3♣: 3 without 4.", "Player 3 plays 4♣."]


def test_a_king_ends_a_run_and_what_lies_on_the_board_is_told_at_the_end():
    events = [*BOARD, *played(0, "K♣ 2♣"), (DEAL, 0, 1)]
    assert told(events)[1:] == [
        "Player 1 plays K♣.",
        "Player 1 plays 2♣.",
        "On the board for the next deal: 4 chips from 10♦, 8 chips from J♣.",
        "Deal 2: player 1 deals.",
        "Left on the board: 4 chips from 10♦, 8 chips from J♣.",
    ]


def test_every_text_has_its_translation():
    assert ENGLISH.keys() == FRENCH.keys()
    fields = {key: set(re.findall(r"{(\w+)}", text)) for key, text in ENGLISH.items()}
    assert fields == {key: set(re.findall(r"{(\w+)}", text)) for key, text in FRENCH.items()}


TAKEN = re.compile(r"\(takes (\d+) chips?\)")
POT = re.compile(r"(\d+) chips? from")


def net(line, players):
    """What each player wins or loses in a line of the English transcript."""
    moved = Counter()
    who = int(found[1]) if (found := re.match(r"\s*Player (\d+)", line)) else 0
    if found := re.search(r"Each player stakes (\d+)", line):
        moved.update({seat: -int(found[1]) for seat in range(1, players + 1)})
    elif found := re.search(r"Player \d+ stakes (\d+)", line):
        moved[who] -= int(found[1])
    elif "Stakes:" in line:
        moved.update({int(seat): -int(chips) for seat, chips in re.findall(r"player (\d+) (\d+) chip", line)})
    elif "is paid" in line:
        for seat, chips in re.findall(r"player (\d+) pays (\d+)", line):
            moved[int(seat)] -= int(chips)
            moved[who] += int(chips)
    elif found := re.search(r"puts (\d+)|pays (\d+) chips? to the winner", line):
        moved[who] -= int(found[1] or found[2])
        moved["winner"] += int(found[2] or 0)
    elif "Back to" in line:
        for seat, chips in re.findall(r"player (\d+) (\d+) chip", line):
            moved[int(seat)] += int(chips)
    elif "shared out" in line:
        moved.update({seat: sum(map(int, POT.findall(line))) for seat in range(1, players + 1)})
    elif " takes " in line and "board for" not in line:
        moved[who] += sum(map(int, POT.findall(line))) + sum(map(int, TAKEN.findall(line)))
    else:
        moved[who] += sum(map(int, TAKEN.findall(line)))
    return moved


@pytest.mark.parametrize(("players", "rules"), VARIANTS)
def test_the_chips_of_the_sentences_are_those_of_the_score(players, rules):
    cell = make_cell("nain-jaune", players, 40, "random", rules)
    for number in range(40):
        total, winner = Counter(), 0
        for line in transcript(cell, number, "en")[2:-2]:
            found = re.search(r"Player (\d+) (plays .*no cards left|was dealt all five)", line)
            winner = int(found[1]) if found else winner
            moved = net(line, players)
            moved[winner] += moved.pop("winner", 0)
            for seat, chips in moved.items():
                total[seat] += chips
        assert [total[seat] for seat in range(1, players + 1)] == replay(cell, number).outcome.score.tolist()


@pytest.mark.parametrize(("players", "rules"), VARIANTS)
def test_no_english_is_left_in_the_french_text(players, rules):
    cell = make_cell("nain-jaune", players, 20, "random", rules)
    for number in range(10):
        lines = transcript(cell, number, "fr")
        assert len(lines) == len(transcript(cell, number, "en"))
        assert not re.search(r"[Pp]layer|chip|board|[JQK][♥♦♠♣]| (the|and|has|of) ", "\n".join(lines[2:]))
        assert all(len(line) <= 240 for line in lines)
