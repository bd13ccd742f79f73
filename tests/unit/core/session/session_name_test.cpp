// SPDX-License-Identifier: MIT
#include "core/session/session_name.hpp"

#include <barrier>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/io/local_socket.hpp"
#include "core/session/session_client.hpp"
#include "tests/unit/folder_test.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

class SessionNameTest : public FolderTest {
  protected:
    std::optional<SessionName> take(const std::string& name, milliseconds wait = milliseconds(0)) {
        auto taken = SessionName::take(place_, name, wait);
        EXPECT_TRUE(taken) << (taken ? "" : describe(taken.error()));
        if (!taken || !*taken) return std::nullopt;
        return **std::move(taken);
    }
    /// As a session that was killed leaves it.
    void leave_dead(const std::string& name) {
        ASSERT_EQ(mkdir(place_.folder_of(name).c_str(), 0700), 0);
        EXPECT_TRUE(listen_at(place_.socket_of(name)));
    }
    /// Of many that ask at once, how many have it then.
    size_t winners(const std::string& name, int askers) {
        std::barrier begin(askers);
        std::vector<std::optional<SessionName>> all(static_cast<size_t>(askers));
        std::vector<std::thread> threads;
        for (auto& taken : all)
            threads.emplace_back([&] {
                begin.arrive_and_wait();
                if (auto had = take(name, milliseconds(50))) taken.emplace(*std::move(had));
            });
        for (auto& thread : threads)
            thread.join();
        return static_cast<size_t>(
            std::count_if(all.begin(), all.end(), [](const auto& taken) { return bool(taken); }));
    }

    const SessionPlace place_{folder_};
};

TEST_F(SessionNameTest, is_had_by_one_until_it_ends) {
    {
        const auto first = take("a");
        ASSERT_TRUE(first);
        EXPECT_EQ(first->folder(), place_.folder_of("a"));
        EXPECT_TRUE(place_.is_safe("a"));
        EXPECT_FALSE(take("a"));
        EXPECT_FALSE(take("a", milliseconds(20)));
        EXPECT_TRUE(take("b"));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    EXPECT_TRUE(take("a"));
}

TEST_F(SessionNameTest, goes_to_one_of_many_that_ask_at_once) {
    for (int round = 0; round < 20; ++round) {
        const std::string name = "r" + std::to_string(round);
        if (round % 2 == 0) leave_dead(name);
        EXPECT_EQ(winners(name, 16), 1U) << name;
        EXPECT_TRUE(std::filesystem::is_empty(folder_)) << name;
    }
}

TEST_F(SessionNameTest, is_free_again_when_its_session_was_killed) {
    leave_dead("a");
    const auto next = take("a");
    ASSERT_TRUE(next);
    EXPECT_TRUE(listen_at(next->socket())) << "nothing is in the way";
}

TEST_F(SessionNameTest, is_had_by_a_child_that_goes_on) {
    auto name = take("a");
    ASSERT_TRUE(name);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        char byte = 0;
        (void)!read(ends[0], &byte, 1);
        name.reset();
        _exit(0);
    }
    name->leave_to_child();
    name.reset();
    EXPECT_FALSE(take("a"));
    EXPECT_TRUE(place_.is_safe("a"));
    close(ends[0]);
    close(ends[1]);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

/// A launch that has no locks.
TEST_F(SessionNameTest, is_had_by_who_answers_for_it) {
    leave_dead("a");
    std::filesystem::remove(place_.socket_of("a"));
    const auto door = listen_at(place_.socket_of("a"));
    ASSERT_TRUE(door);
    EXPECT_FALSE(take("a"));
    const auto holder = SessionClient::holder(place_, "a");
    ASSERT_TRUE(holder);
    EXPECT_NE(*holder, 0) << "and is left alone";
}

TEST_F(SessionNameTest, leaves_the_folder_of_a_later_one_alone) {
    auto first = take("a");
    ASSERT_TRUE(first);
    std::filesystem::remove(place_.folder_of("a"));
    const auto later = take("a");
    ASSERT_TRUE(later);
    first.reset();
    EXPECT_TRUE(place_.is_safe("a"));
}

TEST_F(SessionNameTest, is_not_taken_where_others_may_enter) {
    ASSERT_EQ(mkdir(place_.folder_of("a").c_str(), 0700), 0);
    chmod(place_.folder_of("a").c_str(), 0755);
    EXPECT_FALSE(SessionName::take(place_, "a", milliseconds(0)));
    std::filesystem::create_directory_symlink("/tmp", place_.folder_of("link"));
    EXPECT_FALSE(SessionName::take(place_, "link", milliseconds(0)));
    const SessionPlace nowhere(folder_ + "/none");
    const auto taken = SessionName::take(nowhere, "a", milliseconds(0));
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().hint.find("LAUNCH_SESSION_DIR"), std::string::npos);
}

}  // namespace
}  // namespace launch
