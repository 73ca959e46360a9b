"""SQL over the results of all runs: DuckDB reads the Parquet files where they are."""
