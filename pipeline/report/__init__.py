"""``yamafuda report``: what runs have found, as figures, tables and the queries that make them."""
