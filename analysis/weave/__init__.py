"""A paragraph rewritten so that it carries a mention of another article, where the plan found the pair related and no place.

A language model proposes the rewrite (chat, prompt), and nothing of it is believed: each check (checks; on facts and alignment)
is a pure function with a name, and one that fails leaves the paragraph alone. What they let pass is the old paragraph, word for
word, with a pointer added: a clause or a sentence that carries the anchor and says nothing else. Accepted rewrites are put into
the source as one splice (splice), with the ledger and the undo of all links.
"""
