"""Nain jaune: play your cards in sequence, take the chips on five marked cards, and be the first without cards.

The rulings N1 to N27 are those of docs/games/nain-jaune.md. The loop asks for one card at a time; a turn of the
engine is a whole deal.
"""

import numpy as np

from simcore.bits import lowest, size
from simcore.cards import ACE, KING
from simcore.contract import NONE, Game, Metric, event, procedure, rule
from simcore.games.nain_jaune_rules import Rules, check, check_course
from simcore.games.nain_jaune_score import DEALER, finish, go_on, settle, stake
from simcore.games.nain_jaune_table import (
    DEAL,
    DECK,
    DECLINED,
    FIRST,
    FIVE,
    FORGOT,
    HAND,
    MARKED,
    NAMES,
    OUT,
    PASS,
    PLAYED,
    POTS,
    RANK,
    STOPPED,
    TOOK,
    hidden,
    highest_rank,
    lowest_rank,
    of_rank,
    prepare,
    table,
    value,
)
from simcore.rng import chance, mix64, open_stream, shuffle

__all__ = ["DECK", "GAME", "MARKED", "PASS", "PLAY", "highest_rank", "lowest_rank", "of_rank", "value"]

PLAY = np.int64(0)  # the decision point: a card of `hand.legal`, or PASS
LOWEST, HIGHEST = 1, 2  # first_lead
STRICT, FIRST_POSSESSION = range(2)  # opera
DEALER_SEES = 2  # talon
RANKS = KING + 1


@rule
def is_legal(point, table, hand, seat, action):
    """Whether this card, or PASS, is among those that the rules allow now (N3 to N9)."""
    return (action >= 0) & (action <= PASS) & (hand.legal >> (action & 63) & 1 != 0)


@procedure
def deal(table, hidden, shuffler):
    """Chips for everybody and an empty board; each deal shuffles for itself."""
    rules, players = table.rules, len(table.seat)
    dice = hidden.dice
    dice.a, dice.b, dice.c, dice.d = shuffler.a, shuffler.b, shuffler.c, shuffler.d
    if rules.forget_prob:
        open_stream(hidden.chance, mix64(dice.a ^ dice.d))  # the dice stay as they are: the same cards are dealt
    for seat in range(players):
        mine = table.seat[seat]
        mine.chips, mine.won, mine.playing = rules.chips, 0, 1
    for pot in range(POTS):
        table.pot[rules.marked[pot] & 63] = 0
        table.taken[pot], table.doubled[pot], table.left[pot], table.pots[pot] = 0, 0, 0, 0
    table.first = 0  # N2: seat 0 plays first
    table.dealer = 0 if rules.first_player == DEALER else players - 1
    table.in_play, table.winner, table.talon = players, NONE, 0
    table.deals, table.plays, table.leads, table.stops, table.operas, table.first_wins = 0, 0, 0, 0, 0, 0
    table.from_pots, table.from_hands = 0, 0
    table.broke, table.over, table.cut_off, table.fault = 0, 0, 0, 0


@procedure
def start_deal(table, hidden):
    """Stakes, then a shuffled deck, of which everybody gets a hand."""
    rules, players, cards = table.rules, len(table.seat), hidden.deck.cards
    event(DEAL, table.dealer, table.deals)
    event(FIRST, table.first, 0)
    stake(table)
    for card in range(64):
        cards[card] = card
    each = rules.dealt[table.in_play & 15]
    shuffle(hidden.dice, cards, 0, each * table.in_play, 52)
    for rank in range(RANKS + 1):
        hidden.held[rank] = 0
    talon, dealt = np.int64(DECK), np.int64(0)
    for seat in range(players):
        hand, count = np.int64(0), each * table.seat[seat].playing
        for place in range(dealt, dealt + count):
            card = cards[place & 63] & 63
            hand |= 1 << card
            hidden.held[card >> 2] |= 1 << ((seat << 2) + (card & 3))
        dealt += count
        table.seat[seat].cards = count
        hidden.hand[seat].cards, hidden.hand[seat].legal, hidden.hand[seat].talon = hand, 0, 0
        talon ^= hand
        event(HAND, seat, hand)
    hidden.talon, hidden.forgotten, table.talon, table.played = talon, 0, 0, 0
    if rules.talon == DEALER_SEES:
        hidden.hand[table.dealer].talon = talon
    table.follows, table.last = NONE, table.first


@rule
def opening(table, hidden):
    """N3: the cards that may open the deal."""
    cards, rules = hidden.hand[table.first].cards, table.rules
    if rules.first_lead == LOWEST:
        cards = of_rank(cards, lowest_rank(cards))
    elif rules.first_lead == HIGHEST:
        cards = of_rank(cards, highest_rank(cards))
    return cards


