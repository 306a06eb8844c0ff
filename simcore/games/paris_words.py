"""The transcript of Paris d'amis: what happened in one game, in sentences to follow with two real decks."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from simcore.contract import NONE
from simcore.games.paris_table import (
    BET,
    CANCELLED,
    CHANGED,
    COUNT,
    DISCARDED,
    DREW,
    HAND,
    INSURED,
    JOKER,
    KEPT,
    LAID,
    POINT,
    REBETS,
    ROUND,
    SHIFTED,
    SHORT,
    WON,
)
from simcore.voice import Event, Voice

SUIT_KEYS = ("hearts", "diamonds", "spades", "clubs")
BY_SUIT = (*sorted(range(JOKER), key=lambda card: (card & 3, card < 4, card)), JOKER, JOKER + 1)  # aces high
FOUR_COLUMNS = (POINT, WON)  # told of all columns in one line
INDENT: dict[Any, str] = dict.fromkeys((LAID, BET, REBETS), " " * 4) | {CANCELLED: " " * 6}  # of others: 2

ENGLISH = {
    "hearts": "hearts",
    "diamonds": "diamonds",
    "spades": "spades",
    "clubs": "clubs",
    "joker": "joker",
    "a_joker": "a joker",
    "cards": "{n} card|{n} cards",
    "listed": "{cards}: {names}",
    "round": "Round {number}, {trump}: player {seat} begins.",
    "trump": "trump {suit}",
    "no_trump": "no trump",
    "points": "Point cards: {cards}.",
    "points_none": "none in {suit}",
    "hand": "Player {seat} has {cards}.",
    "lays": "Player {seat} lays {card} in the {column} column.",
    "shifts": "Player {seat} lays a joker aside: the trump of this round is now {suit}.",
    "as_trump": "{card} (trump)",
    "cancelled": "The joker takes {card} away from player {seat} and leaves the column.",
    "bets": "Player {seat} bets {winners}.",
    "bets_anew": "Player {seat} gives up a joker and now bets {winners}.",
    "on_nobody": "that nobody wins",
    "on_winners": "that {n} player wins|that {n} players win",
    "columns": "Columns: {winners}.",
    "column": "{suit} player {seat}",
    "column_nobody": "{suit} nobody",
    "count": "{winners}: {bets}.",
    "nobody": "Nobody wins",
    "winners": "{n} player wins|{n} players win",
    "right": "player {seat} is right",
    "wrong": "player {seat} is wrong",
    "insured": "Player {seat} gives up a joker: the wrong bet counts as right for the new cards.",
    "discards": "Player {seat} discards {cards}.",
    "short": "The deck is {n} card short.|The deck is {n} cards short.",
    "draws": "Player {seat} draws {cards}.",
    "changes": "Player {seat} changes the hand and takes {cards}.",
    "keeps": "Player {seat} keeps the hand.",
}
FRENCH = {
    "hearts": "cœur",
    "diamonds": "carreau",
    "spades": "pique",
    "clubs": "trèfle",
    "joker": "joker",
    "a_joker": "un joker",
    "cards": "{n} carte|{n} cartes",
    "listed": "{cards} : {names}",
    "round": "Manche {number}, {trump} : joueur {seat} commence.",
    "trump": "atout {suit}",
    "no_trump": "sans atout",
    "points": "Cartes points : {cards}.",
    "points_none": "aucune à {suit}",
    "hand": "Joueur {seat} a {cards}.",
    "lays": "Joueur {seat} pose {card} dans la colonne {column}.",
    "shifts": "Joueur {seat} met un joker de côté : l’atout de la manche est maintenant {suit}.",
    "as_trump": "{card} (atout)",
    "cancelled": "Le joker retire {card} au joueur {seat} et quitte la colonne.",
    "bets": "Joueur {seat} parie {winners}.",
    "bets_anew": "Joueur {seat} rend un joker et parie maintenant {winners}.",
    "on_nobody": "que personne ne gagne",
    "on_winners": "qu’un seul joueur remporte tout|que {n} joueurs se partagent le butin",
    "columns": "Colonnes : {winners}.",
    "column": "{suit} joueur {seat}",
    "column_nobody": "{suit} personne",
    "count": "{winners} : {bets}.",
    "nobody": "Personne ne gagne",
    "winners": "Un seul joueur remporte tout|{n} joueurs se partagent le butin",
    "right": "joueur {seat} réussit son pari",
    "wrong": "joueur {seat} se trompe",
    "insured": "Joueur {seat} rend un joker : le pari raté compte comme réussi pour les nouvelles cartes.",
    "discards": "Joueur {seat} se défausse de {cards}.",
    "short": "Il manque {n} carte dans le paquet.|Il manque {n} cartes dans le paquet.",
    "draws": "Joueur {seat} reçoit {cards}.",
    "changes": "Joueur {seat} change sa main et prend {cards}.",
    "keeps": "Joueur {seat} garde sa main.",
}
TEXTS = {"en": ENGLISH, "fr": FRENCH}


def narrate(events: Sequence[tuple[int, int, int]], players: int, language: str) -> list[str]:
    """The lines of a game from its first hands to its last round; the score is the caller's.

    language: `en` or `fr`. Raises KeyError for another one.
    """
    narrator = _Narrator(language)
    return [line for sentence in _sentences(events) for line in narrator.lines(sentence)]


def _sentences(events: Sequence[tuple[int, int, int]]) -> Iterator[list[Event]]:
    """The events in groups that make a line each: four columns, a joker with its new trump, anything else alone."""
    for kind, same in groupby(map(Event._make, events), key=lambda one: LAID if one.kind == SHIFTED else one.kind):
        if kind in FOUR_COLUMNS:
            yield list(same)
            continue
        group: list[Event] = []
        for one in same:
            if one.kind != SHIFTED and group:
                yield group
                group = []
            group.append(one)
        yield group


class _Narrator(Voice):
    """Tells sentences in one language; remembers the round's trump and bets."""

    def __init__(self, language: str):
        super().__init__(TEXTS, language)
        self._round = 0
        self._bets: dict[int, int] = {}
        self._tell: dict[Any, Callable[[list[Event]], str]] = {
            ROUND: self._new_round,
            POINT: self._point_cards,
            HAND: lambda sentence: self._cards("hand", sentence[0]),
            LAID: self._laid,
            CANCELLED: self._cancelled,
            BET: lambda sentence: self._bet("bets", sentence[0]),
            REBETS: lambda sentence: self._bet("bets_anew", sentence[0]),
            WON: self._columns,
            COUNT: self._winners,
            INSURED: lambda sentence: self.say("insured", seat=sentence[0].seat + 1),
            DISCARDED: lambda sentence: self._cards("discards", sentence[0]),
            SHORT: lambda sentence: self.count("short", sentence[0].value),
            DREW: lambda sentence: self._cards("draws", sentence[0]),
            CHANGED: lambda sentence: self._cards("changes", sentence[0]),
            KEPT: lambda sentence: self.say("keeps", seat=sentence[0].seat + 1),
        }

    def lines(self, sentence: list[Event]) -> list[str]:
        """The lines of one sentence: rounds apart, moves and what they change further in."""
        kind, line = sentence[0].kind, self._tell[sentence[0].kind](sentence)
        if kind == ROUND:
            return ["", line]
        return [INDENT.get(kind, "  ") + line]

    def _new_round(self, sentence: list[Event]) -> str:
        _, starter, trumps = sentence[0]
        self._round, self._bets = self._round + 1, {}
        trump = self.say("no_trump") if trumps == NONE else self.say("trump", suit=self._suit(trumps))
        return self.say("round", number=self._round, trump=trump, seat=starter + 1)

    def _point_cards(self, columns: list[Event]) -> str:
        cards = [
            self.say("points_none", suit=self._suit(column)) if card == NONE else self.card(card)
            for _, column, card in columns
        ]
        return self.say("points", cards=", ".join(cards))

    def _laid(self, sentence: list[Event]) -> str:
        seat, (card, column) = sentence[0].seat + 1, divmod(sentence[0].value, 4)
        if len(sentence) > 1:
            return self.say("shifts", seat=seat, suit=self._suit(sentence[1].value))
        if card >= JOKER:
            name = self.say("a_joker")
        elif card & 3 == column:
            name = self.card(card)
        else:
            name = self.say("as_trump", card=self.card(card))
        return self.say("lays", seat=seat, card=name, column=self._suit(column))

    def _cancelled(self, sentence: list[Event]) -> str:
        _, owner, value = sentence[0]
        return self.say("cancelled", seat=owner + 1, card=self.card(value >> 2))

    def _bet(self, key: str, bet: Event) -> str:
        self._bets[bet.seat] = bet.value
        winners = self.count("on_winners", bet.value) if bet.value else self.say("on_nobody")
        return self.say(key, seat=bet.seat + 1, winners=winners)

    def _columns(self, columns: list[Event]) -> str:
        winners = [
            self.say("column_nobody" if seat == NONE else "column", suit=self._suit(column), seat=seat + 1)
            for _, seat, column in columns
        ]
        return self.say("columns", winners=", ".join(winners))

    def _winners(self, sentence: list[Event]) -> str:
        """How many won a column, and who had bet on that."""
        count = sentence[0].value
        winners = self.count("winners", count) if count else self.say("nobody")
        bets = [
            self.say("right" if bet == count else "wrong", seat=seat + 1) for seat, bet in sorted(self._bets.items())
        ]
        return self.say("count", winners=winners, bets=", ".join(bets))

    def _cards(self, key: str, event: Event) -> str:
        """What somebody does with a set of cards: how many and which, by suit and then by value, aces high."""
        held = [card for card in BY_SUIT if event.value >> card & 1]
        cards = self.count("cards", len(held))
        if held:
            suits = [" ".join(map(self.card, suit)) for _, suit in groupby(held, key=_suit_or_joker)]
            cards = self.say("listed", cards=cards, names=", ".join(suits))
        return self.say(key, seat=event.seat + 1, cards=cards)

    def _suit(self, suit: int) -> str:
        return self.say(SUIT_KEYS[suit])

    def card(self, card: int) -> str:
        """A card's name; jokers are all alike."""
        return self.say("joker") if card >= JOKER else super().card(card)


def _suit_or_joker(card: int) -> int:
    return len(SUIT_KEYS) if card >= JOKER else card & 3
