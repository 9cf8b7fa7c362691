"""Pictures, tables, texts and animations of what the window shows."""
