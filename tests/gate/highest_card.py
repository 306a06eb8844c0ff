"""A small game for tests of the gate: a card each, the highest wins; and a rule that favours the first seat."""

from dataclasses import dataclass

import numpy as np

from simcore.contract import Game, Metric, event, procedure, record, rule, strategy
from simcore.rng import below, shuffle, xoshiro
from simcore.rules import codes, number
from simcore.seats import share_win

SHOWS, GUESSES = np.arange(2)


@dataclass(frozen=True)
class Rules:
    """H1: how often the first seat wins whatever happens, in ten thousandths."""

    favour: int = number(0, 0, 10000, "H1", "Le premier joueur peut gagner d'office.", "how often seat 1 just wins")


def table(players, rules):
    return record(("rules", record(*codes(Rules()))), "asked", "fault", ("seat", record("card"), (players,)))


def hidden(players):
    return record(("hand", record("card"), (players,)), ("deck", record(("cards", np.int64, (64,)))), "luck")


def prepare(sheet, players, rules):
    sheet.favour = codes(rules)["favour"]


@procedure
def deal(table, hidden, shuffler):
    for card in range(52):
        hidden.deck.cards[card] = card
    shuffle(shuffler, hidden.deck.cards, 0, len(table.seat), 52)
    for seat in range(len(table.seat)):
        hidden.hand[seat].card = hidden.deck.cards[seat]
        table.seat[seat].card = hidden.deck.cards[seat]
        event(SHOWS, seat, hidden.deck.cards[seat])
    luck, shuffler.a, shuffler.b, shuffler.c, shuffler.d = xoshiro(shuffler.a, shuffler.b, shuffler.c, shuffler.d)
    hidden.luck = np.int64(luck % np.uint64(10000))
    table.asked, table.fault = 0, 0


@rule
def is_legal(point, table, hand, seat, action):
    return 0 <= action <= 51


def turns(choose, remembers):
    @rule
    def turn(table, hidden, seats):
        guess = choose(0, table, table.asked, hidden.hand[table.asked], seats)
        if not is_legal(0, table, hidden.hand[table.asked], table.asked, guess):
            table.fault = 1
        event(GUESSES, table.asked, guess)
        table.asked += 1

    return turn


@rule
def is_over(table):
    return (table.asked == len(table.seat)) | (table.fault != 0)


@procedure
def finish(table, hidden, outcome):
    best = np.int64(0)
    for seat in range(1, len(table.seat)):
        if table.seat[seat].card > table.seat[best].card:
            best = np.int64(seat)
    if hidden.luck < table.rules.favour:
        best = np.int64(0)
    for seat in range(len(table.seat)):
        outcome.score[seat] = table.seat[seat].card
    share_win(outcome, np.int64(1) << best)
    outcome.asked = table.asked


def narrate(events, players, language):
    return [f"Player {seat + 1} {('shows', 'guesses')[kind]} {value}." for kind, seat, value in events]


@strategy("highest", answers=(0,))
def random(point, table, seat, hand, params, stream):
    """Guesses a card; the guess is worth nothing."""
    return below(stream, 52)


GAME = Game(
    name="highest",
    title="Highest card",
    least_players=2,
    most_players=5,
    rules=Rules,
    points=("GUESS",),
    metrics=(Metric("asked", "guesses a game"),),
    score="points",
    table=table,
    hidden=hidden,
    prepare=prepare,
    deal=deal,
    turns=turns,
    is_over=is_over,
    finish=finish,
    is_legal=is_legal,
    default_parts=("random",),
    narrator=__name__,
)
