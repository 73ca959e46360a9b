"""Defines jobs, sweeps, tables and games for the pipeline and for every door; and the registry of games.

Both kinds of runs are made of **units**: pieces of work that any process on any machine can do from the job and the
run's files alone. To do a unit twice does no harm, and a unit is done when its file is in place.
"""
