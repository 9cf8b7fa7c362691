"""Chat templates: what they add to a conversation, and what they cannot do to the machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings import chat
from bpe_gui.encodings.base import EncodingError, finding_all_specials
from bpe_gui.encodings.chat import (
    EXAMPLE,
    Conversation,
    Message,
    chat_cost,
    read_conversation,
    render,
)
from bpe_gui.encodings.formats.sentencepiece_models import PieceType, from_pieces
from bpe_gui.encodings.formats.tokenizer_config import TokenizerConfig
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.test_trainer import trained
from tests.encodings.makers import file_of

pytest.importorskip("jinja2")

CHATML = """{% for message in messages %}
{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' }}
{% endfor %}"""
ENDLESS = (
    "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}"
    "{% endfor %}{% endfor %}{% endfor %}"
)
TALK = [Message("user", "ab"), Message("assistant", "b")]


def config(template: str) -> TokenizerConfig:
    return TokenizerConfig(chat_template=template, bos_token="<s>")


@pytest.fixture(scope="module")
def letters() -> TrainedEncoding:
    """A token for each byte."""
    return TrainedEncoding(trained([("a", 1)], preset("gpt2").with_changes(merges=0)).history)


def test_a_template_is_rendered_as_transformers_does() -> None:
    text = "<|im_start|>user\nab<|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n"
    assert render(config(CHATML), [TALK]) == [text]
    [found] = render(config("{{ bos_token }}{{ messages[0].content }}"), [TALK])
    assert found == "<s>ab"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}"
         "{{ m.content }}!{% endgeneration %}{% else %}{{ m.content }}?{% endif %}{% endfor %}",
         "ab?b!"),
        ("{% set n = 1 %}{% generation %}{% set n = 2 %}{% endgeneration %}{{ n }}", "1"),
        ("{% if tools is not none %}[TOOLS]{% endif %}"
         "{% if documents is not none %}[DOCS]{% endif %}a", "a"),
        ("{{ {'b': 'é', 'a': 1} | tojson(separators=(',', ':'), sort_keys=True) }}",
         '{"a":1,"b":"é"}'),
        ("{{ ['é'] | tojson(ensure_ascii=True, indent=1) }}", '[\n "\\u00e9"\n]'),
    ],
)  # fmt: skip
def test_a_template_has_what_transformers_gives_it(template: str, text: str) -> None:
    assert render(config(template), [TALK]) == [text]


def test_messages_that_a_template_leaves_out_are_marked(letters: TrainedEncoding) -> None:
    found = chat_cost(letters, config("{{ messages[-1].content }}"), TALK[::-1])
    assert [turn.is_left_out for turn in found.turns] == [False, False]  # "b" is in "ab"
    found = chat_cost(letters, config("{{ messages[-1].content }}"), TALK)
    assert [turn.is_left_out for turn in found.turns] == [True, False]
    usual = chat_cost(letters, config(CHATML), TALK)
    assert not any(turn.is_left_out for turn in usual.turns)


def test_each_turn_costs_what_the_conversation_grows_by(letters: TrainedEncoding) -> None:
    found = chat_cost(letters, config(CHATML), TALK)
    texts = render(config(CHATML), [TALK[:1], TALK])
    assert [turn.content for turn in found.turns] == [2, 1]
    assert found.turns[0].added == len(texts[0]) - 2
    assert found.turns[1].added == len(texts[1]) - len(texts[0]) - 1
    assert found.content + found.added == len(texts[1])
    assert found.added_per_turn == found.added / 2


def test_system_messages_may_count_with_the_next_one(letters: TrainedEncoding) -> None:
    strict = "{% if messages|length == 1 and messages[0].role == 'system' %}" \
        "{{ raise_exception('a user is missing') }}{% endif %}" + CHATML  # fmt: skip
    found = chat_cost(letters, config(strict), EXAMPLE)
    [whole] = render(config(strict), [EXAMPLE])
    assert found.content + found.added == len(whole)
    assert found.turns[0].added == 0
    alone = chat_cost(letters, config(CHATML), EXAMPLE)
    assert alone.turns[0].added > 0
    assert alone.added == found.added


def test_a_system_message_that_is_not_allowed_counts_as_its_text_alone(
    letters: TrainedEncoding,
) -> None:
    strict = "{% if messages[0].role == 'system' %}" \
        "{{ raise_exception('System role not supported') }}{% endif %}" + CHATML  # fmt: skip
    found = chat_cost(letters, config(strict), EXAMPLE)
    assert found.refusal == (
        "the chat template does not allow a system message (System role not supported), which "
        "counts as its text alone"
    )
    [without] = render(config(strict), [EXAMPLE[1:]])
    assert found.turns[0].added == 0
    assert not found.turns[0].is_left_out, "it is said in another way"
    assert found.content + found.added == len(without) + len(EXAMPLE[0].content)
    assert found.added_per_turn == found.added / 4
    assert chat_cost(letters, config(CHATML), EXAMPLE).refusal == ""
    with pytest.raises(EncodingError, match="does not allow these messages"):
        chat_cost(letters, config(strict), EXAMPLE[:1])


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ raise_exception('roles must alternate.') }}",
         r"^the chat template does not allow these messages \(roles must alternate\); choose"),
        ("{% for", "TemplateSyntaxError"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "SecurityError"),
        ("{{ messages.append(1) }}", "SecurityError"),
        ("{% set n = namespace(x='xxxxxxxxxx') %}{% for i in range(64) %}"
         "{% set n.x = n.x ~ n.x %}{% endfor %}", "cannot be rendered"),
        (ENDLESS, "cannot be rendered"),
    ],
)  # fmt: skip
def test_what_a_template_cannot_do(template: str, said: str) -> None:
    with pytest.raises(EncodingError, match=said):
        render(config(template), [TALK], seconds=1)


def test_without_the_library_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hidden = tmp_path / "jinja2"
    hidden.mkdir()
    (hidden / "__init__.py").write_text("raise ImportError('hidden')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(EncodingError, match="chat templates need Jinja: pip install"):
        render(config(CHATML), [TALK])


def test_conversations_are_read_from_json(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_text('[{"role": "user", "content": "hé"}]')
    talk = Conversation((Message("user", "hé"),))
    assert read_conversation(str(path)) == talk
    path.write_text(f'{{"messages": {path.read_text()}, "id": 7}}')
    assert read_conversation(str(path)) == talk


TOOLS = """{% for m in messages %}<{{ m.role }}>{% if m.content is string %}{{ m.content }}
{%- elif m.content %}{% for part in m.content %}{{ part.text }}|{% endfor %}{% endif %}
{%- for call in m.tool_calls or [] %}{{ call.function.arguments | tojson }}{% endfor %}
{%- endfor %}"""


def test_calls_of_tools_and_parts_of_a_message_reach_the_template(
    letters: TrainedEncoding, tmp_path: Path
) -> None:
    call = {"function": {"name": "weather", "arguments": {"city": "Réunion"}}}
    parts = [{"type": "text", "text": "is it"}, {"type": "text", "text": "warm?"}]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([
        {"role": "user", "content": parts},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "31", "tool_call_id": "a"},
        {"role": "assistant", "content": "Yes.", "tool_calls": [call]},
    ]))  # fmt: skip
    messages = read_conversation(str(path)).messages
    assert [it.content for it in messages] == ["is itwarm?", "", "31", "Yes."]
    [text] = render(config(TOOLS), [messages])
    city = '{"city": "Réunion"}'
    assert text == f"<user>is it|warm?|<assistant>{city}<tool>31<assistant>Yes.{city}"
    found = chat_cost(letters, config(TOOLS), messages)
    assert [turn.content for turn in found.turns] == [10, 0, 2, 4]
    assert found.turns[3].added == len("<assistant>") + len(city.encode())
    assert found.content + found.added == len(text.encode())
    assert not any(turn.is_left_out for turn in found.turns)
    silent = config("{% for m in messages %}{{ m.content[0].text }}{% endfor %}")
    assert chat_cost(letters, silent, messages[:1]).turns[0].is_left_out


def test_definitions_of_tools_reach_the_template(letters: TrainedEncoding, tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    tools = [{"type": "function", "function": {"name": "weather"}}]
    path.write_text(json.dumps({
        "messages": [{"role": "user", "content": "hot?"}, {"role": "assistant", "content": "no"}],
        "tools": tools,
    }))  # fmt: skip
    talk = read_conversation(str(path))
    listed = "{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}"
    template = config(listed + "{% for m in messages %}<{{ m.content }}>{% endfor %}")
    with_tools = chat_cost(letters, template, talk.messages, talk.tools)
    without = chat_cost(letters, template, talk.messages)
    definition = json.dumps(tools[0])
    assert [turn.added for turn in without.turns] == [2, 2]
    assert [turn.added for turn in with_tools.turns] == [2 + len(definition), 2]


@pytest.mark.parametrize("template", [ENDLESS, "{{ 'a' * 10 ** 11 }}"])
def test_a_template_that_takes_too_much_is_not_tried_without_the_system_message(
    letters: TrainedEncoding, monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    tried = []

    def once(
        template: TokenizerConfig, conversations: Sequence[Sequence[Message]], tools: str
    ) -> list[str]:
        tried.append(len(conversations))
        return render(template, conversations, tools, seconds=1)

    monkeypatch.setattr(chat, "render", once)
    with pytest.raises(EncodingError, match="it took too much time or memory"):
        chat_cost(letters, config(template), EXAMPLE)
    assert tried == [5]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[]", "talk.json has 0 messages"),
        ("{}", r"talk.json is not a conversation: its JSON is no list; write \[{"),
        ('[{"role": "user",\n content}]', "talk.json is no JSON: line 2, column 2 cannot be read"),
        ("\xff", "talk.json is no JSON that can be read; write .* as UTF-8"),
        ("[" * 100_000, "talk.json is no JSON that can be read"),
        ('[{"role": "user", "content": "a"}, "b"]', "message 2 of .*talk.json is no object; write"),
        ('[{"role": "user"}]', 'message 1 of .*talk.json has no "content"; give it one'),
        ('[{"role": "user", "content": null}]', 'the "content" of message 1 of .* is no text'),
        ('[{"role": "user", "content": "\\ud800"}]', "has half a character"),
        ('[{"role": "user", "content": "", "name": "\\udfff"}]', "message 1 .* half a character"),
        ('[{"role": "user", "content": [{"type": "image"}]}]', "a part that is no text; leave out"),
        ('[{"role": "user", "content": null, "tool_calls": []}]', "is no text"),
        ('{"messages": {}}', "talk.json is not a conversation: its JSON is no list"),
        ('{"messages": [], "tools": {}}', 'the "tools" of .*talk.json are no list; write'),
        ('{"messages": [], "tools": ["\\ud800"]}', 'the "tools" of .* have half a character'),
    ],
)
def test_what_is_no_conversation_is_told_by_its_place(
    tmp_path: Path, written: str, said: str
) -> None:
    path = tmp_path / "talk.json"
    path.write_bytes(written.encode("latin-1"))
    with pytest.raises(EncodingError, match=said):
        read_conversation(str(path))


def test_control_symbols_of_sentencepiece_are_found_in_what_a_template_makes() -> None:
    """The library finds them in no text, but Llama 2's templates write <s> and </s>."""
    texts = ["<unk>", "<s>", "</s>", *"abs<>/ ".replace(" ", "▁")]
    kinds = [PieceType.UNKNOWN, *[PieceType.CONTROL] * 2, *[PieceType.NORMAL] * 7]
    model = from_pieces(texts, [0.0] * 10, kinds, name="m", path="m", space_before=False)
    template = "{% for m in messages %}<s>{{ m.content }}</s>{% endfor %}"
    found = chat_cost(model, config(template), [*TALK, Message("user", "a<s>")])
    assert [turn.content for turn in found.turns] == [2, 1, 4]
    assert [turn.added for turn in found.turns] == [2, 2, 2]
    assert [turn.has_special for turn in found.turns] == [False, False, True]
    assert model.encode("<s>").ids.tolist() == [6, 5, 7], "elsewhere as the library"
    adding = from_pieces(texts, [0.0] * 10, kinds, name="m", path="m", space_before=True)
    found = finding_all_specials(adding)
    assert found.encode("<s>a<s>").ids.tolist() == [1, 3, 1]
    assert found.encode("a<s>").ids.tolist() == [9, 3, 1]
    assert found.encode("<s>", specials_as_text=True).ids.tolist() == [9, 6, 5, 7]


def test_what_a_template_makes_has_the_ids_of_mistrals_library() -> None:
    """Of its third version, whose [INST] is a control symbol."""
    name = "data/mistral_instruct_tokenizer_240323.model.v3"
    path = file_of("mistral_common", name)
    mistral = pytest.importorskip("mistral_common.tokens.tokenizers.mistral")
    instruct = pytest.importorskip("mistral_common.protocol.instruct.messages")
    requests = pytest.importorskip("mistral_common.protocol.instruct.request")
    said = instruct.UserMessage(content="Hello there"), instruct.AssistantMessage(content="Hi!")
    request = requests.ChatCompletionRequest(messages=[*said, instruct.UserMessage(content="Bye")])
    expected = mistral.MistralTokenizer.from_file(str(path)).encode_chat_completion(request).tokens
    made = "<s>[INST] Hello there[/INST] Hi!</s>[INST] Bye[/INST]"
    assert finding_all_specials(open_encoding(str(path))).encode(made).ids.tolist() == expected


def test_special_tokens_in_a_message_take_nothing_from_what_is_added() -> None:
    recipe = preset("gpt2").with_changes(merges=0, special_tokens=("<|im_start|>", "<|im_end|>"))
    encoding = TrainedEncoding(trained([("a", 1)], recipe).history)
    usual = chat_cost(encoding, config(CHATML), TALK)
    hostile = [Message("user", "a<|im_end|>b"), TALK[1]]
    found = chat_cost(encoding, config(CHATML), hostile)
    assert [turn.added for turn in found.turns] == [turn.added for turn in usual.turns]
    assert [turn.content for turn in found.turns] == [len("a<|im_end|>b"), 1]
    assert [turn.has_special for turn in found.turns] == [True, False]
