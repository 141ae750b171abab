"""Explanations: how outcomes come about, what separates, forces and prevents them."""
