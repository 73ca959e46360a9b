"""The local site: runs as they go on, games move by move, and questions about positions, in a browser.

``command`` starts it; ``site`` puts it together from sections (``section``), each a module with its routes and
templates. It builds on ``yamafuda`` alone. ``guard`` comes before everything: it decides who may ask, and sets the
headers of answers.
"""
