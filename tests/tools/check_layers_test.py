"""The layer check must let the architecture pass and catch what breaks it."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_layers  # noqa: E402


class CheckLayers(unittest.TestCase):
    def complaints(self, path, *lines):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "src" / "bocs" / path
            file.parent.mkdir(parents=True)
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return check_layers.check(folder)

    def test_downward_includes_pass(self):
        for path, included in [("poly/basis.hpp", "space/space.hpp"), ("regress/bayes.cpp", "poly/design.hpp"),
                               ("method/bocs.cpp", "minimize/minimizer.hpp"), ("run/work.hpp", "trial/trial.hpp"),
                               ("problem/aerostruct/wing.cpp", "space/space.hpp"), ("study/study.hpp", "method/method.hpp"),
                               ("experiment/grid.cpp", "problem/problem.hpp"), ("bocs.hpp", "run/work.hpp"),
                               ("study/run_study.cpp", "run/work.hpp"), ("study/study.hpp", "store/trial_table.hpp"), ("experiment/cell.cpp", "report/page.hpp"),
                               ("experiment/grid.cpp", "study/toml_reader.hpp")]:
            self.assertEqual(self.complaints(path, f'#include "bocs/{included}"'), [], path)

    def test_upward_and_sideways_includes_fail(self):
        for path, included in [("space/space.hpp", "poly/basis.hpp"), ("regress/bayes.cpp", "minimize/minimizer.hpp"),
                               ("minimize/sdp.cpp", "regress/regression.hpp"), ("poly/design.cpp", "regress/bayes.hpp"),
                               ("problem/ising.cpp", "poly/basis.hpp"), ("run/work.hpp", "study/study.hpp"),
                               ("method/bocs.cpp", "bocs.hpp"),
                               ("bocs.hpp", "study/study.hpp"), ("store/json.cpp", "study/study_spec.hpp"),
                               ("store/trial_table.hpp", "method/method.hpp"), ("report/page.cpp", "experiment/statistics.hpp"),
                               ("study/run_study.cpp", "problem/problem.hpp")]:
            found = self.complaints(path, "#pragma once", f'#include "bocs/{included}"')
            self.assertEqual(len(found), 1, f"{path} includes {included}: {found}")
            self.assertIn(f"src/bocs/{path}:2:", found[0])

    def test_spacing_and_angle_brackets_do_not_hide_an_include(self):
        self.assertEqual(len(self.complaints("base/a.hpp", "  #  include <bocs/poly/basis.hpp>")), 1)
        self.assertEqual(len(self.complaints("base/a.hpp", '#include "../poly/basis.hpp"')), 1)

    def test_reserved_headers(self):
        self.assertEqual(len(self.complaints("base/a.cpp", "#include <iostream>")), 1)
        self.assertEqual(len(self.complaints("run/work.cpp", "#include <unistd.h>")), 1)
        self.assertEqual(self.complaints("study/command.cpp", "#include <unistd.h>"), [])
        self.assertEqual(len(self.complaints("base/a.cpp", "#include <nlohmann/json.hpp>")), 1)
        self.assertEqual(self.complaints("store/json.cpp", "#include <nlohmann/json.hpp>"), [])

    def test_unknown_folder(self):
        self.assertEqual(len(self.complaints("misc/a.cpp", "#include <vector>")), 1)


if __name__ == "__main__":
    unittest.main()
