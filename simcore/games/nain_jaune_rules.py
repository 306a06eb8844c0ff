"""Nain jaune, the open points of its rule text: every ruling that can be read otherwise, as a field."""

from collections.abc import Iterator
from dataclasses import dataclass

from simcore.errors import UsageError
from simcore.rules import YES_NO, choice, number, numbers

CARDS = 52
STANDARD = (22, 15, 12, 9, 8, 7, 6)  # cards each at 2 to 8 players
MOST_DEALS = 10_000

STAKES = "Sur le 10 de carreau : 1 jeton (…) Sur le Nain Jaune : 5 jetons"
CONTINUES = "devra alors mettre un 4, s'il en a dans son jeu"
HELD = "il est obligé de mettre sur cette carte autant de jetons qu'il en aurait pris"
OPERA = "un des joueurs se débarrasse de toutes ses cartes au premier tour, cela s'appelle Grand Opéra"
SWEEP = "Il ramasse alors tout ce qui est sur le tableau"
ENDS = "Le jeu finit quand un des joueurs a jeté sa dernière carte. Ce joueur est le gagnant"
AGAIN = "On répétera la mise chaque fois que l'on rebattra les cartes."


@dataclass(frozen=True)
class Rules:
    """The rulings N1 to N27 that have an alternative; see docs/games/nain-jaune.md."""

    deal_table: str = numbers(
        "standard",
        (1, 26),
        "N1",
        "Pour 3 joueurs : 15 cartes chacun, reste au talon 7 (…) Pour 3 joueurs : 6 cartes chacun, reste au talon 4",
        "cards each: one number, or seven numbers for 2 to 8 players",
        *("standard", "22, 15, 12, 9, 8, 7, 6 for 2 to 8 players: the second line for 3 players is that for 8"),
    )
    dealer: str = choice(
        "rotate",
        "N2",
        "le premier jouera son jeu",
        "who deals the next deal",
        *("rotate", "the next player"),
        *("winner", "who went out"),
        *("loser", "who lost most chips in the deal; of equals the lowest seat"),
    )
    first_player: str = choice(
        "after_dealer",
        "N2",
        "le premier jouera son jeu",
        "who plays first; in the first deal this is player 1",
        *("after_dealer", "the player after the dealer"),
        *("dealer", "the dealer"),
    )
    first_lead: str = choice(
        "free",
        "N3",
        "en ayant soin de se défaire toujours de ses plus hautes cartes",
        "which card may open a deal",
        *("free", "any: the sentence is advice"),
        *("lowest", "one of the lowest rank of the hand"),
        *("highest", "one of the highest rank of the hand"),
    )
    compulsory: str = choice(
        "true",
        "N4, N5",
        CONTINUES,
        "whether who has the next rank must play it",
        *("false", "may play it or keep it"),
        *("true", "must play it, so that who does not has none"),
    )
    stop_rule: str = choice(
        "free_restart",
        "N7, N8",
        "jusqu'à ce que personne ne puisse mettre au-dessus. Alors, celui qui a jeté le dernier (…) recommence",
        "what happens when nobody plays the next rank",
        *("free_restart", "who played last leads any card"),
        *("skip_rank", "that rank is skipped, and the rank after it is asked for; past the king, any card is led"),
    )
    wrap: str = choice("false", "N9", "As, 2, 3, 4, 5, 6, 7, 8, 9, 10, valet, dame, roi", "aces follow kings", *YES_NO)
    hand_payment: str = choice(
        "points10",
        "N10",
        "autant de pions qu'il leur reste de points dans la main",
        "what a card left in a hand costs",
        *("points10", "ace 1, 2 to 10 as printed, jack, queen and king 10"),
        *("points_11_12_13", "ace 1, 2 to 10 as printed, jack 11, queen 12, king 13"),
        *("per_card", "1 each"),
    )
    opera_payment: str = choice(
        "points",
        "N11",
        "chaque joueur lui donne autant de jetons qu'il lui reste de pions dans la main",
        "what the others pay for their cards at a Grand Opéra",
        *("points", "as for any hand"),
        *("per_card", "1 for each card"),
        *("double_points", "twice as for any hand"),
    )
    holding_penalty: str = choice(
        "double_pot",
        "N12",
        HELD,
        "what it costs to hold a marked card when the deal ends",
        *("double_pot", "as much as lies on it, paid on it"),
        *("base_stake", "one player's stake on it, paid on it"),
        *("pay_winner", "as much as lies on it, paid to the winner, who takes the pot too"),
        *("none", "nothing"),
    )
    pot_cap: int | str = number(
        "none",
        1,
        1000,
        "N12",
        HELD,
        "the most that a penalty may bring a pot to, in multiples of what is staked on it each deal",
        *("none", "no limit"),
    )
    carry_over: str = choice(
        "keep",
        "N13",
        AGAIN,
        "where a pot goes that nobody has taken when the deal ends",
        *("keep", "it stays, and the next stakes are added"),
        *("refund", "back in equal parts to those who staked; the odd chips stay"),
        *("to_winner", "to who went out"),
    )
    opera: str = choice(
        "strict",
        "N14",
        OPERA,
        "what a Grand Opéra is",
        *("strict", "the first player goes out before anybody else has played a card"),
        *("first_possession", "a player plays all cards in one turn, whoever played before"),
        *("none", "there is none"),
    )
    opera_five: str = choice(
        "false", "N14", OPERA, "who is dealt all five marked cards wins the deal at once, as a Grand Opéra", *YES_NO
    )
    opera_penalty: str = choice(
        "after_sweep",
        "N15",
        SWEEP,
        "marked cards held at a Grand Opéra",
        *("after_sweep", "the pots are taken first, so they cost nothing"),
        *("before_sweep", "they are paid for, then the pots are taken"),
    )
    forget_prob: int = number(
        0, 0, 100, "N17", "il prend l'enjeu", "per cent of marked cards whose player forgets to take the pot"
    )
    stake_by: str = choice(
        "all",
        "N18",
        "chacun des joueurs garnira le tableau",
        "who stakes before a deal",
        *("all", "every player"),
        *("dealer", "the dealer alone, once"),
    )
    stakes: str = numbers(
        "1,2,3,4,5", (0, 1000), "N18", STAKES, "five stakes: 10 of diamonds, jack of clubs, queen of spades, king of "
        "hearts, 7 of diamonds"
    )  # fmt: skip
    stake_mult: int = number(1, 1, 100, "N27", "au lieu d'un jeton, en mettre plusieurs", "times the stakes")
    start_chips: int | str = number(
        "none",
        1,
        10_000_000,
        "N19",
        "on conviendra de la valeur des jetons",
        "chips of each player at the start",
        *("none", "unlimited credit: chips are what is won or lost"),
    )
    insolvency: str = choice(
        "standard",
        "N19",
        "on conviendra de la valeur des jetons",
        "who has too few chips",
        *("standard", "credit while start_chips = none, else partial_then_end"),
        *("credit", "pays on credit, below zero"),
        *("partial_then_end", "pays what is there, and the game ends when somebody cannot stake"),
        *("eliminate", "pays what is there, and sits out when chips do not reach for the stakes"),
    )
    deals: int | str = number(1, 1, MOST_DEALS, "N20", ENDS, "deals of a game", *("n", "as many as players"))
    end: str = choice(
        "fixed_deals",
        "N20",
        ENDS,
        "when a game of several deals ends; the richest wins it",
        *("fixed_deals", "after `deals` deals"),
        *("bankrupt", f"when somebody cannot stake, at the latest after {MOST_DEALS:,} deals"),
    )
    leftover: str = choice(
        "ignore",
        "N21",
        "reçoit des autres joueurs autant de pions",
        "where the pots go that are left when the game ends",
        *("ignore", "nowhere: they are counted as pots_left"),
        *("split", "to all players in equal parts; the odd chips stay"),
        *("last_winner", "to who won the last deal"),
    )
    talon: str = choice(
        "hidden",
        "N25",
        "reste au talon",
        "who sees the cards that are not dealt",
        *("hidden", "nobody"),
        *("shown_at_end", "everybody, when the deal is over"),
        *("dealer_sees", "the dealer, before the first card"),
    )


