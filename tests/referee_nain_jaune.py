"""A second engine for Nain jaune, written from the rule sheet: a hand is a set of cards. It checks the kernel.

It is told the cards of each deal, which pots were forgotten, and every decision. It insists that each was asked of the
right player on the right table, with exactly the answers that the rules allow, and says how the game must have ended.
It shares no code with `simcore.games.nain_jaune`.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

WHOLE = 840
LIMIT = 33_554_432  # chips of a player, or in all pots, at which a game is cut off
MOST_DEALS = 10_000
STANDARD = "22,15,12,9,8,7,6"  # cards each at 2 to 8 players
JACK, QUEEN, KING = 11, 12, 13


class Card(NamedTuple):
    """A card; an ace is 1, a king 13."""

    rank: int
    suit: str


DECK = frozenset(Card(rank, suit) for rank in range(1, KING + 1) for suit in "♥♦♠♣")
MARKED = (Card(10, "♦"), Card(JACK, "♣"), Card(QUEEN, "♠"), Card(KING, "♥"), Card(7, "♦"))
PASS = Card(0, "pass")  # the answer of a player who keeps the rank that is asked for


class Dealt(NamedTuple):
    """A deal as a game was told it: who deals and who is first, the hands by seat, and who forgot which pot."""

    number: int
    dealer: int
    first: int
    hands: list[set[Card]]
    forgotten: dict[Card, int]


class Seen(NamedTuple):
    """What a player sees: the rank asked for, 0 at a lead; chips, hand sizes; pots in board order; cards; the talon."""

    rank: int
    chips: list[int]
    sizes: list[int]
    pots: list[int]
    played: set[Card]
    talon: set[Card]


class Asked(NamedTuple):
    """A decision: a player's answer, those that were allowed, and what was seen."""

    seat: int
    answer: Card
    legal: set[Card]
    seen: Seen


