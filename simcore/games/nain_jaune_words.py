"""The transcript of Nain jaune: what happened in one game, in sentences to follow with real cards and chips."""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from simcore.cards import ACE, KING
from simcore.contract import NONE
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

RANKS = KING + 1
WIDTH = 100
LISTED = (STAKED, BOARD_HAS, STOPPED, PAID, SWEPT, REFUNDED, SHARED, LEFT, BROKE)  # told of all together
MOVES = (FIRST, PLAYED, DECLINED, STOPPED)
BREAKS = re.compile(r"(?<![,.:♥♦♠♣)]) | (?=\()")  # the spaces at which a long line must not be broken

ENGLISH = {
    "rank": "ace, 2, 3, 4, 5, 6, 7, 8, 9, 10, jack, queen, king",
    "a_rank": "an ace, a 2, a 3, a 4, a 5, a 6, a 7, an 8, a 9, a 10, a jack, a queen, a king",
    "any_rank": "an ace, a 2, a 3, a 4, a 5, a 6, a 7, an 8, a 9, a 10, a jack, a queen, a king",
    "to_rank": "the ace, the 2, the 3, the 4, the 5, the 6, the 7, the 8, the 9, the 10, the jack, the queen, the king",
    "or": " or ",
    "deal": "Deal {number}: player {seat} deals, player {first} plays first.",
    "stakes": "Player {seats} stakes {chips}.|Players {seats} stake {chips} each.",
    "all_stake": "Each player stakes {chips}.",
    "board": "On the board: {pots}.",
    "hand": "Player {seat} holds {cards}.",
    "plays": "Player {seat} plays {cards}{end}",
    "leads": "Player {seat} starts again with {cards}{end}",
    "after_king": "After the king, player {seat} starts again with {cards}{end}",
    "without": ": {rank} without {next}.",
    "stop": ".",
    "out": " and has no cards left.",
    "takes": "{card} (takes {chips})",
    "forgets": "{card} (forgets to take {chips})",
    "passed": "Player {seats}: no {rank}.|Players {seats}: no {rank}.",
    "declines": "Player {seat} has {rank} but passes.",
    "nobody_plays": "Nobody plays {ranks}{then}.",
    "nobody_has": "Nobody has {ranks}{then}.",
    "skipped": ", on to {rank}",
    "five": "Player {seat} was dealt all five marked cards.",
    "opera": "Grand Opéra!",
    "paid": "Player {seat} receives {chips}: {payers}.",
    "paid_by_one": "Player {seat} receives {chips} from player {payer}.",
    "payer": "{chips} from player {payer}",
    "puts": "Player {seat} still holds {card} and puts {chips} on it: {now} now.",
    "puts_nothing": "Player {seat} still holds {card} and puts nothing on it.",
    "gives": "Player {seat} still holds {card} and pays {chips} to player {winner}.",
    "gives_nothing": "Player {seat} still holds {card} and pays nothing.",
    "takes_pot": "Player {seat} takes {chips} from {card}.",
    "takes_rest": "Player {seat} takes what is left, {chips}: {pots}.",
    "sweeps": "Player {seat} takes the whole board, {chips}: {pots}.",
    "refunds": "Player {seats} takes back {chips}.|Players {seats} take back {chips} each.",
    "all_refunded": "Each player takes back {chips}.",
    "share": "What is left is shared out, {chips} for each player: {pots}.",
    "stays": "Left on the board for the next deal: {pots}.",
    "nobodys": "Left on the board: {pots}.",
    "talon": "In the talon: {cards}.",
    "no_talon": "There is no talon.",
    "has": "only has {n} chip|only has {n} chips",
    "has_none": "has no chips left",
    "owes": "owes {n} chip|owes {n} chips",
    "broke": "Player {seat} {purse} and cannot stake.",
    "ends": " The game is over.",
    "sits_out": "Player {seat} {purse}, cannot stake and sits out.",
    "cut_off": "The game is stopped: {chips} or more lie on the board or stand to the account of a player.",
    "chips": "{n} chip|{n} chips",
}
FRENCH = {
    "rank": "as, 2, 3, 4, 5, 6, 7, 8, 9, 10, valet, dame, roi",
    "a_rank": "un as, un 2, un 3, un 4, un 5, un 6, un 7, un 8, un 9, un 10, un valet, une dame, un roi",
    "any_rank": "d’as, de 2, de 3, de 4, de 5, de 6, de 7, de 8, de 9, de 10, de valet, de dame, de roi",
    "to_rank": "à l’as, au 2, au 3, au 4, au 5, au 6, au 7, au 8, au 9, au 10, au valet, à la dame, au roi",
    "or": " ni ",
    "deal": "Donne {number} : joueur {seat} donne, joueur {first} joue le premier.",
    "stakes": "Joueur {seats} mise {chips}.|Joueurs {seats} misent {chips} chacun.",
    "all_stake": "Chaque joueur mise {chips}.",
    "board": "Sur le tableau : {pots}.",
    "hand": "Joueur {seat} a en main {cards}.",
    "plays": "Joueur {seat} joue {cards}{end}",
    "leads": "Joueur {seat} recommence par {cards}{end}",
    "after_king": "Après le roi, joueur {seat} recommence par {cards}{end}",
    "without": " : {rank} sans {next}.",
    "stop": ".",
    "out": " et n’a plus de cartes.",
    "takes": "{card} (prend {chips})",
    "forgets": "{card} (oublie de prendre {chips})",
    "passed": "Joueur {seats} : sans {rank}.|Joueurs {seats} : sans {rank}.",
    "declines": "Joueur {seat} a {rank} mais passe.",
    "nobody_plays": "Personne ne joue {ranks}{then}.",
    "nobody_has": "Personne n’a {ranks}{then}.",
    "skipped": ", on passe {rank}",
    "five": "Joueur {seat} a reçu les cinq cartes marquées.",
    "opera": "Grand Opéra !",
    "paid": "Joueur {seat} reçoit {chips} : {payers}.",
    "paid_by_one": "Joueur {seat} reçoit {chips} du joueur {payer}.",
    "payer": "{chips} du joueur {payer}",
    "puts": "Joueur {seat} garde {card} en main et y ajoute {chips} : il y en a maintenant {now}.",
    "puts_nothing": "Joueur {seat} garde {card} en main et n’y ajoute rien.",
    "gives": "Joueur {seat} garde {card} en main et paie {chips} au joueur {winner}.",
    "gives_nothing": "Joueur {seat} garde {card} en main et ne paie rien.",
    "takes_pot": "Joueur {seat} prend {chips} sur {card}.",
    "takes_rest": "Joueur {seat} prend ce qui reste, {chips} : {pots}.",
    "sweeps": "Joueur {seat} ramasse tout le tableau, {chips} : {pots}.",
    "refunds": "Joueur {seats} reprend {chips}.|Joueurs {seats} reprennent {chips} chacun.",
    "all_refunded": "Chaque joueur reprend {chips}.",
    "share": "On partage ce qui reste, {chips} par joueur : {pots}.",
    "stays": "Il reste sur le tableau pour la donne suivante : {pots}.",
    "nobodys": "Il reste sur le tableau : {pots}.",
    "talon": "Au talon : {cards}.",
    "no_talon": "Il n’y a pas de talon.",
    "has": "n’a que {n} jeton|n’a que {n} jetons",
    "has_none": "n’a plus de jetons",
    "owes": "doit {n} jeton|doit {n} jetons",
    "broke": "Joueur {seat} {purse} et ne peut plus miser.",
    "ends": " La partie est finie.",
    "sits_out": "Joueur {seat} {purse}, ne peut plus miser et se retire.",
    "cut_off": "La partie est arrêtée : {chips} ou plus sont sur le tableau ou au compte d’un joueur.",
    "chips": "{n} jeton|{n} jetons",
}
TEXTS = {"en": ENGLISH, "fr": FRENCH}


