"""What leaves the program to be shown elsewhere: tables, texts, pictures and what moves.

Knows no Qt: what has to be painted comes from `bpe_gui.ui.export`.
"""
