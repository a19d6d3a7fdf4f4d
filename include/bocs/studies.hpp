#pragma once
// The public C++ API of library bocs::bocs_study: studies that outlive the process, programs as objectives.
//
//   bocs::StudyFile file = bocs::load_study_file("study.toml");
//   bocs::Study study = bocs::open_study(file);
//   bocs::StudyObserver nobody;
//   bocs::run_study(study, bocs::callback(f), {.workers = 4}, nobody);

#include "bocs/bocs.hpp"
#include "bocs/study/command.hpp"
#include "bocs/study/open_study.hpp"
#include "bocs/study/run_study.hpp"
#include "bocs/study/store.hpp"
