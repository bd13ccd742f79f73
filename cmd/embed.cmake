# SPDX-License-Identifier: MIT
# embed(NAME PART FILE...) makes the header embedded/NAME.hpp in the build folder: a constant array NAME with the texts of the
# files, so that launch needs no file beside the executable. PART is the part of a file's name by which the text is found:
# NAME_WE of hosts.md is "hosts", LAST_EXT of launch.bash is "bash". `embedded_headers` lists the headers.
function(embed name part)
  set(header ${CMAKE_BINARY_DIR}/embedded/${name}.hpp)
  string(REPLACE ";" "|" files "${ARGN}")
  add_custom_command(OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DPART=${part} -DFILES=${files} -DOUTPUT=${header} -P ${CMAKE_SOURCE_DIR}/cmd/embed.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmd/embed.cmake VERBATIM)
  set(embedded_headers ${embedded_headers} ${header} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  set(rows "")
  string(REPLACE "|" ";" files "${FILES}")
  foreach(file ${files})
    file(READ ${file} text)
    if(text MATCHES "\\)text\"")
      message(FATAL_ERROR "${file}: )text\" ends a text in the C++ that is made of it")
    endif()
    get_filename_component(name ${file} ${PART})
    string(REGEX REPLACE "^[.]" "" name ${name})
    string(APPEND rows "    {\"${name}\", R\"text(${text})text\"},\n")
  endforeach()
  file(WRITE ${OUTPUT}.new "// Made by cmd/embed.cmake.
#pragma once

#include <array>

#include \"cmd/embedded_text.hpp\"

namespace launch {

inline constexpr auto ${NAME} = std::to_array<EmbeddedText>({
${rows}});

}  // namespace launch
")
  file(RENAME ${OUTPUT}.new ${OUTPUT})
endif()
