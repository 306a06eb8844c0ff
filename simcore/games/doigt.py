"""Jeu du doigt: announce how many fingers stay on the card, and win it when you are right.

The rulings D1 to D26 are those of docs/games/doigt.md. The loop asks for one announcement at a time.
"""

import numpy as np

from simcore.bits import size
from simcore.contract import NONE, Game, Metric, event, procedure, rule
from simcore.games.doigt_notes import NOTES
from simcore.games.doigt_rules import Rules
from simcore.games.doigt_table import (
    CALL,
    EXTRA,
    FINGERS,
    GIVEN_UP,
    LOST,
    ROUND,
    SHOWN,
    SHOWS,
    WON,
    announcement,
    hidden,
    is_court,
    prepare,
    rewarded,
    table,
)
from simcore.games.doigt_thefts import steal, turn_up_next
from simcore.rng import shuffle
from simcore.seats import next_seat, share_win

__all__ = ["ANNOUNCE", "GAME", "KEEP", "announcement", "is_court", "is_legal_announcement", "rewarded"]

ANNOUNCE, KEEP = np.arange(2)  # decision points: a number with the own fingers; fingers left on the card
WRONG, RIGHT, TOO_MANY = np.arange(3)  # what an announcement came to
NEXT, WINNER_AGAIN, ROUND_ROBIN = range(3)  # after_success
SHUFFLE_BACK, UNDER_PILE, REMOVED = range(3)  # setup_jq
DISCARD, BOTTOM, ABORT = range(3)  # on_cap
SPLIT, LAST_WINNER, FEWEST_ROUNDS = range(3)  # tie
PAST = 2**62 - 1  # the last 31 choices of a seat
MOST_RETURNS = 40  # D22: cards put under the pile in one game, so that every game ends


@rule
def is_legal_announcement(table, action):
    """Whether the announcer may call this number and leave this many fingers: one bit each of `legal` (D6, D7)."""
    return (action >> 6 | ~(table.legal >> (action & 63)) & 1) == 0  # `and` would be a branch


@rule
def is_legal(point, table, hand, seat, action):
    """Whether the rules allow this answer at this decision point."""
    if point == ANNOUNCE:
        return is_legal_announcement(table, action)
    return 0 <= action <= len(table.finger)


@procedure
def deal(table, hidden, shuffler):
    """A face-up card for each player, the rest as the pile, the first card in the centre."""
    rules, pile = table.rules, hidden.pile
    players = len(table.seat)
    for place in range(64):
        pile.cards[place] = rules.deck[place]
    pile.first, pile.end = players, rules.deck_size
    if rules.setup_jq == SHUFFLE_BACK:  # D3: as if jacks and queens went back and the pile were shuffled
        shuffle(shuffler, pile.cards, 0, players, rules.plain_size)
        shuffle(shuffler, pile.cards, players, rules.deck_size - 1, rules.deck_size)
    else:
        shuffle(shuffler, pile.cards, 0, rules.deck_size - 1, rules.deck_size)
        pile.end = set_courts_aside(rules, pile.cards, players)
    for player in range(players):
        pack, seat = hidden.pack[player], table.seat[player]
        pack.first, pack.end, pack.cards[0] = 0, 1, pile.cards[player]
        seat.top, seat.cards = pile.cards[player], 1
        seat.left, seat.past, seat.announced, seat.rounds_won, seat.last_won = 0, 0, 0, 0, 0
        event(SHOWS, player, seat.top)
    table.attempts, table.rounds, table.started, table.thefts, table.extras = 0, 0, 0, 0, 0
    table.cut_off, table.returned, table.lost, table.fault = 0, 0, 0, 0
    table.announcer = 0  # D4: seat 0 begins
    start_round(table, hidden)


@procedure
def set_courts_aside(rules, cards, players):
    """D3: jacks and queens dealt face up are replaced by the next card and go under the pile, or out."""
    end = rules.deck_size
    for player in range(players):
        while is_court(cards[player]):
            court = cards[player]
            for place in range(player, rules.deck_size - 1):
                cards[place] = cards[place + 1]
            cards[rules.deck_size - 1] = court
            if rules.setup_jq == REMOVED:
                end -= 1
    return end


@rule
def start_round(table, hidden):
    """Turns up a centre card, with a face-down one beside a heart; ends the game when there is none."""
    pile, rules = hidden.pile, table.rules
    if pile.first >= pile.end:
        table.announcer = NONE
    else:
        table.centre = pile.cards[pile.first & 63]
        pile.first += 1
        table.face_down = second_cards(rules, pile, table.centre)
        table.pile = pile.end - pile.first - table.face_down
        table.cap, table.last_call, table.legal = table.attempts + rules.max_attempts, NONE, rules.legal
        table.started += 1
        event(ROUND, table.face_down, table.centre)
        if rules.end_rule and table.pile == 0:  # D21: nobody wins the cards in the centre
            table.lost += 1 + table.face_down
            event(LOST, 0, 1 + table.face_down)
            table.announcer = NONE