@procedure
def seek(table, hidden, rank, passed):
    """Who is asked next, for this rank or a later one, when the rules are not the usual ones; writes what is legal.

    passed: how many seats, from the last player on, have been asked for this rank already (N4 to N9).
    """
    players, rules = len(table.seat), table.rules
    for _ in range((rank - table.top - 1) % RANKS, RANKS):  # each rank once after the card that was played
        if rank > KING and rules.wrap:
            rank = ACE
        if rank > KING:
            break
        for step in range(passed, players):
            seat = (table.last + step) % players
            own = hidden.held[rank] >> (seat << 2) & RANK
            if own:
                table.follows, table.passed = rank, step
                hidden.hand[seat].legal = (own << (rank << 2)) | (0 if rules.compulsory else 1 << PASS)
                return seat
            if rules.compulsory:
                table.without[rank] |= 1 << seat
        table.stops += 1
        event(STOPPED, table.last, rank)
        if not rules.stop_rule:
            break
        rank, passed = rank + 1, 0
    return lead(table, hidden)


@rule
def lead(table, hidden):
    """N7, N8: who played last leads any card."""
    table.leads += 1
    table.follows = NONE
    hidden.hand[table.last].legal = hidden.hand[table.last].cards
    return table.last


@procedure
def forgets(table, hidden, seat, card):
    """N17: whether the player of this card forgets to take what lies on it; then it stays there."""
    forgotten = np.int64(MARKED >> card & 1) & chance(hidden.chance, table.rules.forget_prob)
    if forgotten:
        hidden.forgotten |= 1 << card
        event(FORGOT, seat, card)
    return forgotten


@rule
def holder_of_all(table, hidden):
    """`opera_five` (N14): who was dealt all five marked cards; NONE if nobody was."""
    holder = np.int64(NONE)
    for seat in range(len(table.seat)):
        holder = seat if hidden.hand[seat].cards & MARKED == MARKED else holder
    return holder


@rule
def lay(table, hidden, seat, card):
    """A card goes from a hand to the table; a marked one takes what lies on it: so many chips (N16)."""
    mine, bit = table.seat[seat], 1 << card
    event(PLAYED, seat, card)
    hidden.hand[seat].cards ^= bit
    hidden.held[card >> 2] ^= 1 << ((seat << 2) + (card & 3))
    table.played |= bit
    table.last = seat
    mine.cards -= 1
    gain = np.int64(0)
    if table.rules.forget_prob == 0 or not forgets(table, hidden, seat, card):
        gain = table.pot[card]
        mine.chips += gain
        table.pot[card] = 0
        if gain:
            event(TOOK, seat, (gain << 6) + card)
    return gain


@rule
def steps_to_next(table, hidden, seat, rank):
    """How many seats on, from who has played this rank, the next rank is held; as many as players when nowhere.

    The next rank's cards are one word, four bits a seat; after a king it is empty.
    """
    width, own = 4 * len(table.seat), hidden.held[(rank + 1) & 15]
    return lowest(((own | own << width) >> (seat << 2)) | 1 << width) >> 2


@rule
def ask_next(table, hidden, seat, steps, rank):
    """Who is asked next, so many seats on: for the next rank, or for any card when it has come round (N4 to N8)."""
    players, is_stop = len(table.seat), steps == len(table.seat)
    if is_stop and rank != KING:
        event(STOPPED, seat, rank + 1)
    table.follows = NONE if is_stop else rank + 1
    rest, following = hidden.hand[seat].cards, seat + steps
    following = following - players if following >= players else following
    follow = (hidden.held[(rank + 1) & 15] >> (following << 2) & RANK) << ((rank + 1) << 2 & 63)
    hidden.hand[following].legal = rest if is_stop else follow
    return following


