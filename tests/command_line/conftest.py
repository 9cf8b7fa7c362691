"""Runs the program in this process, on what is made for it."""

from __future__ import annotations

import io
import random
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import sentencepiece

from bpe_gui import cli
from tests.command_line.program import SENTENCES
from tests.command_line.rendering import history as history
from tests.command_line.rendering import rendered as rendered
from tests.command_line.rendering import rendered_panels as rendered_panels
from tests.command_line.rendering import session as session
from tests.ui.session.session_windows import begun as begun


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test finds or leaves anything of the user's."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "own" / name))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


@pytest.fixture
def run(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., SimpleNamespace]:
    """Run the program in this process; gives its status and what it printed."""

    def run_program(*arguments: object, stdin: str | bytes = b"") -> SimpleNamespace:
        data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status = cli.main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return SimpleNamespace(status=status, out=out.decode(), err=err.decode())

    return run_program


_written: dict[tuple[object, ...], bytes] = {}
"""Files that were trained and written, by the corpus and the arguments."""


@pytest.fixture
def trained(run, corpus: Path):
    """Train with a preset and write a file, or write what another test has trained so; returns
    its path.
    """

    def train(preset: str, name: str, *arguments: object) -> Path:
        path = corpus.with_name(name)
        asked = (corpus.read_bytes(), preset, name, *map(str, arguments))
        if asked in _written:
            path.write_bytes(_written[asked])
            return path
        others = {*corpus.parent.iterdir()}
        result = run(
            "train", corpus, "--preset", preset, "--merges", 30, "-o", path, *arguments
        )
        assert (result.status, result.out, result.err) == (0, "", "")
        if {*corpus.parent.iterdir()} - others == {path} and path.is_file():
            _written[asked] = path.read_bytes()
        return path

    return train


@pytest.fixture
def sentences_model(tmp_path: Path) -> Path:
    chance = random.Random(1)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(" ".join(chance.sample(SENTENCES.split(), 5)) for _ in range(100)),
        model_writer=model, vocab_size=60, hard_vocab_limit=False, minloglevel=3,
    )
    path = tmp_path / "sp.model"
    path.write_bytes(model.getvalue())
    return path


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs that are started answer to Ctrl+C, also where a shell runs us in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