@rule
def second_cards(rules, pile, centre):
    """D18, D19: how many face-down cards a centre card brings, as far as the pile has them."""
    count = np.int64(brings_second(rules, centre)) & np.int64(pile.first < pile.end)  # `and` would be a branch
    if rules.heart_chain and count:
        count = chain_of_hearts(rules, pile)
    return count


@procedure
def chain_of_hearts(rules, pile):
    """`heart_chain`: a face-down heart brings another face-down card."""
    count = np.int64(1)
    while pile.first + count < pile.end and brings_second(rules, pile.cards[(pile.first + count - 1) & 63]):
        count += 1
    return count


@rule
def brings_second(rules, card):
    """Whether a centre card brings a face-down one: hearts, or what `heart_bonus` says."""
    return (card & 3) < rules.heart_bonus


@rule
def win_round(table, hidden, winner, call):
    """The winner takes the centre, the face-down cards, the extra cards, then what is stolen (D15, D17)."""
    rules, pile, pack, seat = table.rules, hidden.pile, hidden.pack[winner], table.seat[winner]
    centre = table.centre
    pack.cards[pack.end & 63] = centre
    pack.end += 1
    taken = table.face_down
    extras = min(rewarded(rules, centre, call), table.pile)  # D20
    push_from_pile(pile, pack, taken + extras)
    event(WON, winner, taken)
    event(EXTRA, winner, extras)
    table.pile -= extras
    table.extras += extras
    table.rounds += 1
    seat.rounds_won += 1
    seat.last_won = table.rounds
    if is_court(centre):
        steal(table, hidden, winner, call)
    if seat.top == NONE:  # D14: the next card won that is neither jack nor queen
        turn_up_next(table, hidden, winner)
        event(SHOWN, winner, seat.top)
    seat.cards = pack.end - pack.first


@rule
def push_from_pile(pile, pack, count):
    """Puts cards of the pile under a pack; up to two without a branch, as the ring has room for more."""
    first, end = pile.first, pack.end
    pack.cards[end & 63] = pile.cards[first & 63]
    pack.cards[(end + 1) & 63] = pile.cards[(first + 1) & 63]
    if count > 2:
        push_more(pile, pack, count)
    pile.first = first + count
    pack.end = end + count


@procedure
def push_more(pile, pack, count):
    """The third and further cards of `push_from_pile`."""
    for place in range(2, count):
        pack.cards[(pack.end + place) & 63] = pile.cards[(pile.first + place) & 63]


@procedure
def give_up(table, hidden):
    """D22: nobody guessed the card in `max_attempts` announcements; what happens to it, and is there another."""
    rules, pile = table.rules, hidden.pile
    cards = 1 + table.face_down
    table.cut_off = 1
    fate = rules.on_cap
    if fate == BOTTOM and table.returned + cards > MOST_RETURNS:
        fate = np.int64(DISCARD)
    event(GIVEN_UP, fate, table.centre)
    if fate == BOTTOM:
        table.returned += cards
        pile.cards[pile.end & 63] = table.centre
        for place in range(table.face_down):
            pile.cards[(pile.end + 1 + place) & 63] = pile.cards[(pile.first + place) & 63]
        pile.end += cards
    else:
        table.lost += cards
    pile.first += table.face_down


@rule
def end_round(table, hidden, result):
    """The card is won or given up, and the next round begins with whom `after_success` says (D5)."""
    rules, announcer = table.rules, table.announcer
    if result == RIGHT:
        win_round(table, hidden, announcer, table.last_call)
    else:
        give_up(table, hidden)
    if result != RIGHT or rules.after_success != WINNER_AGAIN:
        table.announcer = next_seat(table, announcer)
    if rules.after_success == ROUND_ROBIN:
        table.announcer = table.started % len(table.seat)
    if result != RIGHT and rules.on_cap == ABORT:
        table.announcer = NONE
    else:
        start_round(table, hidden)


@rule
def remember(table, announcer, left):
    """Adds what everybody did in this announcement to what everybody has seen; `left`: two bits a player."""
    for player in range(len(table.seat)):
        seat, fingers = table.seat[player], (left >> (2 * player)) & 3
        if player == announcer:
            seat.announced += 1
        else:
            seat.left += fingers
            seat.past = ((seat.past << 2) | fingers) & PAST


