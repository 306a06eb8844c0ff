"""Nain jaune, chips: stakes, what is due when a deal ends, who plays on, and who has won."""

import numpy as np

from simcore.bits import lowest, size
from simcore.contract import NONE, event, procedure, rule
from simcore.games.nain_jaune_table import (
    BOARD_HAS,
    BROKE,
    CUT_OFF,
    GAVE,
    LEFT,
    MARKED,
    OPERA,
    PAID,
    POTS,
    PUT,
    REFUNDED,
    SHARED,
    SITS_OUT,
    STAKED,
    SWEPT,
    TALON,
    next_playing,
    value,
)
from simcore.seats import next_seat, share_win

DOUBLE_POT, BASE_STAKE, PAY_WINNER, NO_PENALTY = range(4)  # holding_penalty
KEEP, REFUND, TO_WINNER = range(3)  # carry_over
BEFORE_SWEEP = 1  # opera_penalty
WINNER, LOSER = 1, 2  # dealer
DEALER = 1  # first_player, stake_by
ELIMINATE = 3  # insolvency
BANKRUPT = 1  # end
SPLIT, LAST_WINNER = 1, 2  # leftover
SHOWN_AT_END = 1  # talon
EVERY_SUIT = 0x11111111  # one suit of each seat in `held`
MOST_CHIPS = 1 << 25  # a game ends before a deal when the pots together, or a player, have come to so many


@rule
def stake(table):
    """N18: everybody, or the dealer alone, stakes on the five marked cards."""
    rules = table.rules
    stakers = np.int64(1) if rules.stake_by == DEALER else table.in_play
    for seat in range(len(table.seat)):
        mine = table.seat[seat]
        mine.before = mine.chips
        pays = mine.playing if rules.stake_by != DEALER else np.int64(seat == table.dealer)
        mine.chips -= rules.cost * pays
        if pays:
            event(STAKED, seat, rules.cost)
    for pot in range(POTS):
        card = rules.marked[pot] & 63
        table.pot[card] += rules.stake[pot] * stakers
        table.pots[pot] += table.pot[card]
        event(BOARD_HAS, 0, (table.pot[card] << 6) + card)


@rule
def payment(table, seat, due):
    """N19: what a player pays of what is due: all on credit, else no more than the chips at hand."""
    chips = table.seat[seat].chips
    return due if table.rules.on_credit or due <= chips else chips


@procedure
def settle(table, hidden, winner, is_opera):
    """The end of a deal: hands are paid, then marked cards in hands; a Grand Opéra takes the pots (N10 to N16)."""
    rules = table.rules
    if is_opera:
        event(OPERA, winner, 0)
    pay_hands(table, hidden, winner, is_opera)
    if not is_opera or rules.opera_penalty == BEFORE_SWEEP:
        for pot in range(POTS):
            card = rules.marked[pot]
            holders = hidden.held[card >> 2] >> (card & 3) & EVERY_SUIT & ~(1 << 4 * winner)
            if holders:
                penalise(table, pot, lowest(holders) >> 2, winner)
    count_pots(table, hidden, is_opera)
    if is_opera:
        table.operas += 1
        take_all(table, winner, SWEPT)
    if rules.carry_over != KEEP:
        clear_board(table, winner)
    table.seat[winner].won += 1
    table.first_wins += winner == table.first
    table.winner = winner


@rule
def pay_hands(table, hidden, winner, is_opera):
    """N10, N11: all others pay the winner for the cards in hand."""
    rules, paid = table.rules, np.int64(0)
    for seat in range(len(table.seat)):
        due = value(rules.weight, hidden.hand[seat].cards)
        if is_opera:
            due = rules.opera_times * value(rules.opera_weight, hidden.hand[seat].cards)
        due = payment(table, seat, due if seat != winner else 0)
        table.seat[seat].chips -= due
        paid += due
        if due:
            event(PAID, seat, due)
    table.seat[winner].chips += paid
    table.from_hands += paid


@procedure
def penalise(table, pot, seat, winner):
    """N12: what this player owes for a marked card in hand."""
    rules, penalty = table.rules, table.rules.holding_penalty
    card = rules.marked[pot] & 63
    due = rules.stake[pot] if penalty == BASE_STAKE else table.pot[card]
    if penalty == NO_PENALTY:
        due = 0
    elif penalty != PAY_WINNER and rules.most[pot] != NONE:
        due = min(due, max(0, rules.most[pot] - table.pot[card]))
    due = payment(table, seat, due)
    table.seat[seat].chips -= due
    if penalty == PAY_WINNER:
        gains = due + table.pot[card]
        event(GAVE, seat, (due << 6) + card)
        event(LEFT, winner, (table.pot[card] << 6) + card)
        table.seat[winner].chips += gains
        table.from_pots += gains
        table.pot[card] = 0
    else:
        table.pot[card] += due
        event(PUT, seat, (due << 6) + card)


@rule
def count_pots(table, hidden, is_opera):
    """Of each pot: taken, or its card still in a hand, or left."""
    in_hands = np.int64(0)
    for seat in range(len(table.seat)):
        in_hands |= hidden.hand[seat].cards
    taken = MARKED if is_opera else table.played & ~hidden.forgotten
    for pot in range(POTS):
        card = table.rules.marked[pot] & 63
        is_taken = taken >> card & 1
        is_held = in_hands >> card & 1 & ~is_taken
        table.taken[pot] += is_taken
        table.doubled[pot] += is_held
        table.left[pot] += 1 - is_taken - is_held


@procedure
def take_all(table, seat, kind):
    """A player takes everything that lies on the board."""
    for pot in range(POTS):
        card = table.rules.marked[pot] & 63
        if table.pot[card]:
            event(kind, seat, (table.pot[card] << 6) + card)
        table.seat[seat].chips += table.pot[card]
        table.from_pots += table.pot[card]
        table.pot[card] = 0


