# SPDX-License-Identifier: MIT
# Makes the scripts of completions/ one C++ file, so that `launch completion` needs no file beside the executable:
#   cmake -DFOLDER=completions -DOUTPUT=scripts.cpp -DSHELLS=bash,zsh -P embed_scripts.cmake
set(rows "")
string(REPLACE "," ";" shells "${SHELLS}")
foreach(shell ${shells})
  file(READ ${FOLDER}/launch.${shell} text)
  string(APPEND rows "    {\"${shell}\", R\"script(${text})script\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made by cmd/complete/embed_scripts.cmake of the scripts there.
#include \"cmd/complete/scripts.hpp\"

#include <array>

namespace launch {
namespace {

constexpr auto table = std::to_array<CompletionScript>({
${rows}});

}  // namespace

std::span<const CompletionScript> completion_scripts() {
    return table;
}

}  // namespace launch
")
