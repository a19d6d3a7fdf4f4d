# Run at every build: writes OUTPUT, which defines bocs::version() and bocs::commit(). It changes, and is compiled again,
# only when the version or the commit did.
set(commit "unknown")
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty=+ --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE code)
  if(code EQUAL 0)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
// Written by cmake/version.cmake.
#include "bocs/version.hpp"

namespace bocs {

std::string_view version() { return "@VERSION@"; }
std::string_view commit() { return "@commit@"; }

}  // namespace bocs
]] @ONLY)
