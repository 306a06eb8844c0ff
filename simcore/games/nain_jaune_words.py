"""The transcript of Nain jaune: what happened in one game, in sentences to follow with real cards and chips."""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from simcore.cards import ACE, KING
from simcore.contract import NONE
from simcore.games import nain_jaune_table as on
from simcore.voice import Event, Voice

RANKS = KING + 1
WIDTH = 100
LISTED = (
    on.STAKED,
    on.BOARD_HAS,
    on.STOPPED,
    on.PAID,
    on.SWEPT,
    on.REFUNDED,
    on.SHARED,
    on.LEFT,
    on.BROKE,
)  # told of all together
MOVED: dict[Any, int] = {on.PUT: 1, on.TOOK: -1, on.SWEPT: -1, on.LEFT: -1, on.REFUNDED: -1}  # chips of a pot
MOVES = (on.FIRST, on.PLAYED, on.DECLINED, on.STOPPED)
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
    "out": " and has no cards left.",
    "takes": "{card} (takes {chips})",
    "forgets": "{card} (forgets to take {chips})",
    "passed": "Player {seats}: no {rank}.|Players {seats}: no {rank}.",
    "declines": "Player {seat} has {rank} but passes.",
    "nobody_plays": "Nobody plays {rank}",
    "nobody_has": "Nobody has {ranks}",
    "skipped": ", on to {rank}",
    "five": "Player {seat} was dealt all five marked cards.",
    "opera": "Grand Opéra!",
    "paid": "Player {seat} receives {chips}: {payers}.",
    "paid_by_one": "Player {seat} receives {chips} from player {payer}.",
    "payer": "{chips} from player {payer}",
    "puts": "Player {seat} still holds {card} and puts {chips} on it: {now} now.",
    "puts_nothing": "Player {seat} still holds {card} and puts nothing on it.",
    "gives": "Player {seat} still holds {card} and pays {chips} to player {winner}.",
    "takes_pot": "Player {seat} takes {chips} from {card}.",
    "takes_rest": "Player {seat} takes what is left, {chips}: {pots}.",
    "sweeps": "Player {seat} takes the whole board, {chips}: {pots}.",
    "refunds": "Player {seats} takes back {chips} of the stakes.|Players {seats} take back {chips} of the stakes each.",
    "all_refunded": "Each player takes back {chips} of the stakes.",
    "share": "What is left is shared out, {chips} for each player: {pots}.",
    "stays": "Left on the board for the next deal: {pots}.",
    "nobodys": "Left on the board: {pots}.",
    "talon": "In the talon: {cards}.",
    "has": "only has {n} chip|only has {n} chips",
    "has_none": "has no chips left",
    "owes": "owes {n} chip|owes {n} chips",
    "broke": "Player {seat} {purse} and cannot stake.",
    "ends": "The game is over.",
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
    "out": " et n’a plus de cartes.",
    "takes": "{card} (prend {chips})",
    "forgets": "{card} (oublie de prendre {chips})",
    "passed": "Joueur {seats} : sans {rank}.|Joueurs {seats} : sans {rank}.",
    "declines": "Joueur {seat} a {rank} mais passe.",
    "nobody_plays": "Personne ne joue {rank}",
    "nobody_has": "Personne n’a {ranks}",
    "skipped": ", on passe {rank}",
    "five": "Joueur {seat} a reçu les cinq cartes marquées.",
    "opera": "Grand Opéra !",
    "paid": "Joueur {seat} reçoit {chips} : {payers}.",
    "paid_by_one": "Joueur {seat} reçoit {chips} du joueur {payer}.",
    "payer": "{chips} du joueur {payer}",
    "puts": "Joueur {seat} garde {card} en main et y ajoute {chips} : il y en a maintenant {now}.",
    "puts_nothing": "Joueur {seat} garde {card} en main et n’y ajoute rien.",
    "gives": "Joueur {seat} garde {card} en main et paie {chips} au joueur {winner}.",
    "takes_pot": "Joueur {seat} prend {chips} sur {card}.",
    "takes_rest": "Joueur {seat} prend ce qui reste, {chips} : {pots}.",
    "sweeps": "Joueur {seat} ramasse tout le tableau, {chips} : {pots}.",
    "refunds": "Joueur {seats} reprend {chips} de mise.|Joueurs {seats} reprennent {chips} de mise chacun.",
    "all_refunded": "Chaque joueur reprend {chips} de mise.",
    "share": "On partage ce qui reste, {chips} par joueur : {pots}.",
    "stays": "Il reste sur le tableau pour la donne suivante : {pots}.",
    "nobodys": "Il reste sur le tableau : {pots}.",
    "talon": "Au talon : {cards}.",
    "has": "n’a que {n} jeton|n’a que {n} jetons",
    "has_none": "n’a plus de jetons",
    "owes": "doit {n} jeton|doit {n} jetons",
    "broke": "Joueur {seat} {purse} et ne peut plus miser.",
    "ends": "La partie est finie.",
    "sits_out": "Joueur {seat} {purse}, ne peut plus miser et se retire.",
    "cut_off": "La partie est arrêtée : {chips} ou plus sont sur le tableau ou au compte d’un joueur.",
    "chips": "{n} jeton|{n} jetons",
}
TEXTS = {"en": ENGLISH, "fr": FRENCH}


