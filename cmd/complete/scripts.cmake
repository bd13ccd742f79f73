# SPDX-License-Identifier: MIT
# The completion scripts as a source of the executable (completion_source).
set(completion_source ${CMAKE_BINARY_DIR}/completions/scripts.cpp)
set(completion_shells bash zsh fish)
list(TRANSFORM completion_shells PREPEND ${CMAKE_SOURCE_DIR}/completions/launch. OUTPUT_VARIABLE completion_scripts)
string(REPLACE ";" "," shells "${completion_shells}")
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/completions)
add_custom_command(OUTPUT ${completion_source}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_SOURCE_DIR}/completions -DOUTPUT=${completion_source} -DSHELLS=${shells}
    -P ${CMAKE_CURRENT_LIST_DIR}/embed_scripts.cmake
  DEPENDS ${completion_scripts} ${CMAKE_CURRENT_LIST_DIR}/embed_scripts.cmake
  VERBATIM)
