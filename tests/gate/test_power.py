"""The gate's promises, kept with whole baselines and the default budget: no false alarm, and no drift missed."""

import operating_curve
import pandas as pd
import pytest
from operating_curve import FOLDER, answers, favour

from simcore.drift import DRIFT, PASS

FEW = 4  # baselines, as they take longer to make than to check


def test_200_engines_with_other_random_numbers_give_at_most_2_fails():
    found = answers(4, 0, 200, FEW)
    assert found[DRIFT] <= 2
    assert found[PASS] >= 195


def test_a_seat_favoured_by_three_quarters_of_a_point_fails_at_least_95_times_in_100():
    assert favour(4, 0.75) == 100
    found = answers(4, 0.75, 100, FEW)
    assert found[DRIFT] >= 95
    assert found[PASS] == 0


def test_a_seat_favoured_by_a_fifth_of_a_point_never_fails():
    found = answers(4, 0.2, 100, FEW)
    assert found[DRIFT] == 0


@pytest.mark.parametrize("players", [2, 4])
def test_the_curve_in_the_documents_keeps_the_same_promises(players):
    frame = pd.read_csv(FOLDER / "operating-curve.csv")
    shares = frame[frame["players"] == players].pivot(index="drift", columns="answer", values="share")
    assert shares.index.tolist() == list(operating_curve.DRIFTS)
    assert shares.sum(axis=1).round(9).eq(1).all()
    assert (shares.loc[:0.3, "FAIL"] == 0).all() and (shares.loc[0.65:, "PASS"] == 0).all()
    assert shares.loc[0.5, "INCONCLUSIVE"] >= 0.98 and shares.loc[0.5, "FAIL"] == 0
    assert (shares.loc[0.75:, "FAIL"] >= 0.95).all()
