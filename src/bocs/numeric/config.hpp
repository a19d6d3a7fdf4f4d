#pragma once

/// Marks a kernel of our own to be compiled twice, for AVX2 + FMA and for any x86-64, and chosen at run time.
/// Sanitizers and other compilers get the plain version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BOCS_MULTIVERSION __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define BOCS_MULTIVERSION
#endif
