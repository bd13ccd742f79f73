// SPDX-License-Identifier: MIT
#include "core/push/trusted_path.hpp"

#include <string_view>

namespace launch {
namespace {

/// In the folder of the file itself, as `.`, `..` and so on have no blanks in their names. The
/// words of ls (POSIX: mode, links, owner, group, ...) are read one after the other; a word that is
/// a mode begins a line. The last lines, in that locale's order, are those of the root folder,
/// whose owner can replace /bin/sh and all else (in a user namespace it need not be root), and of
/// this process, which tells who the user is. A group that has the number of its owner is a group
/// of one user, but where an access control list (+) may name more. $p is in the end the file that
/// was looked at, without links.
constexpr std::string_view trust_script =
    "set -f; b=; o=; l=.; x=..; h=$PWD; test -h \"$p\" && p=$(readlink -f \"$p\"); "
    "test -x \"$p\" && cd -P \"${p%/*}/\" && { "
    "d=$PWD; while test -n \"$d\"; do l=\"$l $x\"; x=$x/..; d=${d%/*}; done; "
    "for w in $(LC_ALL=C ls -ldn $l \"./${p##*/}\" / /proc/self/.); do "
    "case $w in [d-][r-][w-]????[r-][w-]?*) m=$w; k=0;; esac; k=$((k+1)); "
    "test $k = 3 && { r=$v; v=$w; o=\"$o $w\"; }; "
    "test $k = 4 && case $m in d????????[tT]*) ;; ????????w*) b=1;; "
    "?????w*+) b=1;; ?????w*) test $w = $v || b=1;; esac; done; "
    "for w in $o; do case $w in 0|$v|$r@OWNERS) ;; *) b=1;; esac; done; "
    "p=$PWD/${p##*/}; cd \"$h\"; test \"$o\" -a -z \"$b\"; }";

}  // namespace

std::string trust_test(const std::vector<uint32_t>& owners) {
    constexpr std::string_view place = "@OWNERS";
    std::string others;
    for (const uint32_t owner : owners)
        others += "|" + std::to_string(owner);
    std::string text(trust_script);
    return text.replace(text.find(place), place.size(), others);
}

}  // namespace launch
