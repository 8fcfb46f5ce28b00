"""Explorables."""
