"""What is read of files that may hold anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.encodings.formats import untrusted_files
from bpe_gui.encodings.formats.untrusted_files import count_keys


class Twice(dict[str, Any]):
    """An object whose keys are written twice."""

    def items(self) -> Any:
        return [*super().items(), *super().items()]


values = st.recursive(
    st.none() | st.integers() | st.text('a":\\,{}[] é', max_size=6),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text('a":\\,{} é', max_size=4), inner, max_size=3)
    | st.dictionaries(st.text('a":\\', max_size=4), inner, max_size=2).map(Twice),
    max_leaves=12,
)


@given(values, st.booleans(), st.sampled_from([None, 1]), st.integers(1, 9))
def test_keys_are_counted_as_a_parser_meets_them(
    value: object, is_ascii: bool, indent: int | None, piece: int
) -> None:
    written = json.dumps(value, ensure_ascii=is_ascii, indent=indent)
    met: list[list[tuple[str, Any]]] = []
    json.loads(written, object_pairs_hook=met.append)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(untrusted_files, "_PIECE", piece)
        assert count_keys(written.encode("utf-8")) == sum(map(len, met))
