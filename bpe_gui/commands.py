"""What the commands of the command line do; `cli` understands their arguments."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bpe_gui.bpe.corpus import Corpus, CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels import kernel
from bpe_gui.bpe.recipe import Alphabet, Recipe, Ties, preset
from bpe_gui.bpe.sources.decoding import find_encoding
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.visible import visible_text
from bpe_gui.bpe.warm_up import warm_up
from bpe_gui.bpe.words import count_corpus
from bpe_gui.cli import PROGRAM, CommandError
from bpe_gui.encodings import huggingface, huggingface_export
from bpe_gui.files import check_writable, write_atomically
from bpe_gui.progress import ProgressLine, counted, megabytes

_SMALL, _SMALL_UNCOMPILED = 20_000, 100_000
"""Bytes up to which training with interpreted kernels is faster than loading compiled ones,
and than compiling them, which takes half a minute once."""

_SLICE_SECONDS = 0.05
"""How long the trainer runs between two looks at the progress line and at Ctrl+C."""

_SHOWN_MERGES = 20
"""Merges that the summary lists."""


# -- train -----------------------------------------------------------------------------------


def train(arguments: argparse.Namespace) -> None:
    """Train, and write what was asked for; a summary if nothing was."""
    recipe = recipe_of(arguments)
    _check_outputs(arguments.output, arguments.events)
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
    # Made before anything is written: it may turn out that the format cannot hold it.
    tokenizer = huggingface_export.to_json(history) if arguments.output is not None else ""
    if arguments.output is not None:
        _write(arguments.output, tokenizer)
    if arguments.events is not None:
        _write(arguments.events, events(history))
    if arguments.output is None and arguments.events is None:
        _write("-", summary(history, corpus.name, seconds))
    elif sys.stderr.isatty() and not arguments.quiet:
        merges = counted(len(history), "merge")
        print(f"{merges} in {seconds:.2f} s: {history.stopped}", file=sys.stderr)


def recipe_of(arguments: argparse.Namespace) -> Recipe:
    """The preset with the changes that the arguments ask for. Raises RecipeError.

    A preset's own bound on the vocabulary gives way to a number of merges: who asks for
    40,000 merges is not stopped by the default vocabulary.
    """
    recipe = preset(arguments.preset)
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


def _check_outputs(output: str | None, events_file: str | None) -> None:
    """Find out before the training what could not be written after it."""
    if output == "-" and events_file == "-":
        raise CommandError("only one of -o and --events can be standard output")
    if output is not None and output != "-" and Path(output).suffix not in ("", ".json"):
        raise CommandError(
            f"-o {output}: what is written is Hugging Face's tokenizer.json; give a name that "
            "ends in .json"
        )
    paths = [path for path in (output, events_file) if path not in (None, "-")]
    if len(paths) == 2 and Path(paths[0]).resolve() == Path(paths[1]).resolve():
        raise CommandError("-o and --events cannot be the same file")
    for path in paths:
        check_writable(path)


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
        f"preset      {history.recipe.name}",
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
            f"{step + 1:>6,}  {int(history.count[step]):>12,}  {_visible(left)} + {_visible(right)}"
        )
    if merges > shown:
        lines.append(f"{'...':>6}  {merges - shown:,} more; --events FILE writes them all")
    return "\n".join(lines) + "\n"


# -- encode and decode -----------------------------------------------------------------------


def encode(tokenizer: str, file: str, output_format: str) -> None:
    """Write the tokens of a text to standard output.

    Characters for which there is no token are left out, which a warning says.
    """
    encoding = huggingface.read(tokenizer)
    text = _read_text(file)
    tokens = encoding.encode(text)
    ids = tokens.ids.tolist()
    texts = [encoding.text(token) for token in ids] if output_format != "ids" else []
    if output_format == "ids":
        line = " ".join(map(str, ids))
    elif output_format == "tokens":
        line = " ".join(map(_visible, texts))
    else:
        offsets = list(zip(tokens.char_starts.tolist(), tokens.char_ends.tolist(), strict=True))
        found = {"ids": ids, "tokens": texts, "offsets": offsets}
        line = json.dumps(found, ensure_ascii=False)
    _write("-", line + "\n")
    missing = encoding.left_out(text)
    if len(missing):
        print(f"{PROGRAM}: warning: {_left_out(text, missing.tolist())}", file=sys.stderr)


def _left_out(text: str, missing: Sequence[int]) -> str:
    """What a warning says of characters at such indexes; their places count from 1.

    >>> _left_out("abc日本", [3, 4])
    '2 characters are not in the vocabulary and were left out, the first "日" at character 4'
    """
    first = f'"{visible_text(text[missing[0]])}" at character {missing[0] + 1:,}'
    if len(missing) == 1:
        return f"1 character is not in the vocabulary and was left out, {first}"
    return (
        f"{len(missing):,} characters are not in the vocabulary and were left out, the first "
        f"{first}"
    )


def decode(tokenizer: str, file: str) -> None:
    """Write the text that ids stand for to standard output, byte for byte."""
    encoding = huggingface.read(tokenizer)
    data = encoding.decode_bytes(_read_ids(file))
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    return Path(file).read_bytes()


def _read_text(file: str) -> str:
    """The text of a file as training reads it: UTF-8, or what its byte-order mark says."""
    data = _read(file)
    encoding = find_encoding(data, None)
    try:
        return data[encoding.mark_size :].decode(encoding.name)
    except UnicodeDecodeError as error:
        raise CommandError(
            f"{_named(file)} is not {encoding.name.upper()} text: byte "
            f"{error.object[error.start]:#04x} at offset {encoding.mark_size + error.start}"
        ) from None


def _read_ids(file: str) -> list[int]:
    """Ids separated by white space or commas, as a JSON list, or as `encode` writes JSON."""
    text = _read_text(file)
    if text.lstrip().startswith(("[", "{")):
        return _ids_from_json(text, _named(file))
    words = re.split(r"[\s,]+", text.strip()) if text.strip() else []
    for word in words:
        if not re.fullmatch(r"[0-9]{1,10}", word):
            raise CommandError(f"{_named(file)} should hold ids, but holds {word[:40]!r}")
    return [int(word) for word in words]


def _ids_from_json(text: str, name: str) -> list[int]:
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise CommandError(f"{name} is neither a list of ids nor JSON: {error}") from None
    if isinstance(found, dict):
        found = found.get("ids")
    if not isinstance(found, list) or not all(type(token) is int for token in found):
        raise CommandError(f"{name} should hold a JSON list of ids, or an object with one as ids")
    return found


def _named(file: str) -> str:
    return "standard input" if file == "-" else file


# -- output ----------------------------------------------------------------------------------


def _write(path: str, parts: str | Iterable[str]) -> None:
    """Write UTF-8 text to a file, whole or not at all, or to standard output."""
    if path != "-":
        write_atomically(path, parts)
        return
    sys.stdout.flush()
    for part in [parts] if isinstance(parts, str) else parts:
        sys.stdout.buffer.write(part.encode("utf-8"))
    sys.stdout.buffer.flush()


def _visible(token: str) -> str:
    r"""A token with white space and control characters as escapes, to stand in a line.

    >>> _visible("a\n b")
    'a\\n\\x20b'
    """
    if token.isprintable() and " " not in token:
        return token
    return "".join(
        c if c.isprintable() and c != " " else "\\x20" if c == " " else ascii(c)[1:-1]
        for c in token
    )
