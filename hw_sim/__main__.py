"""`python -m hw_sim`: the simulator as a process."""

import sys

from hw_sim.process import main

sys.exit(main())
