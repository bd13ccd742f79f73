// SPDX-License-Identifier: MIT
#include "core/base/late_variables.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "core/base/environment.hpp"

namespace launch {
namespace {

/// In a process of its own, which has called nothing of these before and has no thread.
class LateVariables : public testing::Test {
  protected:
    LateVariables() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(LateVariables, move_nothing_that_other_threads_read) {
    const auto set_two = [] {
        setenv("GIVEN", "before", 1);
        reserve_late_variables(2);
        const auto entries = own_environment();
        char** const where = environ;
        std::atomic<bool> ends = false;
        std::thread reader([&ends] {
            while (!ends)
                if (getenv("GIVEN") == nullptr) _exit(2);
        });
        set_late_variable("LATE_ONE", "1");
        set_late_variable("GIVEN", "after");
        reserve_late_variables(2);
        set_late_variable("LATE_TWO", "");
        ends = true;
        reader.join();
        const auto now = own_environment();
        const bool good = environ == where && std::string(getenv("LATE_ONE")) == "1" &&
                          std::string(getenv("LATE_TWO")).empty() &&
                          std::string(getenv("GIVEN")) == "before" &&
                          now.size() == entries.size() + 2 &&
                          std::none_of(now.begin(), now.end(),
                                       [](const auto& entry) { return entry.starts_with('='); });
        set_late_variable("LATE_THREE", "3");  // though no room is left
        _exit(good && std::string(getenv("LATE_THREE")) == "3" ? 0 : 1);
    };
    EXPECT_EXIT(set_two(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace launch
