"""Games: one file of rules each."""