@procedure
def clear_board(table, winner):
    """N13: pots that nobody has taken go back to those who staked, or to who went out."""
    rules = table.rules
    if rules.carry_over == TO_WINNER:
        take_all(table, winner, LEFT)
        return
    for pot in range(POTS):
        card = rules.marked[pot] & 63
        if rules.stake_by == DEALER:
            give(table, card, table.dealer, table.pot[card])
            continue
        each = table.pot[card] // table.in_play
        for seat in range(len(table.seat)):
            give(table, card, seat, each * table.seat[seat].playing)


@rule
def give(table, card, seat, chips):
    """Gives a staker chips back from a pot."""
    table.seat[seat].chips += chips
    table.pot[card] -= chips
    if chips:
        event(REFUNDED, seat, (chips << 6) + card)


@procedure
def go_on(table, hidden):
    """After a deal: whether the game is over, else who deals and who plays first (N2, N19, N20)."""
    rules = table.rules
    if rules.talon == SHOWN_AT_END:
        table.talon = hidden.talon
        event(TALON, 0, hidden.talon)
    if table.deals >= rules.last_deal:
        table.over = 1
        table.cut_off = np.int64(rules.end == BANKRUPT)
    else:
        dealer = candidate(table)
        if rules.stake_by != DEALER:
            for seat in range(len(table.seat)):
                drop_broke(table, seat)
        seat_dealer(table, dealer)
        if not table.over and is_full(table):
            table.over, table.cut_off = 1, 1
            event(CUT_OFF, 0, MOST_CHIPS)
    if table.over and rules.leftover:
        share_out(table)


@rule
def candidate(table):
    """N2: who deals next, unless that player sits out."""
    rules = table.rules
    if rules.dealer == WINNER:
        return table.winner
    dealer = next_seat(table, table.dealer)
    if rules.dealer == LOSER:
        worst = np.int64(16 * MOST_CHIPS)  # more than anybody can win in a deal
        for seat in range(len(table.seat)):
            mine = table.seat[seat]
            if mine.playing and mine.chips - mine.before < worst:
                worst, dealer = mine.chips - mine.before, seat
    return dealer


@procedure
def drop_broke(table, seat):
    """N19: who cannot stake ends the game, sits out, or stakes on credit."""
    rules, mine = table.rules, table.seat[seat]
    if mine.chips < rules.cost and mine.playing:
        if rules.insolvency == ELIMINATE:
            table.broke, mine.playing = 1, 0
            table.in_play -= 1
            event(SITS_OUT, seat, mine.chips)
            table.over |= table.in_play < 2
        elif rules.ends_broke:
            table.broke, table.over = 1, 1
            event(BROKE, seat, mine.chips)


@rule
def seat_dealer(table, dealer):
    """The dealer of the next deal, and the first player."""
    rules = table.rules
    for _ in range(len(table.seat)):
        if not table.seat[dealer].playing:
            dealer = next_playing(table, dealer)
        if rules.stake_by == DEALER and not table.over:
            drop_broke(table, dealer)
    table.dealer = dealer
    table.first = dealer if rules.first_player == DEALER else next_playing(table, dealer)


@rule
def is_full(table):
    """Whether a further deal could bring more chips somewhere than can be counted exactly."""
    chips = np.int64(0)
    for pot in range(POTS):
        chips += table.pot[table.rules.marked[pot] & 63]
    for seat in range(len(table.seat)):
        chips = max(chips, abs(table.seat[seat].chips))
    return chips >= MOST_CHIPS


@procedure
def share_out(table):
    """N21: the pots that are left when the game is over."""
    players = len(table.seat)
    if table.rules.leftover == LAST_WINNER:
        take_all(table, table.winner, LEFT)
        return
    for pot in range(POTS):
        card = table.rules.marked[pot] & 63
        each = table.pot[card] // players
        table.pot[card] -= each * players
        table.from_pots += each * players
        for seat in range(players):
            table.seat[seat].chips += each
        if each:
            event(SHARED, 0, (each << 6) + card)


@procedure
def finish(table, hidden, outcome):
    """N20, N22: who went out wins a game of one deal; else the richest, who share the win when there are several."""
    players, rules = len(table.seat), table.rules
    best = table.seat[0].chips
    for seat in range(players):
        outcome.score[seat] = table.seat[seat].chips - rules.chips
        outcome.deals_won[seat] = table.seat[seat].won
        best = max(best, table.seat[seat].chips)
    winners = np.int64(0)
    for seat in range(players):
        winners |= np.int64(table.seat[seat].chips == best) << seat
    if rules.one_deal:
        winners = 1 << max(table.winner, 0)  # nobody has won a game that was stopped
    share_win(outcome, winners)
    left = np.int64(0)
    for pot in range(POTS):
        outcome.taken[pot], outcome.doubled[pot] = table.taken[pot], table.doubled[pot]
        outcome.left[pot], outcome.pots[pot] = table.left[pot], table.pots[pot]
        left += table.pot[rules.marked[pot] & 63]
    outcome.plays, outcome.leads, outcome.stops, outcome.deals = table.plays, table.leads, table.stops, table.deals
    outcome.opera, outcome.first_player_wins = table.operas, table.first_wins
    outcome.pots_taken = outcome.taken[0] + outcome.taken[1] + outcome.taken[2] + outcome.taken[3] + outcome.taken[4]
    outcome.from_pots, outcome.from_hands = table.from_pots, table.from_hands
    outcome.income = table.from_pots + table.from_hands
    outcome.pots_left, outcome.bankrupt = left, table.broke
    outcome.tied, outcome.cut_off = np.int64(size(winners) > 1), table.cut_off
