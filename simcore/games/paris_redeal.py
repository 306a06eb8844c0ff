"""Paris d'amis, between two rounds: discards, new cards, a deck that is short, changed hands (P17 to P23)."""

import numpy as np

from simcore.bits import pick, size
from simcore.contract import NONE, event, procedure, rule
from simcore.games.paris_table import DREW, SHORT
from simcore.rng import GOLDEN, U1, U32, game_key, is_fair, mix64

FLOOR_HALF, CEIL_HALF, NO_DISCARD, DISCARD_ALL = range(4)  # discard
EQUAL_BIGGEST, EQUAL_SEAT, ROUND_ROBIN, PROPORTIONAL = range(4)  # shortage


@rule
def open_dice(hidden, round):
    """Chance begins anew in every round, so that what players did before does not move it."""
    hidden.chance = game_key(hidden.key, round)


@procedure
def draw(hidden, order, deck, count):
    """The first `count` cards of `deck` in a shuffled order of all cards; answers them and the cards not passed."""
    chance, left, drawn = hidden.chance, np.uint64(size(order)), np.int64(0)
    while count > 0:
        chance += GOLDEN
        product = (mix64(chance) >> U32) * left
        while not is_fair(product, left):
            chance += GOLDEN
            product = (mix64(chance) >> U32) * left
        card = pick(order, np.int64(product >> U32))
        order ^= card
        left -= U1
        drawn |= deck & card
        count -= deck & card != 0
    hidden.chance = chance
    return drawn, order


@rule
def discards(rules, cards):
    """P17: how many of so many cards left in hand are discarded."""
    if rules.discard == FLOOR_HALF:
        return cards // 2
    if rules.discard == CEIL_HALF:
        return (cards + 1) // 2
    return 0 if rules.discard == NO_DISCARD else cards


@rule
def held(hidden):
    """All cards in hands."""
    cards = np.int64(0)
    for seat in range(len(hidden.hand)):
        cards |= hidden.hand[seat].cards
    return cards


@procedure
def deal_due(table, hidden):
    """Every player gets the cards due; when the deck has too few, `shortage` says who goes short (P20)."""
    deck = table.rules.deck & ~held(hidden)
    due = 0
    for seat in range(len(table.seat)):
        due += hidden.due[seat]
    if due > size(deck):
        event(SHORT, 0, due - size(deck))
        table.shortages += 1
        share_losses(table, hidden, due, size(deck))
    order = table.rules.deck
    for seat in range(len(table.seat)):
        drawn, order = draw(hidden, order, deck, hidden.due[seat])
        hidden.hand[seat].cards |= drawn
        table.seat[seat].cards += hidden.due[seat]
        table.cards_drawn += hidden.due[seat]
        event(DREW, seat, drawn)


@procedure
def share_losses(table, hidden, due, cards):
    """Lowers what is due until the deck suffices."""
    if table.rules.shortage == ROUND_ROBIN:
        deal_round(table, hidden, cards)
    elif table.rules.shortage == PROPORTIONAL:
        lose_in_proportion(table, hidden, due, due - cards)
    else:
        lose_alike(table, hidden, due - cards)


@procedure
def deal_round(table, hidden, cards):
    """P20, round_robin: one card each from the last bettor on, while there are any."""
    players = len(table.seat)
    seat, got = table.order[players - 1], 0  # got: 8 bits a seat
    while cards > 0:
        if (got >> (8 * seat)) & 255 < hidden.due[seat]:
            got += 1 << (8 * seat)
            cards -= 1
        seat = seat + 1 if seat + 1 < players else 0
    for seat in range(players):
        hidden.due[seat] = (got >> (8 * seat)) & 255


@procedure
def lose_in_proportion(table, hidden, due, missing):
    """P20, proportional: losses in proportion to the cards due, the odd ones to the largest remainders."""
    players, lost, taken = len(table.seat), 0, 0
    for seat in range(players):
        lost += missing * hidden.due[seat] // due
    for _ in range(missing - lost):
        loser, largest = NONE, -1
        for step in range(players):
            seat = (table.starter + step) % players
            remainder = missing * hidden.due[seat] % due
            if (taken >> seat) & 1 == 0 and remainder > largest:
                loser, largest = seat, remainder
        taken |= 1 << loser
    for seat in range(players):
        hidden.due[seat] -= missing * hidden.due[seat] // due + ((taken >> seat) & 1)


@procedure
def lose_alike(table, hidden, missing):
    """P20, equal: all lose alike while each has a card due; the odd ones fall on those whom `shortage` names."""
    players = len(table.seat)
    while missing > 0:
        able = 0
        for seat in range(players):
            able += hidden.due[seat] > 0
        if missing < able:
            break
        for seat in range(players):
            if hidden.due[seat] > 0:
                hidden.due[seat] -= 1
                missing -= 1
    taken = 0
    for _ in range(missing):
        loser = odd_loser(table, hidden, taken)
        taken |= 1 << loser
    for seat in range(players):
        hidden.due[seat] -= (taken >> seat) & 1


@procedure
def odd_loser(table, hidden, taken):
    """Who loses the next odd card: most cards and then latest in the next round, or first in the next round."""
    players, loser, most = len(table.seat), NONE, -1
    for step in range(players):
        seat = (table.starter + step) % players
        if hidden.due[seat] > 0 and (taken >> seat) & 1 == 0:
            hand = table.seat[seat].cards + hidden.due[seat]
            if loser == NONE or (table.rules.shortage == EQUAL_BIGGEST and hand >= most):
                loser, most = seat, hand
    return loser


@procedure
def change_hand(table, hidden, seat):
    """P22, P23: the hand goes into the deck, and fewer cards come back; answers the new hand."""
    hand, mine = hidden.hand[seat], table.seat[seat]
    deck = (table.rules.deck & ~held(hidden)) | hand.cards
    mine.cards = max(0, mine.cards - table.rules.cost)
    hand.cards = draw(hidden, deck, deck, mine.cards)[0]
    table.mulligans += 1
    return hand.cards
