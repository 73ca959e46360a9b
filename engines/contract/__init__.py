"""What a job, a sweep, a table and a game are to the pipeline and to every door; and the registry of games.

Both kinds of runs are made of **units**: pieces of work that any process on any machine can do from the job and the
files of the run alone, that can be done twice without harm, and that are done when their file is in place.
"""
