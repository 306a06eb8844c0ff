"""A second engine for Jeu du doigt, written from the rule sheet: cards are words such as 7♥. It checks the kernel.

It is told the cards and every decision of a game, insists that each was asked of the right player and is legal, and
says how the game must have ended. It shares no code with `simcore.games.doigt`.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

ANNOUNCE, KEEP = 0, 1
WHOLE = 840
MOST_RETURNS = 40
VALUES = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5}


@dataclass(frozen=True)
class Verdict:
    """How a game ended: what an outcome row should say."""

    share: list[int]
    score: list[int]
    attempts: int
    rounds: int
    thefts: int
    extras: int
    tied: int
    cut_off: int


def deck(players: int, rules: Any) -> list[str]:
    """The 40 cards, without the 5s below five players and the 4s at three, unless all 40 are played (D1)."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "J", "Q", "K"]
    if rules.deck_rule == "by_players":
        ranks = [rank for rank in ranks if not (rank == "5" and players < 5) and not (rank == "4" and players == 3)]
    return [rank + suit for rank in ranks for suit in "♥♦♠♣"]


def is_court(card: str) -> bool:
    """A jack or a queen; a king is not one here."""
    return card[:-1] in ("J", "Q")


def answers(card: str, number: int, rules: Any) -> bool:
    """Does the announced number correspond to the card?"""
    rank = card[:-1]
    if rank == "K":
        return number == 0
    if rank == "6":
        return number % 2 == 0 and (number > 0 or rules.zero_is_even == "true")
    if rank == "7":
        return number % 2 == 1
    return VALUES.get(rank) == number