def narrate(events: Sequence[tuple[int, int, int]], players: int, language: str) -> list[str]:
    """The lines of a game from its first deal to its last payment; the result is the caller's.

    language: `en` or `fr`. Raises KeyError for another one.
    """
    told = [Event._make(map(int, one)) for one in events]
    wraps, skips = _rules_shown(told)
    narrator, groups = _Narrator(players, language, wraps, skips), list(_sentences(told, wraps is True))
    afters = [*(group[0] for group in groups[1:]), None]
    lines = [line for group, after in zip(groups, afters, strict=False) for line in narrator.lines(group, after)]
    return [part for line in [*lines, *narrator.left("nobodys")] for part in _folded(line)]


def _rules_shown(events: list[Event]) -> tuple[bool | None, bool | None]:
    """Whether aces follow kings, and whether a rank that nobody plays is skipped; None where no event shows it."""
    wraps: set[bool] = set()
    skips: set[bool] = set()
    for before, one in pairwise(one for one in events if one.kind in MOVES):
        rank = one.value >> 2 if one.kind == on.PLAYED else one.value
        if one.kind in (on.DECLINED, on.STOPPED):
            wraps |= {True} if rank == ACE else set()
            skips |= {True} if before.kind == on.STOPPED else set()
        elif one.kind == on.PLAYED and before.kind == on.PLAYED and before.value >> 2 == KING:
            wraps |= {True} if one.seat != before.seat else {False} if rank != ACE else set()
        elif one.kind == on.PLAYED and before.kind == on.STOPPED:
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
    first = group[0]
    if first.kind in LISTED:
        return one.kind == first.kind
    if first.kind in (on.DEAL, on.GAVE):
        return len(group) == 1 and one.kind == (on.FIRST if first.kind == on.DEAL else on.LEFT)
    if first.kind != on.PLAYED or one.seat != first.seat:
        return False
    last = next(event.value for event in reversed(group) if event.kind == on.PLAYED) >> 2
    follows = one.value >> 2 == (last + 1) % RANKS and (last != KING or wraps)
    return follows if one.kind == on.PLAYED else one.kind in (on.TOOK, on.FORGOT)


def _folded(line: str) -> list[str]:
    """A line, in parts when it is too long."""
    if len(line) <= WIDTH:
        return [line]
    parts = textwrap.wrap(BREAKS.sub("\u00a0", line), WIDTH, subsequent_indent=" " * 6, break_long_words=False)
    return [part.replace("\u00a0", " ") for part in parts]


