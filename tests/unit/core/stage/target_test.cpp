// SPDX-License-Identifier: MIT
#include "core/stage/target.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

/// A folder of the test, and a target in it.
class Targets : public testing::Test {
  protected:
    Targets() { EXPECT_NE(mkdtemp(folder_.data()), nullptr); }
    ~Targets() override {
        to_remove_->add_folder(folder_);
        to_remove_->remove_all();
    }

    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    StageTarget target(const std::string& text, uint32_t mode = 0640, bool keep = false) {
        const StagedFile file{"/src", path("file"), text.size(), mode};
        return {{file, file.dest, file.dest, "token-" + std::to_string(++count_), keep}, own_};
    }
    /// Empty: it is there; else why not.
    static std::string stage(StageTarget& target, const std::string& text) {
        Checksum checksum;
        checksum.add(text);
        auto done = target.prepare();
        if (done) done = target.write(0, text);
        if (done) done = target.verify(1 << 20);
        if (done) done = target.publish(checksum.value());
        return done ? "" : done.error().cause;
    }
    std::string text_of(const std::string& name) const {
        std::ifstream in(path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write_file(const std::string& name, const std::string& text, mode_t mode) const {
        std::ofstream(path(name)) << text;
        chmod(path(name).c_str(), mode);
    }
    size_t entries() const {
        size_t count = 0;
        for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(folder_))
            ++count;
        return count;
    }

    std::string folder_ = "/tmp/stage-test-XXXXXX";
    std::unique_ptr<RemovalList> to_remove_ = std::make_unique<RemovalList>();
    RemovalsOf own_{*to_remove_};
    int count_ = 0;
};

TEST_F(Targets, IsThereWithItsModeAndGoesAgain) {
    auto made = target("hello", 0751);
    EXPECT_EQ(stage(made, "hello"), "");
    EXPECT_EQ(text_of("file"), "hello");
    struct stat info {};
    stat(path("file").c_str(), &info);
    EXPECT_EQ(info.st_mode & 07777, 0751u);
    EXPECT_EQ(entries(), 1u);
    to_remove_->remove_all();
    EXPECT_EQ(entries(), 0u);
}

TEST_F(Targets, StaysWhenItIsToBeKept) {
    auto made = target("hello", 0640, true);
    EXPECT_EQ(stage(made, "hello"), "");
    to_remove_->remove_all();
    EXPECT_EQ(text_of("file"), "hello");
}

TEST_F(Targets, UnfinishedOnesGoToo) {
    auto made = target("hello", 0640, true);
    EXPECT_TRUE(made.prepare());
    EXPECT_EQ(entries(), 1u);
    to_remove_->remove_all();
    EXPECT_EQ(entries(), 0u);
}

TEST_F(Targets, ReplacesNothing) {
    struct {
        const char* row;
        const char* text;
        mode_t mode;
    } rows[] = {{"another size", "other words", 0640},
                {"another text", "hellO", 0640},
                {"another mode", "hello", 0600}};
    for (const auto& row : rows) {
        write_file("file", row.text, row.mode);
        auto made = target("hello");
        EXPECT_NE(stage(made, "hello"), "") << row.row;
        to_remove_->remove_all();
        EXPECT_EQ(text_of("file"), row.text) << row.row;
        EXPECT_EQ(entries(), 1u) << row.row;
    }
}

TEST_F(Targets, TheSameFileMayBeThereAndStays) {
    write_file("file", "hello", 0640);
    auto made = target("hello");
    EXPECT_EQ(stage(made, "hello"), "");
    to_remove_->remove_all();
    EXPECT_EQ(text_of("file"), "hello");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(Targets, FollowsNoLink) {
    write_file("victim", "hello", 0640);
    for (const char* points_to : {"victim", "missing"}) {
        ASSERT_EQ(symlink(points_to, path("file").c_str()), 0);
        auto made = target("hello");
        EXPECT_NE(stage(made, "hello"), "") << points_to;
        to_remove_->remove_all();
        EXPECT_EQ(access(path("missing").c_str(), F_OK), -1);
        EXPECT_EQ(text_of("victim"), "hello");
        unlink(path("file").c_str());
    }
}

TEST_F(Targets, AFolderIsNoFile) {
    mkdir(path("file").c_str(), 0755);
    auto made = target("hello");
    expect_told({"folder"}, stage(made, "hello"));
}

TEST_F(Targets, FindsWhatADiskDid) {
    auto made = target("hello");
    Checksum checksum;
    checksum.add("hello");
    ASSERT_TRUE(made.prepare());
    ASSERT_TRUE(made.write(0, "hellO"));
    ASSERT_TRUE(made.verify(1 << 20));
    const auto done = made.publish(checksum.value());
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, ErrorKind::staging);
    expect_told({"differs"}, done.error().cause);
    EXPECT_EQ(access(path("file").c_str(), F_OK), -1);
}

TEST_F(Targets, LeavesAFileThatTookTheNameSince) {
    auto made = target("hello");
    EXPECT_EQ(stage(made, "hello"), "");
    unlink(path("file").c_str());
    write_file("other", "mine", 0640);  // takes the inode, perhaps
    write_file("file", "mine too", 0640);
    to_remove_->remove_all();
    EXPECT_EQ(text_of("file"), "mine too");
}

}  // namespace
}  // namespace launch
