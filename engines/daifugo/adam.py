"""Adam's method for gradient steps, the same on every call (D. P. Kingma and J. Ba, ICLR 2015)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

_DECAYS = (0.9, 0.99)


class Adam:
    """Steps against the mean of the last gradients, each weight's in proportion to their usual size."""

    def __init__(self, size: int, tiny: float) -> None:
        """``size``: number of weights. ``tiny`` is added to sizes of gradients, so that none is 0."""
        self._mean, self._square, self._tiny = np.zeros(size), np.zeros(size), tiny
        self._steps_count = 0

    def step(self, gradient: Vector, rate: float) -> Vector:
        """What is to be taken off the weights after one more gradient; ``rate``: about the largest change."""
        self._steps_count += 1
        self._mean += (1 - _DECAYS[0]) * (gradient - self._mean)
        self._square += (1 - _DECAYS[1]) * (gradient**2 - self._square)
        mean = self._mean / (1 - _DECAYS[0] ** self._steps_count)
        size = np.sqrt(self._square / (1 - _DECAYS[1] ** self._steps_count)) + self._tiny
        change: Vector = rate * mean / size
        return change
