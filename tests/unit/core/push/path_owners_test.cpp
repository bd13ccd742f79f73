// SPDX-License-Identifier: MIT
#include "core/push/path_owners.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace launch {
namespace {

namespace fs = std::filesystem;

using Owners = std::vector<uint32_t>;

class PathOwners : public testing::Test {
  protected:
    PathOwners() {
        std::string name = (fs::temp_directory_path() / "launch-owners-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        std::ofstream(file()) << "x";
    }
    ~PathOwners() override { fs::remove_all(folder_); }
    std::string file() const { return folder_ + "/launch"; }

    std::string folder_;
};

TEST_F(PathOwners, leave_out_root_and_the_user) {
    EXPECT_EQ(path_owners(file()), Owners{});
    EXPECT_EQ(path_owners(folder_ + "/none (deleted)"), Owners{});
    EXPECT_EQ(path_owners(""), Owners{});
}

TEST_F(PathOwners, are_those_of_the_file_and_of_folders_above_it) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root, to have another owner";
    ASSERT_EQ(chown(folder_.c_str(), 1001, 0), 0);
    EXPECT_EQ(path_owners(file()), Owners{1001});
    ASSERT_EQ(chown(file().c_str(), 7, 0), 0);
    EXPECT_EQ(path_owners(file()), (Owners{7, 1001}));
    ASSERT_EQ(chown(file().c_str(), 1001, 0), 0);
    EXPECT_EQ(path_owners(file()), Owners{1001}) << "each once";
}

}  // namespace
}  // namespace launch
