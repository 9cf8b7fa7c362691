"""Which screen the stage is on, where there are two: a laptop's and a projector's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.programs import screens, told_by
from tests.ui.stage.stages import CORPUS

LAPTOP, PROJECTOR = ("laptop", 0, 0, 1280, 800), ("projector", 1280, 0, 1920, 1080)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What was seen in one show on two screens."""
    folder = tmp_path_factory.mktemp("screens")
    (folder / "words.csv").write_text(CORPUS)
    return told_by(
        "tests.ui.stage.stage_on_screens",
        folder / "words.csv",
        QT_QPA_PLATFORM=screens(folder, [LAPTOP, PROJECTOR]),
        XDG_CONFIG_HOME=str(folder),
        XDG_DATA_HOME=str(folder),
    )


@pytest.mark.parametrize(
    ("moment", "screen", "chosen"),
    [
        ("first", PROJECTOR, ""),
        ("next", LAPTOP, "laptop"),
        ("again", LAPTOP, "laptop"),
        ("by the button", PROJECTOR, "projector"),
        ("unplugged", LAPTOP, "projector"),
        ("plugged in", PROJECTOR, "projector"),
        ("gone", PROJECTOR, "of last year"),
    ],
)
def test_the_stage_is_where_it_was_wanted(
    seen: Any, moment: str, screen: tuple[Any, ...], chosen: str
) -> None:
    name, *area = screen
    found = seen[moment]
    assert (found["screen"], found["area"]) == (name, area)
    assert found["full"]
    assert found["chosen"] == chosen
    assert any(found["panels"])


def test_its_type_follows_the_screen(seen: Any) -> None:
    projector, laptop = seen["first"]["type"], seen["next"]["type"]
    assert projector / laptop == pytest.approx(PROJECTOR[-1] / LAPTOP[-1], rel=0.05)


def test_the_speaker_is_told_which_it_is(seen: Any) -> None:
    assert seen["button"] == "Screen: laptop, 1,280 × 800. Take the next (S)"
