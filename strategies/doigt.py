"""Strategies for Jeu du doigt: announcers, who choose a number and their own fingers, and defenders.

Behind an announcer's number is a guess: how many fingers the others leave, which is the number without the own
fingers. Announcers differ in the weight they give to each guess. A set of announcements is a number too, a bit each.
"""

from fractions import Fraction
from math import comb

import numpy as np

from simcore.contract import NONE, Parameter, procedure, rule, strategy
from simcore.games.doigt import ANNOUNCE, KEEP, announcement, is_court, is_legal_announcement, rewarded
from simcore.rng import below, below_and_coin, chance, coin

GUESSES = range(9)  # at most eight fingers are not the announcer's
EQUAL = tuple(1 for guess in GUESSES)
COINS = tuple(tuple(comb(fingers, guess) for guess in GUESSES) for fingers in GUESSES)  # Binomial(fingers, 1/2)
PAY_FIRST = tuple(tuple((1 << 20) + weight for weight in row) for row in COINS)  # pay decides, then likelihood
CERTAIN = 1 << 40
NO_FINGERS = tuple(CERTAIN * (guess == 0) for guess in GUESSES)
BITS = 20  # a learned probability is a share of 2 ** 20
FRESH = 1 << 16  # the weight of a player's latest choice
FLAT = 6  # what `rewarded_number` answers when no single number is rewarded
PARTS = 3 * 4 * 5 * 7 * 11 * 13  # so that the table below is exact


def parts(row):
    """Fractions as whole numbers of parts."""
    return tuple(int(PARTS * Fraction(share)) for share in row.split())


# How often a defender leaves the finger, for 3, 4 and 5 players; then without and with a face-down card; then when
# the number 0, 1, … 5 is rewarded, or none or all are (flat). With m = players - 1 defenders who all leave it with
# probability p, the share p makes the greatest w(g) * P(Binomial(m, p) = g) as small as it can be, where w(g) is
# 1 + face-down cards + (1 if g or g + 1 is the rewarded number): what the guess g wins at best.
MINIMAX = (
    (parts("2/3 4/5 1/5 1/3 2/3 2/3 2/3"), parts("2/3 3/4 1/4 1/3 2/3 2/3 2/3")),
    (parts("1/2 3/4 1/7 1/4 1/2 1/2 1/2"), parts("1/2 3/4 2/11 1/4 1/2 1/2 1/2")),
    (parts("2/5 3/5 4/5 1/5 2/5 2/5 2/5"), parts("2/5 3/5 9/13 4/13 2/5 2/5 2/5")),
)


@strategy("doigt", answers=(ANNOUNCE, KEEP))
def random(point, table, seat, hand, params, stream):
    """Any legal number, and every finger a fair coin."""
    rules = table.rules
    if point == KEEP:
        return coins(table, stream)
    if rules.restricted:
        return any_announcement(table, stream)
    call, kept = below_and_coin(stream, rules.fingers + 1)
    if len(table.finger) == 2:
        kept += coin(stream)
    return announcement(call, kept & rules.announcer_mask)


@strategy("doigt", answers=(ANNOUNCE,))
def consistent(point, table, seat, hand, params, stream):
    """Own fingers fair coins, and any number that they leave possible."""
    return likeliest_announcement(table, EQUAL, stream)


@strategy("doigt", answers=(ANNOUNCE,))
def mode(point, table, seat, hand, params, stream):
    """Own fingers fair coins, and the number that is likeliest if the others toss coins."""
    return likeliest_announcement(table, COINS[others(table)], stream)


@strategy("doigt", answers=(ANNOUNCE,))
def bonus(point, table, seat, hand, params, stream):
    """The number that wins most cards, however unlikely; among equals the likeliest if the others toss coins."""
    return best_announcement(table, seat, PAY_FIRST[others(table)], stream)


@strategy("doigt", answers=(ANNOUNCE,))
def ev(point, table, seat, hand, params, stream):
    """The number and own fingers that win most cards on average if the others toss coins."""
    return best_announcement(table, seat, COINS[others(table)], stream)


@strategy(
    "doigt",
    answers=(ANNOUNCE,),
    memory=Parameter(100, 1, 100, "percent of its weight that an older choice keeps; 100 forgets nothing"),
)
def adaptive(point, table, seat, hand, params, stream):
    """As ev, but expects of each opponent what that opponent has done so far."""
    return best_announcement(table, seat, learned_chances(table, seat, params.memory), stream)


@strategy("doigt", answers=(KEEP,), name="coin")
def fair(point, table, seat, hand, params, stream):
    """Every finger a fair coin."""
    return coins(table, stream)


