# What a wheel links: the same libraries as everywhere, but as archives, so that it needs nothing of the system besides glibc
# and libgcc_s (exceptions of several modules in one process must share the latter).
set(suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
find_package(SQLite3 3.35 REQUIRED)
set(CMAKE_FIND_LIBRARY_SUFFIXES ${suffixes})
target_link_libraries(SQLite::SQLite3 INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)

find_package(tomlplusplus REQUIRED)
get_target_property(options tomlplusplus::tomlplusplus INTERFACE_COMPILE_OPTIONS)
add_library(bocs_toml STATIC cmake/toml.cpp)
target_compile_options(bocs_toml PUBLIC ${options})
set(BOCS_TOML $<BUILD_INTERFACE:bocs_toml>)

add_link_options(-static-libstdc++ -Wl,--exclude-libs,ALL -Wl,--gc-sections)
