# Run by ctest: see CMakeLists.txt beside this file.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Nothing of ours may load a BLAS or LAPACK, which the system could swap for one that is not thread-safe.
function(check_no_blas program)
  run(ldd ${program})
  if(output MATCHES "blas|lapack|blis|mkl")
    message(FATAL_ERROR "${program} loads a BLAS:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${WORK}/prefix
    -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
check_no_blas(${WORK}/build/consumer)
if(EXISTS ${WORK}/prefix/bin/bocs)
  run(${WORK}/prefix/bin/bocs --help)
  check_no_blas(${WORK}/prefix/bin/bocs)
endif()
