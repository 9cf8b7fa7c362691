"""The command line: all that works without a display, and opening the window.

Qt, Numba and the libraries are imported by the commands that need them, so that `--help`
and wrong arguments answer at once.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence

from bpe_gui.arguments import FAILED, PROGRAM, CommandError, make_parser, parse_open

INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell reports for a program killed by the signal."""


def run() -> int:
    """Run the program as a process that ends after it; returns its exit status."""
    if sys.argv[1:2] in ([], ["open"]):
        # Nothing that is loaded is garbage; a window collects it by itself, see `GarbageCollector`.
        gc.disable()
    else:
        # What a command makes stays until it ends: to search it for garbage again and again, after
        # each 700 new objects, takes a twentieth of its time.
        gc.set_threshold(1_000_000)
    status = main()
    if status == INTERRUPTED:
        # What is given up, such as a cluster that was starting, complains as the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if "PySide6" not in sys.modules:
        # Python would search all that is there for garbage once more, which takes some 25 ms.
        gc.freeze()
    return status


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status. `argv` are the arguments without its name."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _keep_algebra_on_one_thread()
    _keep_the_hub_quiet()
    try:
        return _run(arguments)
    except SystemExit:  # after --help and --version
        raise
    except CommandError as error:
        return _fail(str(error), error.status)
    except BrokenPipeError:  # the reader has gone, as `head` does
        _give_up_output()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except _errors_for_users() as error:
        return _fail(_told(error, arguments[0]))
    except OSError as error:
        _give_up_output()
        from bpe_gui.files import sentence_of

        return _fail(sentence_of(error))
    except MemoryError:
        return _fail("there is not enough memory for this")
    except BaseException as error:
        if (reason := _panic(error)) is None:
            raise
        return _fail(f"a library gave up, and nothing more is written: {reason}")


def _give_up_output() -> None:
    """Drop what standard output does not take: Python would try again as it ends, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _keep_algebra_on_one_thread() -> None:
    """Set what numpy's linear algebra reads when it is imported, unless the user has set it.

    Nothing here multiplies matrices, and threads for it take 40 ms of the processors' time.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _keep_the_hub_quiet() -> None:
    """Set what its library reads when it is imported, unless the user has set it.

    Errors are one line, and ours. Xet, its other way to download, has threads that are not
    Python's and may call into an interpreter that is ending.
    """
    os.environ.setdefault("HF_HUB_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_XET", "1")


def _errors_for_users() -> tuple[type[Exception], ...]:
    """Return the errors whose message is made for the user; any other is a defect of ours."""
    from bpe_gui.bpe.corpus import CorpusError
    from bpe_gui.bpe.recipe import RecipeError
    from bpe_gui.encodings.base import EncodingError, ExportError
    from bpe_gui.render_request import RenderError
    from bpe_gui.sessions import SessionError

    return RecipeError, CorpusError, EncodingError, ExportError, RenderError, SessionError


def _told(error: Exception, command: str) -> str:
    """Return the message of an error for users; what can be set is named by its option."""
    from bpe_gui.bpe.corpus import CorpusError, Hint

    options: dict[str, str] = {
        Hint.NAME_ENCODING: "name the encoding it is written in with --encoding",
        Hint.REPLACE: "have what cannot be read replaced with --replace-errors",
        Hint.NAME_FIELD: "name the one that holds the text with --json-field",
    }
    if command == "compare":
        options[Hint.NAME_FIELD] = 'call the field that holds the text "text"'
    return error.sentence(options) if isinstance(error, CorpusError) else str(error)


def _panic(error: BaseException) -> str | None:
    """Tell what a library in Rust said when it gave up, if that is what an exception is."""
    from bpe_gui.encodings.base import is_panic

    lines = str(error).strip().splitlines()
    return (lines[0] if lines else "it does not say why") if is_panic(error) else None


