// SPDX-License-Identifier: MIT
#include "cmd/render/stacks_text.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

StackGroups places() {
    StackGroups groups;
    groups.add({"app", {"main", "solve", "MPI_Allreduce"}, {}}, {0, 1, 2, 4});
    groups.add({"app", {"main", "load", "read"}, {}}, {3});
    groups.add({"app", {"main", "solve"}, "stopped"}, {5});
    return groups;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(StacksText, draws_functions_as_a_tree_with_one_box_where_no_ranks_part) {
    const std::string dot = stacks_dot(places());
    EXPECT_TRUE(has(dot, "n0 [label=\"all ranks\\nranks 0-5\"]")) << dot;
    EXPECT_TRUE(has(dot, "n1 [label=\"app\\nranks 0-5\"]")) << dot;
    EXPECT_TRUE(has(dot, "n2 [label=\"main\\nranks 0-5\"]")) << dot;
    EXPECT_TRUE(has(dot, "[label=\"solve\\nranks 0-2,4,5\"]")) << dot;
    EXPECT_TRUE(has(dot, "[label=\"MPI_Allreduce\\nranks 0-2,4\"]")) << dot;
    EXPECT_TRUE(has(dot, "[label=\"stopped\\nrank 5\"]")) << dot;
    EXPECT_TRUE(has(dot, "[label=\"read <- load\\nrank 3\"]")) << dot;
    EXPECT_TRUE(has(stacks_svg(places()), "6 ranks in 3 groups"));
}

TEST(StacksText, has_the_innermost_function_first_in_json) {
    EXPECT_EQ(
        stacks_json(places()),
        "{\n  \"version\": 1,\n  \"groups\": [\n"
        "    {\"ranks\":[0,1,2,4],\"program\":\"app\",\"frames\":[\"MPI_Allreduce\",\"solve\","
        "\"main\"]},\n"
        "    {\"ranks\":[3],\"program\":\"app\",\"frames\":[\"read\",\"load\",\"main\"]},\n"
        "    {\"ranks\":[5],\"program\":\"app\",\"frames\":[\"solve\",\"main\"],\"note\":"
        "\"stopped\"}\n"
        "  ]\n}\n");
}

}  // namespace
}  // namespace launch
