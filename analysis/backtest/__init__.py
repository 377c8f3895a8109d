"""How well a plan finds again what the site's own editors linked, when these links are hidden from it.

``hiding`` chooses links to hide, ``trial`` plans without them and compares, ``metrics`` and ``scores`` count, ``run`` calls these
in their order, ``outputs`` and ``picture`` write what came out.
"""
