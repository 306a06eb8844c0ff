"""Paris d'amis, the open points of its rule text: every ruling that can be read otherwise, as a field."""

from dataclasses import dataclass

from simcore.errors import UsageError
from simcore.rules import YES_NO, choice, number, numbers

TABLES = {  # new cards for a right bet of 1, 2, … at 2, 3 and 4 players
    "T0": ((10, 9), (11, 9, 10), (12, 10, 9, 11)),
    "T1": ((9, 9), (9, 9, 9), (9, 9, 9, 9)),
    "T2": ((10, 10), (10, 10, 10), (10, 10, 10, 10)),
    "T3": ((12, 10), (14, 12, 10), (16, 14, 12, 10)),
    "T4": ((8, 10), (8, 10, 10), (8, 9, 10, 10)),
    "T5": ((8, 8), (8, 8, 8), (8, 8, 8, 8)),
    "T6": ((10, 9), (10, 9, 8), (10, 9, 8, 8)),
    "T7": ((8, 8), (8, 8, 8), (8, 8, 8, 8)),
}
WRONG_DRAW = {"T7": 6}  # new cards for a wrong bet; 8 with all other tables
TABLE_MEANINGS = (
    *("T0", "the rarer the number of winners, the more cards"),
    *("T1", "any right bet 9"),
    *("T2", "any right bet 10"),
    *("T3", "two cards more for each winner fewer"),
    *("T4", "no bonus for a sweep"),
    *("T5", "bets have no effect on cards"),
    *("T6", "10, 9, 8, 8 whatever the number of players"),
    *("T7", "8 for a right bet, 6 for a wrong one"),
)


