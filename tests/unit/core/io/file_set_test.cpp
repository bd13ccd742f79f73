// SPDX-License-Identifier: MIT
#include "core/io/file_set.hpp"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

class FileSetTest : public testing::Test {
  protected:
    FileSetTest()
        : folder_(fs::temp_directory_path() / ("launch-file-set-" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~FileSetTest() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return folder_ / name; }
    static std::string text(const std::string& path) {
        std::string all;
        UniqueFd fd(open(path.c_str(), O_RDONLY));
        char buffer[4096];
        for (ssize_t n = 0; (n = read(fd.get(), buffer, sizeof buffer)) > 0;)
            all.append(buffer, static_cast<size_t>(n));
        return all;
    }

    fs::path folder_;
};

TEST_F(FileSetTest, more_files_than_are_open_at_a_time) {
    FileSet files(FileSet::Existing::refuse);
    constexpr size_t count = FileSet::most_open * 2;
    for (int round = 0; round < 3; ++round)
        for (size_t i = 0; i < count; ++i)
            ASSERT_TRUE(files.append(path("a/b/" + std::to_string(i)), std::to_string(round)));
    for (size_t i = 0; i < count; ++i)
        EXPECT_EQ(text(path("a/b/" + std::to_string(i))), "012");
}

TEST_F(FileSetTest, a_file_that_was_there_is_refused_or_replaced) {
    for (const auto existing : {FileSet::Existing::replace, FileSet::Existing::replace}) {
        FileSet files(existing);
        EXPECT_TRUE(files.append(path("x"), "new"));
        EXPECT_TRUE(files.append(path("x"), "er"));
        EXPECT_EQ(text(path("x")), "newer");
    }
    FileSet files(FileSet::Existing::refuse);
    auto refused = files.append(path("x"), "lost");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::output);
    EXPECT_EQ(refused.error().operation, "make " + path("x"));
    EXPECT_NE(refused.error().hint.find("--output-replace"), std::string::npos);
    EXPECT_EQ(text(path("x")), "newer");
}

TEST_F(FileSetTest, says_what_cannot_be_written) {
    FileSet files(FileSet::Existing::replace);
    FileSet careful(FileSet::Existing::refuse);
    EXPECT_TRUE(careful.append("/dev/null", "x"));
    auto full = files.append("/dev/full", "x");
    ASSERT_FALSE(full);
    EXPECT_EQ(describe(full.error()), "write /dev/full: No space left on device");
    EXPECT_TRUE(files.append(path("file"), "x"));
    EXPECT_FALSE(files.append(path("file/below"), "x"));
}

}  // namespace
}  // namespace launch