@strategy("doigt", answers=(KEEP,), leave=Parameter(70, 0, 100, "percent: how often a finger stays"))
def biased(point, table, seat, hand, params, stream):
    """Leaves every finger equally often, but not half of the time."""
    return fingers_left(table, params.leave, 100, stream)


@strategy("doigt", answers=(KEEP,))
def minimax(point, table, seat, hand, params, stream):
    """Makes the announcer's best number win as few cards on average as possible.

    A jack or queen counts as a card without reward. When the fingers on the card are not as many as on the rule
    sheet (other fingers each, an announcer without fingers), every finger is a fair coin. From three players on,
    a reward counts as one card, and several rewarded numbers as if all were.
    """
    return hardest_to_guess(table, stream)


@strategy("doigt", answers=(KEEP,), delta=Parameter(20, 0, 50, "percent: how far from even a finger leans"))
def anti_bonus(point, table, seat, hand, params, stream):
    """Leaves fingers less often when high numbers pay best, more often when low ones do, else tosses coins."""
    lean = lean_of_pay(table)
    return fingers_left(table, 50 - params.delta * ((lean > 0) - (lean < 0)), 100, stream)


@strategy("doigt", answers=(KEEP,), again=Parameter(70, 0, 100, "percent: how often the last choice is repeated"))
def habit(point, table, seat, hand, params, stream):
    """Often does what it did the last time it defended, otherwise tosses coins."""
    mine = table.seat[seat]
    repeats = chance(stream, params.again) and table.attempts > mine.announced
    return mine.past & 3 if repeats else coins(table, stream)


@strategy(
    "doigt",
    answers=(ANNOUNCE, KEEP),
    memory=Parameter(100, 1, 100, "percent of its weight that an older choice keeps; 100 forgets nothing"),
)
def leader_aware(point, table, seat, hand, params, stream):
    """Announces as adaptive; defends as minimax against the two players with most cards, else tosses coins."""
    if point == ANNOUNCE:
        return best_announcement(table, seat, learned_chances(table, seat, params.memory), stream)
    if is_leader(table, table.announcer):
        return hardest_to_guess(table, stream)
    return coins(table, stream)


@procedure
def any_announcement(table, stream):
    """Tossed own fingers and any number that is legal with them."""
    kept = coins(table, stream) * table.rules.announcer_plays
    chosen = 0
    for call in range(table.rules.fingers + 1):
        chosen |= table.legal & (1 << announcement(call, kept))
    return one_of(chosen, stream)


@procedure
def best_announcement(table, seat, weights, stream):
    """An announcement for which the guess's weight times the pay is greatest; equals are equally likely."""
    return one_of(best_announcements(table, seat, weights, 0, table.rules.announcer_own), stream)


@procedure
def likeliest_announcement(table, weights, stream):
    """An announcement with tossed own fingers whose guess has the greatest weight; equals are equally likely."""
    kept = coins(table, stream) * table.rules.announcer_plays
    return one_of(best_announcements(table, NONE, weights, kept, kept), stream)


@procedure
def best_announcements(table, seat, weights, least, most):
    """The legal announcements, with `least` to `most` own fingers, of the greatest weight; times pay for a seat."""
    best, chosen = -1, 0
    for call in range(table.rules.fingers + 1):
        cards = pay(table, seat, call) if seat != NONE else 1
        for kept in range(least, most + 1):
            guess = call - kept
            value = cards * weights[guess] if 0 <= guess <= others(table) else 0
            if value >= best and is_legal_announcement(table, announcement(call, kept)):
                if value > best:
                    best, chosen = value, 0
                chosen |= 1 << announcement(call, kept)
    return chosen


@procedure
def one_of(chosen, stream):
    """An announcement of the set, each equally likely; it takes one draw, however many there are."""
    count, rest = 0, chosen
    while rest:
        rest &= rest - 1
        count += 1
    for _ in range(below(stream, count)):
        chosen &= chosen - 1
    action = 0
    while not (chosen >> action) & 1:
        action += 1
    return action


@rule
def others(table):
    """How many fingers on the card are not the announcer's."""
    return table.rules.fingers - table.rules.announcer_own


@procedure
def pay(table, announcer, call):
    """How many cards the announcer wins if this number is right: from the centre, the pile and other packs."""
    return 1 + table.face_down + (thefts(table, announcer, call) if is_court(table.centre) else extras(table, call))


@rule
def extras(table, call):
    """How many extra cards of the pile this number wins."""
    return min(rewarded(table.rules, table.centre, call), table.pile)


