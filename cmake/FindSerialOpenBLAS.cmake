# OpenBLAS compiled without threads: its sums do not depend on the number of cores, and our own threads run outside it.
# Debian keeps it in a folder of its own (libopenblas-serial-dev); linking by full path puts that folder in the rpath, so
# that a threaded OpenBLAS installed beside it is not picked up at run time.
find_library(SerialOpenBLAS_LIBRARY openblas PATH_SUFFIXES openblas-serial/ NO_CMAKE_PATH
             PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial NO_DEFAULT_PATH)
find_path(SerialOpenBLAS_INCLUDE_DIR cblas.h
          PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SerialOpenBLAS
  REASON_FAILURE_MESSAGE "install libopenblas-serial-dev" REQUIRED_VARS SerialOpenBLAS_LIBRARY SerialOpenBLAS_INCLUDE_DIR)
if(SerialOpenBLAS_FOUND AND NOT TARGET SerialOpenBLAS::SerialOpenBLAS)
  add_library(SerialOpenBLAS::SerialOpenBLAS UNKNOWN IMPORTED)
  set_target_properties(SerialOpenBLAS::SerialOpenBLAS PROPERTIES
    IMPORTED_LOCATION ${SerialOpenBLAS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SerialOpenBLAS_INCLUDE_DIR})
endif()
