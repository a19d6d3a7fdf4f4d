// toml++, compiled once, for BOCS_STATIC: Debian has it as a shared library and as headers only.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
