// SPDX-License-Identifier: MIT
#include "core/hosts/host_filter.hpp"

#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

TEST(HostFilter, TakesOutWhatIsMeant) {
    struct {
        const char* row;
        const char* hosts;
        const char* unwanted;
        const char* left;
        const char* unmatched;
    } rows[] = {
        {"one", "n[1-4]", "n2", "n[1,3-4]", ""},
        {"a folded list", "n[1-4]", "n[2-3]", "n[1,4]", ""},
        {"whatever its slots", "a:4,b", "a", "b", ""},
        {"slots of the unwanted mean nothing", "a:4,b", "a:9", "b", ""},
        {"each time it is named", "a,b,a", "a", "b", ""},
        {"every user and port of it", "a,joe@a,a:22:1,b", "a", "b", ""},
        {"one user of it", "a,joe@a,b", "joe@a", "a,b", ""},
        {"one port of it", "a:22:1,a:23:1,b", "a:22:1", "a:23:1,b", ""},
        {"none of it", "a,b", "joe@a,b:22:1", "a,b", "a,b"},
        {"unknown", "n[1-4]", "n[4-6],x", "n[1-3]", "n[5-6],x"},
        {"a name is no prefix", "n1,n10", "n1", "n10", ""},
    };
    for (const auto& row : rows) {
        HostFilter filter(*parse_hosts(row.unwanted));
        auto hosts = *parse_hosts(row.hosts);
        filter.apply(hosts);
        EXPECT_EQ(fold_hosts(hosts), row.left) << row.row;
        EXPECT_EQ(fold_names(filter.unmatched()), row.unmatched) << row.row;
    }
}

TEST(HostFilter, TakesThisMachineByAnyOfItsNames) {
    struct {
        const char* unwanted;
        const char* left;
        const char* unmatched;
    } rows[] = {
        {"localhost", "head.example.org,n1", ""},
        {"head", "head.example.org,n1", ""},
        {"HEAD", "head.example.org,n1", ""},
        {"joe@head", "head,localhost,head.example.org,n1", ""},
        {"head.example.org", "head,localhost,joe@localhost,n1", ""},
    };
    for (const auto& row : rows) {
        HostFilter filter(*parse_hosts(row.unwanted), {"head", "localhost"});
        auto hosts = *parse_hosts("head,localhost,joe@localhost,head.example.org,n1");
        filter.apply(hosts);
        EXPECT_EQ(fold_hosts(hosts), row.left) << row.unwanted;
        EXPECT_EQ(fold_names(filter.unmatched()), row.unmatched) << row.unwanted;
    }
}

}  // namespace
}  // namespace launch
