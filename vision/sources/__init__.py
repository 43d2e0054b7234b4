"""Camera sources behind one small interface (see base.py)."""
