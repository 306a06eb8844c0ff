"""The transcript of Paris d'amis, line by line: hand-made events in, whole lines out, in both languages."""

from string import Formatter

import numpy as np
import pytest

from simcore.cards import card_number
from simcore.contract import NONE
from simcore.games.paris_table import (
    BET,
    CANCELLED,
    CHANGED,
    COUNT,
    DISCARDED,
    DREW,
    HAND,
    INSURED,
    JOKER,
    KEPT,
    LAID,
    POINT,
    REBETS,
    ROUND,
    SHIFTED,
    SHORT,
    WON,
)
from simcore.games.paris_words import ENGLISH, FRENCH, narrate
from simcore.voice import ONE_MANY

HEARTS, DIAMONDS, SPADES, CLUBS = range(4)
KINDS = {BET, CANCELLED, CHANGED, COUNT, DISCARDED, DREW, HAND, INSURED, KEPT, LAID, POINT, REBETS, ROUND, SHORT, WON}


def card(name):
    return JOKER if name == "joker" else card_number(name)


def cards(names=""):
    """A set of cards, one bit each; "joker" is the first joker."""
    return sum(1 << card(name) for name in names.split())


def laid(name, column):
    return 4 * card(name) + column


def both(*events, players=3):
    """The lines in English and in French, told with ordinary spaces so that tests can be read."""
    english, french = narrate(events, players, "en"), narrate(events, players, "fr")
    assert not any("\u202f" in line for line in english)
    for line in french:
        assert all(line[at - 1] == "\u202f" for at, mark in enumerate(line) if mark in ":;!?")
        assert "'" not in line
    return english, [line.replace("\u202f", " ") for line in french]


def line(*events):
    """The last line, in both languages."""
    english, french = both(*events)
    return english[-1], french[-1]


# ---------------------------------------------------------------- a whole round and what follows it

ROUND_AND_REDEAL = [
    (ROUND, 1, HEARTS),
    *((POINT, HEARTS, card("7♥")), (POINT, DIAMONDS, card("Q♦")), (POINT, SPADES, card("A♠")), (POINT, CLUBS, NONE)),
    *((HAND, 0, cards("9♥ K♦")), (HAND, 1, cards("2♥ 3♣ 10♣"))),
    *((LAID, 1, laid("10♣", CLUBS)), (LAID, 0, laid("9♥", DIAMONDS)), (BET, 1, 1), (BET, 0, 2)),
    *((WON, NONE, HEARTS), (WON, 0, DIAMONDS), (WON, NONE, SPADES), (WON, 1, CLUBS), (COUNT, 0, 2)),
    *((DISCARDED, 1, cards("3♣")), (SHORT, 0, 2)),
    *((DREW, 0, cards("A♦ J♣ Q♣")), (DREW, 1, cards("8♠"))),
    *((KEPT, 0, 0), (CHANGED, 1, cards("4♠"))),
    (ROUND, 0, DIAMONDS),
]


def test_round_in_english():
    assert narrate(ROUND_AND_REDEAL, 2, "en") == [
        "",
        "Round 1, trump hearts: player 2 begins.",
        "  Point cards: 7♥, Q♦, A♠, none in clubs.",
        "  Player 1 has 2 cards: 9♥, K♦.",
        "  Player 2 has 3 cards: 2♥, 3♣ 10♣.",
        "    Player 2 lays 10♣ in the clubs column.",
        "    Player 1 lays 9♥ (trump) in the diamonds column.",
        "    Player 2 bets that 1 player wins.",
        "    Player 1 bets that 2 players win.",
        "  Columns: hearts nobody, diamonds player 1, spades nobody, clubs player 2.",
        "  2 players win: player 1 is right, player 2 is wrong.",
        "  Player 2 discards 1 card: 3♣.",
        "  The deck is 2 cards short.",
        "  Player 1 draws 3 cards: A♦, J♣ Q♣.",
        "  Player 2 draws 1 card: 8♠.",
        "  Player 1 keeps the hand.",
        "  Player 2 changes the hand and takes 1 card: 4♠.",
        "",
        "Round 2, trump diamonds: player 1 begins.",
    ]


