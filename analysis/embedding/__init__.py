"""Texts to vectors: the embedders, the worker processes that run them, and the cache that keeps what they computed."""
