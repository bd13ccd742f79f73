# SPDX-License-Identifier: MIT
# Debian packages, made by `cpack --config BUILD/CPackConfig.cmake`: launch, and the client library as Debian has libraries,
# what programs need to run apart from what they need to be built.
set(packages launch client client_dev)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME launch)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "launch developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/as_debian_has_it.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "launch developers <launch@launch.invalid>")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_LAUNCH_PACKAGE_NAME launch)
set(CPACK_DEBIAN_LAUNCH_PACKAGE_SECTION net)
# Opened at run time, if they are there. Whoever starts jobs on one machine only needs none of them.
set(CPACK_DEBIAN_LAUNCH_PACKAGE_RECOMMENDS "libssh-4 | openssh-client, libssl3")
set(CPACK_DEBIAN_LAUNCH_PACKAGE_SUGGESTS "libpmix2, openssh-client, bash-completion")
set(CPACK_COMPONENT_LAUNCH_DESCRIPTION "start a parallel program on many hosts along a tree
Starts a parallel program, or any command, on one machine or on many ssh
hosts, along a tree. One executable, nothing to install on the nodes;
output, input, signals and exit codes as if it ran here. Programs of MPICH
and Open MPI run unchanged.")

set(CPACK_DEBIAN_CLIENT_PACKAGE_NAME liblaunch-modex1)
set(CPACK_DEBIAN_CLIENT_PACKAGE_SECTION libs)
# For whoever packs a program that needs the library; and so that the loader's cache knows it. (CPack adds scripts that see
# to the cache, too, of which lintian warns: one of both would do.)
set(CPACK_DEBIAN_CLIENT_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/shlibs ${CMAKE_CURRENT_LIST_DIR}/triggers)
set(CPACK_COMPONENT_CLIENT_DESCRIPTION "exchange of addresses between the ranks of a job
By this library the processes of a parallel program that launch, or any
other launcher that speaks PMI-1, has started find each other: each puts
what others need to reach it, all fence, and each gets what it wants.")

set(CPACK_DEBIAN_CLIENT_DEV_PACKAGE_NAME liblaunch-modex-dev)
set(CPACK_DEBIAN_CLIENT_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_CLIENT_DEV_PACKAGE_DEPENDS "liblaunch-modex1 (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_CLIENT_DEV_DESCRIPTION "exchange of addresses between the ranks of a job - development
The header of liblaunch-modex1, the library to link, shared and static, and
what pkg-config and CMake want to know of it.")

# Files that Debian requires in each package, with the installed copyright notices of the libraries whose headers are compiled in.
set(notices "")
foreach(library libasio-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libxxhash-dev)
  set(notice /usr/share/doc/${library}/copyright)
  if(EXISTS ${notice})
    configure_file(${notice} ${CMAKE_CURRENT_BINARY_DIR}/copyright.${library} COPYONLY)
    list(APPEND notices ${CMAKE_CURRENT_BINARY_DIR}/copyright.${library})
  endif()
endforeach()
foreach(component ${packages})
  string(TOUPPER CPACK_DEBIAN_${component}_PACKAGE_NAME name)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${${name}})
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright ${CMAKE_CURRENT_LIST_DIR}/changelog DESTINATION ${folder}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
  if(component STREQUAL "launch")
    install(FILES ${notices} DESTINATION ${folder} COMPONENT ${component} EXCLUDE_FROM_ALL)
  endif()
endforeach()

include(CPack)