def test_round_in_french():
    assert narrate(ROUND_AND_REDEAL, 2, "fr") == [
        "",
        "Manche 1, atout cœur\u202f: joueur 2 commence.",
        "  Cartes points\u202f: 7♥, D♦, A♠, aucune à trèfle.",
        "  Joueur 1 a 2 cartes\u202f: 9♥, R♦.",
        "  Joueur 2 a 3 cartes\u202f: 2♥, 3♣ 10♣.",
        "    Joueur 2 pose 10♣ dans la colonne trèfle.",
        "    Joueur 1 pose 9♥ (atout) dans la colonne carreau.",
        "    Joueur 2 parie qu’un seul joueur remporte tout.",
        "    Joueur 1 parie que 2 joueurs se partagent le butin.",
        "  Colonnes\u202f: cœur personne, carreau joueur 1, pique personne, trèfle joueur 2.",
        "  2 joueurs se partagent le butin\u202f: joueur 1 réussit son pari, joueur 2 se trompe.",
        "  Joueur 2 se défausse de 1 carte\u202f: 3♣.",
        "  Il manque 2 cartes dans le paquet.",
        "  Joueur 1 reçoit 3 cartes\u202f: A♦, V♣ D♣.",
        "  Joueur 2 reçoit 1 carte\u202f: 8♠.",
        "  Joueur 1 garde sa main.",
        "  Joueur 2 change sa main et prend 1 carte\u202f: 4♠.",
        "",
        "Manche 2, atout carreau\u202f: joueur 1 commence.",
    ]


# ---------------------------------------------------------------- one kind of event at a time


def test_round_without_trump():
    english, french = both((ROUND, 2, NONE))
    assert english == ["", "Round 1, no trump: player 3 begins."]
    assert french == ["", "Manche 1, sans atout : joueur 3 commence."]


@pytest.mark.parametrize(
    "suit, english, french",
    [
        (HEARTS, "hearts", "cœur"),
        (DIAMONDS, "diamonds", "carreau"),
        (SPADES, "spades", "pique"),
        (3, "clubs", "trèfle"),
    ],
)
def test_every_suit_has_a_name(suit, english, french):
    assert line((ROUND, 0, suit)) == (
        f"Round 1, trump {english}: player 1 begins.",
        f"Manche 1, atout {french} : joueur 1 commence.",
    )


def test_hand_is_told_by_suit_then_by_value_with_aces_high_and_jokers_last():
    hand = cards("A♥ K♥ 2♥ 10♦ A♦ Q♣ J♣") | cards("joker") | 1 << JOKER + 1
    assert line((HAND, 0, hand)) == (
        "  Player 1 has 9 cards: 2♥ K♥ A♥, 10♦ A♦, J♣ Q♣, joker joker.",
        "  Joueur 1 a 9 cartes : 2♥ R♥ A♥, 10♦ A♦, V♣ D♣, joker joker.",
    )


@pytest.mark.parametrize(
    "kind, english, french",
    [
        (HAND, "Player 2 has", "Joueur 2 a"),
        (DISCARDED, "Player 2 discards", "Joueur 2 se défausse de"),
        (DREW, "Player 2 draws", "Joueur 2 reçoit"),
        (CHANGED, "Player 2 changes the hand and takes", "Joueur 2 change sa main et prend"),
    ],
)
def test_no_card_is_singular_in_french_only(kind, english, french):
    assert line((kind, 1, 0)) == (f"  {english} 0 cards.", f"  {french} 0 carte.")
    assert line((kind, 1, cards("5♠"))) == (f"  {english} 1 card: 5♠.", f"  {french} 1 carte : 5♠.")
    assert line((kind, 1, cards("5♠ 6♠"))) == (f"  {english} 2 cards: 5♠ 6♠.", f"  {french} 2 cartes : 5♠ 6♠.")


