// SPDX-License-Identifier: MIT
#include "transports/command/call_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file_text.hpp"

namespace launch {
namespace {

std::string make_folder() {
    std::string path = "/tmp/call-file-test-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    return path;
}

size_t files_in(const std::string& folder) {
    const std::filesystem::directory_iterator all(folder);
    return static_cast<size_t>(std::distance(begin(all), end(all)));
}

TEST(CallFile, IsThisUsersAloneAndGoneWithItsValue) {
    const std::string folder = make_folder();
    const mode_t before = umask(0);
    {
        std::optional<CallFile> kept;
        {
            auto made = CallFile::make(folder, "the secret\n", nullptr);
            ASSERT_TRUE(made);
            kept.emplace(std::move(*made));
        }
        EXPECT_EQ(read_file(kept->path()).text, "the secret\n");
        struct stat info {};
        ASSERT_EQ(stat(kept->path().c_str(), &info), 0);
        EXPECT_EQ(info.st_mode, static_cast<mode_t>(S_IFREG | S_IRUSR | S_IWUSR));
        const auto other = CallFile::make(folder, "another\n", nullptr);
        ASSERT_TRUE(other);
        EXPECT_NE(other->path(), kept->path());
        EXPECT_EQ(files_in(folder), 2U);
    }
    umask(before);
    EXPECT_EQ(files_in(folder), 0U);
    std::filesystem::remove(folder);
}

TEST(CallFile, IsAmongWhatAGuardRemoves) {
    const std::string folder = make_folder();
    const auto to_remove = std::make_unique<RemovalList>();
    auto made = CallFile::make(folder, "text", to_remove.get());
    ASSERT_TRUE(made);
    to_remove->remove_all(RemovalList::Edited::left);
    EXPECT_EQ(files_in(folder), 0U);
    std::filesystem::remove(folder);
}

TEST(CallFile, TellsWhyItCannotBe) {
    const auto made = CallFile::make("/nowhere/at all", "text", nullptr);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().operation, "write a file in /nowhere/at all");
    EXPECT_EQ(made.error().cause, "No such file or directory");
    EXPECT_NE(made.error().hint.find("--call-folder"), std::string::npos);
}

TEST(CallFile, IsInTheHomeFolderIfNothingIsSaid) {
    const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
    setenv("HOME", "/home/ann", 1);
    EXPECT_EQ(usual_call_folder(), "/home/ann");
    unsetenv("HOME");
    EXPECT_TRUE(usual_call_folder().starts_with('/'));
    if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace launch
