"""How the networks of `vision.networks` are made: drawn data, training, export, evaluation.

Nothing here runs at a table.
"""