@rule
def judge(table, announcer, call, fingers, legal):
    """D6: what the announcement came to, when so many fingers stay; after a wrong one the next player announces."""
    table.attempts += 1
    table.last_call = call
    result = WRONG
    if not legal:
        table.fault, table.announcer = 1, NONE
    elif call == fingers:
        result = RIGHT
    elif table.attempts >= table.cap:
        result = TOO_MANY
    else:
        table.announcer = next_seat(table, announcer)
        if table.rules.no_repeat_call:
            table.legal = table.rules.legal & ~(15 << (call << 2))
    return result


def turns(choose, remembers):
    """The turn of this game, for a kernel's way of choosing.

    remembers: whether a strategy of the roster reads the history (`left`, `past`, `announced`); else it stays empty.
    """

    @rule
    def announce(table, hidden, seats, announcer):
        """One announcement, a number and everybody's fingers: whether they agree, and whether to go on."""
        most = np.uint64(len(table.finger))
        action = choose(ANNOUNCE, table, announcer, hidden.pack[announcer], seats)
        event(CALL, announcer, action)
        total, legal, left = action & 3, is_legal_announcement(table, action), np.int64(0)
        for player in range(len(table.seat)):
            if player != announcer:
                fingers = choose(KEEP, table, player, hidden.pack[player], seats)
                event(FINGERS, player, fingers)
                total += fingers
                legal &= np.uint64(np.int64(fingers)) <= most
                left |= fingers << (2 * player)
        if remembers:  # when all have chosen, as they choose at the same moment (D25)
            remember(table, announcer, left)
        return judge(table, announcer, action >> 2, total, legal)

    @rule
    def turn(table, hidden, seats):
        """Announcements round the table until one is right, at most one a seat; each seat's is compiled apart."""
        result = WRONG
        for announcer in range(len(table.seat)):
            if result == WRONG and table.announcer == announcer:
                result = announce(table, hidden, seats, announcer)
        if result != WRONG:
            end_round(table, hidden, result)

    return turn


@rule
def is_over(table):
    """Whether no centre card can be turned up any more (D21), or the game was stopped."""
    return table.announcer == NONE


@procedure
def finish(table, hidden, outcome):
    """D23: most cards win; equally many share the win, or `tie` says who takes it."""
    players = len(table.seat)
    best = np.int64(0)
    for player in range(players):
        outcome.score[player] = table.seat[player].cards
        best = max(best, tie_key(table, player))
    winners = np.int64(0)
    for player in range(players):
        winners |= np.int64(tie_key(table, player) == best) << player
    share_win(outcome, winners)
    outcome.attempts, outcome.rounds = table.attempts, table.rounds
    outcome.thefts, outcome.extras = table.thefts, table.extras
    outcome.tied, outcome.cut_off = np.int64(size(winners) > 1), table.cut_off


@procedure
def tie_key(table, player):
    """What the winner has most of: cards, then what `tie` asks for."""
    seat, rules = table.seat[player], table.rules
    key = seat.cards * 256
    if rules.tie == LAST_WINNER:
        key += seat.last_won
    elif rules.tie == FEWEST_ROUNDS:
        key += 255 - seat.rounds_won
    return key


@rule
def standing(table, hidden, seat):
    """Who has most cards leads."""
    return tie_key(table, seat)


@rule
def progress(table, hidden):
    """Cards of the pile that are turned up or won, of all."""
    players = len(table.seat)
    return hidden.pile.first - players, table.rules.deck_size - players


GAME = Game(
    name="doigt",
    title="Jeu du doigt",
    least_players=2,
    most_players=5,
    rules=Rules,
    points=("ANNOUNCE", "KEEP"),
    metrics=(
        Metric("attempts", "announcements a game"),
        Metric("rounds", "centre cards won a game"),
        Metric("thefts", "cards stolen a game"),
        Metric("extras", "cards won as a bonus a game"),
        Metric("tied", "games with more than one winner", is_share=True),
        Metric("cut_off", "games with a card given up", is_share=True),
    ),
    score="cards",
    table=table,
    hidden=hidden,
    prepare=prepare,
    deal=deal,
    turns=turns,
    is_over=is_over,
    finish=finish,
    is_legal=is_legal,
    hand="pack",
    history=("left", "past", "announced"),
    together={KEEP: (ANNOUNCE, KEEP)},
    standing=standing,
    progress=progress,
    happens=("thefts", "extras", "cut_off"),
    notes=NOTES,
    default_parts=("ev", "coin"),
    default_line_up="adaptive+minimax",
    narrator="simcore.games.doigt_words",
)
