"""The branches of a run, and what each merge would have been without another."""
