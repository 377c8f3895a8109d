"""The articles of one language as arrays: words by sentence, the phrases that name each page, and the links between them.

Candidates, evidence and ranking read these instead of the texts, so a site is tokenized once and only numbers stay in memory.
"""
