// SPDX-License-Identifier: MIT
#include "core/job/job_hosts.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

std::vector<Host> named(const std::vector<std::string>& names) {
    std::vector<Host> hosts;
    for (const auto& name : names)
        hosts.push_back({"user", name, 22, 4});
    return hosts;
}

JobHosts told(const std::vector<std::string>& names, bool played = false) {
    const auto hosts = named(names);
    const auto placement = place({.slots = std::vector<uint32_t>(hosts.size(), 1)});
    return job_hosts(hosts, *placement, played, "head");
}

TEST(JobHosts, TellsTheFirstAndAllOfThem) {
    struct {
        const char* row;
        std::vector<std::string> names;
        bool played;
        JobHosts told;
    } rows[] = {
        {"numbered", {"n01", "n02", "n03"}, false, {"n01", "n[01-03]"}},
        {"not sorted: by LAUNCH_NODE", {"b", "a", "n2", "n1"}, false, {"b", "b,a,n[2,1]"}},
        {"alone", {"localhost"}, false, {"localhost", "localhost"}},
        {"the head's machine, as others know it",
         {"localhost", "b"},
         false,
         {"head", "localhost,b"}},
        {"by its address", {"127.0.0.1", "b"}, false, {"head", "127.0.0.1,b"}},
        {"another is the head's machine", {"b", "localhost"}, false, {"b", "b,localhost"}},
        {"played by one machine", {"n1", "n2"}, true, {"localhost", "n[1-2]"}},
    };
    for (const auto& row : rows) {
        const JobHosts hosts = told(row.names, row.played);
        EXPECT_EQ(hosts.first, row.told.first) << row.row;
        EXPECT_EQ(hosts.list, row.told.list) << row.row;
    }
}

TEST(JobHosts, TheFirstIsThatOfRankZero) {
    const auto hosts = named({"a", "b"});
    const auto all_on_b = place({.slots = {2}})->arranged(std::vector<uint32_t>{1}, 2);
    EXPECT_EQ(job_hosts(hosts, all_on_b, false, "head").first, "b");
}

TEST(JobHosts, AListThatIsNoVariableIsLeftOut) {
    std::vector<std::string> names;
    for (size_t i = 0; i * 32 < longest_host_list; ++i)
        names.push_back(std::string(30, static_cast<char>('a' + i % 26)) +
                        (i % 2 == 0 ? "x" : "y") + std::to_string(i * i));
    EXPECT_EQ(told(names).list, "");
    EXPECT_EQ(told(names).first, names.front());
}

}  // namespace
}  // namespace launch
