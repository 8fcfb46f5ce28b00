"""Dead links, missing files, and what stands in the way of the reader of a lesson."""
