#include "modex/pmi1/spawn.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

Result<bool> add_all(Pmi1Spawn& spawn, std::string_view lines) {
    Result<bool> last = false;
    while (last && !lines.empty()) {
        const size_t end = lines.find('\n');
        last = spawn.add(lines.substr(0, end));
        lines.remove_prefix(end + 1);
    }
    return last;
}

TEST(Pmi1Spawn, ends_with_its_last_program) {
    Pmi1Spawn spawn;
    const auto first = add_all(spawn,
                               "nprocs=2\nexecname=/bin/a b\ntotspawns=2\nspawnssofar=1\n"
                               "arg1=x y=z\narg2=\nargcnt=2\npreput_num=1\n"
                               "preput_key_0=PARENT_ROOT_PORT_NAME\npreput_val_0=tag#0$d=1$\n"
                               "info_num=2\ninfo_key_0=wdir\ninfo_val_0=/tmp\n"
                               "info_key_1=host\ninfo_val_1=a,b\nendcmd\n");
    ASSERT_TRUE(first) << first.error().cause;
    EXPECT_FALSE(*first);
    const auto second =
        add_all(spawn, "mcmd=spawn\nnprocs=1\nexecname=b\nargcnt=0\ninfo_num=0\nendcmd\n");
    ASSERT_TRUE(second) << second.error().cause;
    EXPECT_TRUE(*second);
}

TEST(Pmi1Spawn, says_what_is_wrong) {
    struct Row {
        const char* lines;
        const char* cause;
    };
    const Row rows[] = {
        {"totspawns=9999999999\n",
         "sent 'totspawns=9999999999', which is no number of programs to spawn"},
        {"nprocs\n", "sent 'nprocs', which is no field of a spawn"},
        {"nprocs=1\nexecname=a\ntotspawns=2\nendcmd\nnprocs=1\n",
         "sent 'nprocs=1', where another program to spawn was to come"},
    };
    for (const auto& row : rows) {
        Pmi1Spawn spawn;
        const auto added = add_all(spawn, row.lines);
        ASSERT_FALSE(added) << row.lines;
        EXPECT_EQ(added.error().cause, row.cause);
    }
}

}  // namespace
}  // namespace launch
