"""`bpe-gui count`: count the words of a corpus, to train on them later or elsewhere."""

from __future__ import annotations

import argparse
import sys

from bpe_gui.arguments import CommandError
from bpe_gui.bpe.columnar import check_writing_words
from bpe_gui.bpe.training import count_words, is_compiling_worthwhile
from bpe_gui.bpe.words import save_words
from bpe_gui.commands.streams import check_no_overwriting
from bpe_gui.commands.train import corpus_of, recipe_named
from bpe_gui.files import check_writable
from bpe_gui.progress import counted, terminal_bars

_ENDING = ".parquet"


def count(arguments: argparse.Namespace) -> None:
    """Count words, and write them with their counts as a Parquet file.

    Raises CommandError for an output of another kind, and the errors of reading and writing.
    """
    if not arguments.output.endswith(_ENDING):
        raise CommandError(f"words are written as Parquet; end {arguments.output} in {_ENDING}")
    recipe, corpus = recipe_named(arguments), corpus_of(arguments)
    check_no_overwriting([arguments.output], [*arguments.corpus, arguments.recipe])
    check_writable(arguments.output)
    check_writing_words(arguments.output)
    with terminal_bars(wanted=not arguments.quiet) as tell:
        if arguments.cluster is None:
            compiled = is_compiling_worthwhile(corpus.size)
            words = count_words(corpus, recipe, tell, compiled=compiled)
        else:
            from bpe_gui.bpe.cluster import count_on_cluster

            def announce(sentence: str) -> None:
                if not arguments.quiet:
                    print(sentence, file=sys.stderr, flush=True)

            words = count_on_cluster(corpus, recipe, arguments.cluster, tell, announce)
    save_words(words, recipe, arguments.output)
    if corpus.warning:
        print(corpus.warning, file=sys.stderr)
    if not arguments.quiet:
        total = int(words.counts.sum())
        print(f"{counted(total, 'word')}, {len(words):,} of them different")
