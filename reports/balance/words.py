"""The words of a page that are not claims: headings, explanations, provenance. Marked for the catalogues."""

from reports.balance.language import N_

SECTIONS = {
    "verdict": N_("Is it fair?"),
    "box": N_("What to print on the box"),
    "seats": N_("Seat by seat"),
    "strategies": N_("Strategies"),
    "course": N_("The course of a game"),
    "rules": N_("Rules"),
    "questions": N_("This game's own questions"),
    "reading": N_("How to read this page"),
    "provenance": N_("Where these numbers come from"),
}
TITLE = N_("{game}: is it fair?")
PARTIAL = N_("{count} cells of these files are still to be played. What is missing is left out here.")
NO_COURSE = N_(
    "Who leads when was not recorded. Play the sweep with course = true to know about comebacks and decision times."
)
PLAYERS = N_("{players} players")
GRADE = N_("How sure")
READING = (
    (
        N_("How sure is each sentence?"),
        N_(
            "● sure: if we wrote a thousand such sentences, at most about ten would be wrong. ◐ likely: about one in "
            "ten may be wrong. ○ cannot say yet: the games played are too few to tell, and more games would."
        ),
    ),
    (
        N_("What is an interval?"),
        N_(
            "The games are a sample. If the same games were played again with other shuffles, 95 of 100 such intervals "
            "would hold the true number. Four times as many games make an interval half as wide."
        ),
    ),
    (
        N_("What is fair, and what is a point?"),
        N_(
            "With four players, each wins a quarter of the games if seats do not matter: 25 per cent. A seat that wins "
            "27 per cent is 2 points above. Nobody notices half a point at the table, so a seat counts as fair when it "
            "is surely within {band:band} of its fair share. Several winners share a win."
        ),
    ),
    (
        N_("Who are the players?"),
        N_(
            "Programs that follow simple rules, called strategies. They see only what a player sees, never tire, and "
            "do not bluff as people do. The numbers are exact about them, and only about them: a rule may look fair "
            "because nobody here exploits it. Dominated always means: among the strategies supplied."
        ),
    ),
    (
        N_("What do comparisons of rules stand on?"),
        N_(
            "All variants are played with the same shuffles, so that most of the luck cancels. Where many numbers are "
            "compared at once, their intervals are widened so that all of them hold together."
        ),
    ),
)
PROVENANCE = {
    "command": N_("Command"),
    "versions": N_("Versions"),
    "seed": N_("Seed"),
    "games": N_("Games in all"),
    "cells": N_("Cells"),
    "rules": N_("Rules that differ from the default"),
    "line-up": N_("Strategies"),
}
DIGESTS = N_("Digests: the same command gives the same digests on any machine")
DEFAULT_RULES = N_("none")
CELL = N_("cell")
DIGEST = N_("digest")
FOOTER = N_("{games:count} games, seed {seed}")
ANSWER_HEAD = N_("In short")
