"""Made the studies of this folder, with the bocs of commit cd836f3 (0.2, tables of version 5):

    make.py PATH_OF_THAT_BOCS

Kept to show how they came about: those of store_0.1, a polynomial of order 3, many variables and further methods. A later
program makes other tables: do not run it again.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "store_0.1"))
import make as older  # noqa: E402

MANY = """
[[variables]]
name = "x"
type = "binary"
count = 40
"""
older.HERE = HERE
older.STUDIES["relaxation"] = older.STUDIES.pop("sdp")  # `main` leaves a running trial in that one
older.STUDIES |= {
    "order3": older.study("bocs:order=3,initial=8", 16),
    "many": older.study("bocs:initial=10", 18, variables=MANY),
    "local": older.study("local", 16),
    "particle": older.study("particle", 30),
}

if __name__ == "__main__":
    older.main()
