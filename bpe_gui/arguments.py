"""What the command line understands: its commands and their arguments."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct

from bpe_gui.render_arguments import add_render, whole_number
from bpe_gui.tours import ENDING as TOUR_ENDING
from bpe_gui.version import __version__

if TYPE_CHECKING:
    from bpe_gui.bpe.recipe import Recipe

PROGRAM = "bpe-gui"


FAILED, DISAGREED = 2, 1
"""Exit statuses."""


class CommandError(Exception):
    """What the user asked for cannot be done; the message is one sentence."""

    status = FAILED


class DisagreementError(CommandError):
    """What was made is read back otherwise than it is meant."""

    status = DISAGREED


class OpenRequest(Struct, frozen=True):
    """What to show in the window when it opens."""

    corpus: tuple[str, ...] = ()
    preset: str | None = None
    vocabulary_size: int | None = None
    start: bool = False
    """Whether to start training at once."""
    recipe: Recipe | None = None
    """A recipe of one's own to begin with, instead of a preset."""
    session: str | None = None
    """The file of a session to open, instead of all else."""
    tour: str | None = None
    """A file with a guided tour to begin with, instead of a corpus."""


class _Parser(argparse.ArgumentParser):
    """Reports errors as everything else here does: one line, status 2."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)")


class _Command(_Parser):
    """Takes its options also between the names of files, which argparse does only if asked."""

    _asked = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        if self._asked:
            return super().parse_known_args(args, namespace)
        self._asked = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._asked = False


def parse_open(argv: Sequence[str]) -> OpenRequest:
    """Understand the arguments of the window: none, or `open` and its own.

    Raises CommandError or RecipeError for arguments that make no sense, and
    FileNotFoundError for a corpus, a recipe, a session or a tour that is not there.
    """
    if not argv:
        return OpenRequest()
    parsed = make_parser().parse_args(list(argv))
    if parsed.command != "open":
        raise CommandError(f"{argv[0]!r} does not open a window")
    if (tour := _tour_among(parsed)) is not None:
        return OpenRequest(tour=tour)
    from bpe_gui.bpe import recipe_io
    from bpe_gui.bpe.recipe import preset

    if (session := _session_among(parsed)) is not None:
        return OpenRequest(session=session)
    own = None if parsed.recipe is None else recipe_io.load(parsed.recipe)
    recipe = own or preset(parsed.preset or default_preset(parsed.corpus))
    if parsed.vocab_size is not None:
        recipe.with_changes(vocabulary_size=parsed.vocab_size)
    for source in parsed.corpus:
        if "@" in source and not os.path.exists(source):
            from bpe_gui.encodings.load import files_of

            files_of(source)  # a rank file and its split
        elif source != "-":
            os.stat(source)
    return OpenRequest(
        tuple(parsed.corpus), parsed.preset, parsed.vocab_size, parsed.start, own
    )


def _session_among(parsed: argparse.Namespace) -> str | None:
    """Return the session that is to be opened, if there is one."""
    from bpe_gui.sessions.recognition import looks_like_session

    found = next((source for source in parsed.corpus if looks_like_session(source)), None)
    if found is not None:
        _check_alone(parsed, f"{found} is a session, which has its own corpus and recipe")
    return found


def _tour_among(parsed: argparse.Namespace) -> str | None:
    """Return the guided tour that is to be opened, if there is one; the window reads it."""
    named: str | None = next((s for s in parsed.corpus if s.endswith(TOUR_ENDING)), None)
    if named is None:
        return None
    _check_alone(parsed, f"a tour ({TOUR_ENDING}) names its own corpora and recipes")
    os.stat(named)
    return named


def _check_alone(parsed: argparse.Namespace, reason: str) -> None:
    """Raise CommandError if anything but one file is given to open."""
    others = (parsed.preset, parsed.recipe, parsed.vocab_size)
    if len(parsed.corpus) > 1 or parsed.start or any(other is not None for other in others):
        raise CommandError(f"{reason}; name it alone")


def default_preset(corpus: Sequence[str]) -> str:
    """Return the preset for a corpus of which nothing more is said: words that are counted have
    none of the white space that GPT-2's split is about."""
    if not corpus or all(source.endswith((".csv", ".tsv", ".tab")) for source in corpus):
        return "whitespace"
    return "gpt2"


