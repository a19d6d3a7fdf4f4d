#pragma once
// Names for processes by which others can tell whether they still run.

#include <cstdint>
#include <string>

namespace bocs {

/// "host/pid/..." and enough to tell this process from any other of any machine, and a suffix of its own per call, so
/// that every worker of a process has a name.
std::string name_worker();

/// True when the worker's process ran on this machine and has ended: at once, without waiting for heartbeats. False
/// when it runs, or when nobody can tell from here.
bool is_gone(const std::string& worker);

/// From the kernel.
std::uint64_t random_bits();

/// 128 random bits as text: a name nobody else uses.
std::string unique_name();

/// True if this process may read the file, but not write it.
bool may_only_read(const std::string& file);

}  // namespace bocs
