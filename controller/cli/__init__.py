"""The command line `sabot`: one file a subcommand, parsing and printing only."""