def _name(text: str) -> str:
    """Return the name of a file. An empty name is refused: `Path("")` is the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a file is empty")
    return text


def _csv_name(text: str) -> str:
    """Return the name of a CSV file, or -; others are most likely tokenizers after an option."""
    if text != "-" and not text.lower().endswith(".csv"):
        raise argparse.ArgumentTypeError(
            f"{text!r} does not end with .csv; write --differences behind the tokenizers"
        )
    return text


def _chat_name(text: str) -> str:
    """Return the name of a conversation; others are most likely tokenizers after an option."""
    named = text.lower()
    if text != "-" and (not named.endswith(".json") or named.endswith("tokenizer.json")):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no conversation in JSON; write --chat behind the tokenizers"
        )
    return text


def _positive(text: str) -> float:
    """Return a number above 0."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 1e12:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0, like 2.50")
    return found


def _count(text: str) -> int:
    """Return a whole number that is not negative."""
    found = whole_number(text)
    if found < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is negative; name 0 or more")
    return found


def _positive_count(text: str) -> int:
    """Return a whole number above 0."""
    found = whole_number(text)
    if found <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not above 0; name 1 or more")
    return found


def _report_name(text: str) -> str:
    """Return the name of a report, whose ending tells its format."""
    if not text.lower().endswith((".html", ".htm", ".md")):
        raise argparse.ArgumentTypeError(f"{text!r} ends neither with .html nor with .md")
    return text


