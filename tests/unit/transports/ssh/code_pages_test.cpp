#include "transports/ssh/code_pages.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace launch {
namespace {

size_t resident_pages() {
    std::ifstream statm("/proc/self/statm");
    size_t size = 0;
    size_t resident = 0;
    statm >> size >> resident;
    return resident;
}

TEST(CodePages, are_let_go_and_come_back_when_they_run) {
    const size_t before = resident_pages();
    release_code_pages();
    EXPECT_LT(resident_pages(), before);
    limit_code_pages();
    EXPECT_GT(resident_pages(), 0U);
}

}  // namespace
}  // namespace launch
