# SPDX-License-Identifier: MIT
# The pages of the guide and the texts of options, as headers of the executable, and the manual pages that it prints of them
# (target `man`), in the build folder's man/.

file(GLOB guide_topics CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/topics/*.md)
file(GLOB guide_commands CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/commands/*.md)
file(GLOB option_pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../options/texts/*.md)
embed(topic_pages NAME_WE ${guide_topics})
embed(command_pages NAME_WE ${guide_commands})
embed(general_pages NAME_WE ${CMAKE_CURRENT_LIST_DIR}/screen.md ${CMAKE_CURRENT_LIST_DIR}/launch.md)
embed(option_texts NAME_WE ${option_pages})
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/man)

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