@cache
def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; what it cannot understand it raises as CommandError."""
    parser = _Parser(
        prog=PROGRAM,
        description="Byte-Pair Encoding made visible. Without arguments the window opens.",
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", parser_class=_Command
    )
    _add_open(commands)
    _add_train(commands)
    _add_count(commands)
    _add_encode(commands)
    _add_decode(commands)
    _add_compare(commands)
    _add_vocabulary(commands)
    _add_convert(commands)
    add_render(
        commands.add_parser(
            "render", help="make a picture or an animation of a session",
            description="Make a picture, an animation, a page, a text or a table of a session "
            "that the window has saved. It needs no display.",
        )
    )
    return parser


_Commands = argparse._SubParsersAction  # what add_subparsers returns has no public name


def _add_open(commands: _Commands[_Command]) -> None:
    parser = commands.add_parser(
        "open", help="open the window on a corpus, a session, an encoding or a tour",
        description="Open the window: on a corpus if one is given, on a session (.bpesession), "
        "with the merges of an encoding (tokenizer.json, ranks.tiktoken, ...) on the corpus that "
        "is named beside it, with several encodings side by side in Compare, or with a guided tour "
        "(.tour).",
    )
    parser.add_argument("corpus", nargs="*", type=_name, metavar="CORPUS", help=_CORPUS_HELP)
    recipe = parser.add_mutually_exclusive_group()
    recipe.add_argument("--preset", metavar="P", help="the recipe to begin with")
    recipe.add_argument("--recipe", type=_name, metavar="FILE", help=_RECIPE_HELP)
    parser.add_argument("--vocab-size", type=whole_number, metavar="N", help=_VOCABULARY_HELP)
    parser.add_argument("--start", action="store_true", help="start training at once")


_CORPUS_HELP = (
    "text files, folders of them, .jsonl, .parquet, .arrow, all but the last two also as .gz, "
    ".bz2, .xz or .zst, or .csv/.tsv/.tab/.parquet of word,count, also by URL; - is standard input"
)
_RECIPE_HELP = "a recipe file instead of a preset; the help (F1) has its keys under Recipes"
_VOCABULARY_HELP = "stop at this many entries, special tokens and single symbols included"


def _add_train(commands: _Commands[_Command]) -> None:
    parser = commands.add_parser(
        "train", help="train a tokenizer",
        description="Train a tokenizer. Without -o and --events, print the merges.",
    )
    recipe = _add_corpus(parser)
    recipe.add_argument(
        "--from", dest="going_on", metavar="TOKENIZER",
        help="train on from an encoding: every token keeps its id and every merge its place, new "
        "ones come behind; characters without a token stay the bytes to which the encoding falls "
        "back, unless --alphabet observed makes tokens of them; as for encode",
    )
    _add_learning(parser)
    parser.add_argument(
        "--events", type=_name, metavar="FILE",
        help="write each merge as a line of JSON, or as a row of x.csv; - is standard output. With "
        "--from, \"instead\" is a pair that was more frequent than the merge of the encoding",
    )
    parser.add_argument(
        "-o", dest="output", type=_name, metavar="FILE",
        help="write the tokenizer: x.json is Hugging Face's tokenizer.json, x.tiktoken ranks of "
        "tiktoken, x.model minbpe's, vocab.json or a folder GPT-2's two files; - is a "
        "tokenizer.json on standard output",
    )
    parser.add_argument("--to", metavar="FORMAT", help=_TO_HELP)
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def _add_count(commands: _Commands[_Command]) -> None:
    parser = commands.add_parser(
        "count", help="count the words of a corpus, to train on them later",
        description="Count the words that a recipe splits a corpus into, and write them to a "
        "Parquet file. Training on that file gives the merges of the corpus, ties and all.",
    )
    _add_corpus(parser)
    parser.add_argument(
        "-o", dest="output", type=_name, metavar="FILE", required=True,
        help="write the words: a file that ends in .parquet",
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS",
        help="count on a Dask cluster: tcp://HOST:8786 is its scheduler, which must be trusted, "
        "local makes one on this machine",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def _add_corpus(parser: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    """Add the corpus, how it is read, and the recipe that splits it into words; returns the options
    of which one names that.
    """
    parser.add_argument("corpus", nargs="+", type=_name, metavar="CORPUS", help=_CORPUS_HELP)
    recipe = parser.add_mutually_exclusive_group(required=True)
    recipe.add_argument(
        "--preset", metavar="P",
        help="whitespace, char-bpe, gpt2, gpt4, o200k, lines, raw or categories",
    )
    recipe.add_argument("--recipe", type=_name, metavar="FILE", help=_RECIPE_HELP)
    _add_decoding(parser)
    parser.add_argument(
        "--json-field", metavar="NAME", default="text",
        help="the field of JSON Lines records, or the column of Parquet and Arrow files, that "
        "holds the text (default: text)",
    )
    parser.add_argument(
        "--documents", choices=("file", "line"), default="file",
        help="what a document is (default: file)",
    )
    return recipe


def _add_learning(parser: argparse.ArgumentParser) -> None:
    """Add the options of the training."""
    parser.add_argument("--vocab-size", type=whole_number, metavar="N", help=_VOCABULARY_HELP)
    parser.add_argument("--merges", type=whole_number, metavar="N", help="stop after N merges")
    parser.add_argument(
        "--min-frequency", type=whole_number, metavar="N",
        help="stop when no pair occurs N times; with --from and --alphabet observed, characters "
        "that occur fewer times stay bytes",
    )
    parser.add_argument(
        "--special", action="append", default=[], metavar="TOKEN",
        help="a special token; may be given more than once",
    )
    parser.add_argument(
        "--alphabet", choices=("bytes", "observed"),
        help="all 256 bytes, or the single symbols that the corpus has",
    )
    parser.add_argument(
        "--ties", choices=("first-seen", "lowest-id"),
        help="which of equally frequent pairs is merged (default: first-seen)",
    )


def _add_decoding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--encoding", metavar="NAME",
        help="how the files are encoded (default: UTF-8, or UTF-16 with a byte-order mark)",
    )
    parser.add_argument(
        "--replace-errors", action="store_true",
        help="read what does not decode as U+FFFD instead of giving up",
    )


def _add_encode(commands: _Commands[_Command]) -> None:
    parser = commands.add_parser(
        "encode", help="turn text into tokens",
        description="Turn text (UTF-8, or UTF-16 with a byte-order mark) into tokens.",
    )
    parser.add_argument("tokenizer", metavar="TOKENIZER", help=_TOKENIZER_HELP)
    _add_special(parser)
    parser.add_argument("file", nargs="?", type=_name, default="-", metavar="FILE", help=_FILE_HELP)
    parser.add_argument(
        "--format", choices=("ids", "tokens", "json"), default="ids",
        help="ids, tokens as the vocabulary writes them, or both with offsets (default: ids)",
    )


def _add_special(parser: _Command) -> None:
    parser.add_argument(
        "--special", action="append", default=[], metavar="TOKEN=ID",
        help="a special token of ranks.tiktoken@SPLIT and its id; may be given more than once. The "
        "name of a tiktoken encoding means its special tokens, none means no special tokens "
        "(default: those of a tokenizer_config.json in the same folder, or of the split's encoding "
        "if the file has as many ranks, else none)",
    )


_FILE_HELP = "the file or URL to read; - or nothing is standard input"
_TOKENIZER_HELP = (
    "tokenizer.json, tekken.json, a .model of minbpe or SentencePiece, a folder with vocab.json "
    "and merges.txt, GGUF, vocab.txt of BERT, the vocabulary of CLIP or RWKV, codes of subword-nmt "
    "or fastBPE, ranks.tiktoken@SPLIT with a known split (gpt2, cl100k_base, ...) or a regex, "
    "which may be left out for ranks of GPT, Llama, Qwen and Whisper, tiktoken:NAME, or hub:NAME "
    "of the Hugging Face hub"
)
_TO_HELP = "tokenizer.json, tiktoken, gpt2 or minbpe (default: by the name of the file)"


def _add_decode(commands: _Commands[_Command]) -> None:
    parser = commands.add_parser(
        "decode", help="turn ids back into text",
        description="Turn ids, as `encode` writes them, back into text.",
    )
    parser.add_argument("tokenizer", metavar="TOKENIZER", help=_TOKENIZER_HELP)
    _add_special(parser)
    parser.add_argument("file", nargs="?", type=_name, default="-", metavar="FILE", help=_FILE_HELP)


def _add_compare(commands: _Commands[_Command]) -> None:
    parser = commands.add_parser(
        "compare", help="compare encodings on a text",
        description="Compare encodings on a text: tokens, characters per token, tokens per word, "
        "unknown characters, and how much of the vocabulary is used. Without --text the text is a "
        "short story in twenty languages, each compared with English or --reference.",
    )
    parser.add_argument("tokenizers", nargs="+", metavar="TOKENIZER", help=_TOKENIZER_HELP)
    _add_special(parser)
    parser.add_argument(
        "--text", type=_name, metavar="FILE", help="a file, folder or URL; - is standard input"
    )
    _add_several_texts(parser)
    parser.add_argument(
        "--differences", nargs="?", const="-", type=_csv_name, metavar="FILE.csv",
        help="list where the encodings differ from the first, and why, instead of numbers; a "
        "FILE.csv is written",
    )
    parser.add_argument(
        "--chat", nargs="?", const="-", metavar="FILE.json", type=_chat_name,
        help="what the chat templates beside the tokenizers add to a conversation: a JSON list of "
        "messages with role and content, or an object with such messages and tools "
        "(default: a short conversation)",
    )
    _add_own_numbers(parser)
    parser.add_argument(
        "--report", type=_report_name, metavar="FILE",
        help="write one file to hand on, FILE.html or FILE.md: numbers, heat maps of several texts "
        "(default: the story and the probes) and of a --chat, differences by cause, the overlap of "
        "the vocabularies, suspicious tokens",
    )
    _add_decoding(parser)
    parser.add_argument(
        "--format", choices=("table", "csv", "json"), default="table",
        help="for reading, or all numbers unrounded (default: table)",
    )


def _add_several_texts(parser: _Command) -> None:
    """Add the options of texts that are measured one by one."""
    parser.add_argument(
        "--texts", type=_name, nargs="+", metavar="FILE",
        help="files or folders to measure one by one, each a row, with intervals from resampling "
        "its lines or documents; of a single folder each entry is a row",
    )
    parser.add_argument(
        "--parallel", type=_name, metavar="FOLDER",
        help="translations to measure one by one: a folder with a file for each language, or a TSV "
        "with a column for each, line by line",
    )
    parser.add_argument(
        "--probes", action="store_true",
        help="measure small built-in texts: numbers, white space, code, URLs, emoji, accents, "
        "capitals, typing errors",
    )
    parser.add_argument(
        "--reference", metavar="LANGUAGE",
        help="the language to compare the others with: ru, Russian (default: English, or the first "
        "of a --parallel without it)",
    )
    parser.add_argument(
        "--baseline", metavar="TOKENIZER",
        help="the tokenizer to compare the others with on each of several texts (default: the "
        "first)",
    )


def _add_own_numbers(parser: _Command) -> None:
    """Add what one knows oneself, each for a column."""
    parser.add_argument(
        "--price", type=_positive, metavar="P",
        help="what a million tokens cost; adds what a million characters cost",
    )
    parser.add_argument(
        "--context", type=_positive_count, metavar="N",
        help="tokens that a model takes at once; adds how many characters fit",
    )
    parser.add_argument(
        "--width", type=_positive_count, metavar="D",
        help="numbers in the embedding of a token; adds the size of the embedding",
    )


def _add_vocabulary(commands: _Commands[_Command]) -> None:
    parser = commands.add_parser(
        "vocabulary", help="describe vocabularies, and compare them by the bytes of their tokens",
        description="Describe the vocabularies of encodings: kinds, scripts and lengths of their "
        "tokens, variants of one form, suspicious tokens. Of two or more: how many tokens they "
        "share, whatever the files write for a space, and what one would need to cover the other.",
    )
    parser.add_argument("tokenizers", nargs="+", metavar="TOKENIZER", help=_TOKENIZER_HELP)
    _add_special(parser)
    parser.add_argument(
        "--suspicious", action="store_true",
        help="list the suspicious tokens, each with its reason: unreachable, incomplete UTF-8, "
        "mixed scripts, odd white space; with --text also those it never uses, and residues of "
        "longer ones",
    )
    parser.add_argument(
        "--text", type=_name, metavar="FILE",
        help="count uses in this file or URL; not standard input",
    )
    parser.add_argument(
        "--format", choices=("table", "csv", "json"), default="table",
        help="for reading, a row for each token, or all with the ids of shared tokens "
        "(default: table)",
    )


def _add_convert(commands: _Commands[_Command]) -> None:
    parser = commands.add_parser(
        "convert", help="write an encoding in another format",
        description="Write a byte-pair encoding in another format, or any tokenizer.json, for "
        "example from the hub, to a file. The library of the format reads the file back, to check "
        "that it tokenizes texts in the same way. For minbpe, which cannot be installed, bpe-gui's "
        "own reader does that. minbpe's format numbers tokens anew. If a format cannot hold a part "
        "of the encoding, nothing is written.",
    )
    parser.add_argument("tokenizer", metavar="TOKENIZER", help=_TOKENIZER_HELP)
    _add_special(parser)
    parser.add_argument(
        "-o", dest="output", type=_name, metavar="FILE", required=True,
        help="what to write, x.json, x.tiktoken, x.model, vocab.json or a folder; - is a "
        "tokenizer.json on standard output",
    )
    parser.add_argument("--to", metavar="FORMAT", help=_TO_HELP)
    smaller = parser.add_mutually_exclusive_group()
    smaller.add_argument(
        "--merges", type=_count, metavar="N", help="keep only the first N merges"
    )
    smaller.add_argument(
        "--used-in", action="append", type=_name, metavar="CORPUS",
        help="keep only tokens that a corpus uses, and those they are merged from; may be given "
        "more than once. Single symbols and special tokens stay",
    )
    parser.add_argument(
        "--map", type=_name, metavar="FILE",
        help="write a table of old id, new id and token, if tokens are left out",
    )
