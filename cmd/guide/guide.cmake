# SPDX-License-Identifier: MIT
# The pages of the guide, as a source of the executable (guide_source), and the manual pages that it prints of them (target
# `man`), in the build folder's man/.

file(GLOB guide_topics CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/topics/*.md)
file(GLOB guide_commands CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/commands/*.md)
set(guide_source ${CMAKE_BINARY_DIR}/guide/pages.cpp)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/guide ${CMAKE_BINARY_DIR}/man)
add_custom_command(OUTPUT ${guide_source}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_CURRENT_LIST_DIR} -DOUTPUT=${guide_source} -P ${CMAKE_CURRENT_LIST_DIR}/embed.cmake
  DEPENDS ${guide_topics} ${guide_commands} ${CMAKE_CURRENT_LIST_DIR}/screen.md ${CMAKE_CURRENT_LIST_DIR}/launch.md
    ${CMAKE_CURRENT_LIST_DIR}/embed.cmake
  VERBATIM)

# The date of the version, in manual pages: not that of the build, so that two builds of one source are the same.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/man.cpp PROPERTIES COMPILE_DEFINITIONS "LAUNCH_DATE=\"${LAUNCH_DATE}\"")

function(add_manual_page file name)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/man/${file}
    COMMAND $<TARGET_FILE:launch> help --man ${name} > ${CMAKE_BINARY_DIR}/man/${file}
    DEPENDS launch VERBATIM)
  set(manual_pages ${manual_pages} ${CMAKE_BINARY_DIR}/man/${file} PARENT_SCOPE)
endfunction()

# Only the executable makes them, so it must run here; a sanitizer's build is not for installing.
if(NOT CMAKE_CROSSCOMPILING AND NOT LAUNCH_SANITIZE)
  add_manual_page(launch.1 launch)
  foreach(topic ${guide_topics})
    get_filename_component(topic ${topic} NAME_WE)
    add_manual_page(launch-${topic}.7 ${topic})
  endforeach()
  foreach(command ${guide_commands})
    get_filename_component(command ${command} NAME_WE)
    add_manual_page(launch-${command}.1 ${command})
  endforeach()
  add_custom_target(man ALL DEPENDS ${manual_pages})
endif()
