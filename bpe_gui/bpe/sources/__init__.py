"""How the files of a corpus are found, opened, decoded and cut into documents.

`bpe_gui.bpe.corpus` puts these together; use that.
"""
