"""Jeu du doigt, what is on the table: the records of a game, and what follows from its rules before it begins."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from simcore.cards import ACE, JACK, KING, QUEEN, card_of
from simcore.contract import record, rule
from simcore.games.doigt_rules import Rules
from simcore.rules import codes

ROUND, CALL, FINGERS, WON, EXTRA, THEFT, SHOWN, GIVEN_UP, SHOWS, LOST = np.arange(10)  # events, for transcripts

FIRST_JACK, FIRST_KING = 4 * JACK, 4 * KING
SIX, SEVEN = 5, 6

RULES = record(
    *codes(Rules()),
    *("fingers", "announcer_own", "announcer_mask", "restricted", "legal", "deck_size", "plain_size"),
    *(("deck", np.int64, (64,)), ("answers", np.int64, (64,)), ("robbed_by", np.int64, (64,))),
    *(("extras", np.int64, (64,)), "most_extras"),
)


def own_fingers(players: int, rules: Rules) -> int:
    """D2: how many fingers each player puts on the card."""
    return rules.fingers_2p if players == 2 else rules.fingers_per_player


def table(players: int, rules: Rules) -> np.dtype:
    """What everybody sees. `left`, `past`: fingers left while others announced, in all and the last 31 (2 bits each).

    The lengths of `seat` and `finger` tell the compiler how many players and fingers each there are.
    """
    seat = record("top", "cards", "left", "past", "announced", "rounds_won", "last_won")
    return record(
        ("rules", RULES),
        *("announcer", "centre", "face_down", "pile", "cap", "last_call", "legal"),
        *("attempts", "rounds", "started", "thefts", "extras", "cut_off", "returned", "lost", "fault"),
        *(("seat", seat, (players,)), ("finger", np.int64, (own_fingers(players, rules),))),
    )


def hidden(players: int) -> np.dtype:
    """What nobody sees: the order of the pile and of the packs, both rings of 64 places."""
    pack = record("first", "end", ("cards", np.int64, (64,)))
    pile = record("first", "end", ("cards", np.int64, (64,)))
    return record(("pile", pile), ("pack", pack, (players,)))


def prepare(sheet: Any, players: int, rules: Rules) -> None:
    """Writes the rules, and what follows from them at this number of players, into a RULES record."""
    code = codes(rules)
    for name, value in code.items():
        setattr(sheet, name, value)
    own = own_fingers(players, rules)
    sheet.announcer_own = own * code["announcer_plays"]  # D8
    sheet.announcer_mask = 3 * code["announcer_plays"]  # fingers & mask, where a product would become a branch
    sheet.fingers = own * (players - 1) + sheet.announcer_own  # D6: numbers from 0 to the fingers on the card
    sheet.restricted = code["forbid_impossible_call"] or code["no_repeat_call"]
    sheet.legal = sum(1 << action for action in legal_announcements(sheet, code))
    ranks = deck_ranks(players, rules)
    deck = [card_of(rank, suit) for rank in ranks for suit in range(4)]
    deck.sort(key=lambda card: FIRST_JACK <= card < FIRST_KING)
    sheet.deck_size, sheet.plain_size = len(deck), len(deck) - 8
    sheet.deck[: len(deck)] = deck
    for card in deck:
        sheet.answers[card] = answers(card >> 2, sheet.fingers, rules)
        no_king = card >= FIRST_KING and not code["king_zero_theft"]  # D9
        sheet.robbed_by[card] = 0 if no_king or not code["steal"] else sheet.answers[card]
        for call in range(sheet.fingers + 1):
            if (sheet.answers[card] >> call) & 1:
                sheet.extras[card] |= extra_cards(call, sheet.fingers, code) << (4 * call)
    sheet.most_extras = max(extra_cards(call, sheet.fingers, code) for call in range(sheet.fingers + 1))


def legal_announcements(sheet: Any, code: Mapping[str, int]) -> Iterator[int]:
    """D6, D7: numbers up to the fingers on the card, with any own fingers; `no_repeat_call` is not in this."""
    for call in range(sheet.fingers + 1):
        for kept in range(sheet.announcer_own + 1):
            if not code["forbid_impossible_call"] or kept <= call <= kept + sheet.fingers - sheet.announcer_own:
                yield announcement(call, kept)


def deck_ranks(players: int, rules: Rules) -> list[int]:
    """D1: the ranks in the deck; no card is above the number of fingers."""
    ranks = [ACE, 1, 2, 3, 4, SIX, SEVEN, JACK, QUEEN, KING]
    if rules.deck_rule == "by_players":
        ranks = [rank for rank in ranks if not (rank == 4 and players < 5) and not (rank == 3 and players == 3)]
    return ranks


def answers(rank: int, fingers: int, rules: Rules) -> int:
    """The numbers that win an extra card on a card of this rank, one bit each."""
    if rank <= 4:
        calls = [rank + 1]
    elif rank == SIX:
        calls = [call for call in range(0, fingers + 1, 2) if call or rules.zero_is_even == "true"]  # D10
    elif rank == SEVEN:
        calls = list(range(1, fingers + 1, 2))
    else:
        calls = [0] if rank == KING else []
    return sum(1 << call for call in calls if call <= fingers)


def extra_cards(call: int, fingers: int, code: Mapping[str, int]) -> int:
    """How many extra cards a rewarded number wins: at most 15, as `extras` has 4 bits for each number."""
    return code["extra_bonus"] * (2 if code["bonus_scale"] and call in (0, fingers) else 1)


@rule
def rewarded(rules, card, call):
    """How many extra cards this number wins on this card, if the pile has them."""
    return (rules.extras[card & 63] >> (call << 2)) & 15


@rule
def announcement(call, kept):
    """The action of an announcer: the number called and the own fingers left on the card."""
    return (call << 2) | kept


@rule
def is_court(card):
    """Whether a card is a jack or a queen."""
    return FIRST_JACK <= card < FIRST_KING
