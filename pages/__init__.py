"""The local site: runs as they go on, games move by move, and answers to positions, in a browser.

``command`` starts it; ``site`` puts it together of sections (``section``), each a module with its routes and templates.
It stands on ``yamafuda`` alone. ``guard`` is before everything: who may ask, and what leaves.
"""
