# The completion scripts as a source of the executable (completion_source).
set(completion_source ${CMAKE_BINARY_DIR}/completions/scripts.cpp)
set(completion_scripts ${CMAKE_SOURCE_DIR}/completions/launch.bash ${CMAKE_SOURCE_DIR}/completions/launch.zsh
  ${CMAKE_SOURCE_DIR}/completions/launch.fish)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/completions)
add_custom_command(OUTPUT ${completion_source}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_SOURCE_DIR}/completions -DOUTPUT=${completion_source}
    -P ${CMAKE_CURRENT_LIST_DIR}/embed_scripts.cmake
  DEPENDS ${completion_scripts} ${CMAKE_CURRENT_LIST_DIR}/embed_scripts.cmake
  VERBATIM)
