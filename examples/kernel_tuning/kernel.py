"""A model of the time that a matrix product takes with these tiles. Put a real measurement in its place."""

import sys

block_m, block_n, block_k, warps = map(int, sys.argv[1:5])
layout = sys.argv[5]

traffic = 1 / block_m + 1 / block_n  # what is read again for every tile
starts = 0.3 / block_k  # of the inner loop
idle = abs(block_m * block_n / 32 - warps) / warps  # work that does not divide among the warps
conflicts = {"row": 0.4, "column": 0.2, "swizzled": 0.02}[layout] * block_k / 8
print(traffic + starts + 0.2 * idle + conflicts)
