// SPDX-License-Identifier: MIT
#include "core/process/removal_list.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "core/process/guard.hpp"
#include "core/process/guard_memory.hpp"

namespace launch {
namespace {

bool exists(const std::string& path) {
    return access(path.c_str(), F_OK) == 0;
}

std::string make_folder() {
    std::string path = "/tmp/removal-test-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    return path;
}

TEST(RemovalList, AGuardRemovesThoseOfAWorkerThatIsKilled) {
    const std::string folder = make_folder();
    const pid_t pid = fork();
    if (pid == 0) {
        const auto guard = Guard::split_process(Guard::Role::relay);
        guard.to_remove()->add_folder(folder);
        guard.to_remove()->add_file(folder + "-file", {});
        std::ofstream(folder + "/inside") << "text";
        std::ofstream(folder + "-file") << "text";
        raise(SIGKILL);
    }
    waitpid(pid, nullptr, 0);
    EXPECT_FALSE(exists(folder));
    EXPECT_FALSE(exists(folder + "-file"));
}

FileStamp stamp_of_file(const std::string& path) {
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return file_stamp(file.get()).value();
}

TEST(RemovalList, KnowAFileByMoreThanItsName) {
    using Edited = RemovalList::Edited;
    const std::string folder = make_folder();
    const std::string path = folder + "/file";
    struct {
        const char* name;
        void (*change)(FileStamp& stamp);
        Edited edited;
        bool stays;
    } rows[] = {
        {"another inode", [](FileStamp& stamp) { ++stamp.id.inode; }, Edited::removed, true},
        {"an inode given away again", [](FileStamp& stamp) { --stamp.id.birth; }, Edited::removed,
         true},
        {"another size", [](FileStamp& stamp) { ++stamp.content.size; }, Edited::left, true},
        {"written to", [](FileStamp& stamp) { --stamp.content.written; }, Edited::left, true},
        {"written to by the job", [](FileStamp& stamp) { --stamp.content.written; },
         Edited::removed, false},
        {"the same", [](FileStamp&) {}, Edited::left, false},
    };
    for (const auto& row : rows) {
        std::ofstream(path) << "text";
        FileStamp stamp = stamp_of_file(path);
        row.change(stamp);
        const auto list = std::make_unique<RemovalList>();
        EXPECT_TRUE(list->add_file(path, stamp));
        EXPECT_TRUE(list->add_file(folder, {}));  // not a file
        list->remove_all(row.edited);
        EXPECT_EQ(exists(path), row.stays) << row.name;
    }
    rmdir(folder.c_str());
}

TEST(RemovalList, KnowAFileAfterItGotAnotherName) {
    const std::string path = make_folder() + "/file";
    std::ofstream(path) << "text";
    const FileStamp before = stamp_of_file(path);
    EXPECT_EQ(link(path.c_str(), (path + "2").c_str()), 0);
    EXPECT_EQ(unlink(path.c_str()), 0);
    const FileStamp after = stamp_of_file(path + "2");
    EXPECT_EQ(before.id, after.id);
    EXPECT_EQ(before.content, after.content);
    remove_own_folder(path.substr(0, path.rfind('/')).c_str());
}

/// What the memory that a process shares takes in /dev/shm, by the descriptor that it has of it.
off_t bytes_in_memory() {
    for (int file = 3; file < 64; ++file) {
        std::array<char, 256> path{};
        const std::string link = "/proc/self/fd/" + std::to_string(file);
        const ssize_t size = readlink(link.c_str(), path.data(), path.size());
        struct stat info {};
        if (size > 0 && std::string_view(path.data()).starts_with("/dev/shm/") &&
            fstat(file, &info) == 0)
            return info.st_blocks * 512;
    }
    return 0;
}

TEST(RemovalList, TakeMemoryAsTheyGrow) {
    const pid_t pid = fork();
    if (pid == 0) {
        GuardMemory* const memory = GuardMemory::share();
        const off_t first = bytes_in_memory();
        const std::string path = "/nowhere/" + std::string(1000, 'x');
        bool added = true;
        for (int i = 0; i < 100; ++i)
            added = added && memory->to_remove().add_file(path, {});
        const off_t then = bytes_in_memory();
        memory->clean_up();
        _exit(first <= 16384 && added && (first == 0) == (then == 0) &&
                      (then == 0 || then > 100'000)
                  ? 0
                  : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST(RemovalList, HaveAnEnd) {
    const auto list = std::make_unique<RemovalList>();
    const std::string path = "/nowhere/" + std::string(1000, 'x');
    size_t count = 0;
    while (list->add_file(path, {}))
        ++count;
    EXPECT_GT(count, 900u);
    list->remove_all();
    EXPECT_TRUE(list->add_file(path, {}));
}

/// As jobs of a session on one node: what is the session's stays, and what another job has.
TEST(RemovalList, LetEachOwnerGoAlone) {
    const std::string top = testing::TempDir() + "removal-of-" + std::to_string(getpid());
    const auto list = std::make_unique<RemovalList>();
    RemovalsOf first(*list);
    RemovalsOf second(*list);
    const auto make = [&](const char* name) {
        const std::string path = top + name;
        mkdir(path.c_str(), 0700);
        return path;
    };
    const auto exists = [](const std::string& path) { return access(path.c_str(), F_OK) == 0; };
    const std::string own = make("-own");
    const std::string a = make("-a");
    const std::string b = make("-b");
    ASSERT_TRUE(list->add_folder(own) && first.add_folder(a) && second.add_folder(b));
    first.remove();
    EXPECT_FALSE(exists(a));
    EXPECT_TRUE(exists(own) && exists(b));
    make("-a");  // by somebody else now
    second.remove();
    EXPECT_TRUE(exists(own) && exists(a) && !exists(b));
    list->remove_all();
    EXPECT_TRUE(!exists(own) && exists(a));
    rmdir(a.c_str());
}

/// As the next session of that name makes it.
TEST(RemovalList, leaves_a_folder_that_has_taken_the_name_since) {
    const auto list = std::make_unique<RemovalList>();
    const std::string path = testing::TempDir() + "removal-list-folder-" + std::to_string(getpid());
    for (const bool is_another : {false, true}) {
        ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
        const UniqueFd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY));
        const auto stamp = file_stamp(folder.get());
        ASSERT_TRUE(stamp);
        ASSERT_TRUE(list->add_folder(path, *stamp));
        if (is_another) {
            rmdir(path.c_str());
            mkdir(path.c_str(), 0700);
        }
        list->remove_all();
        EXPECT_EQ(access(path.c_str(), F_OK) == 0, is_another);
    }
    rmdir(path.c_str());
}

TEST(RemovalList, HaveRoomForAnyNumberOfOwnersOneAfterAnother) {
    const auto list = std::make_unique<RemovalList>();
    const std::string path = "/nowhere/" + std::string(1000, 'x');
    RemovalsOf before(*list);
    ASSERT_TRUE(before.add_file(path, {}));
    for (int i = 0; i < 3000; ++i) {  // there is always one
        RemovalsOf next(*list);
        ASSERT_TRUE(next.add_file(path, {}) && next.add_folder(path)) << i;
        before.remove();
        before = next;
    }
}

}  // namespace
}  // namespace launch
