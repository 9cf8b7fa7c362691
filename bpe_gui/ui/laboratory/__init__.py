"""The workspace that shapes what happens before the first merge."""
