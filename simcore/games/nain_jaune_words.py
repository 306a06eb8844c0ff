"""The transcript of Nain jaune: what happened in one game, in sentences to follow with real cards and chips."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simcore.cards import FRENCH as FRENCH_RANKS
from simcore.cards import RANKS
from simcore.games.nain_jaune_table import (
    BOARD_HAS,
    BROKE,
    CUT_OFF,
    DEAL,
    DECLINED,
    FIRST,
    FIVE,
    FORGOT,
    GAVE,
    HAND,
    LEFT,
    OPERA,
    OUT,
    PAID,
    PLAYED,
    PUT,
    REFUNDED,
    SHARED,
    SITS_OUT,
    STAKED,
    STOPPED,
    SWEPT,
    TALON,
    TOOK,
)
from simcore.voice import Event, Voice

RUN = (PLAYED, TOOK, FORGOT)  # what belongs to the cards that a player lays one after the other
LISTED = (STAKED, BOARD_HAS, PAID, SWEPT, REFUNDED, SHARED, LEFT)  # told of all in one line

ENGLISH = {
    "deal": "Deal {number}: player {seat} deals.",
    "first": "Player {seat} plays first.",
    "stakes": "Player {seat} stakes {chips}.",
    "all_stake": "Each player stakes {chips}.",
    "each_stakes": "player {seat} {chips}",
    "some_stake": "Stakes: {list}.",
    "board": "On the board: {list}.",
    "hand": "Player {seat} holds {cards}.",
    "plays": "Player {seat} plays {cards}{end}",
    "without": ": {rank} without {next}.",
    "stop": ".",
    "out": ", and has no cards left.",
    "takes": "{card} (takes {chips})",
    "forgets": "{card} (forgets to take the pot)",
    "passed": "Player {seats}: no {rank}.|Players {seats}: no {rank}.",
    "keeps": "Player {seat} keeps the {rank}.",
    "nobody": "No {rank} follows.",
    "five": "Player {seat} was dealt all five marked cards.",
    "opera": "Grand Opéra!",
    "pays": "player {seat} pays {chips}",
    "paid": "Player {winner} is paid {chips}: {list}.",
    "puts": "Player {seat} still holds {card} and puts {chips} on it: {now} now.",
    "gives": "Player {seat} still holds {card} and pays {chips} to the winner.",
    "wins_pot": "Player {seat} takes {list}.",
    "pot": "{chips} from {card}",
    "sweeps": "Player {seat} takes the whole board: {list}.",
    "refund": "Back to those who staked: {list}.",
    "refunded": "player {seat} {chips}",
    "share": "The board is shared out: {list} for each player.",
    "stays": "On the board for the next deal: {list}.",
    "nobodys": "Left on the board: {list}.",
    "talon": "In the talon: {cards}.",
    "no_talon": "There is no talon.",
    "broke": "Player {seat} has {chips} and cannot stake: the game is over.",
    "sits_out": "Player {seat} has {chips}, cannot stake and sits out.",
    "cut_off": "The game is stopped: {chips} lie on the board or before a player.",
    "chips": "{n} chip|{n} chips",
}
FRENCH = {
    "deal": "Donne {number} : joueur {seat} donne.",
    "first": "Joueur {seat} joue le premier.",
    "stakes": "Joueur {seat} mise {chips}.",
    "all_stake": "Chaque joueur mise {chips}.",
    "each_stakes": "joueur {seat} {chips}",
    "some_stake": "Mises : {list}.",
    "board": "Sur le tableau : {list}.",
    "hand": "Joueur {seat} a en main {cards}.",
    "plays": "Joueur {seat} joue {cards}{end}",
    "without": " : {rank} sans {next}.",
    "stop": ".",
    "out": ", et n’a plus de cartes.",
    "takes": "{card} (prend {chips})",
    "forgets": "{card} (oublie de prendre l’enjeu)",
    "passed": "Joueur {seats} : sans {rank}.|Joueurs {seats} : sans {rank}.",
    "keeps": "Joueur {seat} garde son {rank}.",
    "nobody": "Personne ne met de {rank}.",
    "five": "Joueur {seat} a reçu les cinq cartes marquées.",
    "opera": "Grand Opéra !",
    "pays": "joueur {seat} paie {chips}",
    "paid": "Joueur {winner} reçoit {chips} : {list}.",
    "puts": "Joueur {seat} garde {card} en main et y ajoute {chips} : il y en a maintenant {now}.",
    "gives": "Joueur {seat} garde {card} en main et paie {chips} au gagnant.",
    "wins_pot": "Joueur {seat} prend {list}.",
    "pot": "{chips} sur {card}",
    "sweeps": "Joueur {seat} ramasse tout le tableau : {list}.",
    "refund": "Les mises restantes sont rendues : {list}.",
    "refunded": "joueur {seat} {chips}",
    "share": "Le tableau est partagé : {list} pour chaque joueur.",
    "stays": "Restent sur le tableau pour la donne suivante : {list}.",
    "nobodys": "Restent sur le tableau : {list}.",
    "talon": "Au talon : {cards}.",
    "no_talon": "Il n’y a pas de talon.",
    "broke": "Joueur {seat} n’a que {chips} et ne peut plus miser : la partie est finie.",
    "sits_out": "Joueur {seat} n’a que {chips}, ne peut plus miser et se retire.",
    "cut_off": "La partie est arrêtée : {chips} sont sur le tableau ou devant un joueur.",
    "chips": "{n} jeton|{n} jetons",
}
TEXTS = {"en": ENGLISH, "fr": FRENCH}


def narrate(events: Sequence[tuple[int, int, int]], players: int, language: str) -> list[str]:
    """The lines of a game from its first deal to its last payment; the result is the caller's.

    language: `en` or `fr`. Raises KeyError for another one.
    """
    narrator = _Narrator(players, language)
    groups = list(_sentences(events))
    following = [group[0] for group in groups[1:]]
    lines = [
        line for group, after in zip(groups, [*following, None], strict=True) for line in narrator.lines(group, after)
    ]
    return [*lines, *narrator.left("nobodys")]


def _sentences(events: Sequence[tuple[int, int, int]]) -> Iterator[list[Event]]:
    """The events in groups that make a line each: a run of one player, a list of payments, anything else alone."""
    group: list[Event] = []
    for one in map(Event._make, events):
        if group and _belongs(one, group):
            group.append(one)
            continue
        if group:
            yield group
        group = [one]
    if group:
        yield group


def _belongs(one: Event, group: list[Event]) -> bool:
    first = group[0]
    if first.kind in LISTED:
        return one.kind == first.kind and (one.seat == first.seat or one.kind not in (SWEPT, LEFT))
    if first.kind != PLAYED or one.kind not in RUN or one.seat != first.seat:
        return False
    last = next(event.value for event in reversed(group) if event.kind == PLAYED)
    return one.kind != PLAYED or one.value >> 2 == ((last >> 2) + 1) % len(RANKS)


class _Narrator(Voice):
    """Tells groups of events in one language; remembers the board, who has played last, and who has kept a card."""

    def __init__(self, players: int, language: str):
        super().__init__(TEXTS, language)
        self._players = players
        self._board: dict[int, int] = {}
        self._last = 0
        self._asked = 0
        self._winner = 0
        self._out_of_play: set[int] = set()
        self._tell: dict[Any, Callable[[list[Event]], list[str]]] = {
            DEAL: self._deal,
            FIRST: self._first,
            STAKED: self._stakes,
            BOARD_HAS: self._board_has,
            HAND: self._hand,
            DECLINED: self._keeps,
            STOPPED: lambda group: [self.say("nobody", rank=self._rank(group[0].value))],
            FIVE: self._five,
            OUT: self._out,
            OPERA: lambda group: [self.say("opera")],
            PAID: self._payments,
            PUT: self._puts,
            GAVE: lambda group: [self.say("gives", **self._pot(group[0]))],
            LEFT: lambda group: self._takes("wins_pot", group),
            SWEPT: lambda group: self._takes("sweeps", group),
            REFUNDED: self._refunds,
            SHARED: self._shares,
            TALON: self._talon,
            BROKE: lambda group: [self.say("broke", seat=group[0].seat + 1, chips=self._chips(group[0].value))],
            SITS_OUT: lambda group: [self.say("sits_out", seat=group[0].seat + 1, chips=self._chips(group[0].value))],
            CUT_OFF: lambda group: [self.say("cut_off", chips=self._chips(group[0].value))],
        }

    def lines(self, group: list[Event], after: Event | None) -> list[str]:
        """The lines of one group; `after` is what comes next."""
        if group[0].kind == PLAYED:
            return [f"  {line}" for line in self._run(group, after)]
        told = self._tell[group[0].kind](group)
        return told if group[0].kind == DEAL else [f"  {line}" for line in told]

    def left(self, key: str) -> list[str]:
        """What lies on the board."""
        pots = [
            self.say("pot", chips=self._chips(chips), card=self.card(card))
            for card, chips in self._board.items()
            if chips
        ]
        return ["  " + self.say(key, list=", ".join(pots))] if pots else []

    def _deal(self, group: list[Event]) -> list[str]:
        before = self.left("stays")
        return [*before, "", self.say("deal", number=group[0].value + 1, seat=group[0].seat + 1)]

    def _first(self, group: list[Event]) -> list[str]:
        self._last, self._asked = group[0].seat, 0
        return [self.say("first", seat=group[0].seat + 1)]

    def _stakes(self, group: list[Event]) -> list[str]:
        chips = {one.value for one in group}
        if len(group) == 1:
            return [self.say("stakes", seat=group[0].seat + 1, chips=self._chips(group[0].value))]
        if len(group) == self._players and len(chips) == 1:
            return [self.say("all_stake", chips=self._chips(group[0].value))]
        each = [self.say("each_stakes", seat=one.seat + 1, chips=self._chips(one.value)) for one in group]
        return [self.say("some_stake", list=", ".join(each))]

    def _board_has(self, group: list[Event]) -> list[str]:
        self._board = {one.value & 63: one.value >> 6 for one in group}
        told = [f"{self.card(card)} {chips}" for card, chips in self._board.items()]
        return [self.say("board", list=", ".join(told))]

    def _hand(self, group: list[Event]) -> list[str]:
        if not group[0].value:
            self._out_of_play.add(group[0].seat)
            return []
        return [self.say("hand", seat=group[0].seat + 1, cards=self._set(group[0].value))]

    def _run(self, group: list[Event], after: Event | None) -> list[str]:
        """The cards that a player lays one after the other, and why no more."""
        seat = group[0].seat
        passed = self._passed(seat, group[0].value >> 2)
        cards = []
        for one in group:
            if one.kind == PLAYED:
                cards.append(self.card(one.value))
            elif one.kind == FORGOT:
                cards[-1] = self.say("forgets", card=cards[-1])
            else:
                self._board[one.value & 63] = 0
                cards[-1] = self.say("takes", card=cards[-1], chips=self._chips(one.value >> 6))
        rank = next(one.value for one in reversed(group) if one.kind == PLAYED) >> 2
        self._last, self._asked = seat, 0
        return [*passed, self.say("plays", seat=seat + 1, cards=" ".join(cards), end=self._end(seat, rank, after))]

    def _end(self, seat: int, rank: int, after: Event | None) -> str:
        if after is not None and after.kind == OUT:
            return self.say("out")
        goes_on = after is not None and after.kind == PLAYED and after.seat != seat
        stops = after is not None and after.kind == STOPPED
        if (goes_on or stops) and after is not None:
            following = after.value if stops else after.value >> 2
            return self.say("without", rank=self._rank(rank), next=self._rank(following))
        return self.say("stop")

    def _passed(self, seat: int, rank: int) -> list[str]:
        """The players between the last one and this one, who have none of the rank."""
        return self._without(
            range(self._last + 1 + self._asked, self._last + (seat - self._last) % self._players), rank
        )

    def _without(self, places: range, rank: int) -> list[str]:
        asked = [place % self._players for place in places]
        seats = [str(seat + 1) for seat in asked if seat not in self._out_of_play]
        if not seats:
            return []
        return [self.count("passed", len(seats), seats=", ".join(seats), rank=self._rank(rank))]

    def _keeps(self, group: list[Event]) -> list[str]:
        """Somebody has the rank and does not play it; who was passed over before has none."""
        seat, rank = group[0].seat, group[0].value
        ahead = (seat - self._last) % self._players
        passed = self._without(range(self._last + max(1, self._asked + 1), self._last + ahead), rank)
        self._asked = ahead
        return [*passed, self.say("keeps", seat=seat + 1, rank=self._rank(rank))]

    def _five(self, group: list[Event]) -> list[str]:
        self._winner = group[0].seat
        return [self.say("five", seat=group[0].seat + 1)]

    def _out(self, group: list[Event]) -> list[str]:
        self._winner = group[0].seat
        return []

    def _payments(self, group: list[Event]) -> list[str]:
        each = [self.say("pays", seat=one.seat + 1, chips=self._chips(one.value)) for one in group]
        total = self._chips(sum(one.value for one in group))
        return [self.say("paid", winner=self._winner + 1, chips=total, list=", ".join(each))]

    def _puts(self, group: list[Event]) -> list[str]:
        card, chips = group[0].value & 63, group[0].value >> 6
        self._board[card] += chips
        return [self.say("puts", **self._pot(group[0]), now=self._board[card])] if chips else []

    def _pot(self, event: Event) -> dict[str, Any]:
        card, chips = event.value & 63, event.value >> 6
        return {"seat": event.seat + 1, "card": self.card(card), "chips": self._chips(chips)}

    def _takes(self, key: str, group: list[Event]) -> list[str]:
        pots = [self.say("pot", **self._pot(one)) for one in group if one.value >> 6]
        for one in group:
            self._board[one.value & 63] = 0
        return [self.say(key, seat=group[0].seat + 1, list=", ".join(pots))] if pots else []

    def _refunds(self, group: list[Event]) -> list[str]:
        for one in group:
            self._board[one.value & 63] -= one.value >> 6
        chips: Counter[int] = Counter()
        for one in group:
            chips[one.seat] += one.value >> 6
        each = [self.say("refunded", seat=seat + 1, chips=self._chips(sum_)) for seat, sum_ in sorted(chips.items())]
        return [self.say("refund", list=", ".join(each))]

    def _shares(self, group: list[Event]) -> list[str]:
        for one in group:
            self._board[one.value & 63] -= (one.value >> 6) * self._players
        return [self.say("share", list=", ".join(self.say("pot", **self._pot(one)) for one in group))]

    def _talon(self, group: list[Event]) -> list[str]:
        cards = group[0].value
        return [self.say("talon", cards=self._set(cards)) if cards else self.say("no_talon")]

    def _set(self, cards: int) -> str:
        """The cards of a set by rank."""
        held = [card for card in range(52) if cards >> card & 1]
        return " ".join(map(self.card, held))

    def _rank(self, rank: int) -> str:
        name = RANKS[rank % len(RANKS)]
        return FRENCH_RANKS.get(name, name) if self.language == "fr" else name

    def _chips(self, chips: int) -> str:
        return self.count("chips", chips)