def _fail(message: str, status: int = FAILED) -> int:
    line = " ".join(message.split()) or "it did not work"
    print(f"{PROGRAM}: error: {line}", file=sys.stderr)
    return status


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] == "open":
        parse_open(arguments)
        _need_display()
        from bpe_gui.app import main as open_window

        return int(open_window(arguments) or 0)
    parsed = make_parser().parse_args(arguments)
    if parsed.command is None:
        raise CommandError(
            "name a command: open, train, count, encode, decode, compare, vocabulary, convert or "
            "render"
        )
    from bpe_gui.commands.streams import silent_libraries

    with silent_libraries():
        if parsed.command == "render":
            from bpe_gui.render_request import requests_of
            from bpe_gui.rendering import render

            render(requests_of(parsed))
        elif parsed.command == "train":
            from bpe_gui.commands.train import train

            train(parsed)
        elif parsed.command == "count":
            from bpe_gui.commands.count import count

            count(parsed)
        else:
            _run_with_tokenizers(parsed)
    sys.stdout.flush()
    return 0


def _run_with_tokenizers(parsed: argparse.Namespace) -> None:
    """Run the commands that read tokenizers, by the libraries of many formats."""
    if parsed.command == "compare":
        _compare(parsed)
    elif parsed.command == "vocabulary":
        from bpe_gui.commands.vocabulary import vocabulary

        if parsed.text == "-":
            raise CommandError("--text is read once for each tokenizer; name a file")
        options = (parsed.text, parsed.format, parsed.suspicious)
        vocabulary(parsed.tokenizers, parsed.special, *options)
    elif parsed.command == "convert":
        from bpe_gui.commands.convert import Smaller, convert

        smaller = Smaller(parsed.merges, parsed.used_in, parsed.map)
        convert(parsed.tokenizer, parsed.special, parsed.output, parsed.to, smaller)
    elif parsed.command == "encode":
        from bpe_gui.commands.encode import encode

        encode(parsed.tokenizer, parsed.special, parsed.file, parsed.format)
    else:
        from bpe_gui.commands.decode import decode

        decode(parsed.tokenizer, parsed.special, parsed.file)


def _compare(parsed: argparse.Namespace) -> None:
    """Run the one of the comparisons that the options ask for. Raises CommandError for two."""
    _check_own_numbers(parsed)
    if parsed.chat and not parsed.report:
        from bpe_gui.commands.compare_chats import compare_chats

        if parsed.differences or parsed.text:
            raise CommandError(
                "--chat does not go with --differences, and with --text only in a --report; leave "
                "these out"
            )
        compare_chats(parsed)
    elif parsed.texts or parsed.parallel or parsed.probes or parsed.report:
        from bpe_gui.commands.compare_texts import compare_texts

        compare_texts(parsed)
    elif parsed.baseline:
        raise CommandError(
            "--baseline goes with --texts, --parallel, --probes or --report; name one"
        )
    elif parsed.differences:
        from bpe_gui.commands.differences import list_differences

        if parsed.reference or parsed.encoding or parsed.replace_errors:
            raise CommandError(
                "--differences does not go with --reference, --encoding or --replace-errors; "
                "leave them out"
            )
        given = parsed.tokenizers, parsed.special, parsed.text, parsed.format
        list_differences(*given, parsed.differences)
    else:
        from bpe_gui.analysis.own_columns import OwnNumbers
        from bpe_gui.commands.compare import compare

        own = OwnNumbers(parsed.price, parsed.context, parsed.width)
        read = parsed.encoding, parsed.replace_errors, parsed.reference
        compare(parsed.tokenizers, parsed.special, parsed.text, parsed.format, *read, own)


def _check_own_numbers(parsed: argparse.Namespace) -> None:
    """Raise CommandError for a price, a context or a width beside differences alone."""
    given = [name for name in ("price", "context", "width") if getattr(parsed, name) is not None]
    if given and parsed.differences and not parsed.report:
        raise CommandError(
            f"--{given[0]} is made of the numbers of a whole text, and --differences are of "
            "places in it; leave one of them out, or write a --report, which has both"
        )


def _need_display() -> None:
    """Say so if there is no screen to open a window on, where Qt would abort."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise CommandError(
            "there is no display to open a window on; run it on a desktop, over `ssh -X`, or "
            "under `xvfb-run`"
        )
