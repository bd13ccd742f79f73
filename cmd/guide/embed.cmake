# SPDX-License-Identifier: MIT
# Makes the pages of the guide one C++ file, so that `launch help` needs no file beside the executable:
#   cmake -DFOLDER=cmd/guide -DOUTPUT=pages.cpp -P embed.cmake

function(read_page path variable)
  file(READ ${path} text)
  if(text MATCHES "\\)page\"")
    message(FATAL_ERROR "${path}: )page\" ends a page in the C++ that is made of it")
  endif()
  set(${variable} "R\"page(${text})page\"" PARENT_SCOPE)
endfunction()

# The rows of a table of the pages in a folder.
function(read_pages folder variable)
  file(GLOB paths ${FOLDER}/${folder}/*.md)
  list(SORT paths)
  set(rows "")
  foreach(path ${paths})
    get_filename_component(name ${path} NAME_WE)
    read_page(${path} text)
    string(APPEND rows "    {\"${name}\", ${text}},\n")
  endforeach()
  set(${variable} "${rows}" PARENT_SCOPE)
endfunction()

read_pages(topics topics)
read_pages(commands commands)
read_page(${FOLDER}/screen.md screen)
read_page(${FOLDER}/launch.md manual)

file(WRITE ${OUTPUT}.new "// Made by cmd/guide/embed.cmake of the pages there.
#include \"cmd/guide/pages.hpp\"

#include <array>

namespace launch::guide {
namespace {

constexpr auto of_topics = std::to_array<Page>({
${topics}});

constexpr auto of_commands = std::to_array<Page>({
${commands}});

constexpr std::string_view screen = ${screen};

constexpr std::string_view manual = ${manual};

}  // namespace

std::span<const Page> topics() {
    return of_topics;
}

std::span<const Page> command_pages() {
    return of_commands;
}

std::string_view screen_page() {
    return screen;
}

std::string_view manual_page() {
    return manual;
}

}  // namespace launch::guide
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