@dataclass(frozen=True)
class Rules:
    """The rulings P1 to P34 that have an alternative, and the designer's variants; see docs/games/paris.md."""

    draw_table: str = numbers(
        "T0",
        (0, 20),
        "P1",
        "Chaque joueur qui a réussi son pari reçoit ensuite de nouvelles cartes selon le tableau suivant",
        "new cards for a right bet of 1, 2, … : one number a bet, or a table's name",
        *TABLE_MEANINGS,
    )
    wrong_draw: str = choice(
        "table",
        "P1",
        "Tous les joueurs s'étant trompés dans leur pari reçoivent automatiquement 8 nouvelles cartes.",
        "new cards for a wrong bet",
        *("table", "8, or what the table's name says (T7: 6)"),
        *(word for count in range(13) for word in (str(count), f"{count} cards")),
    )
    trump_strength: str = choice(
        "0",
        "P3",
        'ou bien des "cartes jeu" de l\'atout en cours lors de cette manche',
        "what a trump card is worth above its value, in any column",
        *(word for more in range(7) for word in (str(more), f"{more} more")),
        *("beats_all", "100 more: it beats any cards without a trump"),
    )
    court_values: str = choice(
        "11-11-11-12",
        "P4",
        "toutes les figures qui valent 11 et l'as qui vaut 12",
        "values of jack, queen, king and ace in a column",
        *("11-11-11-12", "as written"),
        *("11-12-13-14", "all different"),
    )
    majority: str = choice(
        "sum",
        "P5",
        "il faudra être majoritaire à la fin de la manche dans la colonne",
        "what the majority in a column is counted by",
        *("sum", "the sum of a player's cards there"),
        *("count", "their number"),
        *("best_card", "the highest of them"),
    )
    tie_break: str = choice(
        "first_in_column",
        "P6",
        'En cas d\'égalité, le premier joueur qui a posé sa carte dans la colonne remporte la "carte points".',
        "who wins a column when several have the majority",
        *("first_in_column", "whose first card there was laid first"),
        *("first_to_reach", "whose last card there was laid first"),
        *("last_in_column", "whose last card there was laid last"),
        *("nobody", "nobody, as if the column were empty"),
    )
    empty_column: str = choice(
        "discard",
        "P7",
        'Chaque joueur majoritaire sur une colonne remporte la "carte points" de la couleur correspondante',
        "where the point card of a column goes that nobody wins",
        *("discard", "out of the game"),
        *("carry_over", "it stays, and the next winner of the column takes it too"),
        *("bottom", "under its pile, which is turned up again after the eighth round"),
    )
    bets_allowed: str = choice(
        "upto_n",
        "P8",
        "trèfles s'il pense que chacun des quatre joueurs remportera une carte points",
        "which numbers of winners may be bet on",
        *("upto_n", "1 up to the number of players"),
        *("all", "1 to 4 at any number of players"),
    )
    allow_bet_zero: str = choice(
        "false",
        "P9",
        "s'il pense qu'un seul joueur remportera toutes les \"cartes points\"",
        "may bet on no winner",
        *YES_NO,
    )
    min_cards_before_bet: int = number(
        0,
        0,
        4,
        "P10",
        "A tout moment, un joueur peut décider de ne plus ajouter de carte.",
        "cards to lay before a bet",
    )
    exclusive_bets: str = choice(
        "false", "P11", "ils doivent pouvoir s'empiler", "a number may be bet on by one player only", *YES_NO
    )
    marker_cap: int = number(
        12,
        1,
        54,
        "P13",
        "il sera limité par ses 12 marqueurs personnels",
        "cards a player may lay in a round; 54: no limit",
    )
    last_player_limit: str = choice(
        "unlimited",
        "P15",
        "Le dernier joueur peut donc ajouter toutes les cartes qu'il veut avant de parier",
        "cards that the last player without a bet may lay alone",
        *("unlimited", "as many as the hand and the markers allow"),
        *(word for count in range(4) for word in (str(count), f"at most {count}")),
    )
    bets: str = choice(
        "open",
        "P16",
        "Un joueur qui a déposé son jeton pari ne peut plus ajouter de cartes",
        "whether the number of a bet is seen",
        *("open", "at once"),
        *("hidden", "when the round is over"),
    )
    discard: str = choice(
        "floor_half",
        "P17",
        "Chaque joueur se défausse de la moitié de ses cartes restantes en main, nombre arrondi à l'inférieur",
        "how many of the cards left in hand are discarded",
        *("floor_half", "half, rounded down"),
        *("ceil_half", "half, rounded up"),
        *("none", "none"),
        *("all", "all"),
    )
    discard_choice: str = choice(
        "owner",
        "P18",
        "Chaque joueur se défausse",
        "who chooses the discards",
        *("owner", "the player"),
        *("random", "chance"),
    )
    shortage: str = choice(
        "equal_biggest",
        "P20",
        "les pertes sont partagées (chacun en reçoit une ou deux de moins)",
        "who goes short when the deck has too few cards",
        *("equal_biggest", "all alike, the odd cards those with most cards (as many: later in the next round)"),
        *("equal_seat", "all alike, the odd cards those who come first in the next round"),
        *("round_robin", "cards are dealt one by one from the last bettor on, as long as there are any"),
        *("proportional", "in proportion to the cards due, the odd cards those with the largest remainder"),
    )
    mulligan_first_round: str = choice(
        "false",
        "P21",
        "Avant la manche suivante, chaque joueur (…) peut à ses risques et périls essayer de changer sa main",
        "hands may be changed before the first round too",
        *YES_NO,
    )
    mulligan_cost: str = choice(
        "2",
        "P22",
        "jusqu'à avoir son nombre de cartes initial moins deux",
        "cards lost by changing the hand",
        *(word for count in range(5) for word in (str(count), f"{count} fewer")),
        *("none", "hands may not be changed"),
    )
    starter: str = choice(
        "last_bettor",
        "P24",
        "en commençant par le dernier joueur à avoir parié (quelque soit la justesse de son pari)",
        "who begins the next round",
        *("last_bettor", "the last to bet"),
        *("first_bettor", "the first to bet"),
        *("rotate", "each player in turn"),
        *("lowest_score", "who is last so far; among equals the lowest seat"),
    )
    rounds: int = number(8, 1, 12, "P25", "Le jeu se déroulera en 8 manches", "rounds of a game")
    scoring: str = choice(
        "leximin",
        "P26",
        "Le(s) joueur(s) ayant obtenu le plus petit score dans l'une de leurs quatre couleurs est/sont éliminé(s)",
        "who wins",
        *("leximin", "the best lowest suit, then the second lowest, and so on"),
        *("sum", "most points"),
        *("min_then_sum", "the best lowest suit, then most points"),
        *("product", "the greatest product of the four suits' points"),
    )
    final_tie: str = choice(
        "first_right_bet",
        "P28",
        "En cas d'égalité stricte, le joueur ayant correctement parié le premier dans la dernière manche l'emporte",
        "who wins a strict tie",
        *("first_right_bet", "the first of them to bet rightly in the last round, else all of them"),
        *("split", "all of them"),
    )
    track_scores: str = choice(
        "true",
        "P29",
        "la garde face cachée dans son trésor",
        "whether strategies know everybody's points, as all cards were seen",
        *YES_NO,
    )
    trump_order: str = choice(
        "fixed",
        "P31",
        "le marqueur d'atout sera décalé d'un paquet de \"cartes points\" vers la droite à chaque manche",
        "which suit is trump in which round",
        *("fixed", "hearts, diamonds, spades, clubs, and again"),
        *("reverse", "clubs, spades, diamonds, hearts, and again"),
        *("random", "in a shuffled order, and again in the same one"),
        *("none", "there is no trump"),
    )
    point_values: str = choice(
        "1-2-3",
        "P32",
        "les 7, 8, 9 et 10 valent 1 point ; les figures valent 2 points ; les as valent 3 points",
        "points of a 7 to 10, of a jack, queen or king, of an ace",
        *("1-2-3", "as written"),
        *("1-1-1", "all alike"),
        *("1-3-5", "wider apart"),
    )
    jokers: int = number(0, 0, 2, "P33", "utilisation des jokers?", "jokers in the deck")
    joker_mode: str = choice(
        "wild0",
        "P33",
        "des idées (utilisation des jokers?)",
        "what a joker does",
        *("wild0", "laid in any column, worth 0, and its player wins ties there"),
        *("wild6", "laid in any column, worth 6"),
        *("wild12", "laid in any column, worth 12"),
        *("cancel", "laid in a column, it takes away the highest card there (the first of equals)"),
        *("shield", "laid in a column, it closes it to further cards"),
        *("trump_shift", "laid aside, the next suit is trump for the rest of the round"),
        *("rebet", "kept until all have bet, it lets its player bet anew"),
        *("insurance", "kept until a bet is wrong, it is given up and the bet draws as if it were right"),
    )
    initial_hand: int = number(
        8, 1, 13, "P34", 'Distribuez au hasard 8 "cartes jeu" de départ par joueur.', "cards dealt"
    )


