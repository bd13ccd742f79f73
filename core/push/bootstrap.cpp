// SPDX-License-Identifier: MIT
#include "core/push/bootstrap.hpp"

#include "core/push/opening.hpp"
#include "core/push/trusted_path.hpp"

namespace launch {
namespace {

/// The mark as a word of a shell: see push_mark.
std::string mark_word() {
    const size_t half = push_mark.size() / 2;
    return std::string(push_mark.substr(0, half)) + "\"\"" + std::string(push_mark.substr(half));
}

/// The script; values are put in for @MARK, @SIZE and so on. Unquoted words of other programs lose
/// their line breaks by that; `set -f` keeps the shell from making file names of them.
constexpr std::string_view script =
    "set -f; d=; w=; t=; "
    "f() { echo @MARK fails $*; exit 1; }; "
    // Some shells take a `)` of `case` for the end of $(...).
    "g() ( p=$1; @TRUST && printf %s \"${p%.}launch\" ); "
    "trap 'test -z \"$d\" || rm -rf \"$d\"' 0; trap 'exit 1' 1 2 13 15; "
    "for b in \"$TMPDIR\" \"$XDG_RUNTIME_DIR\" /tmp /var/tmp /dev/shm \"$HOME\"; do "
    "case $b in /*) ;; *) continue ;; esac; "
    "d=$(mktemp -d \"$b/@FOLDER\" 2>/dev/null) || "
    "{ d=; w=\"$w$b: not writable, \"; continue; }; "
    // The executable must not change before it runs, so the folder is named by its path without
    // links.
    "x=$(g \"$d/.\"); "
    "if test -z \"$x\"; then e=\"others may replace files there\"; else d=${x%/*}; "
    // The room first, all of it; then a program, which is refused where nothing may be run.
    "e=$(head -c @SIZE /dev/zero 2>&1 > \"$x\") || "
    "{ e=${e##*: }; test -n \"$e\" || e=\"cannot be written\"; }; "
    "if test -z \"$e\"; then "
    "{ echo \"#!/bin/sh\"; echo \"exit 0\"; } > \"$x\"; "
    "chmod 700 \"$x\" && \"$x\" </dev/null 2>/dev/null || e=noexec; fi; fi; "
    "test -n \"$e\" || break; "
    "w=\"$w$b: $e, \"; rm -rf \"$d\"; d=; done; "
    "test -n \"$d\" || f folder \"$w\"; "
    "timeout 9 true </dev/null 2>/dev/null && t=\"timeout @LIMIT\"; "
    ": > \"$x\"; n=0; "
    "while test $n -lt @SIZE; do "
    "s=$((@SIZE - n)); test $s -le @PIECE || s=@PIECE; "
    "e=$($t head -c $s 2>&1 >> \"$x\") || break; "
    "n=$((n + s)); echo @MARK has $n; done; "
    "n=$(wc -c < \"$x\"); test $n -eq @SIZE || f size $n $e; "
    "if command -v cksum >/dev/null; then e=$(cksum < \"$x\"); "
    "test \"${e%% *}\" = @SUM || f sum; fi; "
    "e=$(\"$x\" --version 2>&1 </dev/null) || f run $e; "
    "exec \"$x\" --relay \"$d\"\n";

void put(std::string& text, std::string_view name, const std::string& value) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
        text.replace(at, name.size(), value);
}

}  // namespace

std::vector<std::string> bootstrap_command(bool or_in_path) {
    std::string text;
    if (or_in_path) text = "command -v launch >/dev/null && exec launch --relay; ";
    // One line, without `!` and without a backslash: csh and fish read those in quotes too.
    text += "echo " + mark_word() + " asks $(uname -m); read -r s; eval \"$s\"";
    return {"/bin/sh", "-c", text};
}

std::string bootstrap_line(const Bootstrap& bootstrap) {
    std::string line(script);
    put(line, "@TRUST", trust_test({}));
    put(line, "@MARK", mark_word());
    put(line, "@FOLDER", std::string(push_folder));
    put(line, "@SIZE", std::to_string(bootstrap.size));
    put(line, "@PIECE", std::to_string(push_piece));
    put(line, "@SUM", std::to_string(bootstrap.checksum));
    put(line, "@LIMIT", std::to_string(bootstrap.limit.count()));
    return line;
}

}  // namespace launch
