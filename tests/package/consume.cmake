# Run by ctest: see CMakeLists.txt beside this file.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# What is installed must find the serial OpenBLAS, not whatever libopenblas.so.0 the system prefers.
function(check_openblas program)
  run(ldd ${program})
  if(NOT output MATCHES "openblas-serial/libopenblas")
    message(FATAL_ERROR "${program} does not load the serial OpenBLAS:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${WORK}/prefix
    -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
check_openblas(${WORK}/build/consumer)
if(EXISTS ${WORK}/prefix/bin/bocs)
  run(${WORK}/prefix/bin/bocs --help)
  check_openblas(${WORK}/prefix/bin/bocs)
endif()
