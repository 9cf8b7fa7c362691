"""A report on encodings, to hand on: numbers, why they differ, what they share, suspicious tokens.

`contents.make_report` gathers what it says; `writers.WRITERS` write it, as a web page or Markdown.
"""
