// SPDX-License-Identifier: MIT
#include "modex/detect/mpi_library.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/base_name.hpp"

namespace launch {
namespace {

/// Names without the part from ".so" on, or their beginnings where a * follows.
struct Rule {
    std::string_view name;
    LibraryRole role;
};

/// Cray MPICH's are named after the compiler: libmpi_gnu_91.so.12.
constexpr auto of_cray = std::to_array<std::string_view>({
    "libmpi_amd*",
    "libmpi_aocc*",
    "libmpi_cray*",
    "libmpi_gnu*",
    "libmpi_intel*",
    "libmpi_nvidia*",
    "libmpi_pgi*",
    "libmpich_cray*",
    "libmpich_gnu*",
    "libmpich_intel*",
});

/// The first that fits counts.
constexpr auto rules = std::to_array<Rule>({
    {"libmpich*", LibraryRole::pmi},
    {"libmpifort*", LibraryRole::pmi},
    {"libmpicxx*", LibraryRole::pmi},
    {"libmvapich*", LibraryRole::pmi},
    {"libmpi_ilp64", LibraryRole::pmi},
    {"libmpi", LibraryRole::mpi},
    {"libmpi_abi", LibraryRole::mpi},
    {"liblaunch_modex", LibraryRole::pmi},
    {"libpmi", LibraryRole::pmi},
    {"libpmi2", LibraryRole::pmi},
    {"libpmi_*", LibraryRole::pmi},
    {"libmpi_*", LibraryRole::pmix},
    {"libpmix", LibraryRole::pmix},
    {"liboshmem", LibraryRole::pmix},
    // Also below Open MPI's own launcher, which is no rank: its ranks link libmpi as well.
    {"libopen-*", LibraryRole::plain},
    {"libprrte", LibraryRole::plain},

    // Common, and not worth a look.
    {"ld-*", LibraryRole::plain},
    {"libX*", LibraryRole::plain},
    {"libasan", LibraryRole::plain},
    {"libatomic", LibraryRole::plain},
    {"libbz2", LibraryRole::plain},
    {"libc", LibraryRole::plain},
    {"libc++*", LibraryRole::plain},
    {"libcap*", LibraryRole::plain},
    {"libcrypt*", LibraryRole::plain},
    {"libcuda*", LibraryRole::plain},
    {"libdl", LibraryRole::plain},
    {"libevent*", LibraryRole::plain},
    {"libexpat", LibraryRole::plain},
    {"libgcc_s", LibraryRole::plain},
    {"libgfortran", LibraryRole::plain},
    {"libgmp", LibraryRole::plain},
    {"libgomp", LibraryRole::plain},
    {"libhwloc", LibraryRole::plain},
    {"liblzma", LibraryRole::plain},
    {"libm", LibraryRole::plain},
    {"libmpfr", LibraryRole::plain},
    {"libmvec", LibraryRole::plain},
    {"libncurses*", LibraryRole::plain},
    {"libnsl", LibraryRole::plain},
    {"libnuma", LibraryRole::plain},
    {"libpcre*", LibraryRole::plain},
    {"libpthread", LibraryRole::plain},
    {"libpython*", LibraryRole::plain},
    {"libquadmath", LibraryRole::plain},
    {"libreadline", LibraryRole::plain},
    {"libresolv", LibraryRole::plain},
    {"librt", LibraryRole::plain},
    {"libselinux", LibraryRole::plain},
    {"libssl", LibraryRole::plain},
    {"libstdc++", LibraryRole::plain},
    {"libtinfo", LibraryRole::plain},
    {"libtsan", LibraryRole::plain},
    {"libubsan", LibraryRole::plain},
    {"libutil", LibraryRole::plain},
    {"libuuid", LibraryRole::plain},
    {"libz", LibraryRole::plain},
    {"libzstd", LibraryRole::plain},
});

bool fits(std::string_view pattern, std::string_view name) {
    if (!pattern.ends_with('*')) return name == pattern;
    pattern.remove_suffix(1);
    return name.starts_with(pattern);
}

/// "40.30.4" of "libmpi.so.40.30.4": its first number; 0 if it has none.
uint32_t major_version(std::string_view name) {
    constexpr std::string_view before = ".so.";
    const auto at = name.find(before);
    uint32_t version = 0;
    for (auto i = at + before.size(); at != std::string_view::npos && i < name.size(); ++i) {
        if (name[i] < '0' || name[i] > '9' || version > 9999) break;
        version = version * 10 + static_cast<uint32_t>(name[i] - '0');
    }
    return version;
}

std::string_view stem_of(std::string_view name) {
    return name.substr(0, name.find(".so"));
}

/// One of the names begins with this.
bool has_name(std::string_view names, std::string_view beginning) {
    const std::string wanted = '\0' + std::string(beginning);
    return names.find(wanted) != std::string_view::npos;
}

}  // namespace

bool is_of_cray(std::string_view path) {
    const auto stem = stem_of(base_name(path));
    return std::any_of(of_cray.begin(), of_cray.end(),
                       [&](std::string_view pattern) { return fits(pattern, stem); });
}

LibraryRole role_of_symbols(std::string_view names) {
    if (has_name(names, "ompi_")) return LibraryRole::pmix;
    // Not any MPIR_: Open MPI has a few of these, for debuggers.
    if (has_name(names, "MPIR_Err_") || has_name(names, "MPII_")) return LibraryRole::pmi;
    return LibraryRole::other;
}

LibraryRole role_of_version(std::string_view path) {
    const auto name = base_name(path);
    if (stem_of(name) != "libmpi") return LibraryRole::other;
    // Open MPI counts its interface in tens: 20 of release 2, 40 of releases 3 to 5.
    return major_version(name) >= 20 ? LibraryRole::pmix : LibraryRole::pmi;
}

LibraryRole role_of_library(std::string_view path) {
    if (is_of_cray(path)) return LibraryRole::pmi;
    const auto base = stem_of(base_name(path));
    const auto* rule = std::find_if(rules.begin(), rules.end(),
                                    [&](const Rule& each) { return fits(each.name, base); });
    return rule == rules.end() ? LibraryRole::other : rule->role;
}

}  // namespace launch
