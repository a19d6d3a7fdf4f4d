"""What experiments/peers/peers.py makes of finished runs: pairs, intervals, verdicts, rows."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "experiments" / "peers"))
import peers


def runs(peer, values, first=0, maximize=False):
    return [{"problem": "p", "l1": 0.0, "trials": 30, "instance": first + i, "peer": peer, "version": "1", "value": value,
             "regret": None, "maximize": maximize, "distinct": 30, "seconds": 0.5} for i, value in enumerate(values)]


class Statistics(unittest.TestCase):
    def test_interval_of_student(self):
        # Mean 3, standard deviation sqrt(2.5), t = 2.776 with four degrees of freedom: 2.776 * sqrt(2.5 / 5).
        self.assertAlmostEqual(peers.half_width([1, 2, 3, 4, 5]), 1.963, places=3)
        self.assertEqual(peers.interval([1, 2, 3, 4, 5]), "3 ± 2")
        self.assertEqual(peers.interval([7]), "7")  # one run has no error

    def test_pairs_are_of_the_same_instance(self):
        losses = peers.paired(runs("tpe", [5, 7], first=1), runs("bocs", [100, 1, 2]), "value", larger=False)
        self.assertEqual(losses, [4, 5])  # instances 1 and 2; instance 0 has no run of the other

    def test_a_larger_value_is_no_loss_where_it_is_maximized(self):
        self.assertEqual(peers.paired(runs("tpe", [5]), runs("bocs", [3]), "value", larger=True), [-2])

    def test_verdicts(self):
        ours = runs("bocs", [1, 2, 3, 4, 5])
        others = {"bocs": ours, "behind": runs("behind", [3, 4, 5.1, 6, 7]), "ahead": runs("ahead", [0, 1, 2, 3, 3.9]),
                  "near": runs("near", [2, 1, 4, 3, 5]), "few": runs("few", [90, 90, 90, 90])}
        text = peers.summary([("value", False, others)])
        for part in ("`behind` 1:0:0", "`ahead` 0:0:1", "`near` 0:1:0"):
            self.assertIn(part, text)
        self.assertNotIn("few", text)  # four instances are no evidence
        self.assertIn("`behind` 0:0:1", peers.summary([("value", True, others)]))  # maximized: the other way round

    def test_row_counts_instances(self):
        row = peers.row("tpe", runs("tpe", [0, 5, 6]), runs("bocs", [1, 2, 3]), "value", larger=False)
        self.assertIn("| 5 | 3 |", row)  # median and runs
        self.assertIn("| 1.667 ± 5.7 | 1:2 |", row)  # differences -1, 3, 3: better on one instance, worse on two


if __name__ == "__main__":
    unittest.main()