def narrate(events: Sequence[tuple[int, int, int]], players: int, language: str) -> list[str]:
    """The lines of a game from its first deal to its last payment; the result is the caller's.

    language: `en` or `fr`. Raises KeyError for another one.
    """
    narrator, told = _Narrator(players, language), [Event._make(map(int, one)) for one in events]
    narrator.wraps, narrator.skips = _rules_shown(told)
    groups = list(_sentences(told, narrator.wraps is True))
    afters = [*(group[0] for group in groups[1:]), None]
    lines = [line for group, after in zip(groups, afters, strict=False) for line in narrator.lines(group, after)]
    return [part for line in [*lines, *narrator.left("nobodys")] for part in _folded(line)]


def _rules_shown(events: list[Event]) -> tuple[bool | None, bool | None]:
    """Whether aces follow kings, and whether a rank that nobody plays is skipped; None where no event shows it."""
    wraps: set[bool] = set()
    skips: set[bool] = set()
    for before, one in pairwise(one for one in events if one.kind in MOVES):
        rank = one.value >> 2 if one.kind == PLAYED else one.value
        if one.kind in (DECLINED, STOPPED):
            wraps |= {True} if rank == ACE else set()
            skips |= {True} if before.kind == STOPPED else set()
        elif one.kind == PLAYED and before.kind == PLAYED and before.value >> 2 == KING:
            wraps |= {True} if one.seat != before.seat else {False} if rank != ACE else set()
        elif one.kind == PLAYED and before.kind == STOPPED:
            skips |= {True} if one.seat != before.seat else set()
            wraps |= {True} if one.seat != before.seat and before.value == KING else set()
            skips |= {False} if before.value != KING and rank != before.value + 1 else set()
    return (max(wraps, default=None), max(skips, default=None))  # a whole round of ranks without a card ends in a lead


