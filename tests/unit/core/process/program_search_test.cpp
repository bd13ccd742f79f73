// SPDX-License-Identifier: MIT
#include "core/process/program_search.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Paths = std::vector<std::string>;

TEST(ProgramSearch, GoesAlongPath) {
    EXPECT_EQ(program_candidates("sh", "/a:/b"), (Paths{"/a/sh", "/b/sh"}));
    EXPECT_EQ(program_candidates("sh", ":/a:"), (Paths{"./sh", "/a/sh", "./sh"}));
    EXPECT_EQ(program_candidates("./sh", "/a"), (Paths{"./sh"}));
    EXPECT_EQ(program_candidates("sh", ""), (Paths{"/usr/local/bin/sh", "/usr/bin/sh", "/bin/sh"}));
}

TEST(ProgramSearch, FindsWhatMayBeExecuted) {
    EXPECT_TRUE(is_in_path("sh", "/none:/bin"));
    EXPECT_TRUE(is_in_path("/bin/sh", "/none"));
    EXPECT_FALSE(is_in_path("sh", "/none"));
    EXPECT_FALSE(is_in_path("passwd", "/etc"));
}

/// How many of the candidates were tried, and what came of it.
struct Searched {
    size_t tried;
    int told;
    bool operator==(const Searched&) const = default;
};

Searched search(const std::vector<int>& faults) {
    size_t tried = 0;
    const int told =
        search_program(Paths(faults.size()), [&](const std::string&) { return faults[tried++]; });
    return {tried, told};
}

TEST(ProgramSearch, GoesOnWhereExecvpDoes) {
    EXPECT_EQ(search({}), (Searched{0, ENOENT}));
    EXPECT_EQ(search({ENOENT, 0, 0}), (Searched{2, 0}));
    EXPECT_EQ(search({ENOENT, ENOTDIR}), (Searched{2, ENOENT}));
    EXPECT_EQ(search({EACCES, ENOENT}), (Searched{2, EACCES}));
    EXPECT_EQ(search({EACCES, EISDIR, 0}), (Searched{3, 0}));
    EXPECT_EQ(search({EACCES, EISDIR}), (Searched{2, EISDIR}));
    EXPECT_EQ(search({EACCES, ENOMEM, 0}), (Searched{2, ENOMEM}));
}

}  // namespace
}  // namespace launch
