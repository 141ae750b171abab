"""Evidence pages: everything that was proven of a scenario, on a page that opens from disk."""
