# SPDX-License-Identifier: MIT
# Run by CPack between installing and packing: Debian's zsh looks elsewhere than others do, and its policy wants manual pages
# and changelogs compressed.
foreach(component ${CPACK_COMPONENTS_ALL})
  set(share ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share)
  if(EXISTS ${share}/zsh/site-functions)
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  endif()
  file(GLOB plain ${share}/man/man*/*.[17] ${share}/doc/*/changelog)
  if(plain)
    execute_process(COMMAND gzip -9n ${plain} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