def turns(choose, remembers):
    """The turn of this game, a whole deal, for a kernel's way of choosing.

    remembers: whether a strategy of the roster reads `without`; else it may stay empty.
    """

    @procedure
    def play_cards(table, hidden, seats):
        """From the first lead until a hand is empty: cards played before the last turn of who went out.

        `table.last` is who went out.
        """
        is_usual, seat, last = table.rules.is_usual, table.first, table.first
        plays, leads, stops, since, from_pots = np.int64(0), np.int64(1), np.int64(0), np.int64(0), np.int64(0)
        hidden.hand[seat].legal = opening(table, hidden)
        while True:
            card = np.int64(choose(PLAY, table, seat, hidden.hand[seat], seats))
            if not is_legal(PLAY, table, hidden.hand[seat], seat, card):
                table.fault = 1
                break
            if card == PASS:
                event(DECLINED, seat, table.follows)
                seat = seek(table, hidden, table.follows, table.passed + 1)
                continue
            since = since if seat == last else plays
            last = seat
            plays += 1
            from_pots += lay(table, hidden, seat, card & 63)
            rank = card >> 2
            if hidden.hand[seat].cards == 0:
                break
            if is_usual:
                steps = steps_to_next(table, hidden, seat, rank)
                if remembers:
                    note(table, seat, steps, rank + 1)
                is_stop = steps == len(table.seat)
                leads += is_stop
                stops += is_stop & (rank != KING)
                seat = ask_next(table, hidden, seat, steps, rank)
            else:
                table.top = rank
                seat = seek(table, hidden, rank + 1, 0)
        event(OUT, seat, 0)
        table.plays += plays
        table.leads += leads
        table.stops += stops
        table.from_pots += from_pots
        return since

    @procedure
    def play_deal(table, hidden, seats):
        """Plays the cards, and tells whether it was a Grand Opéra (N14); `table.last` has won the deal."""
        rules = table.rules
        if rules.opera_five:
            holder = holder_of_all(table, hidden)
            if holder != NONE:
                table.last = holder
                event(FIVE, holder, 0)
                return True
        if remembers:
            for rank in range(RANKS):
                table.without[rank] = 0
        before = play_cards(table, hidden, seats)
        if rules.opera == STRICT:
            return before == 0
        alone = size(table.played) - before  # cards of the last turn
        return rules.opera == FIRST_POSSESSION and alone == rules.dealt[table.in_play & 15]

    @rule
    def turn(table, hidden, seats):
        """One deal."""
        start_deal(table, hidden)
        is_opera = play_deal(table, hidden, seats)
        if table.fault == 0:
            settle(table, hidden, table.last, is_opera)
            table.deals += 1
            go_on(table, hidden)

    return turn


@rule
def note(table, seat, steps, rank):
    """N5: the seats that were passed over have none of this rank, as everybody has seen."""
    players = len(table.seat)
    without = ((1 << steps) - 1) << seat
    table.without[rank & 15] |= (without | without >> players) & ((1 << players) - 1)


@rule
def is_over(table):
    """Whether the last deal is settled, or the game was stopped."""
    return (table.over | table.fault) != 0


@rule
def standing(table, hidden, seat):
    """Who has most chips leads."""
    return table.seat[seat].chips


@rule
def progress(table, hidden):
    """Deals that are over, of all."""
    return table.deals, table.rules.last_deal


GAME = Game(
    name="nain-jaune",
    title="Nain jaune",
    least_players=2,
    most_players=8,
    rules=Rules,
    points=("PLAY",),
    metrics=(
        Metric("plays", "cards played a game"),
        Metric("leads", "leads a game"),
        Metric("stops", "stops a game"),
        Metric("deals", "deals a game"),
        Metric("plays_per_deal", "cards played a deal", of="plays", per="deals"),
        Metric("leads_per_deal", "leads a deal", of="leads", per="deals"),
        Metric("stops_per_deal", "stops a deal", of="stops", per="deals"),
        Metric("opera", "deals won by Grand Opéra", is_share=True, per="deals"),
        Metric("first_player_wins", "deals won by the first player", is_share=True, per="deals"),
        Metric("pots_taken", "pots taken a game"),
        Metric("taken", "{}: taken", is_share=True, row="pot", per="deals", labels=NAMES),
        Metric("doubled", "{}: in a hand at the end, doubled", is_share=True, row="pot", per="deals", labels=NAMES),
        Metric("left", "{}: left", is_share=True, row="pot", per="deals", labels=NAMES),
        Metric("pots", "{}: chips before play", row="pot", per="deals", labels=NAMES),
        Metric("from_pots", "chips won from pots a game"),
        Metric("from_hands", "chips won from hands a game"),
        Metric("income", "chips won a game"),
        Metric("pots_income", "share of chips won from pots", is_share=True, of="from_pots", per="income"),
        Metric("hands_income", "share of chips won from hands", is_share=True, of="from_hands", per="income"),
        Metric("pots_left", "chips left in pots at the end"),
        Metric("bankrupt", "games with somebody bankrupt", is_share=True),
        Metric("tied", "games that several win", is_share=True),
        Metric("cut_off", "games cut off", is_share=True),
        Metric("deals_won", "deals won, {}", by_seat=True, row="seat", is_share=True, per="deals"),
    ),
    score="chips",
    table=table,
    hidden=hidden,
    prepare=prepare,
    deal=deal,
    turns=turns,
    is_over=is_over,
    finish=finish,
    is_legal=is_legal,
    check=check,
    history=("without",),
    default_parts=("stop_counter",),
    standing=standing,
    progress=progress,
    check_course=check_course,
    happens=("opera", "bankrupt", "stops"),
    default_line_up="stop_counter",
    narrator="simcore.games.nain_jaune_words",
    is_heavy_tailed=True,
)