class Referee:
    """One table. A pack's first card is its top; it lies face up while `shows` says so."""

    def __init__(
        self,
        players: int,
        rules: Any,
        face_up: Iterable[str],
        pile: Iterable[str],
        decisions: Iterable[tuple[int, int, int]],
    ) -> None:
        self.players, self.rules, self.decisions = players, rules, iter(decisions)
        self.packs = [deque([card]) for card in face_up]
        self.shows = [True] * players
        self.pile = deque(pile)
        self.centre: list[str] = []  # the centre card, then its face-down cards
        self.out: list[str] = []  # cards that left the game
        self.turn = 0
        self.turned = self.returned = self.attempts = self.rounds = self.thefts = self.extras = self.given_up = 0
        self.centres_won = [0] * players
        self.won_last_at = [0] * players
        self.fingers = [rules.fingers_2p if players == 2 else rules.fingers_per_player] * players
        self.check_deal()

    def check_deal(self) -> None:
        dealt = [card for pack in self.packs for card in pack] + list(self.pile)
        self.dealt = len(dealt)
        missing = set(deck(self.players, self.rules)) - set(dealt)
        assert len(set(dealt)) == len(dealt) and set(dealt) <= set(deck(self.players, self.rules))
        assert len(self.packs) == self.players and not any(is_court(pack[0]) for pack in self.packs)
        assert all(is_court(card) for card in missing) and (not missing or self.rules.setup_jq == "removed")

    def play(self) -> Verdict:
        """The whole game."""
        while self.pile and self.turn_up_centre():
            if not self.play_round():
                break
        assert next(self.decisions, None) is None, "the game is over, but somebody was asked"
        kept = sum(len(pack) for pack in self.packs) + len(self.pile) + len(self.out)
        assert kept == self.dealt, f"{kept} cards of {self.dealt}"
        return self.verdict()

    def turn_up_centre(self) -> bool:
        """Rule 3; answers whether the card is played for."""
        if self.rules.after_success == "round_robin_start":
            self.turn = self.turned % self.players
        self.turned += 1
        self.centre = [self.pile.popleft()]
        while self.pile and self.brings_second(self.centre[-1]):
            self.centre.append(self.pile.popleft())
            if self.rules.heart_chain == "false":
                break
        if self.rules.end_rule == "immediate" and not self.pile:
            self.out += self.centre
            return False
        return True

    def brings_second(self, card: str) -> bool:
        return card[-1] in {"0": "", "1": "♥", "red": "♥♦"}[self.rules.heart_bonus]

    def play_round(self) -> bool:
        """Announcements on one card until it is won or given up; answers whether the game goes on."""
        last_call = None
        for _ in range(self.rules.max_attempts):
            announcer = self.turn
            call, left = self.hear(announcer, last_call)
            self.attempts += 1
            self.turn = (announcer + 1) % self.players
            if call == left:
                self.win(announcer, call)
                return True
            last_call = call
        return self.give_up()

    def hear(self, announcer: int, last_call: int | None) -> tuple[int, int]:
        """One announcement: the number called and the fingers left on the card."""
        plays = self.rules.announcer_plays == "true"
        others = [seat for seat in range(self.players) if seat != announcer]
        most_of_others = sum(self.fingers[seat] for seat in others)
        own = self.fingers[announcer] if plays else 0
        call, left = divmod(self.decision(ANNOUNCE, announcer), 4)
        assert 0 <= left <= own, f"{left} own fingers"
        assert 0 <= call <= own + most_of_others, f"call {call}"
        if self.rules.forbid_impossible_call == "true":
            assert left <= call <= left + most_of_others, f"call {call} with {left} own fingers"
        if self.rules.no_repeat_call == "true":
            assert call != last_call, f"call {call} repeated"
        for seat in others:
            kept = self.decision(KEEP, seat)
            assert 0 <= kept <= self.fingers[seat], f"{kept} fingers"
            left += kept
        return call, left

    def decision(self, point: int, seat: int) -> int:
        asked = next(self.decisions, None)
        assert asked is not None, f"seat {seat} was not asked"
        assert asked[:2] == (point, seat), f"point {point} at seat {seat} is due, asked was {asked[:2]}"
        return asked[2]

    def win(self, winner: int, call: int) -> None:
        """Rules 5 and 6."""
        centre = self.centre[0]
        victims = self.victims(winner, call) if is_court(centre) and self.rules.steal == "on" else []
        self.packs[winner].extend(self.centre)
        if answers(centre, call, self.rules):
            self.take_extras(winner, call)
        for victim in victims:
            self.packs[winner].append(self.packs[victim].popleft())
            self.thefts += 1
            self.replace_top(victim)
        if not self.shows[winner]:
            self.turn_up_own(winner)
        self.rounds += 1
        self.centres_won[winner] += 1
        self.won_last_at[winner] = self.rounds
        if self.rules.after_success == "winner_again":
            self.turn = winner

    def take_extras(self, winner: int, call: int) -> None:
        plays = self.rules.announcer_plays == "true"
        highest = sum(self.fingers) - (0 if plays else self.fingers[winner])
        rare = self.rules.bonus_scale == "true" and call in (0, highest)
        for _ in range(self.rules.extra_bonus * (2 if rare else 1)):
            if self.pile:
                self.packs[winner].append(self.pile.popleft())
                self.extras += 1

    def victims(self, thief: int, call: int) -> list[int]:
        """The opponents who lose their top card, in seat order."""
        found = [seat for seat in range(self.players) if seat != thief and self.can_be_robbed(seat, call)]
        if self.rules.max_thefts == "1" and found:
            found = [min(found, key=lambda seat: (-len(self.packs[seat]), (seat - thief) % self.players))]
        return found

    def can_be_robbed(self, seat: int, call: int) -> bool:
        if not self.shows[seat]:
            return False
        top = self.packs[seat][0]
        assert not is_court(top)
        if top.startswith("K") and self.rules.king_zero_theft == "false":
            return False
        return answers(top, call, self.rules)

    def replace_top(self, victim: int) -> None:
        """D13 and D14: what the robbed player turns up."""
        self.shows[victim] = False
        if self.rules.theft_replacement == "none":
            return
        if self.rules.theft_replacement == "draw_pile" and self.turn_up_from_pile(victim):
            return
        self.turn_up_own(victim)

    def turn_up_own(self, seat: int) -> None:
        """The next card of the own pack that is neither jack nor queen; those that are go under it."""
        if self.bring_to_front(self.packs[seat]):
            self.shows[seat] = True
        elif self.rules.empty_pack == "draw_pile":
            self.turn_up_from_pile(seat)

    def turn_up_from_pile(self, seat: int) -> bool:
        if not self.bring_to_front(self.pile):
            return False
        self.packs[seat].appendleft(self.pile.popleft())
        self.shows[seat] = True
        return True

    def bring_to_front(self, cards: deque[str]) -> bool:
        """Puts jacks and queens under these cards until another card is on top; answers whether there is one."""
        if all(is_court(card) for card in cards):
            return False
        while is_court(cards[0]):
            cards.rotate(-1)
        return True

    def give_up(self) -> bool:
        """D22, when nobody won the card; answers whether the game goes on."""
        self.given_up += 1
        if self.rules.on_cap == "bottom" and self.returned + len(self.centre) <= MOST_RETURNS:
            self.returned += len(self.centre)
            self.pile.extend(self.centre)
        else:
            self.out += self.centre
        return bool(self.rules.on_cap != "abort")

    def verdict(self) -> Verdict:
        score = [len(pack) for pack in self.packs]
        winners = [seat for seat in range(self.players) if score[seat] == max(score)]
        if self.rules.tie == "last_winner":
            winners = [seat for seat in winners if self.won_last_at[seat] == max(self.won_last_at[s] for s in winners)]
        if self.rules.tie == "fewest_rounds":
            winners = [seat for seat in winners if self.centres_won[seat] == min(self.centres_won[s] for s in winners)]
        share = [WHOLE // len(winners) if seat in winners else 0 for seat in range(self.players)]
        flags = int(len(winners) > 1), int(self.given_up > 0)
        return Verdict(share, score, self.attempts, self.rounds, self.thefts, self.extras, *flags)