def draw_numbers(rules: Rules, players: int) -> tuple[int, ...]:
    """P1: new cards for a right bet of 1, 2, … at this number of players.

    Raises UsageError for a table that does not have one number a bet.
    """
    if rules.draw_table in TABLES:
        return TABLES[rules.draw_table][players - 2]
    given = tuple(map(int, rules.draw_table.split(",")))
    if len(given) != players:
        raise UsageError(
            f"rule draw_table = {rules.draw_table}: at {players} players it takes {players} numbers, one for each bet"
        )
    return given


def check(rules: Rules, players: int) -> None:
    """Refuses rules that make no sense together.

    Raises UsageError with the reason.
    """
    draw_numbers(rules, players)
    if rules.rounds > 8 and rules.empty_column != "bottom":
        raise UsageError(f"rule rounds = {rules.rounds}: the piles have 8 point cards, unless empty_column = bottom")
    if rules.empty_column == "bottom" and rules.rounds <= 8:
        raise UsageError(
            "rule empty_column = bottom: such cards come up again after the eighth round; set rounds above 8"
        )
    if rules.exclusive_bets == "true" and rules.bets == "hidden":
        raise UsageError("rule exclusive_bets = true: nobody can see which bets are taken while bets = hidden")
    if rules.joker_mode != "wild0" and not rules.jokers:
        raise UsageError(f"rule joker_mode = {rules.joker_mode}: there are no jokers; set jokers = 1 or 2")
    if rules.jokers and rules.joker_mode == "trump_shift" and rules.trump_order == "none":
        raise UsageError("rule joker_mode = trump_shift: there is no trump while trump_order = none")
    if rules.trump_strength != "0" and rules.trump_order == "none":
        raise UsageError(f"rule trump_strength = {rules.trump_strength}: there is no trump while trump_order = none")
    if rules.mulligan_first_round == "true" and rules.mulligan_cost == "none":
        raise UsageError("rule mulligan_first_round = true: hands may not be changed while mulligan_cost = none")
    if rules.discard_choice == "random" and rules.discard in ("none", "all"):
        raise UsageError(f"rule discard_choice = random: nothing is left to chance while discard = {rules.discard}")
