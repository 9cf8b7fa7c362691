"""The line that says what a run is doing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bpe_gui.ui.run.run_status import describe
from bpe_gui.ui.run.training import Phase


@pytest.mark.parametrize(
    ("read", "size", "amount"),
    [
        (0, 0, "opening…"),
        (812, 17_000, "812 bytes of 17.0 kB"),
        (2_900_000, 31_500_000, "2.9 MB of 31.5 MB"),
        (40_000, 0, "40.0 kB"),
    ],
)
def test_how_much_is_read_is_written_in_a_unit_that_fits(
    read: int, size: int, amount: str
) -> None:
    training = SimpleNamespace(
        phase=Phase.READING, paused=False, history=None, is_counted=False,
        bytes_read=read, corpus_size=size,
    )  # fmt: skip
    assert describe(training) == f"Reading and counting words: {amount}"
