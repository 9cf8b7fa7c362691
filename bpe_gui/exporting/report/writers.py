"""The formats of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bpe_gui.exporting.report.contents import Report
from bpe_gui.exporting.report.markdown import markdown_report
from bpe_gui.exporting.report.page import html_report

WRITERS: Mapping[str, Callable[[Report], Iterator[str]]] = {
    ".html": html_report,
    ".htm": html_report,
    ".md": markdown_report,
}
"""How a report is written, by the ending of the file's name in small letters."""
