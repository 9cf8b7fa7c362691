"""The run, and who trains and plays it: worker, branches, cursor, what is chosen."""
