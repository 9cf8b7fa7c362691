r"""The pre-tokenization by script, as a regular expression.

A word is a run of characters of one script (Unicode's property Script), Han, Hiragana and
Katakana counting as one, as in Hugging Face's UnicodeScripts. Characters that belong to no
script of their own (spaces, punctuation, digits, marks, emoji: Common and Inherited) go on with
the word that they stand after, or begin the first one. Those of the scripts that came to Unicode
after version 15 are words by themselves.
"""

from __future__ import annotations

_SHARED = r"\p{Zyyy}\p{Zinh}\p{Zzzz}"

_NAMES = """
Cyrillic Arabic Devanagari Greek Hangul Hebrew Thai Bengali Tamil Telugu Gujarati Kannada
Malayalam Gurmukhi Oriya Sinhala Khmer Lao Myanmar Tibetan Georgian Armenian Ethiopic
Bopomofo Mongolian Cherokee Canadian_Aboriginal Adlam Ahom Anatolian_Hieroglyphs Avestan
Balinese Bamum Bassa_Vah Batak Bhaiksuki Brahmi Braille Buginese Buhid Carian
Caucasian_Albanian Chakma Cham Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Deseret
Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Glagolitic Gothic Grantha
Gunjala_Gondi Hanifi_Rohingya Hanunoo Hatran Imperial_Aramaic Inscriptional_Pahlavi
Inscriptional_Parthian Javanese Kaithi Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khojki
Khudawadi Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Mandaic
Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive
Meroitic_Hieroglyphs Miao Modi Mro Multani Nabataean Nag_Mundari Nandinagari New_Tai_Lue
Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic
Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic
Old_Uyghur Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician
Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting
Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham
Tai_Viet Takri Tangsa Tangut Thaana Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho
Warang_Citi Yezidi Yi Zanabazar_Square
"""

_SCRIPTS = (
    *(r"\p{Latin}", r"\p{Han}\p{Hiragana}\p{Katakana}"),
    *(rf"\p{{{name}}}" for name in _NAMES.split()),
)

CLASSES = (_SHARED, *_SCRIPTS)
"""Each the inside of a character class: what goes with any script, and what makes up each."""

_RUNS = "|".join(f"[{script}][{script}{_SHARED}]*" for script in _SCRIPTS)

SCRIPTS_PATTERN = rf"[{_SHARED}]*(?:{_RUNS})|[{_SHARED}]+|[\s\S]"
"""Means the same to the `regex` module and to Oniguruma. Some 9,000 characters."""
