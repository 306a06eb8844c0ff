"""Sets of cards: the same answers as loops and as the processor's instructions, with and without its newest ones."""

from random import Random

import llvmlite.binding as llvm
import pytest

from simcore import bits
from simcore.compiler import jit

DICE = Random(1)
SETS = [1, 2, 3, (1 << 54) - 1, 1 << 53, *(DICE.getrandbits(54) | 1 << DICE.randrange(54) for _ in range(2000))]


def plain(cards, place):
    return bits.size(cards), bits.lowest(cards), bits.pick(cards, place), bits.nth(cards, place)


def test_a_set_by_hand():
    cards = 0b1011000  # the cards 3, 4 and 6
    assert bits.size(cards) == 3
    assert bits.lowest(cards) == 3
    assert [bits.nth(cards, place) for place in range(3)] == [3, 4, 6]
    assert [bits.pick(cards, place) for place in range(3)] == [0b1000, 0b10000, 0b1000000]


@pytest.mark.parametrize("has_pdep", [True, False])
def test_compiled_sets_are_the_plain_ones(monkeypatch, has_pdep):
    features = dict(llvm.get_host_cpu_features())
    if not has_pdep:
        monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: {**features, "bmi2": False})

    def together(cards, place):
        return bits.size(cards), bits.lowest(cards), bits.pick(cards, place), bits.nth(cards, place)

    compiled = jit(together)
    for cards in SETS:
        for place in {0, cards.bit_count() // 2, cards.bit_count() - 1}:
            assert compiled(cards, place) == plain(cards, place)
