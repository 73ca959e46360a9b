"""Where files of runs are kept: folders of a file system, or an object store. ``base`` defines what both can do."""
