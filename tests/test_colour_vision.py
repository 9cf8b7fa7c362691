"""The measures of colours that other tests rely on are those of their authors."""

from __future__ import annotations

import numpy as np
import pytest

from tests.colour_vision import VISION, ciede2000, contrast, seen_as


def test_contrast_is_measured_as_in_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.1848, -84.8006), (50, 0, -82.7485), 1.0),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_of_colours_is_that_of_the_published_examples(
    one: tuple[float, ...], other: tuple[float, ...], apart: float
) -> None:
    assert ciede2000(np.array(one), np.array(other)) == pytest.approx(apart, abs=5e-5)
    assert ciede2000(np.array(other), np.array(one)) == pytest.approx(apart, abs=5e-5)


@pytest.mark.parametrize("vision", VISION)
def test_greys_look_the_same_to_everyone(vision: str) -> None:
    assert seen_as("#777777", vision) == pytest.approx(np.array([50.03, 0, 0]), abs=0.05)
