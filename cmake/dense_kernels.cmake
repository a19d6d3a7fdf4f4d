# numeric/dense_kernels.cpp, once per level of the processor that it is worth compiling for; numeric/linalg.cpp chooses at run
# time. Renaming Eigen keeps the levels apart for the linker, and from the Eigen of the program that uses the library.
function(bocs_add_dense_kernels level)
  add_library(bocs_kernels_${level} OBJECT src/bocs/numeric/dense_kernels.cpp)
  set_target_properties(bocs_kernels_${level} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(bocs_kernels_${level} PRIVATE src include)
  target_compile_definitions(bocs_kernels_${level} PRIVATE BOCS_LEVEL=${level} Eigen=bocs_eigen_${level}
                             EIGEN_DONT_PARALLELIZE
                             EIGEN_GEMM_TO_COEFFBASED_THRESHOLD=1)  # else bits of small products depend on addresses
  target_compile_options(bocs_kernels_${level} PRIVATE ${ARGN})
  target_link_libraries(bocs_kernels_${level} PRIVATE Eigen3::Eigen bocs_flags)
  target_sources(bocs PRIVATE $<TARGET_OBJECTS:bocs_kernels_${level}>)
endfunction()

bocs_add_dense_kernels(baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  bocs_add_dense_kernels(x86_64_v3 -march=x86-64-v3 -ffp-contract=off)
  target_compile_definitions(bocs PRIVATE BOCS_X86_64_V3)  # for numeric/linalg.cpp
endif()
