#include "core/base/shortage.hpp"

#include <cerrno>
#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Shortage, names_the_limit_that_was_reached) {
    TaskLimits limits;
    EXPECT_EQ(shortage_text(EAGAIN, limits), errno_text(EAGAIN));
    limits.of_user = 3;
    EXPECT_EQ(shortage_text(EAGAIN, limits),
              "too many processes and threads of this user (ulimit -u 3; raise it, or end others)");
    EXPECT_EQ(shortage_text(ENOMEM, limits), errno_text(ENOMEM));
    EXPECT_EQ(shortage_text(EMFILE, limits), errno_text(EMFILE));
    limits.address_kib = 5000;
    EXPECT_EQ(shortage_text(EAGAIN, limits),
              "not enough memory for one more (ulimit -v 5000; raise it, or lower ulimit -s)");
    limits.data_kib = 2000;
    EXPECT_EQ(shortage_text(EAGAIN, limits),
              "not enough memory for one more (ulimit -d 2000; raise it, or lower ulimit -s)");
    limits.of_cgroup = 20;
    EXPECT_EQ(shortage_text(EAGAIN, limits),
              "too many processes and threads in this cgroup (pids.max 20; raise the limit of the "
              "container, service or batch job)");
}

}  // namespace
}  // namespace launch
