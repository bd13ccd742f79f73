// SPDX-License-Identifier: MIT
#include "core/base/shortage.hpp"

#include <cerrno>
#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

TEST(Shortage, names_the_limit_that_was_reached) {
    TaskLimits limits;
    EXPECT_EQ(shortage_text(EAGAIN, limits), errno_text(EAGAIN));
    limits.of_user = 3;
    expect_told({"ulimit -u 3"}, shortage_text(EAGAIN, limits));
    EXPECT_EQ(shortage_text(ENOMEM, limits), errno_text(ENOMEM));
    EXPECT_EQ(shortage_text(EMFILE, limits), errno_text(EMFILE));
    limits.address_kib = 5000;
    expect_told({"ulimit -v 5000"}, shortage_text(EAGAIN, limits));
    limits.data_kib = 2000;
    expect_told({"ulimit -d 2000"}, shortage_text(EAGAIN, limits));
    limits.of_cgroup = 20;
    expect_told({"pids.max 20"}, shortage_text(EAGAIN, limits));
}

}  // namespace
}  // namespace launch