class Referee:
    """One table: who plays, the hands, everybody's chips, and the chips on the board."""

    def __init__(self, players: int, rules: Any, deals: Iterable[Dealt], decisions: Iterable[Asked]) -> None:
        self.players, self.rules = players, rules
        self.deals, self.decisions = iter(deals), iter(decisions)
        self.seats = list(range(players))  # those who do not sit out
        self.start = 0 if rules.start_chips == "none" else rules.start_chips
        self.on_credit = rules.start_chips == "none" or rules.insolvency == "credit"
        self.chips = [self.start] * players
        stakes = [int(stake) * rules.stake_mult for stake in rules.stakes.split(",")]
        self.stakes, self.pots = dict(zip(MARKED, stakes, strict=True)), dict.fromkeys(MARKED, 0)
        self.first = 0
        self.dealer = 0 if rules.first_player == "dealer" else players - 1
        self.winner = -1
        self.count: Counter[str] = Counter()
        self.by_card = {name: Counter[Card]() for name in ("taken", "doubled", "left", "pots")}
        self.deals_won = [0] * players
        self.shown: list[set[Card]] = []  # the talons that all could see at the end of a deal

    def play(self) -> dict[str, Any]:
        """The whole game; answers what its outcome row should say."""
        while True:
            self.begin_deal()
            self.settle(self.play_deal())
            assert sum(self.chips) + sum(self.pots.values()) == self.players * self.start, "chips came or went"
            if not self.goes_on():
                break
        assert next(self.decisions, None) is None, "the game is over, but somebody was asked"
        assert next(self.deals, None) is None, "the game is over, but cards were dealt"
        self.give_leftover()
        return self.verdict()

    def begin_deal(self) -> None:
        """N18, N1: stakes, then cards."""
        self.before = list(self.chips)
        for seat in [self.dealer] if self.rules.stake_by == "dealer" else self.seats:
            for card in MARKED:
                self.pay(seat, self.stakes[card], pot=card)
        self.by_card["pots"].update(self.pots)
        dealt = next(self.deals, None)
        assert dealt is not None, "a deal is due"
        told, due = dealt[:3], (self.count["deals"], self.dealer, self.first)
        assert told == due, f"told was deal, dealer and first player {told}, due are {due}"
        self.count["deals"] += 1
        self.hands = [set(hand) for hand in dealt.hands]
        self.forgotten = dealt.forgotten
        sizes = [self.cards_each() if seat in self.seats else 0 for seat in range(self.players)]
        assert [len(hand) for hand in self.hands] == sizes, f"hands should have {sizes} cards"
        self.talon = set(DECK).difference(*self.hands)
        assert len(self.talon) == 52 - sum(sizes), "a card was dealt twice"

    def cards_each(self) -> int:
        """N1: by the number of those who play this deal."""
        table = (STANDARD if self.rules.deal_table == "standard" else self.rules.deal_table).split(",")
        return int(table[0] if len(table) == 1 else table[len(self.seats) - 2])

    def play_deal(self) -> bool:
        """Until somebody has won; answers whether it is a Grand Opéra (N14)."""
        self.played: list[tuple[int, Card]] = []
        owners = [seat for seat in self.seats if self.hands[seat].issuperset(MARKED)]
        if self.rules.opera_five == "true" and owners:
            self.winner = owners[0]
            return True
        self.count["leads"] += 1
        self.lay(self.first, self.ask(self.first, self.opening(), 0))
        while self.hands[self.played[-1][0]]:
            self.lay(*self.next_card(*self.played[-1]))
        assert self.forgotten.keys() <= {card for _, card in self.played}, "a card that nobody played was forgotten"
        self.winner = self.played[-1][0]
        players = [seat for seat, _ in self.played]
        alone = {"strict": players, "first_possession": players[-self.cards_each() :], "none": []}[self.rules.opera]
        return set(alone) == {self.winner}

    def opening(self) -> set[Card]:
        """N3: what the first player may lead."""
        hand = self.hands[self.first]
        ranks = {card.rank for card in hand}
        chosen = {"free": ranks, "lowest": {min(ranks)}, "highest": {max(ranks)}}[self.rules.first_lead]
        return {card for card in hand if card.rank in chosen}

    def next_card(self, last: int, card: Card) -> tuple[int, Card]:
        """N4 to N9: who plays which card after this one."""
        for rank in self.ranks_after(card.rank):
            for seat in self.from_seat(last):
                own = {held for held in self.hands[seat] if held.rank == rank}
                may_pass = {PASS} if self.rules.compulsory == "false" else set()
                answer = self.ask(seat, own | may_pass, rank) if own else PASS
                if answer != PASS:
                    return seat, answer
            self.count["stops"] += 1
        self.count["leads"] += 1
        return last, self.ask(last, self.hands[last], 0)

    def ranks_after(self, rank: int) -> list[int]:
        """The ranks that are asked for, in order, until somebody plays one."""
        higher = list(range(rank + 1, KING + 1))
        if self.rules.wrap == "true":
            higher += range(1, rank + 1)
        return higher if self.rules.stop_rule == "skip_rank" else higher[:1]

    def from_seat(self, first: int) -> list[int]:
        """All who play, in turn order."""
        return sorted(self.seats, key=lambda seat: (seat - first) % self.players)

    def ask(self, seat: int, legal: set[Card], rank: int) -> Card:
        """The next answer, which must be of this player, who must have had this choice on this table."""
        asked = next(self.decisions, None)
        assert asked is not None, f"seat {seat} was not asked"
        assert asked.seat == seat, f"seat {seat} is due, asked was {asked.seat}"
        assert asked.legal == legal, f"seat {seat} may answer {legal}, and was offered {asked.legal}"
        assert asked.answer in legal, f"{asked.answer} is not in {legal}"
        sizes, pots, played = list(map(len, self.hands)), list(self.pots.values()), {card for _, card in self.played}
        talon = self.talon if self.rules.talon == "dealer_sees" and seat == self.dealer else set()
        seen = Seen(rank, self.chips, sizes, pots, played, talon)
        assert asked.seen == seen, f"the table is {seen}, and seat {seat} sees {asked.seen}"
        return asked.answer

    def lay(self, seat: int, card: Card) -> None:
        """N16, N17: a card is played, and a pot taken unless it is forgotten."""
        self.hands[seat].remove(card)
        self.played.append((seat, card))
        self.count["plays"] += 1
        if card in self.forgotten:
            chance = self.rules.forget_prob
            assert card in MARKED and self.forgotten[card] == seat and chance > 0, f"{card} cannot be forgotten"
        elif card in MARKED:
            assert self.rules.forget_prob < 100, f"{card} must be forgotten"
            self.take(seat, card)

    def settle(self, is_opera: bool) -> None:
        """N10 to N15: hands, marked cards in hands, the sweep of a Grand Opéra, then what is left."""
        self.count["opera"] += is_opera
        self.count["first_player_wins"] += self.winner == self.first
        self.deals_won[self.winner] += 1
        for seat in self.seats:
            if seat != self.winner:
                due = sum(self.cost(card, is_opera) for card in self.hands[seat])
                self.count["from_hands"] += self.pay(seat, due, receiver=self.winner)
        for card in MARKED:
            self.by_card[self.fate(card, is_opera)][card] += 1
            if not is_opera or self.rules.opera_penalty == "before_sweep":
                for seat in self.holders(card):
                    self.punish(seat, card)
        for card in MARKED:
            if is_opera or self.rules.carry_over == "to_winner":
                self.take(self.winner, card)
            elif self.rules.carry_over == "refund":
                self.share_out(card, [self.dealer] if self.rules.stake_by == "dealer" else self.seats)
        if self.rules.talon == "shown_at_end":
            self.shown.append(self.talon)

    def holders(self, card: Card) -> list[int]:
        """Who has this card when the deal is over: not the winner, whose cards are gone, or count as gone."""
        return [seat for seat in self.seats if card in self.hands[seat] and seat != self.winner]

    def fate(self, card: Card, is_opera: bool) -> str:
        was_taken = card in [played for _, played in self.played if played not in self.forgotten]
        if is_opera or was_taken:
            return "taken"
        return "doubled" if self.holders(card) else "left"

    def cost(self, card: Card, is_opera: bool) -> int:
        """N10, N11: what a card in hand costs."""
        ways = {"points10": min(card.rank, 10), "points_11_12_13": card.rank, "per_card": 1}
        cost = ways[self.rules.hand_payment]
        at_opera = {"points": cost, "per_card": 1, "double_points": 2 * cost}
        return at_opera[self.rules.opera_payment] if is_opera else cost

    def punish(self, seat: int, card: Card) -> None:
        """N12: what it costs to hold a marked card."""
        penalty, lies = self.rules.holding_penalty, self.pots[card]
        if penalty == "pay_winner":
            self.take(self.winner, card)
            self.count["from_pots"] += self.pay(seat, lies, receiver=self.winner)
        elif penalty != "none":
            due = lies if penalty == "double_pot" else self.stakes[card]
            if self.rules.pot_cap != "none":
                stakers = 1 if self.rules.stake_by == "dealer" else self.players
                due = min(due, max(0, self.rules.pot_cap * stakers * self.stakes[card] - lies))
            self.pay(seat, due, pot=card)

    def pay(self, seat: int, due: int, receiver: int | None = None, pot: Card | None = None) -> int:
        """N19: a player pays another, or on a pot; answers how much."""
        paid = due if self.on_credit else min(due, self.chips[seat])
        self.chips[seat] -= paid
        if receiver is not None:
            self.chips[receiver] += paid
        if pot is not None:
            self.pots[pot] += paid
        return paid

    def take(self, seat: int, card: Card) -> None:
        """A player gets what lies on a card."""
        self.chips[seat] += self.pots[card]
        self.count["from_pots"] += self.pots[card]
        self.pots[card] = 0

    def share_out(self, card: Card, receivers: list[int]) -> int:
        """A pot goes in equal whole parts to these; answers how many chips."""
        each = self.pots[card] // len(receivers)
        for seat in receivers:
            self.chips[seat] += each
        self.pots[card] -= each * len(receivers)
        return each * len(receivers)

    def goes_on(self) -> bool:
        """N19, N20: whether there is another deal; who deals it, and who plays first."""
        until_bankrupt = self.rules.end == "bankrupt"
        last = MOST_DEALS if until_bankrupt else self.players if self.rules.deals == "n" else self.rules.deals
        if self.count["deals"] == last:
            self.count["cut_off"] = int(until_bankrupt)
            return False
        first_choice = self.next_dealer()
        if (not self.on_credit or until_bankrupt) and self.somebody_is_broke(first_choice):
            return False
        if sum(self.pots.values()) >= LIMIT or max(map(abs, self.chips)) >= LIMIT:
            self.count["cut_off"] = 1
            return False
        self.dealer = self.from_seat(first_choice)[0]
        self.first = self.from_seat(self.dealer)[self.rules.first_player == "after_dealer"]
        return True

    def somebody_is_broke(self, dealer: int) -> bool:
        """N19: whether that ends the game; those who sit out leave their seats."""
        only_dealer = self.rules.stake_by == "dealer"
        for seat in self.from_seat(dealer):
            if self.chips[seat] < sum(self.stakes.values()):
                self.count["bankrupt"] = 1
                if self.rules.insolvency != "eliminate":
                    return True
                self.seats.remove(seat)
            elif only_dealer:
                break
        return len(self.seats) < 2

    def next_dealer(self) -> int:
        """N2: who should deal, who may sit out then."""
        if self.rules.dealer == "winner":
            return self.winner
        if self.rules.dealer == "loser":
            return min(self.seats, key=lambda seat: self.chips[seat] - self.before[seat])
        return (self.dealer + 1) % self.players

    def give_leftover(self) -> None:
        """N21: pots at the end of the game."""
        for card in MARKED:
            if self.rules.leftover == "last_winner":
                self.take(self.winner, card)
            elif self.rules.leftover == "split":
                self.count["from_pots"] += self.share_out(card, list(range(self.players)))

    def verdict(self) -> dict[str, Any]:
        winners = [seat for seat in range(self.players) if self.chips[seat] == max(self.chips)]
        if self.rules.deals == 1 and self.rules.end == "fixed_deals":
            winners = [self.winner]
        by_card = {name: [counter[card] for card in MARKED] for name, counter in self.by_card.items()}
        names = ("plays", "leads", "stops", "deals", "opera", "first_player_wins", "bankrupt", "cut_off")
        return {
            "share": [WHOLE // len(winners) if seat in winners else 0 for seat in range(self.players)],
            "score": [chips - self.start for chips in self.chips],
            **{name: self.count[name] for name in (*names, "from_pots", "from_hands")},
            "pots_taken": sum(by_card["taken"]),
            **by_card,
            "income": self.count["from_pots"] + self.count["from_hands"],
            "pots_left": sum(self.pots.values()),
            "tied": int(len(winners) > 1),
            "deals_won": self.deals_won,
        }
