"""Workflows in code: components, the facts they read, and the registry that collects them."""