class _Narrator(Voice):
    """Tells groups of events in one language; remembers the board, who has played last, and who was asked since."""

    def __init__(self, players: int, language: str, wraps: bool | None, skips: bool | None):
        super().__init__(TEXTS, language)
        self._players, self._wraps, self._skips = players, wraps, skips
        self._board: dict[int, int] = {}
        self._winner = NONE
        self._played(NONE, NONE)
        self._sitting_out: set[int] = set()
        self._tell: dict[Any, Callable[[list[Event], Event | None], list[str]]] = {
            on.DEAL: self._deal,
            on.STAKED: lambda group, _: self._each("stakes", "all_stake", _sums(group, shift=0)),
            on.BOARD_HAS: lambda *_: [self.say("board", pots=self._pots(self._board))],
            on.HAND: lambda group, _: self._set("hand", group[0]),
            on.PLAYED: self._run,
            on.DECLINED: self._declines,
            on.STOPPED: self._stopped,
            on.FIVE: lambda group, _: [self.say("five", seat=group[0].seat + 1)],
            on.OUT: lambda *_: [],
            on.OPERA: lambda *_: [self.say("opera")],
            on.PAID: self._payments,
            on.PUT: self._puts,
            on.GAVE: self._gives,
            on.LEFT: lambda group, _: self._takes("takes_rest", group),
            on.SWEPT: lambda group, _: self._takes("sweeps", group),
            on.REFUNDED: lambda group, _: self._each("refunds", "all_refunded", _sums(group, shift=6)),
            on.SHARED: lambda group, _: self._takes("share", group),
            on.TALON: lambda group, _: self._set("talon", group[0]),
            on.BROKE: self._broke,
            on.SITS_OUT: self._broke,
            on.CUT_OFF: lambda group, _: [self.say("cut_off", chips=self._chips(group[0].value))],
        }

    def lines(self, group: list[Event], after: Event | None) -> list[str]:
        """The lines of one group; `after` is what comes next."""
        kind, seat, value = group[0]
        if kind in (on.OUT, on.FIVE):
            self._winner = seat
        elif kind == on.HAND and not value:
            self._sitting_out.add(seat)
        for one in group:
            self._move(one)
        told = self._tell[kind](group, after)
        return told if kind == on.DEAL else [f"  {line}" for line in told]

    def _move(self, event: Event) -> None:
        """Keeps the board."""
        times = -self._players if event.kind == on.SHARED else MOVED.get(event.kind, 0)
        if times or event.kind == on.BOARD_HAS:
            card, chips = event.value & 63, event.value >> 6
            self._board[card] = self._board.get(card, 0) * bool(times) + (times or 1) * chips

    def left(self, key: str) -> list[str]:
        """What lies on the board."""
        lying = {card: chips for card, chips in self._board.items() if chips}
        return ["  " + self.say(key, pots=self._pots(lying))] if lying else []

    def _deal(self, group: list[Event], _: Event | None) -> list[str]:
        before = self.left("stays")
        dealer, first = group[0], group[-1]
        self._played(first.seat, NONE)
        line = self.say("deal", number=dealer.value + 1, seat=dealer.seat + 1, first=first.seat + 1)
        return [*before, "", line]

    def _run(self, group: list[Event], after: Event | None) -> list[str]:
        """The cards that a player lays one after the other, and why no more."""
        seat, is_lead = group[0].seat, self._is_lead(group[0])
        key = "plays" if not is_lead else "leads" if self._stops else "after_king"
        passed = self._passed(seat, group[0].value >> 2)
        cards, top = list[str](), NONE
        for kind, _seat, value in group:
            if kind == on.PLAYED:
                cards.append(self.card(value))
                top = value >> 2
            elif kind == on.TOOK:
                cards[-1] = self.say("takes", card=cards[-1], chips=self._chips(value >> 6))
            elif self._board.get(value, 0):
                cards[-1] = self.say("forgets", card=cards[-1], chips=self._chips(self._board[value]))
        stop = self._stop
        self._played(seat, top)
        line = self.say(key, seat=seat + 1, cards=" ".join(cards), end=self._end(after))
        return [*passed, stop + line]

    def _played(self, seat: int, top: int) -> None:
        """Remembers who has played last and the rank; since then, who was asked and which ranks are skipped."""
        self._last, self._top = seat, top
        self._asked, self._declined, self._stops = 1, False, 0
        self._stop = ""  # a stop that is told in one line with the lead after it

    def _end(self, after: Event | None) -> str:
        """Why a run ends: its player has no cards, or not the rank that another one is asked for then."""
        if after is not None and after.kind == on.OUT:
            return self.say("out")
        if after is None or (after.seat == self._last and after.kind != on.STOPPED):
            return "."
        rank = after.value >> 2 if after.kind == on.PLAYED else after.value
        return self.say("without", rank=self._rank("rank", self._top), next=self._rank("rank", rank))

    def _is_lead(self, card: Event) -> bool | None:
        """Whether this is a lead after a king or a stop; None when no event shows it."""
        rank, ranks = card.value >> 2, self._top + self._stops
        if self._top == NONE or (not self._stops and self._top != KING):
            return False
        if not self._stops:
            return None if self._wraps is None else not self._wraps
        if self._skips is None:
            return None if rank == (ranks + 1) % RANKS else True
        if self._skips and ranks == KING and self._wraps is None:
            return None if rank == ACE else True
        return not self._skips or (self._stops == RANKS if self._wraps else ranks == KING)

    def _passed(self, seat: int, rank: int) -> list[str]:
        """The players who would have been asked before this one, and have none of the rank."""
        steps = range(self._asked, (seat - self._last) % self._players)
        asked = [(self._last + step) % self._players for step in steps]
        seats = [str(place + 1) for place in asked if place not in self._sitting_out]
        return [self.count("passed", len(seats), seats=", ".join(seats), rank=self._rank("rank", rank))] * bool(seats)

    def _declines(self, group: list[Event], _: Event | None) -> list[str]:
        seat, rank = group[0].seat, group[0].value
        passed = self._passed(seat, rank)
        self._asked, self._declined = (seat - self._last) % self._players + 1, True
        return [*passed, self.say("declines", seat=seat + 1, rank=self._rank("a_rank", rank))]

    def _stopped(self, group: list[Event], after: Event | None) -> list[str]:
        """Ranks that nobody plays, though somebody may have the first; a lead after them is told in the same line."""
        self._stops += len(group)
        is_lead = after is not None and after.kind == on.PLAYED and self._is_lead(after)
        ranks = [self._rank("any_rank", one.value) for one in group]
        told = [self.say("nobody_plays", rank=ranks.pop(0))] if self._declined else []
        if ranks:
            listed = self.say("or").join(filter(None, [", ".join(ranks[:-1]), ranks[-1]]))
            told.append(self.say("nobody_has", ranks=listed))
        then = (
            self.say("skipped", rank=self._rank("to_rank", (group[-1].value + 1) % RANKS)) if is_lead is False else ""
        )
        stop = ". ".join(told) + then + "."
        self._asked, self._declined, self._stop = 0, False, stop + " " if is_lead else ""
        return [] if is_lead else [stop]

    def _payments(self, group: list[Event], _: Event | None) -> list[str]:
        seat, chips = self._winner + 1, self._chips(sum(one.value for one in group))
        if len(group) == 1:
            return [self.say("paid_by_one", seat=seat, chips=chips, payer=group[0].seat + 1)]
        payers = [self.say("payer", chips=one.value, payer=one.seat + 1) for one in group]
        return [self.say("paid", seat=seat, chips=chips, payers=", ".join(payers))]

    def _puts(self, group: list[Event], _: Event | None) -> list[str]:
        key, now = "puts" if group[0].value >> 6 else "puts_nothing", self._board[group[0].value & 63]
        return [self.say(key, **self._pot(group[0]), now=now)]

    def _gives(self, group: list[Event], _: Event | None) -> list[str]:
        """What the holder of a marked card pays the winner, and the pot, which the winner takes too."""
        told = [self.say("gives", **self._pot(group[0]), winner=self._winner + 1)]
        told += [self.say("takes_pot", **self._pot(pot)) for pot in group[1:] if pot.value >> 6]
        return [" ".join(told)]

    def _takes(self, key: str, group: list[Event]) -> list[str]:
        pots = {one.value & 63: one.value >> 6 for one in group}
        chips = self._chips(sum(pots.values()))
        return [self.say(key, seat=group[0].seat + 1, chips=chips, pots=self._pots(pots))]

    def _broke(self, group: list[Event], _: Event | None) -> list[str]:
        told = []
        for kind, seat, chips in group:
            purse = self.count("has" if chips > 0 else "owes", abs(chips)) if chips else self.say("has_none")
            told.append(self.say("broke" if kind == on.BROKE else "sits_out", seat=seat + 1, purse=purse))
        return [*told, self.say("ends")] if group[0].kind == on.BROKE else told

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

    def _set(self, key: str, event: Event) -> list[str]:
        """The cards of a set by rank; nothing when there are none."""
        cards = [self.card(card) for card in range(52) if event.value >> card & 1]
        return [self.say(key, seat=event.seat + 1, cards=" ".join(cards))] if cards else []

    def _rank(self, key: str, rank: int) -> str:
        return self.say(key).split(", ")[rank]

    def _chips(self, chips: int) -> str:
        return self.count("chips", chips)


def _sums(group: list[Event], shift: int) -> dict[int, int]:
    """Chips by seat, in the order of the seats; they are in the numbers above so many bits."""
    seats = sorted({one.seat for one in group})
    return {seat: sum(one.value >> shift for one in group if one.seat == seat) for seat in seats}
