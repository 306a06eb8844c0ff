"""Whole games in words: a change of rules shows here as a diff of readable text.

After a wanted change, write the files anew: `python tests/test_transcripts.py`.
"""

from pathlib import Path

import pytest

from simcore.api import make_cell
from simcore.replay import transcript

FOLDER = Path(__file__).parent / "golden"
GAMES = [  # file, game, players, strategies, rules, number
    ("doigt-2", "doigt", 2, "ev+minimax", {}, 3),
    ("doigt-4", "doigt", 4, "random", {}, 7),
    ("paris-2", "paris", 2, "random", {"rounds": 3}, 3),
    ("paris-3-patient", "paris", 3, "patient", {"rounds": 4}, 5),
    ("paris-4-jokers", "paris", 4, "random", {"rounds": 3, "jokers": 2, "joker_mode": "cancel"}, 1),
    ("nain-jaune-4", "nain-jaune", 4, "stop_counter", {}, 3),
    ("nain-jaune-3-bank", "nain-jaune", 3, "random", {"deals": 3, "start_chips": 40, "carry_over": "refund"}, 2),
    ("nain-jaune-2", "nain-jaune", 2, "random", {"compulsory": "false", "stop_rule": "skip_rank"}, 1),
]
PAGES = [(*game, language) for game in GAMES for language in ("en", "fr")]


def told(game, players, strategies, rules, number, language):
    cell = make_cell(game, players, 100, strategies, rules, seed=12)
    return "\n".join(transcript(cell, number, language)) + "\n"


@pytest.mark.parametrize(("name", "game", "players", "strategies", "rules", "number", "language"), PAGES)
def test_a_game_is_told_as_it_was(name, game, players, strategies, rules, number, language):
    page = (FOLDER / f"{name}-{language}.txt").read_text(encoding="utf-8")
    assert told(game, players, strategies, rules, number, language) == page


if __name__ == "__main__":
    for name, *game in PAGES:
        (FOLDER / f"{name}-{game[-1]}.txt").write_text(told(*game), encoding="utf-8")
