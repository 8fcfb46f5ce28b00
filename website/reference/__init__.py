"""Pages made from the library and from all other pages: cards, formulas, glossary, gallery."""