def _sentences(events: list[Event], wraps: bool) -> Iterator[list[Event]]:
    """The events in groups that are told together: a run of one player, a list of payments, anything else alone."""
    group: list[Event] = []
    for one in events:
        if group and not _belongs(one, group, wraps):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _belongs(one: Event, group: list[Event], wraps: bool) -> bool:
    first, is_first_payment = group[0], len(group) == 1
    if first.kind in LISTED:
        return one.kind == first.kind and (one.seat == first.seat or one.kind not in (SWEPT, LEFT))
    if first.kind in (DEAL, GAVE):
        return is_first_payment and one.kind == (FIRST if first.kind == DEAL else LEFT)
    if first.kind != PLAYED or one.seat != first.seat:
        return False
    last = next(event.value for event in reversed(group) if event.kind == PLAYED) >> 2
    follows = one.value >> 2 == (last + 1) % RANKS and (last != KING or wraps)
    return one.kind in (TOOK, FORGOT) or one.kind == PLAYED and follows


def _folded(line: str) -> list[str]:
    """A line that is too long, in several ones."""
    if len(line) <= WIDTH:
        return [line]
    parts = textwrap.wrap(BREAKS.sub("\u00a0", line), WIDTH, subsequent_indent=" " * 6, break_long_words=False)
    return [part.replace("\u00a0", " ") for part in parts]


