"""A second engine for Paris d'amis, written from the rule sheet: cards are words such as 7♥. It checks the kernel.

It is told the deal, every decision and every event of a game. What chance brought it takes from the events, and
insists that it could be so; all the rest it works out alone, and insists that each decision was asked of the right
player and is legal, and that each event says what happened. It shares no code with `simcore.games.paris`.
"""

from collections import Counter, deque
from collections.abc import Iterable
from math import prod
from typing import Any, NamedTuple

ACT, DISCARD, CHANGE, REBET = range(4)
ROUND, POINT, HAND, LAID, CANCELLED, BET, REBETS, WON, COUNT = range(9)
INSURED, DISCARDED, SHORT, DREW, CHANGED, KEPT, TRUMP = range(9, 16)
NOBODY = NONE = -1
KEEP_BET = 7
FIRST_CARD = 8  # answers below it are bets
WHOLE = 840
SUIT_NAMES = ("hearts", "diamonds", "spades", "clubs")
COUNTED = ("turns", "right_bets", "empty_columns", "shortages", "mulligans", "rounds", "distinct_winners")
COUNTED_CARDS = ("cards_laid", "cards_drawn")
RANKS, SUITS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"), "♥♦♠♣"
CARDS = (*(rank + suit for rank in RANKS for suit in SUITS), "Joker1", "Joker2")
DECK_VALUE = {"11-11-11-12": 396, "11-12-13-14": 416}  # by the values of jack, queen, king and ace
TABLES = {  # P1: new cards for a right bet of 1, 2, … at 2, 3 and 4 players
    "T0": ("10,9", "11,9,10", "12,10,9,11"),
    "T1": ("9,9", "9,9,9", "9,9,9,9"),
    "T2": ("10,10", "10,10,10", "10,10,10,10"),
    "T3": ("12,10", "14,12,10", "16,14,12,10"),
    "T4": ("8,10", "8,10,10", "8,9,10,10"),
    "T5": ("8,8", "8,8,8", "8,8,8,8"),
    "T6": ("10,9", "10,9,8", "10,9,8,8"),
    "T7": ("8,8", "8,8,8", "8,8,8,8"),
}
Groups = Iterable[Iterable[str]]  # of cards
Triples = Iterable[tuple[int, int, int]]


class Laid(NamedTuple):
    """A card in a column: whose it is, and what it is worth there."""

    seat: int
    card: str
    value: int


def words(cards: int) -> set[str]:
    """The cards of a set written as a number."""
    assert 0 <= cards < 1 << len(CARDS), f"{cards} is no set of cards"
    return {card for number, card in enumerate(CARDS) if cards >> number & 1}


def as_number(cards: Iterable[str]) -> int:
    """A set of cards as replays write it."""
    return sum(1 << CARDS.index(card) for card in cards)


def is_joker(card: str) -> bool:
    return card.startswith("Joker")


def suit(card: str) -> int:
    return SUITS.index(card[-1])


def points(card: str, rules: Any) -> int:
    """P32: what a point card counts."""
    low, court, ace = map(int, rules.point_values.split("-"))
    return {"A": ace, "J": court, "Q": court, "K": court}.get(card[:-1], low)


