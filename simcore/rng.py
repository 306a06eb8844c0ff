"""Random streams: every word that a game uses follows from (seed, stream, deal) alone.

SplitMix64 (Steele, Lea, Flood 2014) makes keys and feeds the seats; xoshiro256** (Blackman, Vigna 2018)
shuffles. Bounded numbers are exact (Lemire 2019, with rejection).
"""

import numpy as np

from simcore.contract import record, rule

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
SPREAD = np.uint64(0xD1342543DE82EF95)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
LOW = np.uint64(0xFFFFFFFF)
RANGE = np.uint64(1 << 32)
TOP = np.uint64(1 << 63)
U1, U2, U3, U4, U5, U7, U9, U17, U19 = (np.uint64(k) for k in (1, 2, 3, 4, 5, 7, 9, 17, 19))
U27, U30, U31, U32, U45, U57 = (np.uint64(k) for k in (27, 30, 31, 32, 45, 57))

DEAL, LINEUP, SEAT = 0, 1, 16  # stream numbers; seat p draws from SEAT + p

STREAM = record(("state", np.uint64), ("ready", np.uint64), ("bits", np.uint64))
SHUFFLER = record(("a", np.uint64), ("b", np.uint64), ("c", np.uint64), ("d", np.uint64))


@rule
def mix64(z):
    """A bijection of 64 bits in which every input bit moves every output bit."""
    z = (z ^ (z >> U30)) * MIX_A
    z = (z ^ (z >> U27)) * MIX_B
    return z ^ (z >> U31)


def stream_key(seed: int, stream: int) -> np.uint64:
    """The key of one stream of a run; `game_key` turns it into the key of one deal."""
    with np.errstate(over="ignore"):
        return np.uint64(mix64(np.uint64(seed & (2**64 - 1)) + GOLDEN * np.uint64(stream + 1)))


@rule
def game_key(key, number):
    """The key of deal `number` in the stream with this key: different for every number."""
    return mix64(key + SPREAD * np.uint64(number + 1))


@rule
def open_stream(stream, key):
    """Puts a stream at its beginning."""
    open_words(stream, key)
    stream.bits = word(stream) | TOP


@rule
def open_words(stream, key):
    """Makes the first word after this key ready."""
    stream.state = key + GOLDEN
    stream.ready = mix64(stream.state)


@rule
def word(stream):
    """The next 64 random bits of a stream, which were ready; the next ones are made while the game goes on."""
    bits = stream.ready
    stream.state += GOLDEN
    stream.ready = mix64(stream.state)
    return bits


@rule
def coin(stream):
    """0 or 1, each with probability one half."""
    bits = stream.bits
    if bits == U1:  # only the sentinel is left
        bits = word(stream) | TOP
    stream.bits = bits >> U1
    return np.int64(bits & U1)


@rule
def is_fair(product, n):
    """Whether Lemire's product of a 32-bit word and n may be used, or the word must be drawn again."""
    low = product & LOW
    return low >= n or low >= RANGE % n


@rule
def below(stream, n):
    """A whole number from 0 to n - 1, each equally likely; n from 1 to 2**32 - 1."""
    n = np.uint64(n)
    product = (word(stream) >> U32) * n
    while not is_fair(product, n):
        product = (word(stream) >> U32) * n
    return np.int64(product >> U32)


@rule
def below_and_coin(stream, n):
    """A number from 0 to n - 1 and a coin, independent, from one word."""
    n = np.uint64(n)
    bits = word(stream)
    product = (bits >> U32) * n
    while not is_fair(product, n):
        bits = word(stream)
        product = (bits >> U32) * n
    return np.int64(product >> U32), np.int64(bits & U1)


@rule
def chance(stream, percent):
    """1 with a probability of this many per cent, else 0."""
    return np.int64(below(stream, 100) < percent)


@rule
def open_shuffler(shuffler, key):
    """Seeds xoshiro256** from a key."""
    shuffler.a = mix64(key + GOLDEN)
    shuffler.b = mix64(key + U2 * GOLDEN)
    shuffler.c = mix64(key + U3 * GOLDEN)
    shuffler.d = mix64(key + U4 * GOLDEN)


@rule
def xoshiro(a, b, c, d):
    """The next word of xoshiro256** and the state after it."""
    five = b * U5
    result = ((five << U7) | (five >> U57)) * U9
    shifted = b << U17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << U45) | (d >> U19)
    return result, a, b, c, d


@rule
def shuffle(shuffler, cards, first, last, end):
    """Draws cards[first:last] uniformly from cards[first:end], which keeps the rest; end is at most 64.

    Two draws share one word, a draw that must be repeated takes a new one.
    """
    a, b, c, d = shuffler.a, shuffler.b, shuffler.c, shuffler.d
    place = first
    while place < last:
        bits, a, b, c, d = xoshiro(a, b, c, d)
        n = np.uint64(end - place)
        high = (bits >> U32) * n
        while not is_fair(high, n):
            again, a, b, c, d = xoshiro(a, b, c, d)
            high = (again >> U32) * n
        swap(cards, place, place + np.int64(high >> U32))
        place += 1
        if place == last:
            break
        n = n - U1
        low = (bits & LOW) * n
        while not is_fair(low, n):
            again, a, b, c, d = xoshiro(a, b, c, d)
            low = (again >> U32) * n
        swap(cards, place, place + np.int64(low >> U32))
        place += 1
    shuffler.a, shuffler.b, shuffler.c, shuffler.d = a, b, c, d


@rule
def swap(cards, one, other):
    """Lets two cards change places; both places are below 64."""
    card = cards[one & 63]
    cards[one & 63] = cards[other & 63]
    cards[other & 63] = card
