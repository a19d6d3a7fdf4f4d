# Debian packages, made by CPack: `bocs`, the program, and `libbocs-dev`, the libraries with their headers (scripts/package).
# Libraries that the program loads are found by dpkg-shlibdeps; libpq is opened only for a store of PostgreSQL.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The bocs developers")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME bocs)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS libpq5)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Optimization of expensive black-box functions over choices
 The command line program: chooses subsets, categories and numbers when every try is expensive.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libbocs-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4), libsqlite3-dev (>= 3.35), libtomlplusplus-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS libpq5)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Optimization of expensive black-box functions over choices, C++ libraries
 The static libraries bocs, bocs_study and bocs_bench, their headers, and files for find_package and pkg-config.")
include(CPack)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libbocs-dev RENAME copyright COMPONENT development)
