"""The transcript of Jeu du doigt: what happened in one game, in sentences to follow with real cards."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simcore.contract import NONE
from simcore.games.doigt_table import CALL, EXTRA, FINGERS, GIVEN_UP, LOST, ROUND, SHOWN, SHOWS, THEFT, WON
from simcore.voice import Event, Voice

LEADER: dict[Any, Any] = {SHOWS: SHOWS, FINGERS: CALL, EXTRA: WON, SHOWN: THEFT}  # who begins their line
GIVEN_UP_TO = ("discarded", "under_pile", "ends")  # in the order of the codes of `on_cap`

ENGLISH = {
    "shows": "Face-up cards: {cards}.",
    "shows_one": "player {seat} {card}",
    "order": "The fingers of the others are told in the order of the players.",
    "round": "Round {number}: {card} in the centre{beside}.",
    "beside": ", a face-down card beside it|, {n} face-down cards beside it",
    "call": "Player {seat} announces {call}, leaves {fingers}; {others}: {left}. Total {total}: {verdict}",
    "fingers": "{n} finger|{n} fingers",
    "others": "the other|the others",
    "right": "right!",
    "wrong": "wrong.",
    "wins": "Player {seat} wins {cards}{extra}.",
    "face_down": " and the face-down card| and the {n} face-down cards",
    "extra": ", plus {n} extra card|, plus {n} extra cards",
    "steals": "Player {seat} steals {card} from player {victim}, {then}.",
    "then_shows": "who turns up {card}",
    "then_nothing": "who has no visible card left",
    "turns_up": "Player {seat} turns up {card}.",
    "turns_up_nothing": "Player {seat} still has no visible card.",
    "given_up": "Nobody has guessed. {cards}: {where}.",
    "discarded": "out of the game",
    "under_pile": "under the pile",
    "ends": "out of the game, which ends",
    "lost": "The pile is empty: the game stops, nobody wins {cards}.",
}
FRENCH = {
    "shows": "Cartes visibles : {cards}.",
    "shows_one": "joueur {seat} {card}",
    "order": "Les doigts des autres sont donnés dans l’ordre des joueurs.",
    "round": "Manche {number} : {card} au centre{beside}.",
    "beside": ", une carte cachée à côté|, {n} cartes cachées à côté",
    "call": "Joueur {seat} annonce {call}, laisse {fingers} ; {others} : {left}. Total {total} : {verdict}",
    "fingers": "{n} doigt|{n} doigts",
    "others": "l’autre|les autres",
    "right": "juste !",
    "wrong": "raté.",
    "wins": "Joueur {seat} gagne {cards}{extra}.",
    "face_down": " et la carte cachée| et les {n} cartes cachées",
    "extra": ", plus {n} carte extra|, plus {n} cartes extra",
    "steals": "Joueur {seat} vole {card} au joueur {victim}, {then}.",
    "then_shows": "qui découvre {card}",
    "then_nothing": "qui n’a plus de carte visible",
    "turns_up": "Joueur {seat} découvre {card}.",
    "turns_up_nothing": "Joueur {seat} n’a toujours pas de carte visible.",
    "given_up": "Personne n’a trouvé. {cards} : {where}.",
    "discarded": "hors du jeu",
    "under_pile": "sous la pioche",
    "ends": "hors du jeu, et fin de la partie",
    "lost": "La pioche est épuisée : la partie s’arrête, personne ne gagne {cards}.",
}
TEXTS = {"en": ENGLISH, "fr": FRENCH}


def narrate(events: Sequence[tuple[int, int, int]], players: int, language: str) -> list[str]:
    """The lines of a game from its deal to its last card; the score is the caller's.

    language: `en` or `fr`. Raises KeyError for another one.
    """
    narrator = _Narrator(players, language)
    return [line for sentence in _sentences(events) for line in narrator.lines(sentence)]


def _sentences(events: Sequence[tuple[int, int, int]]) -> Iterator[list[Event]]:
    """The events in groups that make one line each: an announcement with everybody's fingers, a theft with its end."""
    group: list[Event] = []
    for one in map(Event._make, events):
        if group and _belongs(one, group):
            group.append(one)
        else:
            if group:
                yield group
            group = [one]
    if group:
        yield group


