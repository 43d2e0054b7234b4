"""What joins the core to the world: configuration, journal, page and the daemon that wires the real parts."""