def hand_sizes(rules: Rules) -> dict[int, int]:
    """N1: cards each by number of players.

    Raises UsageError for a table that has neither one number nor seven, or that does not fit 52 cards.
    """
    given = STANDARD if rules.deal_table == "standard" else tuple(map(int, rules.deal_table.split(",")))
    if len(given) == 1:
        return dict.fromkeys(range(2, 9), given[0])
    if len(given) != 7:
        raise UsageError(f"rule deal_table = {rules.deal_table}: give one number, or seven for 2 to 8 players")
    return dict(zip(range(2, 9), given, strict=True))


def stake_list(rules: Rules) -> list[int]:
    """N18, N27: what one player stakes on each marked card.

    Raises UsageError unless there is a stake for each.
    """
    stakes = [rules.stake_mult * int(stake) for stake in rules.stakes.split(",")]
    if len(stakes) != 5:
        raise UsageError(f"rule stakes = {rules.stakes}: give five numbers, one for each marked card")
    return stakes


def check(rules: Rules, players: int) -> None:
    """Refuses rules that make no sense together.

    Raises UsageError with the reason.
    """
    for count in range(2 if rules.insolvency == "eliminate" else players, players + 1):
        cards = hand_sizes(rules)[count]
        if count * cards > CARDS:
            raise UsageError(
                f"rule deal_table = {rules.deal_table}: {cards} cards for each of {count} players are "
                f"{count * cards}, and there are {CARDS}"
            )
    stake = sum(stake_list(rules))
    if isinstance(rules.start_chips, int) and rules.start_chips < stake:
        raise UsageError(f"rule start_chips = {rules.start_chips}: staking once takes {stake}")
    for nonsense in _nonsense(rules):
        raise UsageError(f"rule {nonsense}")


