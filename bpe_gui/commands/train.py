"""`bpe-gui train`: train a tokenizer, and write its file, its merges or a summary."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bpe_gui.analysis.taken_over import added_and_saved, given_merges, steps_otherwise
from bpe_gui.arguments import CommandError, DisagreementError
from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.corpus import Corpus, CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.bpe.recipe import Alphabet, Recipe, Ties, preset
from bpe_gui.bpe.training import recipe_with, train_corpus
from bpe_gui.commands.streams import check_no_overwriting, visible, write
from bpe_gui.commands.tokenizers import open_encodings
from bpe_gui.encodings import save
from bpe_gui.encodings.going_on import note_on, recipe_going_on
from bpe_gui.encodings.load import files_of
from bpe_gui.exporting.tables import csv_parts
from bpe_gui.files import check_writable, sentence_of
from bpe_gui.progress import counted, megabytes, terminal_bars

_MAX_MERGES = 20
"""Merges that the summary lists."""


def train(arguments: argparse.Namespace) -> None:
    """Train, and write the tokenizer and the merges if files are named, else a summary.

    Raises CommandError for arguments that do not go together, DisagreementError if the tokenizer's
    file would be read differently, and the errors of reading, training and writing.
    """
    recipe = _recipe_going_on(arguments) if arguments.going_on else recipe_of(arguments)
    saved = _format(arguments.output, arguments.to)
    _check_outputs(arguments.output, arguments.events, saved)
    inputs = [*arguments.corpus, arguments.recipe]
    if arguments.going_on:
        inputs += map(str, files_of(arguments.going_on))
    check_no_overwriting([arguments.output, arguments.events], inputs)
    if saved is not None:
        save.check_recipe(recipe, saved)
    corpus = corpus_of(arguments)
    started = time.monotonic()
    with terminal_bars(wanted=not arguments.quiet) as tell:
        history = train_corpus(corpus, recipe, tell)
    seconds = time.monotonic() - started
    if corpus.warning:
        print(corpus.warning, file=sys.stderr)
    checked = ""
    # The tokenizer is written first, because the format may not be able to hold it.
    if saved is not None:
        agreement = _save(history, arguments.output, saved, corpus)
        checked = f"; read back by {saved.reader}, {agreement.sentence}"
    if arguments.events is not None:
        _write_events(history, arguments.events, arguments.output)
    if arguments.output is None and arguments.events is None:
        write("-", summary(history, corpus.name, seconds))
    elif recipe.inherited is not None and "-" not in (arguments.output, arguments.events):
        if not arguments.quiet:
            write("-", "\n".join(_going_on_lines(history)) + "\n")
    elif sys.stderr.isatty() and not arguments.quiet:
        merges = counted(len(history), "merge")
        print(f"{merges} in {seconds:.2f} s: {history.stopped}{checked}", file=sys.stderr)
    if saved is not None and (lost := save.unsaved_special_tokens(history, saved)):
        how = save.how_to_read(arguments.output, history.recipe.split, lost)
        print(f"{arguments.output} does not hold the special tokens; {how}", file=sys.stderr)


def _write_events(history: History, path: str, output: str | None) -> None:
    """Write the merges. Raises CommandError, which says that the tokenizer is written, or OSError.
    """
    try:
        write(path, events(history, as_table=path.endswith(".csv")))
    except OSError as error:
        if output is None or output == "-":
            raise
        raise CommandError(f"{sentence_of(error)}; only {output} is written") from None


def corpus_of(arguments: argparse.Namespace) -> Corpus:
    """Name the corpus, and how its files are read. Raises CorpusError."""
    options = CorpusOptions(
        documents=arguments.documents,
        encoding=arguments.encoding,
        replace_errors=arguments.replace_errors,
        json_field=arguments.json_field,
    )
    return Corpus(arguments.corpus, options)


def _recipe_going_on(arguments: argparse.Namespace) -> Recipe:
    """Make the recipe that goes on from an encoding, as far as the arguments say.

    Raises CommandError for arguments that the encoding decides or that leave nothing to add, and
    the errors of loading it.
    """
    if arguments.special:
        raise CommandError("--special cannot be given with --from: the encoding decides that")
    if arguments.vocab_size is None and arguments.merges is None:
        raise CommandError("--from needs --vocab-size or --merges, which says how far to go on")
    [encoding] = open_encodings([arguments.going_on], [])
    with interpreting_unless_ready(Kernels.ENGINE):
        recipe = recipe_going_on(encoding)
    inherited = recipe.inherited
    assert inherited is not None
    size = arguments.vocab_size
    if size is not None and size <= inherited.vocabulary_size:
        raise CommandError(
            f"{encoding.name} has {inherited.vocabulary_size:,} tokens already; ask for more with "
            "--vocab-size, or cut it with bpe-gui convert --merges"
        )
    changes: dict[str, object] = {"vocabulary_size": size}
    if arguments.alphabet == Alphabet.OBSERVED and inherited.keeps_fallback:
        least = arguments.min_frequency or 0
        kept = replace(inherited, keeps_fallback=least > 1, least_uses=least if least > 1 else 0)
        changes.update(inherited=kept)
    elif arguments.alphabet is not None:
        raise CommandError(
            "--alphabet cannot be given with --from: the encoding decides that, unless it falls "
            "back to bytes, and the alphabet is observed"
        )
    if arguments.merges is not None:
        changes.update(merges=len(inherited) + arguments.merges)
    if arguments.min_frequency is not None:
        changes.update(min_frequency=arguments.min_frequency)
    if arguments.ties is not None:
        changes.update(ties=Ties(arguments.ties))
    return recipe.with_changes(**changes)


def recipe_named(arguments: argparse.Namespace) -> Recipe:
    """Find the preset or load the recipe. Raises RecipeError, OSError."""
    own = arguments.recipe
    return preset(arguments.preset) if own is None else recipe_io.load(own)


def recipe_of(arguments: argparse.Namespace) -> Recipe:
    """Change the preset or recipe by the arguments. Raises the errors of `recipe_named`."""
    recipe = recipe_named(arguments)
    changes: dict[str, object] = {}
    if arguments.merges is not None:
        changes.update(merges=arguments.merges)
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
    return recipe_with(recipe, changes)


def _check_outputs(
    output: str | None, events_file: str | None, saved: save.Format | None
) -> None:
    """Check before the training that outputs can be written after it."""
    if output == "-" and events_file == "-":
        raise CommandError("only one of -o and --events can be standard output")
    paths = [path for path in (output, events_file) if path not in (None, "-")]
    if len(paths) == 2 and os.path.realpath(paths[0]) == os.path.realpath(paths[1]):
        raise CommandError("-o and --events cannot be the same file")
    for path in paths:
        is_folder_of_files = path == output and saved is not None and "" in saved.endings
        check_writable(Path(path) / "any" if is_folder_of_files and Path(path).is_dir() else path)


def _format(output: str | None, name: str | None) -> save.Format | None:
    """Choose the format to save in: the one that is named, or the one that the path implies."""
    if output is None:
        if name is not None:
            raise CommandError(f"--to {name} needs a file to write to; name it with -o")
        return None
    if name is None and output == "-":
        name = "tokenizer.json"
    chosen = save.format_of(output) if name is None else save.format_named(name)
    if output == "-" and chosen.name != "tokenizer.json":
        raise CommandError(f"only tokenizer.json can be standard output, not {chosen.name}")
    return chosen


def _save(history: History, output: str, chosen: save.Format, corpus: Corpus) -> save.Agreement:
    """Write the tokenizer if the reader of its format agrees; returns the comparison.

    Raises DisagreementError if it does not. Then the file stays as it was, and the tokenizer is
    written to another one.
    """
    with tempfile.TemporaryDirectory(prefix="bpe-gui-") as folder:
        target = Path(folder) / chosen.name if output == "-" else output
        agreement = save.save(history, target, chosen, corpus)
        if agreement.agreed and output == "-":
            write("-", Path(target).read_text("utf-8"))
    if agreement.agreed:
        return agreement
    problem = save.explain_disagreement(chosen, agreement)
    if output == "-":
        raise DisagreementError(f"nothing is written, because {problem}")
    unverified = _unverified(output)
    chosen.write(history, unverified, None)
    raise DisagreementError(f"{output} is not written but {unverified}, because {problem}")


def _unverified(output: str) -> Path:
    """Name the file of a tokenizer that would be read differently.

    >>> _unverified("novel.json").name
    'unverified-novel.json'
    """
    path = Path(output)
    if path.is_dir():
        path /= "vocab.json"
    return path.with_name(f"unverified-{path.name}")


def events(history: History, *, as_table: bool = False) -> Iterator[str]:
    """Yield the merges as lines of JSON, or as a table in CSV."""
    if as_table:
        return csv_parts(_event_rows(history))
    return (json.dumps(event, ensure_ascii=False) + "\n" for event in _events(history))


def _events(history: History) -> Iterator[dict[str, Any]]:
    """Describe the merges one by one, with tokens as the vocabulary spells them.

    `step` counts from 1; `tokens` is the number of tokens in the corpus after the step. Merges of
    the encoding that a run goes on from have `instead`, the most frequent pair, if that is another.
    """
    top = history.columns(len(history))
    otherwise = set(steps_otherwise(history).tolist())
    columns = (history.left, history.right, history.new_id, history.count, history.tokens[1:])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for step, (left, right, token, count, tokens) in enumerate(rows, start=1):
        event: dict[str, Any] = {
            "step": step,
            "left": history.id_to_token(left),
            "right": history.id_to_token(right),
            "token": history.id_to_token(left) + history.id_to_token(right),
            "id": history.own_id(token),
            "count": count,
            "tokens": tokens,
        }
        if step - 1 in otherwise:
            event["instead"] = {
                "left": history.id_to_token(int(top.top_left[step - 1, 0])),
                "right": history.id_to_token(int(top.top_right[step - 1, 0])),
                "count": int(top.top_count[step - 1, 0]),
            }
        yield event


def _event_rows(history: History) -> Iterator[tuple[str | int, ...]]:
    columns = ("step", "left", "right", "token", "id", "count", "tokens")
    pair = ("left", "right", "count")
    yield (*columns, *(f"instead {name}" for name in pair))
    for event in _events(history):
        instead = event.get("instead", {})
        yield (*map(event.__getitem__, columns), *(instead.get(name, "") for name in pair))


def summary(history: History, name: str, seconds: float) -> str:
    """Summarize a training for reading: sizes, why it ended, the first merges."""
    merges = len(history)
    first, last = int(history.tokens[0]), int(history.tokens[-1])
    single = len(history.base) - history.base.special
    vocabulary = (
        f"{counted(history.vocabulary_size(merges), 'entry', 'entries')}: "
        f"{history.base.special:,} special, {counted(single, 'single symbol')}, "
        f"{counted(merges, 'merge')}"
    )
    if history.recipe.inherited is not None:
        return "\n".join([*_going_on_lines(history), *_merge_lines(history)]) + "\n"
    lines = [
        f"corpus      {name}, {megabytes(history.corpus_bytes)} in words",
        f"recipe      {history.recipe.name}",
        f"vocabulary  {vocabulary}",
        f"tokens      {first:,} before, {last:,} after: "
        f"{history.corpus_bytes / max(last, 1):.2f} bytes per token",
        f"ended       {history.stopped}, after {seconds:.2f} s",
    ]
    return "\n".join([*lines, *_merge_lines(history)]) + "\n"


def _going_on_lines(history: History) -> list[str]:
    """Say what a run has added to an encoding, and what it saves."""
    inherited = history.recipe.inherited
    assert inherited is not None
    added, saved = added_and_saved(history)
    note = note_on(history.recipe)
    given = given_merges(history)
    otherwise = f"{len(steps_otherwise(history)):,} of {counted(given, 'merge')}"
    otherwise += ": the corpus had a more frequent pair; --events FILE.csv lists them"
    return [
        f"from        {inherited.name}, {counted(inherited.vocabulary_size, 'token')}",
        *([f"note        {note}"] if note else []),
        f"added       {added}",
        f"tokens      {saved}",
        f"otherwise   {otherwise}",
        f"ended       {history.stopped}",
    ]


def _merge_lines(history: History) -> list[str]:
    """List the first merges, of a run that goes on from an encoding the first new ones."""
    inherited = history.recipe.inherited
    first = 0 if inherited is None else min(len(inherited), len(history))
    merges = len(history)
    shown = min(merges - first, _MAX_MERGES)
    lines = []
    if shown:
        lines += ["", f"{'step':>6}  {'count':>12}  pair"]
    for step in range(first, first + shown):
        left, right = (
            history.id_to_token(int(side[step])) for side in (history.left, history.right)
        )
        lines.append(
            f"{step + 1:>6,}  {int(history.count[step]):>12,}  {visible(left)} + {visible(right)}"
        )
    if merges > first + shown:
        lines.append(f"{'...':>6}  {merges - first - shown:,} more; --events FILE writes them all")
    return lines
