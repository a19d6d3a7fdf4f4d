# -D BOCS_FETCH=ON: the libraries by version from where their authors publish them, for systems that have none to install.
# Every find_package() below finds these. FETCHCONTENT_SOURCE_DIR_<NAME>=folder takes a copy that is there already.
include(FetchContent)

# bocs_fetch(<name of the package> <where> <tag> <options of its CMakeLists that are turned off...>)
function(bocs_fetch name repository tag)
  foreach(option ${ARGN})
    set(${option} OFF CACHE INTERNAL "")
  endforeach()
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON OVERRIDE_FIND_PACKAGE EXCLUDE_FROM_ALL SYSTEM)
endfunction()

bocs_fetch(Eigen3 https://gitlab.com/libeigen/eigen.git 3.4.0 BUILD_TESTING EIGEN_BUILD_DOC EIGEN_BUILD_PKGCONFIG)
if(BOCS_STUDY)
  bocs_fetch(nlohmann_json https://github.com/nlohmann/json.git v3.11.3 JSON_BuildTests JSON_Install)
  bocs_fetch(tomlplusplus https://github.com/marzer/tomlplusplus.git v3.4.0)
  FetchContent_Declare(SQLite3 URL https://www.sqlite.org/2024/sqlite-amalgamation-3450300.zip OVERRIDE_FIND_PACKAGE
                       DOWNLOAD_EXTRACT_TIMESTAMP ON)
  # The amalgamation is two files without a CMakeLists: find_package(SQLite3) reads this after it has fetched them.
  file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/sqlite3-extra.cmake [[
    if(NOT TARGET SQLite::SQLite3)
      enable_language(C)
      add_library(bocs_sqlite STATIC ${sqlite3_SOURCE_DIR}/sqlite3.c)
      set_target_properties(bocs_sqlite PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_include_directories(bocs_sqlite SYSTEM PUBLIC $<BUILD_INTERFACE:${sqlite3_SOURCE_DIR}>)
      target_link_libraries(bocs_sqlite PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
      add_library(SQLite::SQLite3 ALIAS bocs_sqlite)
    endif()
  ]])
endif()
if(BOCS_CLI)
  bocs_fetch(CLI11 https://github.com/CLIUtils/CLI11.git v2.4.2 CLI11_BUILD_TESTS CLI11_BUILD_EXAMPLES CLI11_BUILD_DOCS)
  bocs_fetch(fmt https://github.com/fmtlib/fmt.git 10.2.1 FMT_TEST FMT_DOC FMT_INSTALL)
endif()
