"""``yamafuda report``: what runs have found, as figures, tables and the queries behind them."""
