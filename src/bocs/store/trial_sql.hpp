#pragma once
// Pieces of SQL that the statements of TrialTable share.

#include <string>

namespace bocs {

/// Of all trials that run, by their own index (schema.cpp); who looks for a claim says state = 'running' alone.
inline const std::string kRunning = " state = 'running' AND beat IS NOT NULL";
// SQL inside a change of the study $1: its revision from now on, and the number of the next trial.
inline const std::string kRevision = "(SELECT revision FROM bocs_study WHERE id = $1)";
inline const std::string kNext = "(SELECT COALESCE(MAX(number), -1) + 1 FROM bocs_trial WHERE study = $1)";

}  // namespace bocs
