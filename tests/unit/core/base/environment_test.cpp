// SPDX-License-Identifier: MIT
#include "core/base/environment.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Environment, values_are_found_and_replaced) {
    std::vector<std::string> env{"A=1", "AB=2", "EMPTY="};
    EXPECT_EQ(env_value(env, "A"), "1");
    EXPECT_EQ(env_value(env, "EMPTY"), "");
    EXPECT_EQ(env_value(env, "NONE"), "");
    set_env(env, "A", "3");
    EXPECT_EQ(env, (std::vector<std::string>{"AB=2", "EMPTY=", "A=3"}));
}

TEST(Environment, entries_replace_those_of_their_names) {
    EXPECT_EQ(with_variables({"A=1", "AB=2", "C=3"}, {"A=x=y", "C=", "D=4"}),
              (std::vector<std::string>{"AB=2", "A=x=y", "C=", "D=4"}));
}

TEST(Environment, ADefaultIsAddedWhereNothingIsSet) {
    std::vector<std::string> env{"A=1", "OMPI_MCA_mpi_oversubscribe=0"};
    add_unless_set(env, {"OMPI_MCA_mpi_oversubscribe=1", "OMPI_MCA_schizo=ompi"});
    EXPECT_EQ(env, (std::vector<std::string>{"A=1", "OMPI_MCA_mpi_oversubscribe=0",
                                             "OMPI_MCA_schizo=ompi"}));
}

}  // namespace
}  // namespace launch
