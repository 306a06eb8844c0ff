"""Jeu du doigt, the open points of its rule sheet: every ruling that can be read otherwise, as a field."""

from dataclasses import dataclass

from simcore.rules import YES_NO, choice, number


@dataclass(frozen=True)
class Rules:
    """The rulings D1 to D23 that have an alternative, and the designer's variants; see docs/games/doigt.md."""

    deck_rule: str = choice(
        "by_players",
        "D1",
        "Mettez également de côté les 5 (pour un jeu à moins de 5 joueurs) et les 4 (pour un jeu à 3 joueurs).",
        "which cards are in the deck",
        *("by_players", "no 5 below five players, no 4 at three players"),
        *("always40", "the whole 40 cards at every number of players"),
    )
    fingers_2p: int = number(
        2, 1, 2, "D2", "à 2 joueurs, chacun place ses deux index sur la carte", "fingers each at two players"
    )
    fingers_per_player: int = number(
        1, 1, 2, "D2", "Tous les joueurs posent un de leur index", "fingers each at three to five players"
    )
    setup_jq: str = choice(
        "shuffle_back",
        "D3",
        "S’il s’agit d’une J ou d’une Q, remplacez-la par une autre carte.",
        "where a jack or queen goes that was dealt face up",
        *("shuffle_back", "back into the pile, which is shuffled"),
        *("bottom", "under the pile"),
        *("removed", "out of the game"),
    )
    after_success: str = choice(
        "next",
        "D5",
        "Le tour passe au joueur suivant et on commence une nouvelle manche",
        "who announces first on a new card",
        *("next", "the player after the winner of the last card"),
        *("winner_again", "the winner of the last card"),
        *("round_robin_start", "each player in turn, whoever won"),
    )
    forbid_impossible_call: str = choice(
        "false",
        "D7",
        "Il annonce le chiffre qu’il a choisi",
        "may not announce a number that the own fingers make impossible",
        *YES_NO,
    )
    announcer_plays: str = choice(
        "true",
        "D8",
        "chaque joueur (même celui qui fait l’annonce)",
        "the announcer has fingers on the card too",
        *YES_NO,
    )
    king_zero_theft: str = choice(
        "true",
        "D9",
        "La carte est un Roi (K) et le chiffre annoncé est 0",
        "zero steals a king, as it wins an extra card on one",
        *YES_NO,
    )
    zero_is_even: str = choice(
        "true", "D10", "La carte est un 6 et le chiffre annoncé est pair", "zero answers to a six", *YES_NO
    )
    max_thefts: str = choice(
        "all",
        "D12",
        "la carte du dessus du paquet d’un (ou plusieurs) adversaire(s)",
        "how many opponents a jack or queen robs",
        *("all", "every opponent whose top card matches"),
        *("1", "only one: who has most cards, then who sits next"),
    )
    theft_replacement: str = choice(
        "own_pack",
        "D13",
        "Les joueurs ayant ainsi perdu une carte remettront une nouvelle carte face visible sur leur paquet",
        "what a robbed player turns up",
        *("own_pack", "the next card of the own pack, jacks and queens going under it"),
        *("draw_pile", "a card from the pile, jacks and queens going under the pile"),
        *("none", "nothing until the player wins a card again"),
    )
    empty_pack: str = choice(
        "immune",
        "D14",
        "en veillant à ce qu’il ne soit ni une Dame (Q) ni un Valet (J)",
        "what happens when the own pack has no card to turn up",
        *("immune", "no card shows, so nothing can be stolen, until one is won"),
        *("draw_pile", "a card is turned up from the pile"),
    )
    heart_bonus: str = choice(
        "1",
        "D18",
        "la carte révélée est de coeurs (♥), placez une seconde carte de la pioche à côté de celle-ci",
        "which centre cards bring a second, face-down card",
        *("0", "none"),
        *("1", "hearts"),
        *("red", "hearts and diamonds"),
    )
    heart_chain: str = choice(
        "false", "D18", "face cachée", "a face-down card that would bring a second one brings it", *YES_NO
    )
    extra_bonus: int = number(
        1, 0, 2, "D20", "le joueur peut aussi remporter une carte extra de la pioche", "cards won by a matching number"
    )
    bonus_scale: str = choice(
        "false",
        "variant",
        "une carte extra",
        "zero and the highest number, which are rare, win twice the extra cards",
        *YES_NO,
    )
    steal: str = choice(
        "on",
        "variant",
        "peut “voler” la carte du dessus",
        "jacks and queens steal",
        *("off", "no thefts"),
        *("on", "as on the rule sheet"),
    )
    no_repeat_call: str = choice(
        "false", "variant", "pense à un chiffre", "may not announce the number last announced on this card", *YES_NO
    )
    end_rule: str = choice(
        "finish_round",
        "D21",
        "Lorsque la pioche est épuisée, la partie s'arrête.",
        "what happens to the card in the centre when the pile runs out",
        *("finish_round", "it is played for to the end"),
        *("immediate", "the game stops and nobody wins it"),
    )
    max_attempts: int = number(
        1000, 1, 1_000_000, "D22", "la carte reste en place", "announcements on one card before it is given up"
    )
    on_cap: str = choice(
        "discard",
        "D22",
        "la carte reste en place",
        "what happens to a card that is given up",
        *("discard", "it leaves the game, with its face-down cards"),
        *("bottom", "it goes under the pile, at most 40 cards a game, then it is discarded"),
        *("abort", "the game ends"),
    )
    tie: str = choice(
        "split",
        "D23",
        "Gagne le joueur ayant remporté le plus de cartes.",
        "who wins among players with equally many cards",
        *("split", "they share the win"),
        *("last_winner", "who won a centre card last"),
        *("fewest_rounds", "who won fewest centre cards; still equal: they share"),
    )
