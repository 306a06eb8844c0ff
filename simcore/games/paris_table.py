"""Paris d'amis, what is on the table: the records of a game, and what follows from its rules before it begins."""

from typing import Any

import numpy as np

from simcore.bits import size
from simcore.cards import ACE, JACK, card_of
from simcore.contract import NONE, record, rule
from simcore.games.paris_rules import WRONG_DRAW, Rules, draw_numbers
from simcore.rules import codes

ROUND, POINT, HAND, LAID, CANCELLED, BET, REBETS, WON = np.arange(8)  # events, for transcripts
COUNT, INSURED, DISCARDED, SHORT, DREW, CHANGED, KEPT, SHIFTED = np.arange(8, 16)

COLUMNS = 4  # hearts, diamonds, spades, clubs
SUIT = 0x1111111111111  # the thirteen hearts; shifted by a suit, that suit's cards
JOKER = 52  # the first joker
JOKERS = 3 << JOKER
LAYS = 8  # smaller answers are bets, larger ones cards
HIDDEN = 5  # what is seen of a bet that is not
FIGURE = JACK  # from here on 11 points in a column, two as a point card
SIX_OF = 5  # the rank below the lowest point card

WILD_ZERO, WILD_SIX, WILD_TWELVE, CANCEL, SHIELD, TRUMP_SHIFT, REBET_JOKER, INSURANCE = range(8)  # joker_mode

RULES = record(
    *codes(Rules()),
    *("least_bet", "most_bet", "wrong", "alone", "cost", "deck", "is_usual"),
    *(("draw", np.int64, (8,)), ("value", np.int64, (64,)), ("point", np.int64, (64,))),
)


def table(players: int, rules: Rules) -> np.dtype:
    """What everybody sees.

    seat: cards in hand, `bet` (NONE before it, HIDDEN if so ruled), `place` in the order of bets, cards `laid`; by
    column the sum, number, highest, first and last stamp of the own cards there; `points` by suit.
    column: the point card, its points with those carried over, how many cards are at stake, whether it is closed.
    """
    by_column = [(name, np.int64, (COLUMNS,)) for name in ("total", "count", "best", "first", "last", "wild")]
    seat = record("cards", "bet", "place", "laid", ("points", np.int64, (COLUMNS,)), *by_column)
    return record(
        ("rules", RULES),
        *("played", "starter", "turn", "trump", "next_trump", "bettors", "alone", "stamp", "over", "fault"),
        *("turns", "cards_laid", "right_bets", "winners", "empty_columns", "shortages", "cards_drawn", "mulligans"),
        *("discarded", "ahead", "largest"),
        *(("with_winners", np.int64, (8,)), ("bets", np.int64, (8,)), ("hits", np.int64, (8,))),
        *(("right_at", np.int64, (4,)), ("hands", np.int64, (16,))),
        ("column", record("card", "stake", "at_stake", "closed"), (COLUMNS,)),
        ("seat", seat, (players,)),
        ("order", np.int64, (players,)),
    )


def hidden(players: int) -> np.dtype:
    """What nobody sees: hands, piles of point cards (rings of 64), bets, points, what chance is made of, columns."""
    pile = record("first", "end", ("cards", np.int64, (64,)))
    return record(
        ("hand", record("cards"), (players,)),
        ("pile", pile, (COLUMNS,)),
        *(("bet", np.int64, (players,)), ("due", np.int64, (players,)), ("trumps", np.int64, (64,)), "right"),
        ("treasure", record(("points", np.int64, (COLUMNS,))), (players,)),
        *(("key", np.uint64), ("chance", np.uint64)),
        ("lain", record("count", ("entry", np.int64, (64,)), ("worth", np.int64, (64,))), (COLUMNS,)),
    )


