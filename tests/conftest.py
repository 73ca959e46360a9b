"""The toy engines of the pipeline's tests are an installed game in all tests, and in the processes that they start."""

from __future__ import annotations

import os
import sys
from pathlib import Path

TOYS = Path(__file__).parent / "pipeline"
# Before anything asks which games there are.
sys.path.insert(0, str(TOYS))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TOYS), os.environ.get("PYTHONPATH")]))
