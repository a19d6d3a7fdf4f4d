# The core library, which needs Eigen alone. Set OWNER and SHA512 at a release.
vcpkg_from_github(OUT_SOURCE_PATH source REPO OWNER/bocs REF "v${VERSION}" SHA512 0 HEAD_REF main)
vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS -DBOCS_STUDY=OFF -DBOCS_CLI=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/bocs)
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
