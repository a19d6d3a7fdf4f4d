# What find_package(bocs) finds after `cmake --install`.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bocs)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/bocsConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/bocsConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/bocsConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bocsConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/bocsConfigVersion.cmake
        DESTINATION ${package_folder})
install(EXPORT bocsTargets NAMESPACE bocs:: DESTINATION ${package_folder})
# And what pkg-config finds, for programs that are not built by CMake.
file(RELATIVE_PATH BOCS_TO_INCLUDE /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/bocs.pc.in ${CMAKE_CURRENT_BINARY_DIR}/bocs.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bocs.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
