"""`bpe-gui train`: train a tokenizer, and write what was asked for."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from bpe_gui.arguments import PROGRAM, CommandError, DisagreementError
from bpe_gui.bpe import recipe_files
from bpe_gui.bpe.corpus import Corpus, CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels import kernel
from bpe_gui.bpe.recipe import Alphabet, Recipe, Ties, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.warm_up import warm_up
from bpe_gui.bpe.words import count_corpus
from bpe_gui.commands.streams import visible, write
from bpe_gui.encodings import parallel, saving
from bpe_gui.files import check_writable
from bpe_gui.progress import ProgressLine, counted, megabytes

_SMALL, _SMALL_UNCOMPILED = 20_000, 100_000
"""Bytes up to which training with interpreted kernels is faster than loading compiled ones,
and than compiling them, which takes half a minute once."""

_SLICE_SECONDS = 0.05
"""How long the trainer runs between two looks at the progress line and at Ctrl+C."""

_SHOWN_MERGES = 20
"""Merges that the summary lists."""


def train(arguments: argparse.Namespace) -> None:
    """Train, and write what was asked for; a summary if nothing was."""
    recipe = recipe_of(arguments)
    saved = _format(arguments.output, arguments.to)
    _check_outputs(arguments.output, arguments.events, saved)
    _check_apart([arguments.output, arguments.events], [*arguments.corpus, arguments.recipe])
    if saved is not None:
        saving.check_recipe(recipe, saved)
    corpus = Corpus(
        arguments.corpus,
        CorpusOptions(
            documents=arguments.documents,
            encoding=arguments.encoding,
            replace_errors=arguments.replace_errors,
            json_field=arguments.json_field,
        ),
    )
    started = time.monotonic()
    with ProgressLine(sys.stderr, wanted=not arguments.quiet) as line:
        history = _trained(corpus, recipe, line)
    seconds = time.monotonic() - started
    checked = ""
    # Written first: it may turn out that the format cannot hold it.
    if saved is not None:
        agreement = _save(history, arguments.output, saved, corpus)
        checked = f"; read back by {saved.reader}, {agreement.sentence}"
        # What is so rare is for eyes only.
        notes = (agreement.caution, agreement.aside if sys.stderr.isatty() else "")
        for note in filter(None, () if arguments.quiet else notes):
            print(f"{PROGRAM}: note: {note}", file=sys.stderr)
    if arguments.events is not None:
        write(arguments.events, events(history))
    if arguments.output is None and arguments.events is None:
        write("-", summary(history, corpus.name, seconds))
    elif sys.stderr.isatty() and not arguments.quiet:
        merges = counted(len(history), "merge")
        print(f"{merges} in {seconds:.2f} s: {history.stopped}{checked}", file=sys.stderr)


def recipe_of(arguments: argparse.Namespace) -> Recipe:
    """The preset or the recipe in a file, with the changes that the arguments ask for.

    A recipe's own bound on the vocabulary gives way to a number of merges: who asks for
    40,000 merges is not stopped by the default vocabulary. Raises RecipeError, and OSError
    for a file that cannot be read.
    """
    own = arguments.recipe
    recipe = preset(arguments.preset) if own is None else recipe_files.load(own)
    changes: dict[str, object] = {}
    if arguments.merges is not None:
        changes.update(merges=arguments.merges, vocabulary_size=None)
    if arguments.vocab_size is not None:
        changes.update(vocabulary_size=arguments.vocab_size)
    if arguments.min_frequency is not None:
        changes.update(min_frequency=arguments.min_frequency)
    if arguments.special:
        new = [token for token in arguments.special if token not in recipe.special_tokens]
        changes.update(special_tokens=(*recipe.special_tokens, *new))
    if arguments.alphabet is not None:
        changes.update(alphabet=Alphabet(arguments.alphabet))
    if arguments.ties is not None:
        changes.update(ties=Ties(arguments.ties))
    return recipe.with_changes(**changes)


def _check_outputs(
    output: str | None, events_file: str | None, saved: saving.Format | None
) -> None:
    """Find out before the training what could not be written after it."""
    if output == "-" and events_file == "-":
        raise CommandError("only one of -o and --events can be standard output")
    paths = [path for path in (output, events_file) if path not in (None, "-")]
    if len(paths) == 2 and Path(paths[0]).resolve() == Path(paths[1]).resolve():
        raise CommandError("-o and --events cannot be the same file")
    for path in paths:
        is_folder_of_files = path == output and saved is not None and "" in saved.endings
        check_writable(Path(path) / "any" if is_folder_of_files and Path(path).is_dir() else path)


def _check_apart(outputs: Sequence[str | None], inputs: Sequence[str | None]) -> None:
    """Raise CommandError if what is written would replace what is read."""
    for source in filter(os.path.exists, filter(None, inputs)):
        for output in filter(os.path.isfile, filter(None, outputs)):
            if os.path.samefile(source, output):
                raise CommandError(
                    f"{output} is what is read, and would be replaced; name another file"
                )


def _format(output: str | None, name: str | None) -> saving.Format | None:
    """The format to save in: the one that is named, or what the name of the file stands for."""
    if output is None:
        if name is not None:
            raise CommandError(f"--to {name} needs a file to write to; name it with -o")
        return None
    plain = Path(output).suffix == "" and not Path(output).is_dir() and not output.endswith("/")
    if name is None and (output == "-" or plain):
        name = "tokenizer.json"
    chosen = saving.format_of(output) if name is None else saving.format_named(name)
    if output == "-" and chosen.name != "tokenizer.json":
        raise CommandError(f"only tokenizer.json can be standard output, not {chosen.name}")
    return chosen


def _save(history: History, output: str, chosen: saving.Format, corpus: Corpus) -> saving.Agreement:
    """Write the tokenizer once what reads it agrees with us; returns in what they do.

    Raises DisagreementError if it does not. Then the file is left as it was, and what was
    trained is kept in another one.
    """
    with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
        trial = Path(folder) / "trial"
        chosen.write(history, trial, None)
        agreement = _verified(history, trial, chosen, corpus)
        if agreement.agreed and output == "-":
            write("-", trial.read_text("utf-8"))
    problem = f"{chosen.title} would not be read as it is meant: {agreement.sentence}"
    if output == "-":
        if not agreement.agreed:
            raise DisagreementError(f"nothing is written, for {problem}")
    elif agreement.agreed:
        chosen.write(history, output, None)
    else:
        kept = _unverified(output)
        chosen.write(history, kept, None)
        raise DisagreementError(f"{output} is not written but {kept}, for {problem}")
    return agreement


def _verified(
    history: History, path: Path, chosen: saving.Format, corpus: Corpus
) -> saving.Agreement:
    """What the format's reader says of a file, on the built-in story and a slice of the corpus."""
    compiled = kernel.is_ready() and history.corpus_bytes > _SMALL
    texts = chain(
        (language.text for language in parallel.languages().values()),
        saving.slice_of(corpus) if compiled else saving.slice_of(corpus, _SMALL),
    )
    return saving.verify(history, path, texts, format_name=chosen.name, compiled=compiled)