@pytest.mark.parametrize(
    "missing, english, french",
    [(0, "0 cards", "0 carte"), (1, "1 card", "1 carte"), (2, "2 cards", "2 cartes")],
)
def test_shortage(missing, english, french):
    assert line((SHORT, 0, missing)) == (f"  The deck is {english} short.", f"  Il manque {french} dans le paquet.")


def test_card_in_its_own_column_is_not_called_a_trump():
    assert line((ROUND, 0, HEARTS), (LAID, 0, laid("J♥", HEARTS))) == (
        "    Player 1 lays J♥ in the hearts column.",
        "    Joueur 1 pose V♥ dans la colonne cœur.",
    )


def test_trump_in_another_column_is_called_one():
    assert line((ROUND, 0, SPADES), (LAID, 2, laid("K♠", HEARTS))) == (
        "    Player 3 lays K♠ (trump) in the hearts column.",
        "    Joueur 3 pose R♠ (atout) dans la colonne cœur.",
    )


@pytest.mark.parametrize(
    "number, english, french",
    [
        (0, "that nobody wins", "que personne ne gagne"),
        (1, "that 1 player wins", "qu’un seul joueur remporte tout"),
        (4, "that 4 players win", "que 4 joueurs se partagent le butin"),
    ],
)
def test_bets(number, english, french):
    assert line((BET, 1, number)) == (f"    Player 2 bets {english}.", f"    Joueur 2 parie {french}.")
    assert line((BET, 1, 2), (REBETS, 1, number)) == (
        f"    Player 2 gives up a joker and now bets {english}.",
        f"    Joueur 2 rend un joker et parie maintenant {french}.",
    )


@pytest.mark.parametrize(
    "winners, english, french",
    [
        (
            0,
            "Nobody wins: player 1 is wrong, player 2 is wrong.",
            "Personne ne gagne : joueur 1 se trompe, joueur 2 se trompe.",
        ),
        (
            1,
            "1 player wins: player 1 is right, player 2 is wrong.",
            "Un seul joueur remporte tout : joueur 1 réussit son pari, joueur 2 se trompe.",
        ),
        (
            3,
            "3 players win: player 1 is wrong, player 2 is right.",
            "3 joueurs se partagent le butin : joueur 1 se trompe, joueur 2 réussit son pari.",
        ),
    ],
)
def test_winners_and_right_bets_in_the_order_of_the_players(winners, english, french):
    assert line((BET, 1, 3), (BET, 0, 1), (COUNT, 0, winners)) == ("  " + english, "  " + french)


def test_right_bet_on_nobody():
    assert line((BET, 0, 0), (COUNT, 0, 0)) == (
        "  Nobody wins: player 1 is right.",
        "  Personne ne gagne : joueur 1 réussit son pari.",
    )


def test_new_bet_counts_instead_of_the_old_one():
    assert line((BET, 0, 1), (BET, 1, 2), (REBETS, 0, 2), (COUNT, 0, 2)) == (
        "  2 players win: player 1 is right, player 2 is right.",
        "  2 joueurs se partagent le butin : joueur 1 réussit son pari, joueur 2 réussit son pari.",
    )


def test_bets_of_the_round_before_are_forgotten():
    before = [(ROUND, 0, HEARTS), (BET, 0, 1), (BET, 1, 1), (COUNT, 0, 1)]
    assert line(*before, (ROUND, 0, DIAMONDS), (BET, 1, 2), (COUNT, 0, 1)) == (
        "  1 player wins: player 2 is wrong.",
        "  Un seul joueur remporte tout : joueur 2 se trompe.",
    )


def test_four_columns_are_one_line():
    assert both(*((WON, 2, column) for column in range(4))) == (
        ["  Columns: hearts player 3, diamonds player 3, spades player 3, clubs player 3."],
        ["  Colonnes : cœur joueur 3, carreau joueur 3, pique joueur 3, trèfle joueur 3."],
    )


