#include "core/push/own_copy.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace launch {
namespace {

namespace fs = std::filesystem;

struct Folder {
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
    const fs::path path =
        fs::read_symlink("/proc/self/exe").parent_path() / ("copy-" + std::to_string(getpid()));
};

TEST(OwnCopy, is_removed_with_its_folder) {
    const Folder folder;
    fs::create_hard_link(fs::read_symlink("/proc/self/exe"), folder.path / "launch");
    remove_own_copy(folder.path);
    EXPECT_FALSE(fs::exists(folder.path));
    EXPECT_TRUE(fs::exists(fs::read_symlink("/proc/self/exe")));
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