@rule
def thefts(table, announcer, call):
    """How many top cards this number steals on a jack or queen."""
    count = 0
    for player in range(len(table.seat)):
        top = table.seat[player].top
        if player != announcer and top != NONE:
            count += (table.rules.robbed_by[top & 63] >> call) & 1
    return min(count, 1) if table.rules.max_thefts else count


@procedure
def learned_chances(table, seat, memory):
    """The probability of every guess, as a share of CERTAIN, when each opponent goes on as before."""
    chances = NO_FINGERS
    for player in range(len(table.seat)):
        if player != seat:
            stays = probability_of_staying(table, player, memory)
            for _ in range(len(table.finger)):
                chances = with_finger(chances, stays)
    return chances


@rule
def with_finger(chances, stays):
    """The probabilities of the guesses with one finger more, which stays with probability stays / 2 ** BITS."""
    p0, p1, p2, p3, p4, p5, p6, p7, p8 = chances
    lifts = (1 << BITS) - stays
    return (
        (p0 * lifts) >> BITS,
        (p1 * lifts + p0 * stays) >> BITS,
        (p2 * lifts + p1 * stays) >> BITS,
        (p3 * lifts + p2 * stays) >> BITS,
        (p4 * lifts + p3 * stays) >> BITS,
        (p5 * lifts + p4 * stays) >> BITS,
        (p6 * lifts + p5 * stays) >> BITS,
        (p7 * lifts + p6 * stays) >> BITS,
        (p8 * lifts + p7 * stays) >> BITS,
    )


@procedure
def probability_of_staying(table, player, memory):
    """How often a finger of this player stays, times 2 ** BITS: (1 + left) / (2 + seen), the last 31 if weighted."""
    history = table.seat[player]
    seen = table.attempts - history.announced
    if memory == 100:
        return ((1 + history.left) << BITS) // (2 + len(table.finger) * seen)
    weight, left, weights, past = FRESH, 0, 0, history.past
    for _ in range(min(seen, 31)):
        left += weight * (past & 3)
        weights += weight
        weight = weight * memory // 100
        past >>= 2
    return ((FRESH + left) << BITS) // (2 * FRESH + len(table.finger) * weights)


@rule
def coins(table, stream):
    """How many of the own fingers stay when each is a fair coin."""
    return coin(stream) if len(table.finger) == 1 else coin(stream) + coin(stream)


@procedure
def fingers_left(table, leave, whole, stream):
    """How many of the own fingers stay when each does so with probability leave / whole."""
    left = 0
    for _ in range(len(table.finger)):
        left += below(stream, whole) < leave
    return left


@procedure
def hardest_to_guess(table, stream):
    """The fingers left by a minimax defender."""
    players = len(table.seat)
    if table.rules.fingers != (4 if players == 2 else players):
        return coins(table, stream)
    if players == 2:
        return hardest_of_three(table, stream)
    return fingers_left(table, MINIMAX[players - 3][min(table.face_down, 1)][rewarded_number(table)], PARTS, stream)


@procedure
def hardest_of_three(table, stream):
    """The fingers left by the only defender: 0, 1 or 2, each as often as 1 / (what that guess wins at best)."""
    w0, w1, w2 = best_pay(table, 0), best_pay(table, 1), best_pay(table, 2)
    drawn = below(stream, w1 * w2 + w0 * w2 + w0 * w1)
    return np.int64(drawn >= w1 * w2) + np.int64(drawn >= w1 * w2 + w0 * w2)  # numpy adds truths as `or`


@procedure
def best_pay(table, guess):
    """What a right guess wins with the best of 0, 1 or 2 own fingers; thefts do not count."""
    return 1 + table.face_down + max(extras(table, guess), extras(table, guess + 1), extras(table, guess + 2))


@procedure
def rewarded_number(table):
    """The only number that wins extra cards, or FLAT when none or several do."""
    numbers = table.rules.answers[table.centre & 63]
    if table.rules.most_extras > 0 and table.pile > 0:
        for number in range(FLAT):
            if numbers == 1 << number:
                return number
    return FLAT


@procedure
def lean_of_pay(table):
    """Positive when the numbers that pay best are on average above half of the fingers, negative when below."""
    best, lean = 0, 0
    for call in range(table.rules.fingers + 1):
        cards = pay(table, table.announcer, call)
        if cards > best:
            best, lean = cards, 0
        if cards == best:
            lean += 2 * call - table.rules.fingers
    return lean


@procedure
def is_leader(table, player):
    """Whether fewer than two players have more cards than this one."""
    richer = 0
    for other in range(len(table.seat)):
        richer += table.seat[other].cards > table.seat[player].cards
    return richer < 2
