"""Jeu du doigt, thefts: whose top card is stolen, and what the robbed player shows next (D9, D12 to D16)."""

from simcore.contract import NONE, event, procedure, rule
from simcore.games.doigt_table import SHOWN, THEFT, is_court

OWN_PACK, DRAW_PILE, NOTHING = range(3)  # theft_replacement


@procedure
def steal(table, hidden, thief, call):
    """The winner of a jack or queen takes the top card of every opponent whose top card answers to the number."""
    if table.rules.max_thefts:  # D12: one victim
        victim = richest_victim(table, thief, call)
        if victim != NONE:
            rob(table, hidden, thief, victim)
    else:
        for victim in range(len(table.seat)):
            if victim != thief and can_be_robbed(table, victim, call):
                rob(table, hidden, thief, victim)


@rule
def can_be_robbed(table, victim, call):
    """Whether the victim's top card answers to the number; without a top card it is immune (D14)."""
    top = table.seat[victim].top
    return top != NONE and (table.rules.robbed_by[top & 63] >> call) & 1 != 0


@procedure
def richest_victim(table, thief, call):
    """D12: of those who can be robbed, who has most cards, then who sits next after the thief."""
    chosen = NONE
    for step in range(1, len(table.seat)):
        victim = (thief + step) % len(table.seat)
        if can_be_robbed(table, victim, call) and (
            chosen == NONE or table.seat[victim].cards > table.seat[chosen].cards
        ):
            chosen = victim
    return chosen


@procedure
def rob(table, hidden, thief, victim):
    """Moves the victim's top card under the thief's pack; the victim turns up another (D13)."""
    own, other, seat = hidden.pack[thief], hidden.pack[victim], table.seat[victim]
    own.cards[own.end & 63] = seat.top
    own.end += 1
    other.first += 1
    table.thefts += 1
    event(THEFT, thief, victim * 64 + seat.top)
    replace_top(table, hidden, victim)
    seat.cards = other.end - other.first
    event(SHOWN, victim, seat.top)


@procedure
def replace_top(table, hidden, victim):
    """D13, D14: what a robbed player shows from now on."""
    rules = table.rules
    table.seat[victim].top = NONE
    if rules.theft_replacement == DRAW_PILE:
        turn_up_from_pile(table, hidden, victim)
    if table.seat[victim].top == NONE and rules.theft_replacement != NOTHING:
        turn_up_next(table, hidden, victim)


@rule
def turn_up_next(table, hidden, player):
    """D13, D14: a player without a visible card turns up the next of the own pack, or what `empty_pack` says."""
    turn_up_own(table, hidden, player)
    if table.seat[player].top == NONE and table.rules.empty_pack:
        turn_up_from_pile(table, hidden, player)


@procedure
def turn_up_own(table, hidden, player):
    """D13: the first card of the own pack that is neither jack nor queen; those go under the pack."""
    pack = hidden.pack[player]
    first, end = pack.first, pack.end
    left = end - first
    while left > 0 and is_court(pack.cards[first & 63]):
        pack.cards[end & 63] = pack.cards[first & 63]
        first += 1
        end += 1
        left -= 1
    pack.first, pack.end = first, end
    table.seat[player].top = pack.cards[first & 63] if left > 0 else NONE


@procedure
def turn_up_from_pile(table, hidden, player):
    """D13, D14: the first card of the pile that is neither jack nor queen; those go under the pile."""
    pile, pack = hidden.pile, hidden.pack[player]
    for _ in range(pile.end - pile.first):
        card = pile.cards[pile.first & 63]
        pile.first += 1
        if not is_court(card):
            pack.first -= 1
            pack.cards[pack.first & 63] = card
            table.seat[player].top = card
            table.pile -= 1
            break
        pile.cards[pile.end & 63] = card
        pile.end += 1
