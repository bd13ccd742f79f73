// SPDX-License-Identifier: MIT
#include "modex/pmi1/spawn.hpp"

#include <gtest/gtest.h>
#include <sstream>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

/// Of these lines, from the one after the first "mcmd=spawn"; nothing: it has not ended, or not
/// with the last of them.
Result<SpawnOrder> order_of(const std::string& lines) {
    Pmi1Spawn spawn;
    std::istringstream text(lines);
    std::string line;
    bool whole = false;
    while (std::getline(text, line)) {
        EXPECT_FALSE(whole) << line;
        const auto added = spawn.add(line);
        if (!added) return added.error();
        whole = *added;
    }
    EXPECT_TRUE(whole) << lines;
    return spawn.take();
}

std::string cause_of(const std::string& lines) {
    const auto order = order_of(lines);
    return order ? std::string() : order.error().cause;
}

TEST(Pmi1Spawn, takes_what_mpich_sends) {
    const auto order = order_of(
        "nprocs=2\nexecname=a\ntotspawns=2\nspawnssofar=1\narg1=x y=z\narg2=\nargcnt=2\n"
        "preput_num=1\npreput_key_0=PARENT_ROOT_PORT_NAME\npreput_val_0=tag#0$\ninfo_num="
        "0\nendcmd\n"
        "mcmd=spawn\nnprocs=1\nexecname=b\ntotspawns=2\nspawnssofar=2\nargcnt=0\npreput_num=1\n"
        "preput_key_0=PARENT_ROOT_PORT_NAME\npreput_val_0=tag#0$\n"
        "info_num=2\ninfo_key_0=wdir\ninfo_val_0=/"
        "tmp\ninfo_key_1=host\ninfo_val_1=n1,n2\nendcmd\n");
    ASSERT_TRUE(order) << order.error().cause;
    const SpawnOrder wanted{
        {{{"a", "x y=z", ""}, 2, {}, {}}, {{"b"}, 1, {}, {{"wdir", "/tmp"}, {"host", "n1,n2"}}}},
        {{"PARENT_ROOT_PORT_NAME", "tag#0$"}}};
    EXPECT_EQ(*order, wanted);
}

TEST(Pmi1Spawn, tells_what_is_wrong) {
    for (const char* lines :
         {"foo\n", "nprocs=x\n", "totspawns=-1\n", "info_val_0=x\n", "preput_val_0=x\n",
          "totspawns=2\nendcmd\nnprocs=1\n", "nprocs=1\nendcmd\n", "execname=a\nendcmd\n"})
        expect_golden(lines, cause_of(lines));
}

}  // namespace
}  // namespace launch
