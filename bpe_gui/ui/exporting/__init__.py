"""Panels as pictures and drawings, and the dialog that asks which and where."""
