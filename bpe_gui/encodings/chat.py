"""What the chat template of a tokenizer adds to a conversation, turn by turn."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bpe_gui.encodings import chat_rendering
from bpe_gui.encodings.base import Encoding, EncodingError, finding_all_specials, lock_of
from bpe_gui.encodings.formats.gguf_files import config_of
from bpe_gui.encodings.formats.tokenizer_config import DEFAULT, TokenizerConfig, config_beside
from bpe_gui.encodings.formats.untrusted_files import read_bounded

_SECONDS = 5
"""Seconds of processor time after which a template is given up."""
_PATIENCE = None if find_spec("resource") else 120
"""Seconds after which a template is given up where the system cannot bound a process's own time."""
_MAX_RENDERED = 16 << 20
_MAX_FILE = 16 << 20
_MOST_MESSAGES = 1000
_HALF = re.compile("[\ud800-\udfff]")
_ROLES = ("bos_token", "eos_token", "pad_token", "unk_token")

NO_LIBRARY = "chat templates need Jinja: pip install 'bpe-gui[chat]', or pip install jinja2"
NO_TEMPLATE = "no chat template was found"


class MessageError(EncodingError):
    """A JSON list whose entries are no messages of a conversation."""


class RefusedError(EncodingError):
    """A chat template that does not allow some messages.

    reason: what the template says of them.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the chat template does not allow these messages ({reason}); choose a JSON file of "
            "others"
        )
        self.reason = reason


class ExhaustedError(EncodingError):
    """A chat template that takes too much time or memory, whatever the messages are."""


class Message(msgspec.Struct, frozen=True):
    """Hold a message of a conversation.

    content: its text; several parts are joined.
    whole: the message in JSON, if it has more than a role and a text: calls of tools, or parts.
    """

    role: str
    content: str
    whole: str = ""

    @property
    def given(self) -> dict[str, Any]:
        """Return what a template is given."""
        found: dict[str, Any] = json.loads(self.whole) if self.whole else {}
        return found or {"role": self.role, "content": self.content}

    def is_in(self, rendered: str) -> bool:
        """Tell whether a text has all texts of the message."""
        content = self.given.get("content")
        parts = [part["text"] for part in content] if isinstance(content, list) else [self.content]
        return all(part.strip() in rendered for part in parts)


EXAMPLE = (
    Message("system", "You are a helpful assistant."),
    Message("user", "When does the first ferry leave on Sundays?"),
    Message("assistant", "The first ferry leaves at 07:15 from the harbour."),
    Message("user", "And how long does it take?"),
    Message("assistant", "About 37 minutes, or 45 in rough weather."),
)
"""A conversation to measure on, written for this program."""


class Conversation(msgspec.Struct, frozen=True):
    """Hold messages, and the definitions of the tools that a model may call, as a list in JSON."""

    messages: tuple[Message, ...]
    tools: str = ""


def read_conversation(path: str) -> Conversation:
    """Read a conversation: a JSON list of messages with role and content.

    The list may be under "messages" in an object, which may have "tools". Raises EncodingError,
    which names the file, MessageError for what is wrong in a list; OSError.
    """
    data = read_bounded(path, max_bytes=_MAX_FILE)
    form = '[{"role": "user", "content": "..."}, ...]'
    try:
        found = json.loads(data)
    except json.JSONDecodeError as error:
        raise EncodingError(
            f"{path} is no JSON: line {error.lineno:,}, column {error.colno:,} cannot be read; a "
            f"conversation is {form}"
        ) from None
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise EncodingError(f"{path} is no JSON that can be read; write {form} as UTF-8") from None
    tools = None
    if isinstance(found, dict) and "messages" in found:
        found, tools = found["messages"], found.get("tools")
    if not isinstance(found, list):
        raise EncodingError(f"{path} is not a conversation: its JSON is no list; write {form}")
    if not isinstance(tools, list | None):
        raise MessageError(f'the "tools" of {path} are no list; write their definitions in [...]')
    definitions = json.dumps(tools, ensure_ascii=False) if tools else ""
    if _HALF.search(definitions):
        raise MessageError(f'the "tools" of {path} have half a character (\\ud800 to \\udfff)')
    if not 0 < len(found) <= _MOST_MESSAGES:
        raise EncodingError(
            f"{path} has {len(found):,} messages; a conversation has 1 to {_MOST_MESSAGES:,}"
        )
    messages = tuple(_message(one, f"message {n:,} of {path}") for n, one in enumerate(found, 1))
    return Conversation(messages, definitions)


def _message(found: object, place: str) -> Message:
    if not isinstance(found, dict):
        raise MessageError(
            f'{place} is no object; write {{"role": "user", "content": "..."}} in its place'
        )
    texts = {"role": found.get("role"), "content": _text_of(found)}
    for key, text in texts.items():
        if key not in found and text is None:
            raise MessageError(f'{place} has no "{key}"; give it one, which is a text')
        if text is None and isinstance(found[key], list):
            raise MessageError(
                f'the "{key}" of {place} has a part that is no text; leave out images and sounds'
            )
        if not isinstance(text, str):
            raise MessageError(f'the "{key}" of {place} is no text; write one in quotation marks')
        if _HALF.search(text):
            raise MessageError(f'the "{key}" of {place} has half a character (\\ud800 to \\udfff)')
    whole = "" if found == texts else json.dumps(found, ensure_ascii=False)
    if _HALF.search(whole):
        raise MessageError(f"{place} has half a character (\\ud800 to \\udfff)")
    return Message(found["role"], str(texts["content"]), whole)


def _text_of(message: dict[str, object]) -> object:
    """Return the text of a message, none if it only calls tools; None if a part is no text."""
    content = message.get("content")
    if content is None and message.get("tool_calls"):
        return ""
    if not isinstance(content, list):
        return content
    parts = [part.get("text") if isinstance(part, dict) else None for part in content]
    return "".join(map(str, parts)) if all(isinstance(part, str) for part in parts) else None


def template_config(source: str) -> TokenizerConfig | None:
    """Find what is said of the chat template of a tokenizer, by the name of its file.

    None if there is no such file, and for names of the hub or of a library.
    """
    path = Path(source.partition("@")[0])
    if not path.exists():
        return None
    return config_of(path) if path.suffix == ".gguf" else config_beside(path)


def render(
    config: TokenizerConfig,
    conversations: Sequence[Sequence[Message]],
    tools: str = "",
    seconds: int = _SECONDS,
) -> list[str]:
    """Render the chat template on conversations; `tools` are a list in JSON, if there are some.

    Raises EncodingError in one sentence.
    """
    templates = config.chat_templates
    template = templates.get(DEFAULT) or next(iter(templates.values()), None)
    if template is None:
        raise EncodingError(NO_TEMPLATE)
    variables: dict[str, Any] = {role: config.text_of(role) or "" for role in _ROLES}
    if tools:
        variables["tools"] = json.loads(tools)
    request = {
        "template": template,
        "variables": variables,
        "seconds": seconds,
        "conversations": [[message.given for message in one] for one in conversations],
    }
    try:
        done = subprocess.run(
            [sys.executable, chat_rendering.__file__],
            input=json.dumps(request), capture_output=True, encoding="utf-8", timeout=_PATIENCE,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ExhaustedError("the chat template takes too long, and was given up") from None
    if done.returncode == chat_rendering.NO_LIBRARY:
        raise EncodingError(NO_LIBRARY)
    if done.returncode == chat_rendering.REFUSED:
        raise RefusedError(" ".join(done.stderr.split()).rstrip("."))
    if done.returncode not in (0, chat_rendering.FAILED):
        raise ExhaustedError(
            "the chat template cannot be rendered: it took too much time or memory"
        )
    if done.returncode:
        reason = " ".join(done.stderr.split())
        raise EncodingError(f"the chat template cannot be rendered: {reason}")
    if len(done.stdout) > _MAX_RENDERED:
        raise EncodingError("the chat template makes more than 16 MB of text, and was given up")
    found: list[str] = json.loads(done.stdout)
    return found


class Turn(Struct, frozen=True):
    """Count the tokens of a message: those of its text alone, and those that the template adds.

    has_special: whether its text holds the name of a special token, which is read as text here, and
        as that token where a template's text is tokenized as a whole.
    is_left_out: whether the template leaves its text out of the whole conversation, or changes it.
    """

    role: str
    content: int
    added: int
    has_special: bool = False
    is_left_out: bool = False


class ChatCost(Struct, frozen=True):
    """Hold what a conversation costs, message by message.

    refusal: why the template does not allow the first message, in a sentence, which then counts as
        its text alone; empty if it does.
    """

    turns: tuple[Turn, ...]
    refusal: str = ""

    @property
    def content(self) -> int:
        """Count the tokens of all messages by themselves."""
        return sum(turn.content for turn in self.turns)

    @property
    def added(self) -> int:
        """Count the tokens that the template adds."""
        return sum(turn.added for turn in self.turns)

    @property
    def added_per_turn(self) -> float:
        """Average what the template adds to a message that it allows, the first one's beginning
        included.
        """
        return self.added / (len(self.turns) - bool(self.refusal))


def chat_cost(
    encoding: Encoding, config: TokenizerConfig, messages: Sequence[Message], tools: str = ""
) -> ChatCost:
    """Count what the chat template adds to each message of a conversation.

    A message costs what the conversation up to it takes more than the conversation before it; what
    a template adds to a system message may only be known together with the next one. Names of
    special tokens in messages are text, and no part of what is added. A template that does not
    allow a system message is rendered without it. Calls of tools are what a template adds, and so
    are the definitions of `tools`, a list in JSON: they count with the message after them.
    Raises EncodingError, for other roles that the template does not allow too.
    """
    beginnings = [messages[: number + 1] for number in range(len(messages))]
    first, refusal = 0, ""
    try:
        texts = render(config, beginnings, tools)
    except ExhaustedError:
        raise
    except EncodingError:
        if len(messages) < 2 or messages[0].role != "system":
            raise
        # A system message alone is no conversation for this template.
        first = 1
        try:
            texts = render(config, beginnings[first:], tools)
        except RefusedError as error:
            shorter = [beginning[first:] for beginning in beginnings[first:]]
            texts = render(config, shorter, tools)
            refusal = (
                f"the chat template does not allow a system message ({error.reason}), which "
                "counts as its text alone"
            )
    with lock_of(encoding).hold():
        finding = finding_all_specials(encoding)
        whole = [len(finding.encode(text)) for text in texts]
        plain = [encoding.encode(one.content, specials_as_text=True) for one in messages]
        inside = [finding.encode(one.content) for one in messages]
    turns, before = [], 0
    for number, (message, alone, within) in enumerate(zip(messages, plain, inside, strict=True)):
        content, has_special = len(alone), list(alone.ids) != list(within.ids)
        left_out = not message.is_in(texts[-1])
        if number < first:
            # Its template tokens are counted with those of the next message.
            turns.append(Turn(message.role, content, 0, has_special, left_out and not refusal))
            before += 0 if refusal else len(within)
            continue
        now = whole[number - first]
        added = now - before - len(within)
        turns.append(Turn(message.role, content, added, has_special, left_out))
        before = now
    return ChatCost(tuple(turns), refusal)
