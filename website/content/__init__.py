"""Notebooks, pages, cells and lessons: what a site is made from."""
