"""What a report says and shows: recommendation, tables, figures, subgroups."""
