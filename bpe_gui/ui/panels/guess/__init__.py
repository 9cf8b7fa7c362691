"""The game: which pair is merged next?"""
