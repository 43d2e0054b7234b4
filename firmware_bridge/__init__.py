"""Everything that speaks to a wire: the panel's protocol, the serial port, the signs. Knows no games."""
