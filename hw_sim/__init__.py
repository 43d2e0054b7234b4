"""A table on a laptop: shoe, camera picture, panel's far end, dealer. Nothing in the product imports it but `sabot bench`."""
