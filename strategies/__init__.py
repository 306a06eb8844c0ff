"""Strategies: who decides, one module a game."""
