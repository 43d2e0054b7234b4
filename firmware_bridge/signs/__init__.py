"""Displays of other makers: one file a protocol, each pure (pictures in, bytes out), driven by `driver.SignDriver`."""
