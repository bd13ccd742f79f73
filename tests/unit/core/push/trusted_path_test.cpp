// SPDX-License-Identifier: MIT
#include "core/push/trusted_path.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/shell_word.hpp"
#include "transports/remote_command.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

/// FOLDER/bin/launch, a script that nobody else can have put there, as FOLDER is in a sticky one.
class TrustedPath : public testing::Test {
  protected:
    TrustedPath() {
        std::string name = (fs::temp_directory_path() / "launch-trust-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        fs::create_directory(bin());
        const std::string file = launch();
        FILE* out = std::fopen(file.c_str(), "w");
        std::fputs("#!/bin/sh\necho it ran: $1\n", out);
        std::fclose(out);
        for (const auto& path : {folder_.string(), bin().string(), file})
            chmod(path.c_str(), 0755);
    }
    ~TrustedPath() override { fs::remove_all(folder_); }

    fs::path bin() const { return folder_ / "bin"; }
    std::string launch() const { return (bin() / "launch").string(); }

    /// By shells whose words differ, in a folder to which it must come back.
    static std::string output_of(const std::string& command) {
        std::string text;
        for (const std::string shell : {"/bin/sh", "/bin/bash"}) {
            const std::string line = "cd / && " + shell + " -c " + shell_word(command) + " 2>&1";
            FILE* pipe = popen(line.c_str(), "r");
            char part[256];
            std::string all;
            while (std::fgets(part, sizeof part, pipe) != nullptr)
                all += part;
            const int status = pclose(pipe);
            if (WEXITSTATUS(status) != 0) all += "exit " + std::to_string(WEXITSTATUS(status));
            if (text.empty()) text = all;
            EXPECT_EQ(all, text) << shell;
        }
        return text;
    }
    /// What runs where there is another way.
    std::string run(const std::string& path, const std::vector<uint32_t>& owners = {}) const {
        return output_of(
            remote_command({path, "a b"}, {"/bin/sh", "-c", "echo other; pwd"}, owners));
    }
    void expect_trusted(const char* what) const {
        EXPECT_EQ(run(launch()), "it ran: a b\n") << what;
    }
    void expect_not_trusted(const char* what) const {
        EXPECT_EQ(run(launch()), "other\n/\n") << what;
        EXPECT_EQ(output_of(remote_command({launch(), "x"})),
                  launch() + ": others may write to it, or to a folder above it\nexit 126")
            << what;
        EXPECT_EQ(output_of(shell_line(remote_words({launch(), "x"}))),
                  launch() + ": others may write to it, or to a folder above it\nexit 126")
            << what;
    }

    fs::path folder_;
};

TEST_F(TrustedPath, is_one_that_others_can_have_no_hand_in) {
    expect_trusted("the user's own");
    EXPECT_EQ(output_of(remote_command({launch(), "x"})), "it ran: x\n");
    EXPECT_EQ(output_of(shell_line(remote_words({launch(), "x"}))), "it ran: x\n");
    for (const auto& [path, mode] :
         {std::pair{folder_.string(), 0757}, {bin().string(), 0777}, {launch(), 0757}}) {
        chmod(path.c_str(), static_cast<mode_t>(mode));
        expect_not_trusted(path.c_str());
        chmod(path.c_str(), 0755);
    }
    chmod(bin().c_str(), 01777);
    expect_trusted("a sticky folder is as /tmp");
}

TEST_F(TrustedPath, may_be_written_by_a_group_of_one_user) {
    chmod(bin().c_str(), 0775);
    struct stat info {};
    ASSERT_EQ(stat(bin().c_str(), &info), 0);
    if (info.st_uid == info.st_gid) expect_trusted("the group of the same number");
    if (geteuid() != 0) GTEST_SKIP() << "needs root, to have another group";
    ASSERT_EQ(chown(bin().c_str(), 0, 12345), 0);
    expect_not_trusted("any other group");
}

TEST_F(TrustedPath, is_where_links_lead) {
    const auto link = folder_ / "link";
    const auto folder_link = folder_ / "folder_link";
    fs::create_symlink(launch(), link);
    fs::create_directory_symlink(bin(), folder_link);
    EXPECT_EQ(run(link.string()), "it ran: a b\n");
    EXPECT_EQ(run((folder_link / "launch").string()), "it ran: a b\n");
    chmod(bin().c_str(), 0777);
    EXPECT_EQ(run(link.string()), "other\n/\n");
    EXPECT_EQ(run((folder_link / "launch").string()), "other\n/\n");
}

TEST_F(TrustedPath, belongs_to_root_or_the_user_or_whom_the_head_trusts) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root, to have another owner";
    constexpr uint32_t other = 12345;
    for (const auto& path : {folder_.string(), bin().string(), launch()}) {
        ASSERT_EQ(chown(path.c_str(), other, 0), 0);
        expect_not_trusted(path.c_str());
        EXPECT_EQ(run(launch(), {7, other}), "it ran: a b\n") << path;
        ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
    }
}

TEST_F(TrustedPath, that_is_not_there_is_none) {
    EXPECT_EQ(run((bin() / "none").string()), "other\n/\n");
    EXPECT_EQ(run("/none/such/launch"), "other\n/\n");
    EXPECT_TRUE(output_of(remote_command({"/none/such/launch", "x"})).ends_with("exit 127"));
    chmod(launch().c_str(), 0644);
    EXPECT_EQ(run(launch()), "other\n/\n");
    EXPECT_TRUE(output_of(remote_command({launch(), "x"})).ends_with("exit 126"));
}

TEST(TrustTest, is_read_by_every_login_shell) {
    const std::string test = trust_test(std::vector<uint32_t>(8, 4294967295U));
    EXPECT_EQ(test.find_first_of("\\!'\n"), test.npos);
    EXPECT_LT(test.size(), 750U) << "csh takes no word of 1024 bytes";
}

}  // namespace
}  // namespace launch
