"""Several threads, one encoding: one at a time, in the order they come."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from bpe_gui.bpe.tokenizer import StepwiseEncoding
from bpe_gui.encodings.base import FairLock, lock_of
from bpe_gui.encodings.ours import TrainedEncoding
from tests.ui.histories import four_words


def test_an_encoding_has_the_same_turns_for_all_who_ask() -> None:
    history = four_words()
    one, other = TrainedEncoding(history), TrainedEncoding(history)
    assert lock_of(one) is lock_of(one)
    assert lock_of(one) is not lock_of(other)


def test_who_passes_on_lets_those_go_first_who_wait_and_then_goes_on() -> None:
    turns, done, begun = FairLock(), [], Event()

    def wait() -> None:
        begun.set()
        with turns.hold():
            done.append("waiting")

    thread = Thread(target=wait)
    with turns.hold():
        turns.yield_turn()
        thread.start()
        begun.wait()
        while not done:
            turns.yield_turn()
        done.append("holding")
    thread.join()
    assert done == ["waiting", "holding"]


def test_positions_of_a_run_do_not_extend_the_same_tokens_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of them is asked while another takes in the merges that have come."""
    whole = TrainedEncoding(four_words())
    extend, extended = StepwiseEncoding.extend, []

    def extend_while_another_is_asked(steps: StepwiseEncoding) -> None:
        extended.append(steps)
        if len(extended) == 1:
            whole.at(1).encode("low")
        extend(steps)

    monkeypatch.setattr(StepwiseEncoding, "extend", extend_while_another_is_asked)
    assert len(whole.encode("low")) == 1
    assert len(extended) == 2
    assert extended[0] is not extended[1]


def test_a_turn_is_over_also_after_an_error() -> None:
    turns = FairLock()
    try:
        with turns.hold():
            raise ValueError
    except ValueError:
        pass
    with turns.hold():
        turns.yield_turn()