class _Narrator(Voice):
    """Tells groups of events in one language; remembers the board, who has played last, and who was asked since."""

    def __init__(self, players: int, language: str):
        super().__init__(TEXTS, language)
        self._players = players
        self.wraps: bool | None = None
        self.skips: bool | None = None
        self._board: dict[int, int] = {}
        self._last, self._top, self._winner = 0, NONE, 0  # who played last, the rank of that card, who has gone out
        self._asked, self._declined, self._stops = 1, False, 0  # seats asked for this rank, ranks skipped since
        self._sitting_out: set[int] = set()
        self._stop = ""  # a stop that is told with the lead after it
        self._tell: dict[Any, Callable[[list[Event], Event | None], list[str]]] = {
            DEAL: self._deal,
            STAKED: lambda group, _: self._each("stakes", "all_stake", _sums(group, shift=0)),
            BOARD_HAS: self._board_has,
            HAND: self._hand,
            PLAYED: self._run,
            DECLINED: self._declines,
            STOPPED: self._stopped,
            FIVE: self._five,
            OUT: self._out,
            OPERA: lambda *_: [self.say("opera")],
            PAID: self._payments,
            PUT: self._puts,
            GAVE: self._gives,
            LEFT: lambda group, _: self._takes("takes_rest", group),
            SWEPT: lambda group, _: self._takes("sweeps", group),
            REFUNDED: self._refunds,
            SHARED: self._shares,
            TALON: self._talon,
            BROKE: self._broke,
            SITS_OUT: self._sits_out,
            CUT_OFF: lambda group, _: [self.say("cut_off", chips=self._chips(group[0].value))],
        }

    def lines(self, group: list[Event], after: Event | None) -> list[str]:
        """The lines of one group; `after` is what comes next."""
        told = self._tell[group[0].kind](group, after)
        return told if group[0].kind == DEAL else [f"  {line}" for line in told]

    def left(self, key: str) -> list[str]:
        """What lies on the board."""
        lying = {card: chips for card, chips in self._board.items() if chips}
        return ["  " + self.say(key, pots=self._pots(lying))] if lying else []

    def _deal(self, group: list[Event], _: Event | None) -> list[str]:
        before = self.left("stays")
        dealer, first = group[0], group[-1]
        self._last, self._top, self._stop = first.seat, NONE, ""
        self._asked, self._declined, self._stops = 1, False, 0
        line = self.say("deal", number=dealer.value + 1, seat=dealer.seat + 1, first=first.seat + 1)
        return [*before, "", line]

    def _board_has(self, group: list[Event], _: Event | None) -> list[str]:
        self._board = _by_card(group)
        return [self.say("board", pots=self._pots(self._board))]

    def _hand(self, group: list[Event], _: Event | None) -> list[str]:
        _, seat, cards = group[0]
        if not cards:
            self._sitting_out.add(seat)
            return []
        return [self.say("hand", seat=seat + 1, cards=self._set(cards))]

    def _run(self, group: list[Event], after: Event | None) -> list[str]:
        """The cards that a player lays one after the other, and why no more."""
        seat, is_lead = group[0].seat, self._is_lead(group[0])
        key = "plays" if not is_lead else "leads" if self._stops else "after_king"
        passed = self._passed(seat, group[0].value >> 2)
        cards: list[str] = []
        for kind, _, value in group:
            if kind == PLAYED:
                cards.append(self.card(value))
                self._top = value >> 2
            elif kind == TOOK:
                self._board[value & 63] = 0
                cards[-1] = self.say("takes", card=cards[-1], chips=self._chips(value >> 6))
            elif self._board.get(value, 0):
                cards[-1] = self.say("forgets", card=cards[-1], chips=self._chips(self._board[value]))
        stop, self._stop = self._stop, ""
        self._last, self._asked, self._declined, self._stops = seat, 1, False, 0
        line = self.say(key, seat=seat + 1, cards=" ".join(cards), end=self._end(after))
        return [*passed, stop + line]

    def _end(self, after: Event | None) -> str:
        """Why a run ends: its player has no cards, or not the rank that another one is asked for then."""
        if after is None or after.kind not in (PLAYED, DECLINED, STOPPED):
            return self.say("out" if after is not None and after.kind == OUT else "stop")
        rank = after.value >> 2 if after.kind == PLAYED else after.value
        if after.seat == self._last and after.kind != STOPPED:
            return self.say("stop")
        return self.say("without", rank=self._rank("rank", self._top), next=self._rank("rank", rank))

    def _is_lead(self, card: Event) -> bool | None:
        """Whether this is a lead after a king or a stop; None when no event shows it."""
        rank, ranks = card.value >> 2, self._top + self._stops
        if self._top == NONE or not self._stops and self._top != KING:
            return False
        if not self._stops:
            return None if self.wraps is None else not self.wraps
        if self.skips is None:
            return None if rank == (ranks + 1) % RANKS else True
        if self.skips and ranks == KING and self.wraps is None:
            return None if rank == ACE else True
        return not self.skips or (self._stops == RANKS if self.wraps else ranks == KING)

    def _passed(self, seat: int, rank: int) -> list[str]:
        """The players who would have been asked before this one, and have none of the rank."""
        asked = [(self._last + step) % self._players for step in range(self._asked, self._steps(seat))]
        seats = [str(place + 1) for place in asked if place not in self._sitting_out]
        return [self.count("passed", len(seats), seats=", ".join(seats), rank=self._rank("rank", rank))] * bool(seats)

    def _steps(self, seat: int) -> int:
        return (seat - self._last) % self._players

    def _declines(self, group: list[Event], _: Event | None) -> list[str]:
        _, seat, rank = group[0]
        passed = self._passed(seat, rank)
        self._asked, self._declined = max(1, self._steps(seat) + 1), True
        return [*passed, self.say("declines", seat=seat + 1, rank=self._rank("a_rank", rank))]

    def _stopped(self, group: list[Event], after: Event | None) -> list[str]:
        """Ranks that nobody plays, though somebody may have the first; a lead after them is told in the same line."""
        ranks = [one.value for one in group]
        self._stops += len(ranks)
        is_lead = after is not None and after.kind == PLAYED and self._is_lead(after)
        goes_on = after is not None and (after.kind == DECLINED or is_lead is False)
        then = self.say("skipped", rank=self._rank("to_rank", (ranks[-1] + 1) % RANKS)) if goes_on else ""
        told = [("nobody_plays", ranks[:1]), ("nobody_has", ranks[1:])] if self._declined else [("nobody_has", ranks)]
        sentences = [
            self.say(key, ranks=self._any_of(some), then=then if some[-1] == ranks[-1] else "")
            for key, some in told
            if some
        ]
        self._asked, self._declined = 0, False
        if is_lead:
            self._stop = " ".join(sentences) + " "
            return []
        return [" ".join(sentences)]

    def _any_of(self, ranks: list[int]) -> str:
        *most, last = [self._rank("any_rank", rank) for rank in ranks]
        return self.say("or").join([", ".join(most), last] if most else [last])

    def _five(self, group: list[Event], _: Event | None) -> list[str]:
        self._winner = group[0].seat
        return [self.say("five", seat=group[0].seat + 1)]

    def _out(self, group: list[Event], _: Event | None) -> list[str]:
        self._winner = group[0].seat
        return []

    def _payments(self, group: list[Event], _: Event | None) -> list[str]:
        seat, chips = self._winner + 1, self._chips(sum(one.value for one in group))
        if len(group) == 1:
            return [self.say("paid_by_one", seat=seat, chips=chips, payer=group[0].seat + 1)]
        payers = [self.say("payer", chips=one.value, payer=one.seat + 1) for one in group]
        return [self.say("paid", seat=seat, chips=chips, payers=", ".join(payers))]

    def _puts(self, group: list[Event], _: Event | None) -> list[str]:
        card, chips = group[0].value & 63, group[0].value >> 6
        self._board[card] = self._board.get(card, 0) + chips
        key = "puts" if chips else "puts_nothing"
        return [self.say(key, **self._pot(group[0]), now=self._board[card])]

    def _gives(self, group: list[Event], _: Event | None) -> list[str]:
        """What the holder of a marked card pays the winner, and the pot, which the winner takes too."""
        key = "gives" if group[0].value >> 6 else "gives_nothing"
        told = [self.say(key, **self._pot(group[0]), winner=self._winner + 1)]
        for pot in group[1:]:
            self._board[pot.value & 63] = 0
            told += [self.say("takes_pot", **self._pot(pot))] if pot.value >> 6 else []
        return [" ".join(told)]

    def _takes(self, key: str, group: list[Event]) -> list[str]:
        pots = _by_card(group)
        self._board |= dict.fromkeys(pots, 0)
        chips = self._chips(sum(pots.values()))
        return [self.say(key, seat=group[0].seat + 1, chips=chips, pots=self._pots(pots))]

    def _refunds(self, group: list[Event], _: Event | None) -> list[str]:
        for one in group:
            self._board[one.value & 63] -= one.value >> 6
        return self._each("refunds", "all_refunded", _sums(group, shift=6))

    def _shares(self, group: list[Event], _: Event | None) -> list[str]:
        pots = _by_card(group)
        for card, chips in pots.items():
            self._board[card] -= chips * self._players
        return [self.say("share", chips=self._chips(sum(pots.values())), pots=self._pots(pots))]

    def _talon(self, group: list[Event], _: Event | None) -> list[str]:
        cards = group[0].value
        return [self.say("talon", cards=self._set(cards)) if cards else self.say("no_talon")]

    def _broke(self, group: list[Event], _: Event | None) -> list[str]:
        told = [self.say("broke", seat=one.seat + 1, purse=self._purse(one.value)) for one in group]
        return [*told[:-1], told[-1] + self.say("ends")]

    def _sits_out(self, group: list[Event], _: Event | None) -> list[str]:
        return [self.say("sits_out", seat=group[0].seat + 1, purse=self._purse(group[0].value))]

    def _each(self, key: str, all_key: str, chips: Mapping[int, int]) -> list[str]:
        """What players pay or receive, those with the same sum together."""
        told = []
        for amount in dict.fromkeys(chips.values()):
            seats = [str(seat + 1) for seat, theirs in chips.items() if theirs == amount]
            words = {"seats": ", ".join(seats), "chips": self._chips(amount)}
            is_all = len(seats) == self._players
            told.append(self.say(all_key, **words) if is_all else self.count(key, len(seats), **words))
        return told

    def _pot(self, event: Event) -> dict[str, Any]:
        card, chips = event.value & 63, event.value >> 6
        return {"seat": event.seat + 1, "card": self.card(card), "chips": self._chips(chips)}

    def _pots(self, pots: Mapping[int, int]) -> str:
        return ", ".join(f"{self.card(card)} {chips}" for card, chips in pots.items())

    def _set(self, cards: int) -> str:
        """The cards of a set by rank."""
        return " ".join(self.card(card) for card in range(52) if cards >> card & 1)

    def _rank(self, key: str, rank: int) -> str:
        return self.say(key).split(", ")[rank]

    def _purse(self, chips: int) -> str:
        key = "has" if chips > 0 else "owes" if chips < 0 else "has_none"
        return self.count(key, abs(chips)) if chips else self.say(key)

    def _chips(self, chips: int) -> str:
        return self.count("chips", chips)


def _by_card(group: list[Event]) -> dict[int, int]:
    """Chips by card, of events that have both in a number."""
    return {one.value & 63: one.value >> 6 for one in group}


def _sums(group: list[Event], shift: int) -> dict[int, int]:
    """Chips by seat, in the order of the seats; they are in the numbers above so many bits."""
    seats = sorted({one.seat for one in group})
    return {seat: sum(one.value >> shift for one in group if one.seat == seat) for seat in seats}