def prepare(sheet: Any, players: int, rules: Rules) -> None:
    """Writes the rules, and what follows from them at this number of players, into a RULES record."""
    code = codes(rules)
    for name, value in code.items():
        setattr(sheet, name, value)
    numbers = draw_numbers(rules, players)
    sheet.least_bet = 1 - code["allow_bet_zero"]
    sheet.most_bet = COLUMNS if rules.bets_allowed == "all" else players  # P8
    sheet.wrong = WRONG_DRAW.get(rules.draw_table, 8) if rules.wrong_draw == "table" else int(rules.wrong_draw)
    sheet.alone = 64 if rules.last_player_limit == "unlimited" else int(rules.last_player_limit)
    sheet.cost = NONE if rules.mulligan_cost == "none" else int(rules.mulligan_cost)
    sheet.trump_strength = 100 if rules.trump_strength == "beats_all" else int(rules.trump_strength)
    narrowed = code["exclusive_bets"] or code["min_cards_before_bet"] or code["allow_bet_zero"] or rules.jokers
    sheet.is_usual = not narrowed and sheet.most_bet == players  # any card that fits, and any bet from 1 to players
    sheet.deck = (1 << (JOKER + rules.jokers)) - 1
    for bet in range(8):
        sheet.draw[bet] = sheet.wrong
    sheet.draw[0] = max(numbers)  # P9: the rarest outcome
    for bet, count in enumerate(numbers, start=1):
        sheet.draw[bet] = count
    small, figure, ace = map(int, rules.point_values.split("-"))
    for rank in range(13):
        for suit in range(COLUMNS):
            card = card_of(rank, suit)
            sheet.value[card] = column_value(rank, rules)
            sheet.point[card] = ace if rank == ACE else figure if rank >= FIGURE else small
    wild = {"wild6": 6, "wild12": 12}.get(rules.joker_mode, 0)
    sheet.value[JOKER], sheet.value[JOKER + 1] = wild, wild


def column_value(rank: int, rules: Rules) -> int:
    """P4: what a card is worth in a column."""
    courts = list(map(int, rules.court_values.split("-")))
    return courts[3] if rank == ACE else courts[rank - FIGURE] if rank >= FIGURE else rank + 1


@rule
def lay(card, column):
    """The answer of a player who lays a card in a column."""
    return LAYS + 4 * card + column


@rule
def trumps(table):
    """The set of all cards of the trump suit."""
    return SUIT << table.trump if table.trump != NONE else 0


@rule
def may_lay(table, seat):
    """Whether the markers and the limit of the last player allow another card (P13, P15)."""
    rules = table.rules
    free = table.seat[seat].laid < rules.marker_cap
    return free & ((table.bettors < len(table.seat) - 1) | (table.alone < rules.alone))


@rule
def is_open(table, column):
    """Whether a column takes cards."""
    return table.column[column].closed == 0


@rule
def fits(table, card, column):
    """Whether this card of the own hand may be laid in this column now."""
    if card >= JOKER:
        return joker_fits(table, column)
    suit = card & 3
    return ((suit == column) | (suit == table.trump)) & is_open(table, column)


@rule
def joker_fits(table, column):
    """Whether a joker may be laid in this column now (P33)."""
    mode = table.rules.joker_mode
    if mode == TRUMP_SHIFT:
        return column == 0
    if mode == CANCEL:
        return is_open(table, column) & (cards_in(table, column) > 0)
    return is_open(table, column) & (mode <= SHIELD)


@rule
def cards_in(table, column):
    """How many cards lie in a column."""
    cards = 0
    for seat in range(len(table.seat)):
        cards += table.seat[seat].count[column]
    return cards


@rule
def may_bet(table, cards, seat, number):
    """Whether a player with these cards may bet on this number of winners (P8 to P11)."""
    rules = table.rules
    legal = (number >= rules.least_bet) & (number <= rules.most_bet)
    if rules.exclusive_bets:
        for other in range(len(table.seat)):
            legal &= (table.seat[other].bet != number) | (other == seat)
    if rules.min_cards_before_bet > table.seat[seat].laid:
        legal &= not (may_lay(table, seat) and can_lay_any(table, cards))
    return legal


@rule
def can_lay_any(table, cards):
    """Whether any card of the hand fits in any column."""
    rest = cards
    for _ in range(size(cards)):
        card = size((rest & -rest) - 1)
        rest &= rest - 1
        for column in range(COLUMNS):
            if fits(table, card, column):
                return True
    return False
