"""Experiments: what to ask, at the command line and from files."""
