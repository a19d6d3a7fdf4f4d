# Run by ctest. An inline function outside our renamed Eigen that was compiled for a wide processor could be the copy the
# linker keeps for the whole program, which would then die on an older machine. OBJECTS: of the wide levels.
foreach(object ${OBJECTS})
  execute_process(COMMAND nm -C ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]* [WVu] [^\n]*" weak "${symbols}")
  list(FILTER weak EXCLUDE REGEX "bocs_eigen_|DW.ref.__gxx_personality_v0")
  if(weak)
    message(FATAL_ERROR "compiled for a wide processor, but shared with the whole program:\n${weak}")
  endif()
endforeach()
