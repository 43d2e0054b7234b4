"""The table's controller: core (this folder's modules and games/), edge (edge/) and command line (cli/).

The core is values in, values out and imports nothing of the edge; docs/design.md draws the walls.
"""
