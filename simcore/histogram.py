"""Histograms of scores: each number up to a thousand by itself, above that within one part in 64."""

import numpy as np

from simcore.contract import procedure, rule

EXACT = 1024  # sizes below this have a bucket of their own
STEPS = 64  # buckets between a power of two and the next
OCTAVES = 18
HALF = EXACT + OCTAVES * STEPS  # buckets for scores from 0 up; as many are for negative ones
BUCKETS = 2 * HALF


@rule
def bucket(score):
    """The bucket of a score; buckets are in the order of scores."""
    distance = score if score >= 0 else ~score
    place = distance if distance < EXACT else wide_bucket(distance)
    return HALF + place if score >= 0 else HALF - 1 - place


@procedure
def wide_bucket(distance):
    """The bucket of a size that shares it with others; the last has all that are greater still."""
    octave = 0
    while octave < OCTAVES - 1 and distance >> (octave + 11) != 0:
        octave += 1
    return EXACT + octave * STEPS + min(distance >> (octave + 4), 2 * STEPS - 1) - STEPS


def values() -> np.ndarray:
    """The score in the middle of each bucket, float64 (BUCKETS,), in ascending order."""
    octave, step = np.divmod(np.arange(OCTAVES * STEPS), STEPS)
    wide = (STEPS + step) * 2.0 ** (octave + 4) + (2.0 ** (octave + 4) - 1) / 2
    upper = np.concatenate([np.arange(EXACT, dtype=float), wide])
    return np.concatenate([-1 - upper[::-1], upper])
