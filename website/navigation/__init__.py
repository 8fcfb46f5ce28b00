"""What leads from page to page."""
