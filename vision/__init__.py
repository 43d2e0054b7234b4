"""Reading cards: frames to passages to readings. Knows no games; says a card as its two characters."""

import os

# A picture's few bytes may claim to be gigabytes of pixels. OpenCV reads this once, when it is first imported: so this
# package is imported before it. A telephone's 50 million pixels are below.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 26))

# Our matrices are small. OpenBLAS's second thread waits for the first by spinning: on two busy cores an enrolment took
# six times the processor's time, and a Pi's other cores belong to others. Read once too, at numpy's first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
