// SPDX-License-Identifier: MIT
#include "core/process/core_pattern.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(CorePattern, names_the_file_of_a_process) {
    const struct {
        CorePattern pattern;
        const char* glob;
        bool has_pid;
        bool tells_apart;
    } rows[] = {
        {{"core", false}, "/home/me/core", false, false},
        {{"core", true}, "/home/me/core.42", true, true},
        {{"core.%p", true}, "/home/me/core.42", true, true},
        {{"/var/cores/%e-%h.%p.%s", false}, "/var/cores/*-*.42.11", true, true},
        {{"cores/%t_%u%g%E", false}, "/home/me/cores/*_***", false, false},
        {{"100%%%", false}, "/home/me/100%", false, false},
        {{"%P", false}, "/home/me/*", false, true},
        {{"core.%i", false}, "/home/me/core.*", false, true},
        {{"core.%I", false}, "/home/me/core.*", false, true},
        {{"[a]*?", false}, "/home/me/\\[a\\]\\*\\?", false, false},
        {{"", true}, "/home/me/.42", true, true},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(core_glob(row.pattern, "/home/me", 42, 11), row.glob) << row.pattern.text;
        EXPECT_EQ(row.pattern.has_pid(), row.has_pid) << row.pattern.text;
        EXPECT_EQ(row.pattern.tells_apart(), row.tells_apart) << row.pattern.text;
    }
    EXPECT_TRUE((CorePattern{"|/usr/lib/systemd/systemd-coredump %P", false}.is_program()));
}

TEST(CorePattern, names_the_folder_where_it_is_known) {
    const struct {
        const char* text;
        std::optional<std::string> folder;
    } rows[] = {
        {"core.%p", "/a*b"},          {"made/core", "/a*b/made"},     {"/core", "/"},
        {"/var/co[r/x", "/var/co[r"}, {"/var/%u/core", std::nullopt}, {"%e/core", std::nullopt},
    };
    for (const auto& row : rows)
        EXPECT_EQ(core_folder({row.text, false}, "/a*b"), row.folder) << row.text;
}

TEST(CorePattern, folder_is_taken_as_it_is) {
    EXPECT_EQ(core_glob({"core", false}, "/a*b", 1, 6), "/a\\*b/core");
}

}  // namespace
}  // namespace launch