def check_course(rules: Rules) -> None:
    """Refuses rules under which nobody can say how much of a game is over.

    Raises UsageError with what would do.
    """
    if rules.end == "bankrupt" or rules.deals == 1:
        why = "a game until somebody is bankrupt" if rules.end == "bankrupt" else "a game of one deal"
        raise UsageError(f"the course of {why} cannot be told; set rule deals to 2 or more, or to n")


def _nonsense(rules: Rules) -> Iterator[str]:
    """Rules that can do nothing beside the others, and what would help."""
    has_opera = rules.opera != "none" or rules.opera_five == "true"
    has_bank, lasts = rules.start_chips != "none", rules.deals != 1 or rules.end == "bankrupt"
    if rules.opera_payment != "points" and not has_opera:
        yield f"opera_payment = {rules.opera_payment}: there is no Grand Opéra while opera = none"
    if rules.opera_penalty != "after_sweep" and not has_opera:
        yield f"opera_penalty = {rules.opera_penalty}: there is no Grand Opéra while opera = none"
    if rules.pot_cap != "none" and rules.holding_penalty not in ("double_pot", "base_stake"):
        yield f"pot_cap = {rules.pot_cap}: no penalty is paid on a pot while holding_penalty = {rules.holding_penalty}"
    if rules.insolvency in ("partial_then_end", "eliminate") and not has_bank:
        yield f"insolvency = {rules.insolvency}: everybody plays on credit while start_chips = none; set start_chips"
    if rules.end == "bankrupt" and not has_bank:
        yield "end = bankrupt: nobody runs out of chips while start_chips = none; set start_chips"
    if rules.end == "bankrupt" and rules.deals != 1:
        yield f"deals = {rules.deals}: the number of deals is open while end = bankrupt"
    if rules.dealer != "rotate" and not lasts:
        yield f"dealer = {rules.dealer}: there is no next deal; set deals or end"
    if rules.insolvency == "eliminate" and not lasts:
        yield "insolvency = eliminate: there is no next deal to sit out; set deals or end"
    if rules.leftover != "ignore" and rules.carry_over == "to_winner":
        yield f"leftover = {rules.leftover}: no pot is left while carry_over = to_winner"