def test_hands_may_be_changed_before_the_first_round():
    english, french = both((CHANGED, 0, cards("2♥ A♥")), (KEPT, 1, 0), (ROUND, 0, HEARTS))
    assert english[:3] == ["  Player 1 changes the hand and takes 2 cards: 2♥ A♥.", "  Player 2 keeps the hand.", ""]
    assert french[:3] == ["  Joueur 1 change sa main et prend 2 cartes : 2♥ A♥.", "  Joueur 2 garde sa main.", ""]
    assert english[3].startswith("Round 1,") and french[3].startswith("Manche 1,")


# ---------------------------------------------------------------- jokers


def test_joker_in_a_column():
    assert line((ROUND, 0, HEARTS), (LAID, 1, laid("joker", SPADES))) == (
        "    Player 2 lays a joker in the spades column.",
        "    Joueur 2 pose un joker dans la colonne pique.",
    )


def test_second_joker_is_one_too():
    assert line((LAID, 1, 4 * (JOKER + 1) + CLUBS)) == (
        "    Player 2 lays a joker in the clubs column.",
        "    Joueur 2 pose un joker dans la colonne trèfle.",
    )


def test_joker_that_takes_a_card_away():
    english, french = both((ROUND, 0, HEARTS), (LAID, 1, laid("joker", HEARTS)), (CANCELLED, 0, laid("Q♥", HEARTS)))
    assert english[2:] == [
        "    Player 2 lays a joker in the hearts column.",
        "      The joker takes Q♥ away from player 1 and leaves the column.",
    ]
    assert french[2:] == [
        "    Joueur 2 pose un joker dans la colonne cœur.",
        "      Le joker retire D♥ au joueur 1 et quitte la colonne.",
    ]


def test_joker_that_shifts_the_trump():
    assert line((LAID, 1, laid("joker", HEARTS)), (SHIFTED, 0, CLUBS)) == (
        "    Player 2 lays a joker aside: the trump of this round is now clubs.",
        "    Joueur 2 met un joker de côté : l’atout de la manche est maintenant trèfle.",
    )


def test_jokers_laid_one_after_the_other_are_told_one_by_one():
    jokers = [(LAID, 0, laid("joker", HEARTS)), (LAID, 1, laid("joker", CLUBS))]
    english, _ = both(*jokers)
    assert english == [
        "    Player 1 lays a joker in the hearts column.",
        "    Player 2 lays a joker in the clubs column.",
    ]


def test_joker_that_insures_a_bet():
    assert line((INSURED, 2, JOKER)) == (
        "  Player 3 gives up a joker: the wrong bet counts as right for the new cards.",
        "  Joueur 3 rend un joker : le pari raté compte comme réussi pour les nouvelles cartes.",
    )


# ---------------------------------------------------------------- both languages


def fields(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_have_the_same_texts():
    assert list(ENGLISH) == list(FRENCH)
    for key, text in ENGLISH.items():
        assert fields(text) == fields(FRENCH[key]), key
        assert text.count(ONE_MANY) == FRENCH[key].count(ONE_MANY) <= 1, key


def test_french_is_written_with_its_own_apostrophe_and_an_ordinary_space_to_be_replaced():
    for text in FRENCH.values():
        assert "'" not in text and "\u202f" not in text and "\u00a0" not in text


def test_another_language_is_refused():
    with pytest.raises(KeyError):
        narrate([], 2, "de")


def test_every_kind_of_event_is_told():
    assert {int(kind) for kind in KINDS} == set(range(15))
    for kind in KINDS:
        assert all(narrate([(int(kind), 0, 1)], 2, language)[-1].strip() for language in ("en", "fr"))


def test_numbers_of_a_kernel_are_told_like_any():
    events = [tuple(np.int64(number) for number in entry) for entry in ROUND_AND_REDEAL]
    assert narrate(events, 2, "en") == narrate(ROUND_AND_REDEAL, 2, "en")
