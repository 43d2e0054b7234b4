"""A table on a laptop: shoe, camera picture, panel's far end, dealer. Of the product only `sabot bench` imports it."""