def _belongs(one: Event, group: list[Event]) -> bool:
    is_many = one.kind in (SHOWS, FINGERS)
    return LEADER.get(one.kind) == group[0].kind and (is_many or len(group) == 1)


class _Narrator(Voice):
    """Tells sentences in one language; remembers which card lies in the centre."""

    def __init__(self, players: int, language: str):
        super().__init__(TEXTS, language)
        self._players = players
        self._round, self._centre, self._face_down = 0, NONE, 0
        self._tell: dict[Any, Callable[[list[Event]], list[str]]] = {
            SHOWS: self._deal,
            ROUND: self._new_round,
            CALL: self._announcement,
            WON: self._win,
            THEFT: self._theft,
            SHOWN: self._turned_up,
            GIVEN_UP: self._given_up,
            LOST: self._lost,
        }

    def lines(self, sentence: list[Event]) -> list[str]:
        """The lines of one sentence."""
        return self._tell[sentence[0].kind](sentence)

    def _deal(self, shown: list[Event]) -> list[str]:
        cards = [self.say("shows_one", seat=one.seat + 1, card=self.card(one.value)) for one in shown]
        order = [self.say("order")] if self._players > 2 else []
        return [self.say("shows", cards=", ".join(cards)), *order]

    def _new_round(self, sentence: list[Event]) -> list[str]:
        self._round += 1
        self._face_down, self._centre = sentence[0].seat, sentence[0].value
        beside, card = self.some("beside", self._face_down), self.card(self._centre)
        return ["", self.say("round", number=self._round, card=card, beside=beside)]

    def _announcement(self, sentence: list[Event]) -> list[str]:
        announcer, others = sentence[0], [one.value for one in sentence[1:]]
        call, kept = announcer.value >> 2, announcer.value & 3
        total = kept + sum(others)
        line = self.say(
            "call",
            seat=announcer.seat + 1,
            call=call,
            fingers=self.count("fingers", kept),
            others=self.count("others", self._players - 1),
            left=", ".join(map(str, others)),
            total=total,
            verdict=self.say("right" if total == call else "wrong"),
        )
        return ["  " + line]

    def _win(self, sentence: list[Event]) -> list[str]:
        won, extra = sentence[0], sum(one.value for one in sentence[1:])
        return ["    " + self.say("wins", seat=won.seat + 1, cards=self._prize(), extra=self.some("extra", extra))]

    def _theft(self, sentence: list[Event]) -> list[str]:
        thief, (victim, card) = sentence[0].seat, divmod(sentence[0].value, 64)
        shown = sentence[1].value if len(sentence) > 1 else NONE
        then = self.say("then_nothing") if shown == NONE else self.say("then_shows", card=self.card(shown))
        line = self.say("steals", seat=thief + 1, card=self.card(card), victim=victim + 1, then=then)
        return ["    " + line]

    def _turned_up(self, sentence: list[Event]) -> list[str]:
        """A player without a visible card has won one."""
        _, seat, card = sentence[0]
        if card == NONE:
            return ["    " + self.say("turns_up_nothing", seat=seat + 1)]
        return ["    " + self.say("turns_up", seat=seat + 1, card=self.card(card))]

    def _given_up(self, sentence: list[Event]) -> list[str]:
        where = self.say(GIVEN_UP_TO[sentence[0].seat])
        return ["    " + self.say("given_up", cards=self._prize(), where=where)]

    def _lost(self, _: list[Event]) -> list[str]:
        return ["    " + self.say("lost", cards=self._prize())]

    def _prize(self) -> str:
        """The centre card, and what lies face down beside it."""
        return self.card(self._centre) + self.some("face_down", self._face_down)
