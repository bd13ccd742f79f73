// SPDX-License-Identifier: MIT
#include "core/push/own_copy.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace launch {
namespace {

namespace fs = std::filesystem;

struct Folder {
    explicit Folder(const std::string& name = "launch-push-a1B2c3D4e5")
        : path(fs::read_symlink("/proc/self/exe").parent_path() / std::to_string(getpid()) / name) {
        fs::create_directories(path);
        fs::permissions(path, fs::perms::owner_all);
    }
    ~Folder() { fs::remove_all(path.parent_path()); }
    const fs::path path;
};

TEST(OwnCopy, is_removed_with_its_folder) {
    const Folder folder;
    fs::create_hard_link(fs::read_symlink("/proc/self/exe"), folder.path / "launch");
    remove_own_copy(folder.path);
    EXPECT_FALSE(fs::exists(folder.path));
    EXPECT_TRUE(fs::exists(fs::read_symlink("/proc/self/exe")));
}

TEST(OwnCopy, that_nobody_pushed_stays) {
    for (const char* name :
         {"bin", "launch-push-", "launch-push-a1B2c3D4e5f6", "launch-a1B2c3D4e5"}) {
        const Folder folder(name);
        fs::create_hard_link(fs::read_symlink("/proc/self/exe"), folder.path / "launch");
        remove_own_copy(folder.path);
        EXPECT_TRUE(fs::exists(folder.path / "launch")) << name;
    }
    const Folder open_to_all;
    fs::permissions(open_to_all.path, fs::perms(0755));
    fs::create_hard_link(fs::read_symlink("/proc/self/exe"), open_to_all.path / "launch");
    remove_own_copy(open_to_all.path);
    EXPECT_TRUE(fs::exists(open_to_all.path / "launch"));
}

TEST(OwnCopy, is_all_that_is_removed) {
    const Folder folder;
    std::ofstream(folder.path / "launch") << "something else";
    remove_own_copy(folder.path);
    EXPECT_TRUE(fs::exists(folder.path / "launch"));
    remove_own_copy("/no/such/folder");
}

}  // namespace
}  // namespace launch
