"""Putting planned links into a folder of sources, and taking them out again."""
