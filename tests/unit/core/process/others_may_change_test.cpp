// SPDX-License-Identifier: MIT
#include "core/process/others_may_change.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/push/trusted_path.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

/// A folder in another, and links to it.
class OthersMayChange : public testing::Test {
  protected:
    OthersMayChange() {
        std::string name = (fs::temp_directory_path() / "launch-changes-XXXXXX").string();
        top_ = mkdtemp(name.data());
        fs::create_directories(folder());
        fs::create_directory(links());
        fs::create_directory_symlink(above(), links() / "absolute");
        fs::create_directory_symlink("../links/absolute/folder", links() / "relative");
    }
    ~OthersMayChange() override { fs::remove_all(top_); }

    fs::path above() const { return top_ / "above"; }
    fs::path folder() const { return above() / "folder"; }
    fs::path links() const { return top_ / "links"; }
    static void set(const fs::path& path, mode_t mode) {
        ASSERT_EQ(chmod(path.c_str(), mode), 0) << path;
    }
    /// What trust_test() says, which must be the same.
    static bool by_shell(const fs::path& path) {
        const std::string line = "p='" + path.string() + "/.'; " + trust_test({}) + " || exit 1";
        return std::system(line.c_str()) != 0;
    }
    void expect(bool changes, const std::string& what) const {
        EXPECT_EQ(others_may_change(folder().string()), changes) << what;
        EXPECT_EQ(by_shell(folder()), changes) << what;
        for (const char* path : {"/links/absolute/folder", "/links/relative", "/links//./relative/",
                                 "/links/../above/folder"})
            EXPECT_EQ(others_may_change(top_.string() + path), changes) << what << ": " << path;
    }

    fs::path top_;
};

TEST_F(OthersMayChange, what_they_may_write_to_and_is_not_sticky) {
    expect(false, "the user's own");
    const mode_t usual = 0755;
    for (const auto& path : {folder(), above()}) {
        set(path, 0757);
        expect(true, path.string());
        set(path, 01777);
        expect(false, path.string() + ", sticky");
        set(path, usual);
    }
    set(links(), 0777);
    EXPECT_FALSE(others_may_change(folder().string()));
    EXPECT_TRUE(others_may_change((links() / "relative").string())) << "the link, then";
}

TEST_F(OthersMayChange, what_a_group_may_write_to_but_one_of_one_user) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root, to have another group";
    set(above(), 0775);
    expect(false, "the group of the same number");
    ASSERT_EQ(chown(above().c_str(), 0, 12345), 0);
    expect(true, "another group");
}

TEST_F(OthersMayChange, what_is_theirs) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root, to have another owner";
    for (const auto& path : {folder(), above()}) {
        ASSERT_EQ(chown(path.c_str(), 12345, 0), 0);
        expect(true, path.string());
        ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
    }
    ASSERT_EQ(lchown((links() / "absolute").c_str(), 12345, 0), 0);
    EXPECT_TRUE(others_may_change((links() / "relative").string())) << "a link on the way";
}

TEST_F(OthersMayChange, nothing_that_is_not_there) {
    EXPECT_FALSE(others_may_change((top_ / "none" / "x").string()));
    fs::create_directory_symlink("round", links() / "round");
    EXPECT_FALSE(others_may_change((links() / "round").string()));
}

}  // namespace
}  // namespace launch
