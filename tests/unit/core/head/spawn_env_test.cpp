// SPDX-License-Identifier: MIT
#include "core/head/spawn_env.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Words = std::vector<std::string>;

struct Change {
    const char* key;
    const char* value;
    Words made;  ///< of a program with P=p, in a job with J=j and EMPTY=
};

TEST(SpawnEnv, changes_single_variables) {
    const Change rows[] = {
        {"set-env", "A=b c=d", {"P=p", "A=b c=d"}},
        {"set-env", "A=", {"P=p", "A="}},
        {"set-env", "A", {"P=p"}},
        {"set-env", "=b", {"P=p"}},
        {"set-env", "", {"P=p"}},
        {"add-env", "A=b", {"P=p", "A=b"}},
        {"add-env", "P=b", {"P=p"}},
        {"add-env", "J=b", {"P=p"}},
        {"add-env", "EMPTY=b", {"P=p"}},
        {"prepend-env", ":A=b", {"P=p", "A=b"}},
        {"prepend-env", ":P=b", {"P=p", "P=b:p"}},
        {"prepend-env", ",J=b", {"P=p", "J=b,j"}},
        {"prepend-env", ":EMPTY=b", {"P=p", "EMPTY=b"}},
        {"prepend-env", "", {"P=p"}},
        {"prepend-env", ":", {"P=p"}},
        {"append-env", ";P=b", {"P=p", "P=p;b"}},
        {"append-env", ":J=b", {"P=p", "J=j:b"}},
        {"unset-env", "P", {}},
        {"unset-env", "J", {"P=p"}},
    };
    const Words job{"J=j", "EMPTY="};
    for (const Change& row : rows) {
        SpawnEnv env(job);
        env.begin_program();
        Program program;
        program.env = {"P=p"};
        EXPECT_TRUE(env.take(program, row.key, row.value)) << row.key;
        EXPECT_EQ(program.env, row.made) << row.key << " " << row.value;
    }
    SpawnEnv env(job);
    env.begin_program();
    Program program;
    EXPECT_FALSE(env.take(program, "env", "A=b"));
    EXPECT_TRUE(program.env.empty());
}

TEST(SpawnEnv, what_is_set_after_it_was_unset_is_new) {
    const Change rows[] = {
        {"add-env", "J=b", {"J=b"}},
        {"set-env", "J=b", {"J=b"}},
        {"prepend-env", ":J=b", {"J=b"}},
        {"append-env", ":J=b", {"J=b"}},
    };
    const Words job{"J=j"};
    for (const Change& row : rows) {
        SpawnEnv env(job);
        env.begin_program();
        Program program;
        EXPECT_TRUE(env.take(program, "unset-env", "J"));
        EXPECT_EQ(env.now(program, "J"), "");
        EXPECT_TRUE(env.take(program, row.key, row.value)) << row.key;
        EXPECT_EQ(program.env, row.made) << row.key;
    }
}

TEST(SpawnEnv, what_all_programs_are_to_lack_the_job_lacks) {
    const Words job;
    SpawnEnv env(job);
    EXPECT_EQ(env.unset_by_all(), Words{});
    Program program;
    for (const Words& unset : {Words{"A", "B"}, Words{"B", "C"}}) {
        env.begin_program();
        for (const auto& name : unset)
            env.take(program, "unset-env", name);
    }
    EXPECT_EQ(env.unset_by_all(), Words{"B"});
}

}  // namespace
}  // namespace launch
