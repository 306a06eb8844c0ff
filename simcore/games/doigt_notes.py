"""Jeu du doigt, watched: what each centre card is worth to who wins it."""

from simcore.contract import Metric, Notes, procedure

CENTRE, ROUNDS, CARDS = range(3)  # places of the notes: the centre card, rounds and cards before the turn
WON, WORTH = 16, 32  # from here on, by rank: rounds won, and the cards that they brought
NAMES = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")


@procedure
def before(table, hidden, notes):
    """What is in the centre, and what all have together."""
    notes[CENTRE], notes[ROUNDS], notes[CARDS] = table.centre, table.rounds, all_cards(table)


@procedure
def after(table, hidden, notes):
    """A round that was won has brought the centre card, a second one and the bonus; thefts change nothing in all."""
    if table.rounds > notes[ROUNDS]:
        rank = notes[CENTRE] >> 2 & 15
        notes[WON + rank] += 1
        notes[WORTH + rank] += all_cards(table) - notes[CARDS]


@procedure
def all_cards(table):
    """The cards of all players."""
    cards = table.seat[0].cards
    for seat in range(1, len(table.seat)):
        cards += table.seat[seat].cards
    return cards


@procedure
def finish(notes, outcome):
    """Writes down the sums by rank."""
    for rank in range(len(outcome.won_on)):
        outcome.won_on[rank], outcome.brought_by[rank] = notes[WON + rank], notes[WORTH + rank]


NOTES = Notes(
    metrics=(
        Metric("won_on", "rounds won with a centre card {}", labels=NAMES, row="centre"),
        Metric("brought_by", "cards that a centre card {} brings", labels=NAMES, per="won_on", row="centre"),
    ),
    before=before,
    after=after,
    finish=finish,
)
