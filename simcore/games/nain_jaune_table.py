"""Nain jaune, what is on the table: the records of a game, and what follows from its rules before it begins."""

from typing import Any

import numpy as np

from simcore.bits import lowest, size
from simcore.cards import ACE, CLUBS, DIAMONDS, HEARTS, JACK, KING, QUEEN, SPADES, card_of
from simcore.contract import NONE, record, rule
from simcore.games.nain_jaune_rules import MOST_DEALS, Rules, hand_sizes, stake_list
from simcore.rng import SHUFFLER, STREAM
from simcore.rules import codes
from simcore.seats import next_seat

DEAL, FIRST, HAND, STAKED, PLAYED, DECLINED, STOPPED, TOOK, FORGOT, OUT, OPERA, FIVE = np.arange(12)  # events
PAID, PUT, GAVE, SWEPT, REFUNDED, LEFT, TALON, BROKE, SITS_OUT, CUT_OFF, SHARED, BOARD_HAS = np.arange(12, 24)

SEVEN, TEN = 6, 9
BOARD = (
    card_of(TEN, DIAMONDS),
    card_of(JACK, CLUBS),
    card_of(QUEEN, SPADES),
    card_of(KING, HEARTS),
    card_of(SEVEN, DIAMONDS),
)
NAMES = ("10_of_diamonds", "jack_of_clubs", "queen_of_spades", "king_of_hearts", "7_of_diamonds")
POTS = len(BOARD)
MARKED = sum(1 << card for card in BOARD)
DECK = (1 << 52) - 1
RANK = 15  # the four cards of a rank, and the four bits of a player in `held`
PASS = np.int64(52)  # the answer of a player who has the next rank and does not play it

RULES = record(
    *codes(Rules()),
    *("cost", "last_deal", "chips", "on_credit", "ends_broke", "one_deal", "is_usual", "opera_times"),
    *(("marked", np.int64, (8,)), ("stake", np.int64, (8,)), ("most", np.int64, (8,))),
    *(("dealt", np.int64, (16,)), ("weight", np.int64, (4,)), ("opera_weight", np.int64, (4,))),
)


def table(players: int, rules: Rules) -> np.dtype:
    """What everybody sees.

    `pot`: chips on each card, `played`: the set of all cards played, `follows`: the rank asked for, NONE at a lead,
    `last`: who played last, `top`: the rank of that card (where the rules are not the usual ones), `talon`: the cards
    not dealt, once they are shown, `without`: for each rank, a bit for each seat that is known to have none of it. A
    seat has `cards` left, its `chips`, and is `playing` or sits out.
    """
    seat = record("cards", "chips", "before", "won", "playing")
    by_pot = [(name, np.int64, (8,)) for name in ("taken", "doubled", "left", "pots")]
    return record(
        ("rules", RULES),
        *("dealer", "first", "follows", "last", "top", "passed", "played", "talon", "in_play", "winner"),
        *("deals", "plays", "leads", "stops", "operas", "first_wins", "from_pots", "from_hands"),
        *("broke", "over", "cut_off", "fault"),
        *(("pot", np.int64, (64,)), ("without", np.int64, (16,)), *by_pot, ("seat", seat, (players,))),
    )


def hidden(players: int) -> np.dtype:
    """What nobody sees, or only its owner: a hand's `cards`, those now `legal`, and the talon for a dealer who sees it.

    `held`: the hands by rank, four bits a seat; there is a fourteenth rank that nobody holds.
    """
    return record(
        ("hand", record("cards", "legal", "talon"), (players,)),
        *(("held", np.int64, (16,)), ("deck", record(("cards", np.int64, (64,))))),
        *(("dice", SHUFFLER), ("chance", STREAM), "forgotten", "talon"),
    )


def prepare(sheet: Any, players: int, rules: Rules) -> None:
    """Writes the rules, and what follows from them at this number of players, into a RULES record."""
    code = codes(rules)
    for name, value in code.items():
        setattr(sheet, name, value)
    stakes = stake_list(rules)
    has_bank = rules.start_chips != "none"
    bankrupt = rules.end == "bankrupt"
    sheet.chips = rules.start_chips if has_bank else 0
    sheet.cost = sum(stakes)
    sheet.on_credit = not has_bank or rules.insolvency == "credit"
    sheet.ends_broke = (has_bank and rules.insolvency in ("standard", "partial_then_end")) or (
        bankrupt and rules.insolvency == "credit"
    )
    sheet.last_deal = MOST_DEALS if bankrupt else players if rules.deals == "n" else rules.deals
    sheet.one_deal = sheet.last_deal == 1
    for player_count, cards in hand_sizes(rules).items():
        sheet.dealt[player_count] = cards
    stakers = 1 if rules.stake_by == "dealer" else players
    for pot, (card, stake) in enumerate(zip(BOARD, stakes, strict=True)):
        sheet.marked[pot], sheet.stake[pot] = card, stake
        sheet.most[pot] = NONE if rules.pot_cap == "none" else rules.pot_cap * stakers * stake
    plain = rules.compulsory == "true" and rules.stop_rule == "free_restart" and rules.wrap == "false"
    sheet.is_usual = plain and rules.forget_prob == 0
    sheet.opera_times = 2 if rules.opera_payment == "double_points" else 1
    for card in range(52):
        cost = card_cost(card, rules)
        for bit in range(4):
            sheet.weight[bit] |= (cost >> bit & 1) << card
            sheet.opera_weight[bit] |= ((1 if rules.opera_payment == "per_card" else cost) >> bit & 1) << card


def card_cost(card: int, rules: Rules) -> int:
    """N10: what this card costs whoever still holds it."""
    if rules.hand_payment == "per_card":
        return 1
    face = (card >> 2) + 1
    return face if rules.hand_payment == "points_11_12_13" else min(face, 10)


@rule
def value(weight, cards):
    """N10: what a set of cards costs: the bits of each card's cost are in four sets."""
    ones, twos, fours, eights = cards & weight[0], cards & weight[1], cards & weight[2], cards & weight[3]
    return size(ones) + 2 * size(twos) + 4 * size(fours) + 8 * size(eights)


@rule
def of_rank(cards, rank):
    """The cards of this rank in a set."""
    return cards & (RANK << 4 * rank)


@rule
def lowest_rank(cards):
    """The lowest rank in a set of cards, which is not empty."""
    return lowest(cards) >> 2


@rule
def highest_rank(cards):
    """The highest rank in a set of cards, which is not empty."""
    rank = np.int64(ACE)
    for higher in range(ACE + 1, KING + 1):
        rank = higher if cards >> 4 * higher != 0 else rank
    return rank


@rule
def next_playing(table, seat):
    """The next seat that does not sit out (`insolvency = eliminate`); itself when there is no other."""
    following = next_seat(table, seat)
    for _ in range(len(table.seat)):
        if not table.seat[following].playing:
            following = next_seat(table, following)
    return following