def _unverified(output: str) -> Path:
    """What to call a file that is not what was asked for."""
    path = Path(output)
    if path.is_dir():
        path /= "vocab.json"
    return path.with_name(f"unverified-{path.name}")


def _trained(corpus: Corpus, recipe: Recipe, line: ProgressLine) -> History:
    total = corpus.size
    small = _SMALL if kernel.is_ready() else _SMALL_UNCOMPILED
    compiled = total is None or total > small
    if compiled and not kernel.is_ready():
        line.note("compiling for this machine, which takes half a minute, once ...")
        warm_up()
        kernel.mark_ready()
        line.restart()
    words = count_corpus(
        corpus, recipe, progress=lambda done: line.reading(done, total), compiled=compiled
    )
    trainer = Trainer(words, recipe, compiled=compiled)
    history = trainer.history
    line.restart()
    wanted = _wanted_merges(recipe, len(history.base))
    portion = 16
    while not trainer.finished:
        began = time.monotonic()
        trainer.advance(portion)
        line.merging(len(history), wanted)
        if time.monotonic() - began < _SLICE_SECONDS / 2:
            portion *= 2
        elif portion > 1:
            portion //= 2
    return history


def _wanted_merges(recipe: Recipe, base: int) -> int | None:
    """How many merges there will be at most, if the recipe has a bound."""
    bounds = []
    if recipe.merges is not None:
        bounds.append(recipe.merges)
    if recipe.vocabulary_size is not None:
        bounds.append(recipe.vocabulary_size - base)
    return min(bounds, default=None)


def events(history: History) -> Iterator[str]:
    """The merges as lines of JSON, tokens as the vocabulary writes them.

    `step` counts from 1, `tokens` are those left in the corpus after the step.
    """
    columns = (history.left, history.right, history.new_id, history.count, history.tokens[1:])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for step, (left, right, token, count, tokens) in enumerate(rows, start=1):
        event = {
            "step": step,
            "left": history.text(left),
            "right": history.text(right),
            "token": history.text(left) + history.text(right),
            "id": token,
            "count": count,
            "tokens": tokens,
        }
        yield json.dumps(event, ensure_ascii=False) + "\n"


def summary(history: History, name: str, seconds: float) -> str:
    """What was learnt, for reading: sizes, the reason of the end, the first merges."""
    merges = len(history)
    first, last = int(history.tokens[0]), int(history.tokens[-1])
    single = len(history.base) - history.base.special
    vocabulary = (
        f"{counted(history.vocabulary_size(merges), 'entry', 'entries')}: "
        f"{history.base.special:,} special, {counted(single, 'single symbol')}, "
        f"{counted(merges, 'merge')}"
    )
    lines = [
        f"corpus      {name}, {megabytes(history.corpus_bytes)} in words",
        f"recipe      {history.recipe.name}",
        f"vocabulary  {vocabulary}",
        f"tokens      {first:,} before, {last:,} after: "
        f"{history.corpus_bytes / max(last, 1):.2f} bytes per token",
        f"ended       {history.stopped}, after {seconds:.2f} s",
    ]
    shown = min(merges, _SHOWN_MERGES)
    if shown:
        lines += ["", f"{'step':>6}  {'count':>12}  pair"]
    for step in range(shown):
        left, right = (history.text(int(side[step])) for side in (history.left, history.right))
        lines.append(
            f"{step + 1:>6,}  {int(history.count[step]):>12,}  {visible(left)} + {visible(right)}"
        )
    if merges > shown:
        lines.append(f"{'...':>6}  {merges - shown:,} more; --events FILE writes them all")
    return "\n".join(lines) + "\n"
