"""The games' rules, one file a game, pure: no clock, file, thread, random or network."""