class Referee:
    """One table: hands, columns, piles of point cards, and the deck, where all cards are that are not in play."""

    def __init__(
        self, players: int, rules: Any, hands: Groups, piles: Groups, decisions: Triples, events: Triples
    ) -> None:
        self.players, self.rules, self.decisions, self.events = players, rules, iter(decisions), iter(events)
        self.seats = range(players)
        self.hands = [set(hand) for hand in hands]
        self.piles = [deque(pile) for pile in piles]
        self.deck = set(CARDS[: 52 + rules.jokers]).difference(*self.hands)
        self.columns: list[list[Laid]] = [[], [], [], []]
        self.at_stake: list[list[str]] = [[], [], [], []]
        self.total = [[0, 0, 0, 0] for _ in self.seats]
        self.trumps: list[int] = []
        self.starter = 0
        self.count: Counter[str] = Counter()
        self.check_deal()

    def check_deal(self) -> None:
        assert [len(hand) for hand in self.hands] == [self.rules.initial_hand] * self.players
        self.check_cards()
        for column, pile in enumerate(self.piles):
            assert sorted(pile) == sorted(rank + SUITS[column] for rank in (*RANKS[6:], "A")), f"pile {list(pile)}"

    def check_cards(self) -> None:
        """Each card is in one place, and their values are those of the deck."""
        cards = [*self.deck, *(card for hand in self.hands for card in hand)]
        cards += [laid.card for column in self.columns for laid in column]
        assert sorted(cards) == sorted(CARDS[: 52 + self.rules.jokers]), f"the cards are {sorted(cards)}"
        value = sum(self.face(card) for card in cards if not is_joker(card))
        assert value == DECK_VALUE[self.rules.court_values], f"the cards are worth {value}"

    def play(self) -> dict[str, Any]:
        """The whole game; answers what its outcome row should say."""
        if self.rules.mulligan_first_round == "true":
            self.change_hands(0)
        for number in range(self.rules.rounds):
            if number:
                self.refill_hands(number)
            self.begin_round(number)
            self.play_round()
            self.bet_anew()
            self.end_round()
        assert next(self.decisions, None) is None, "the game is over, but somebody was asked"
        assert next(self.events, None) is None, "the game is over, but something was told"
        return self.verdict()

    def decision(self, point: int, seat: int) -> int:
        """The next answer, which must be of this player at this point."""
        asked = next(self.decisions, (NONE, NONE, NONE))
        assert asked[:2] == (point, seat), f"point {point} at seat {seat} is due, asked was {asked}"
        return asked[2]

    def hear(self, kind: int, seat: int) -> int:
        """What the next event says, which must be of this kind."""
        event = next(self.events, (NONE, NONE, NONE))
        assert event[:2] == (kind, seat), f"event {kind} of seat {seat} is due, told was {event}"
        return event[2]

    def told(self, kind: int, seat: int, value: int) -> None:
        heard = self.hear(kind, seat)
        assert heard == value, f"event {kind} of seat {seat} should say {value} and says {heard}"

    def from_seat(self, first: int) -> list[int]:
        """All seats in turn order."""
        return [(first + step) % self.players for step in self.seats]

    def begin_round(self, number: int) -> None:
        self.closed: set[int] = set()
        self.bets: dict[int, int] = {}  # in the order of betting
        self.laid, self.laid_alone = [0] * self.players, 0
        self.trump = self.hear(ROUND, self.starter)
        assert self.trump in self.possible_trumps(number), f"trump {self.trump} after {self.trumps}"
        self.trumps.append(self.trump)
        for column, pile in enumerate(self.piles):
            turned_up = [pile.popleft()] if pile else []
            self.told(POINT, column, CARDS.index(turned_up[0]) if turned_up else NONE)
            self.at_stake[column] += turned_up
        for seat in self.seats:
            self.told(HAND, seat, as_number(self.hands[seat]))

    def possible_trumps(self, number: int) -> Iterable[int]:
        """P31: trumps follow each other in an order, which is repeated."""
        if self.rules.trump_order == "random":
            return [self.trumps[number - 4]] if number >= 4 else set(range(4)) - set(self.trumps)
        return [{"fixed": number % 4, "reverse": 3 - number % 4, "none": NONE}[self.rules.trump_order]]

    def play_round(self) -> None:
        """Turns until all have bet."""
        seat = self.starter
        while len(self.bets) < self.players:
            if seat not in self.bets:
                answer = self.decision(ACT, seat)
                if answer < FIRST_CARD:
                    self.bet(seat, answer)
                else:
                    self.lay(seat, *divmod(answer - FIRST_CARD, 4))
                self.count["turns"] += 1
                self.check_cards()
            seat = (seat + 1) % self.players

    def bet(self, seat: int, number: int) -> None:
        assert number in self.open_bets(seat), f"bet {number} with {self.bets}"
        if self.laid[seat] < self.rules.min_cards_before_bet:  # P10
            assert not self.layable(seat), f"bet after {self.laid[seat]} cards"
        self.told(BET, seat, number)
        self.bets[seat] = number

    def open_bets(self, seat: int) -> set[int]:
        """P8, P9, P11: the numbers that a player may bet on."""
        least = 0 if self.rules.allow_bet_zero == "true" else 1
        most = 4 if self.rules.bets_allowed == "all" else self.players
        taken = {number for other, number in self.bets.items() if other != seat}
        return set(range(least, most + 1)) - (taken if self.rules.exclusive_bets == "true" else set())

    def layable(self, seat: int) -> set[tuple[str, int]]:
        """Every card that a player may lay, with the columns for it."""
        limit = self.rules.last_player_limit
        stopped = len(self.bets) == self.players - 1 and limit != "unlimited" and self.laid_alone >= int(limit)  # P15
        if stopped or self.laid[seat] >= self.rules.marker_cap:  # P13
            return set()
        return {(card, column) for card in self.hands[seat] for column in range(4) if self.fits(card, column)}

    def fits(self, card: str, column: int) -> bool:
        if not is_joker(card):
            return column not in self.closed and suit(card) in (column, self.trump)
        if self.rules.joker_mode == "trump_shift":  # laid aside
            return column == 0
        if self.rules.joker_mode == "cancel":
            return bool(self.columns[column])
        return self.rules.joker_mode not in ("rebet", "insurance") and column not in self.closed

    def lay(self, seat: int, number: int, column: int) -> None:
        card = CARDS[number]
        assert (card, column) in self.layable(seat), f"seat {seat} lays {card} in column {column}"
        self.told(LAID, seat, 4 * number + column)
        self.hands[seat].remove(card)
        self.laid[seat] += 1
        self.laid_alone += len(self.bets) == self.players - 1
        self.count["cards_laid"] += 1
        if is_joker(card) and not self.rules.joker_mode.startswith("wild"):
            self.deck.add(card)
            self.apply_joker(column)
        else:
            self.columns[column].append(Laid(seat, card, self.value(card)))

    def apply_joker(self, column: int) -> None:
        """P33: what a joker does that does not stay in its column."""
        if self.rules.joker_mode == "shield":
            self.closed.add(column)
        elif self.rules.joker_mode == "trump_shift":
            self.trump = (self.trump + 1) % 4
            self.told(TRUMP, 0, self.trump)
        else:
            highest = max(self.columns[column], key=lambda laid: laid.value)  # the first of equals
            self.told(CANCELLED, highest.seat, 4 * CARDS.index(highest.card) + column)
            self.columns[column].remove(highest)
            self.deck.add(highest.card)

    def face(self, card: str) -> int:
        """P4: the value of a card that is not trump."""
        if is_joker(card):
            return int(self.rules.joker_mode.removeprefix("wild"))
        courts = dict(zip("JQKA", self.rules.court_values.split("-"), strict=True))
        return int(courts.get(card[:-1], card[:-1]))

    def value(self, card: str) -> int:
        """P3: what a card is worth in a column when it is laid now."""
        if is_joker(card) or suit(card) != self.trump:
            return self.face(card)
        return self.face(card) + (100 if self.rules.trump_strength == "beats_all" else int(self.rules.trump_strength))

    def jokers(self, seat: int) -> list[str]:
        return sorted(card for card in self.hands[seat] if is_joker(card))

    def give_up_joker(self, seat: int) -> str:
        joker = self.jokers(seat)[0]
        self.hands[seat].remove(joker)
        self.deck.add(joker)
        return joker

    def bet_anew(self) -> None:
        """P33: jokers that let their players bet anew, in the order of betting."""
        for seat in list(self.bets) if self.rules.joker_mode == "rebet" else []:
            if self.jokers(seat) and (number := self.decision(REBET, seat)) != KEEP_BET:
                assert number in self.open_bets(seat), f"new bet {number} with {self.bets}"
                self.give_up_joker(seat)
                self.bets[seat] = number
                self.told(REBETS, seat, number)

    def end_round(self) -> None:
        won = [self.winner(column) for column in range(4)]
        for column, seat in enumerate(won):
            self.told(WON, seat, column)
            self.award(column, seat)
        distinct = len(set(won) - {NOBODY})
        self.told(COUNT, 0, distinct)
        self.right = [seat for seat, number in self.bets.items() if number == distinct]
        self.count.update(distinct_winners=distinct, right_bets=len(self.right), rounds=1)
        self.deck.update(laid.card for column in self.columns for laid in column)
        self.columns = [[], [], [], []]

    def winner(self, column: int) -> int:
        """P5: who has the majority in a column."""
        cards = self.columns[column]
        if not cards or not self.at_stake[column]:
            return NOBODY
        measure = {"sum": sum, "count": len, "best_card": max}[self.rules.majority]
        majority = {owner: measure([laid.value for laid in cards if laid.seat == owner]) for owner, *_ in cards}
        best = max(majority.values())
        return self.break_tie(cards, {seat for seat in majority if majority[seat] == best})

    def break_tie(self, cards: list[Laid], tied: set[int]) -> int:
        """P6, and P33: a joker that wins ties comes first."""
        if self.rules.joker_mode == "wild0":
            tied = tied & {laid.seat for laid in cards if is_joker(laid.card)} or tied
        order = [laid.seat for laid in cards if laid.seat in tied]
        if len(tied) == 1 or self.rules.tie_break == "first_in_column":
            return order[0]
        if self.rules.tie_break == "last_in_column":
            return order[-1]
        if self.rules.tie_break == "nobody":
            return NOBODY
        return max(tied, key=lambda seat: order[::-1].index(seat))  # first to reach: the earliest last card

    def award(self, column: int, seat: int) -> None:
        """P7: where the point cards of a column go."""
        stake = self.at_stake[column]
        if seat == NOBODY:
            self.count["empty_columns"] += 1
            if self.rules.empty_column == "carry_over":
                return
            if self.rules.empty_column == "bottom":
                self.piles[column].extend(stake)
        else:
            self.total[seat][column] += sum(points(card, self.rules) for card in stake)
        self.at_stake[column] = []

    def refill_hands(self, number: int) -> None:
        """From the end of a round to the beginning of the next one, which has this number."""
        paid_as_right = {*self.right, *self.insured()}
        self.discard()
        last_bettor = list(self.bets)[-1]
        self.starter = self.next_starter(number)
        due = [self.due(self.bets[seat], seat in paid_as_right) for seat in self.seats]
        for seat, cards in enumerate(self.shortened(due, last_bettor)):
            self.take(seat, words(self.hear(DREW, seat)), cards)
            self.count["cards_drawn"] += cards
        self.change_hands(last_bettor)

    def insured(self) -> list[int]:
        """P33: who gives up a joker for a wrong bet, in the order of betting."""
        wrong = [seat for seat in self.bets if seat not in self.right]
        seats = [seat for seat in wrong if self.rules.joker_mode == "insurance" and self.jokers(seat)]
        for seat in seats:
            self.told(INSURED, seat, CARDS.index(self.give_up_joker(seat)))
        return seats

    def discard(self) -> None:
        """P17, P18."""
        for seat, hand in enumerate(self.hands):
            whole, half = len(hand), len(hand) // 2
            number = {"floor_half": half, "ceil_half": whole - half, "none": 0, "all": whole}[self.rules.discard]
            if number:
                asked = self.rules.discard_choice == "owner" and number < whole
                answer = self.decision(DISCARD, seat) if asked else None
                cards = words(told := self.hear(DISCARDED, seat))
                assert answer in (None, told) and cards <= hand and len(cards) == number, f"{cards} of {hand}"
                hand -= cards
                self.deck |= cards

    def due(self, bet: int, is_right: bool) -> int:
        """P1: the new cards for a bet."""
        table = self.rules.draw_table
        right = [int(cards) for cards in (TABLES[table][self.players - 2] if table in TABLES else table).split(",")]
        if is_right and bet <= self.players:
            return right[bet - 1] if bet else max(right)
        if self.rules.wrong_draw == "table":
            return 6 if table == "T7" else 8
        return int(self.rules.wrong_draw)

    def shortened(self, due: list[int], last_bettor: int) -> list[int]:
        """P20: the cards that everybody gets when those due are more than the deck has."""
        missing = sum(due) - len(self.deck)
        if missing <= 0:
            return due
        self.told(SHORT, 0, missing)
        self.count["shortages"] += 1
        if self.rules.shortage == "round_robin":
            return self.dealt_one_by_one(due, last_bettor)
        if self.rules.shortage == "proportional":
            return self.less_in_proportion(due, missing)
        return self.less_for_all(due, missing)

    def dealt_one_by_one(self, due: list[int], first: int) -> list[int]:
        order = [seat for turn in range(max(due)) for seat in self.from_seat(first) if turn < due[seat]]
        return [order[: len(self.deck)].count(seat) for seat in self.seats]

    def less_in_proportion(self, due: list[int], missing: int) -> list[int]:
        loss = [missing * cards // sum(due) for cards in due]
        order = sorted(self.from_seat(self.starter), key=lambda seat: -(missing * due[seat] % sum(due)))
        for seat in order[: missing - sum(loss)]:
            loss[seat] += 1
        return [due[seat] - loss[seat] for seat in self.seats]

    def less_for_all(self, due: list[int], missing: int) -> list[int]:
        """One card less for everybody as often as that can be, then for some: those with most, or the first ones."""
        due = list(due)
        while missing and missing >= sum(map(bool, due)):
            missing -= sum(map(bool, due))
            due = [max(cards - 1, 0) for cards in due]
        order = self.from_seat(self.starter)
        if self.rules.shortage == "equal_biggest":  # of equals the later ones first
            order = order[::-1]
            order.sort(key=lambda seat: -len(self.hands[seat]) - due[seat])
        for seat in [seat for seat in order if due[seat]][:missing]:
            due[seat] -= 1
        return due

    def take(self, seat: int, cards: set[str], number: int) -> None:
        """Cards from the deck."""
        assert len(cards) == number and cards <= self.deck, f"seat {seat} is due {number} cards and takes {cards}"
        self.deck -= cards
        self.hands[seat] |= cards
        self.check_cards()

    def change_hands(self, first: int) -> None:
        """P21, P22, P23: everybody with cards may change them once."""
        for seat in self.from_seat(first) if self.rules.mulligan_cost != "none" else []:
            hand, self.hands[seat] = self.hands[seat], set()
            answer = self.decision(CHANGE, seat) if hand else NONE
            if answer == 1:
                self.count["mulligans"] += 1
                self.deck |= hand
                self.take(seat, words(self.hear(CHANGED, seat)), max(0, len(hand) - int(self.rules.mulligan_cost)))
            elif hand:
                self.told(KEPT, seat, answer)
                self.hands[seat] = hand

    def next_starter(self, number: int) -> int:
        """P24: who begins the round of this number."""
        if self.rules.starter == "rotate":
            return number % self.players
        if self.rules.starter == "lowest_score":
            return min(self.seats, key=self.standing)
        return list(self.bets)[-1 if self.rules.starter == "last_bettor" else 0]

    def standing(self, seat: int) -> tuple[int, ...]:
        """P26, P27: what players are compared by; the greatest is best."""
        least, whole, product = min(self.total[seat]), sum(self.total[seat]), prod(self.total[seat])
        keys = {"sum": (whole,), "min_then_sum": (least, whole), "product": (product,)}
        return keys.get(self.rules.scoring, tuple(sorted(self.total[seat])))  # by default leximin

    def verdict(self) -> dict[str, Any]:
        best = max(map(self.standing, self.seats))
        winners = tied = [seat for seat in self.seats if self.standing(seat) == best]
        if self.rules.final_tie == "first_right_bet":  # P28
            winners = [seat for seat in self.right if seat in tied][:1] or tied
        return {
            "share": [WHOLE // len(winners) if seat in winners else 0 for seat in self.seats],
            "score": list(map(sum, self.total)),
            "lowest": list(map(min, self.total)),
            "tied": int(len(tied) > 1),
            **{name: [total[suit] for total in self.total] for suit, name in enumerate(SUIT_NAMES)},
            **{name: self.count[name] for name in (*COUNTED, *COUNTED_CARDS)},
        }
