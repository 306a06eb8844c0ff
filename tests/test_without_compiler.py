import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("strategies", ["random", "ev,random,random"])
def test_the_whole_program_gives_the_same_digest_with_numba_switched_off(strategies):
    command = [sys.executable, "-m", "experiments.cli", "--game", "doigt", "--players", "3", "-n", "120"]
    digests = set()
    for switched_off in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": switched_off}
        words = [*command, "--strategies", strategies, "--json", "--quiet"]
        done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=env, timeout=300)
        assert done.returncode == 0, done.stderr
        digests.add(json.loads(done.stdout)["digest"])
    assert len(digests) == 1
