// SPDX-License-Identifier: MIT
#include "modex/detect/ld_cache.hpp"

#include <gtest/gtest.h>

#include "tests/unit/modex/detect/fake_files.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

TEST(LdCache, FindsEveryFileOfAName) {
    const auto cache = ld_cache_image({{"libb.so.1", "/lib/libb.so.1"},
                                       {"liba.so.1", "/lib64/liba.so.1"},
                                       {"liba.so.1", "/lib32/liba.so.1"},
                                       {"liba.so", "liba.so"}});
    EXPECT_EQ(find_in_ld_cache(cache, "liba.so.1"),
              (Words{"/lib64/liba.so.1", "/lib32/liba.so.1"}));
    EXPECT_EQ(find_in_ld_cache(cache, "liba.so"), Words{});
    EXPECT_EQ(find_in_ld_cache(cache, "libc.so"), Words{});
    EXPECT_EQ(find_in_ld_cache(cache, ""), Words{});
}

TEST(LdCache, SurvivesWhatIsCutOrChanged) {
    const auto good = ld_cache_image({{"liba.so.1", "/lib/liba.so.1"}, {"b", "/b"}});
    for (std::size_t size = 0; size < good.size(); ++size)
        find_in_ld_cache(std::string_view(good).substr(0, size), "b");
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = '\377';
        find_in_ld_cache(bad, "b");
    }
    EXPECT_EQ(find_in_ld_cache("ld.so-1.7.0" + good, "b"), Words{});
}

}  // namespace
}  // namespace launch
