// SPDX-License-Identifier: MIT
#include "core/session/session_place.hpp"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/base/build_id.hpp"
#include "core/base/fd.hpp"
#include "core/io/local_socket.hpp"
#include "core/session/session_client.hpp"
#include "core/session/session_log.hpp"
#include "core/wire/messages.hpp"
#include "tests/unit/core/harness/framed.hpp"
#include "tests/unit/folder_test.hpp"

namespace launch {
namespace {

struct SessionPlaceTest : FolderTest {
    /// The socket of a session named "a" that nobody serves.
    UniqueFd listen() {
        const SessionPlace place(folder_);
        EXPECT_EQ(mkdir(place.folder_of("a").c_str(), 0700), 0);
        auto socket = listen_at(place.socket_of("a"));
        EXPECT_TRUE(socket);
        return *std::move(socket);
    }
    /// All descriptors that there are, but so many.
    static std::vector<UniqueFd> all_but(size_t left) {
        std::vector<UniqueFd> all;
        while (auto fd = UniqueFd(open("/", O_RDONLY | O_CLOEXEC)))
            all.push_back(std::move(fd));
        all.resize(all.size() - left);
        return all;
    }
};

TEST_F(SessionPlaceTest, OnlyItsOwnFoldersCount) {
    const SessionPlace place(folder_);
    EXPECT_TRUE(place.names().empty());
    for (const char* name : {"b", "a"})
        ASSERT_EQ(mkdir(place.folder_of(name).c_str(), 0700), 0);
    std::filesystem::create_directory(place.folder_of("open"));
    chmod(place.folder_of("open").c_str(), 0755);
    std::filesystem::create_symlink(place.folder_of("a"), place.folder_of("link"));
    std::filesystem::create_directory(place.folder_of(".hidden"));
    EXPECT_EQ(place.names(), (std::vector<std::string>{"a", "b"}));
    EXPECT_FALSE(place.is_safe("open"));
    EXPECT_FALSE(place.is_safe("link"));
}

TEST_F(SessionPlaceTest, NobodyAnswersForAnEmptyFolder) {
    const SessionPlace place(folder_);
    ASSERT_EQ(mkdir(place.folder_of("a").c_str(), 0700), 0);
    const auto holder = SessionClient::holder(place, "a");
    ASSERT_TRUE(holder);
    EXPECT_EQ(*holder, 0);
    const struct {
        const char* name;
        const char* cause;
    } rows[] = {{"a", "starting, or has ended"},
                {"b", "no session named b"},
                {"../a", "no session named ../a"}};
    for (const auto& row : rows) {
        const auto client = SessionClient::connect(place, row.name);
        ASSERT_FALSE(client) << row.name;
        EXPECT_NE(client.error().cause.find(row.cause), std::string::npos) << client.error().cause;
        EXPECT_EQ(client.error().kind, ErrorKind::usage);
    }
}

/// Else it would be removed as what a killed session has left.
TEST_F(SessionPlaceTest, ASessionThatCannotBeAskedIsNoneThatHasEnded) {
    const SessionPlace place(folder_);
    UniqueFd socket = listen();
    {
        const auto all = all_but(0);
        EXPECT_FALSE(SessionClient::holder(place, "a"));
        const auto client = SessionClient::connect(place, "a");
        ASSERT_FALSE(client);
        EXPECT_NE(client.error().cause, "the session has ended");
    }
    auto holder = SessionClient::holder(place, "a");
    ASSERT_TRUE(holder);
    EXPECT_EQ(*holder, getpid());
    socket = UniqueFd();
    holder = SessionClient::holder(place, "a");
    ASSERT_TRUE(holder);
    EXPECT_EQ(*holder, 0) << "nobody listens";
}

/// Each call has descriptors of its own.
TEST_F(SessionPlaceTest, ASessionIsNotAskedWhereDescriptorsAreShort) {
    const SessionPlace place(folder_);
    UniqueFd socket = listen();
    for (size_t left = 1; left <= 3; ++left) {
        const auto all = all_but(left);
        const auto client = SessionClient::connect(place, "a");
        ASSERT_FALSE(client) << left;
        EXPECT_NE(client.error().cause.find("open files"), std::string::npos) << left;
    }
}

/// Its socket is closed then.
TEST_F(SessionPlaceTest, ASessionThatHasEndedDoesNotEndWhoAsksIt) {
    const SessionPlace place(folder_);
    UniqueFd socket = listen();
    std::thread session([&socket] {
        const UniqueFd client(accept(socket.get(), nullptr, nullptr));
        const std::string bytes =
            framed(FrameType::hello, Hello{Hello::current_version, own_build_id()}.encode()) +
            framed(FrameType::session_state, SessionState().encode());
        EXPECT_EQ(write(client.get(), bytes.data(), bytes.size()),
                  static_cast<ssize_t>(bytes.size()));
    });
    auto client = SessionClient::connect(place, "a");
    session.join();
    ASSERT_TRUE(client);
    const auto answer = client->ask(LogRequest{});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().cause, "the session has ended");
}

TEST(SessionName, IsSafeInAFilesName) {
    for (const char* name : {"s1", "a", "Work_2.x-y", "12345678901234567890123456789012"})
        EXPECT_TRUE(is_session_name(name)) << name;
    for (const char* name :
         {"", ".", "..", "-a", "_a", "a/b", "a b", "\xc3\xa4", "123456789012345678901234567890123"})
        EXPECT_FALSE(is_session_name(name)) << name;
}

TEST(SessionLog, KeepsTheLatestLinesInTheirOrder) {
    SessionLog log;
    for (int i = 0; i < 1003; ++i)
        log.add(std::to_string(i));
    const auto lines = log.lines();
    ASSERT_EQ(lines.size(), 1000U);
    EXPECT_TRUE(lines.front().ends_with(" 3")) << lines.front();
    EXPECT_TRUE(lines.back().ends_with(" 1002")) << lines.back();
}

}  // namespace
}  // namespace launch
