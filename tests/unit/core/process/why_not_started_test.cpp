// SPDX-License-Identifier: MIT
#include "core/process/why_not_started.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/process/elf_loader.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Stage = ExitStatus::Stage;

TEST(InterpreterOf, is_what_the_kernel_takes) {
    EXPECT_EQ(interpreter_of("#!/bin/sh\n"), "/bin/sh");
    EXPECT_EQ(interpreter_of("#! \t/usr/bin/env python3\nimport os"), "/usr/bin/env");
    EXPECT_EQ(interpreter_of("#!/bin/sh -e"), "/bin/sh");
    EXPECT_EQ(interpreter_of("#!/bin/sh\r\necho"), "/bin/sh\r");
    for (const char* none : {"", "#", "#!", "#!\n/bin/sh", "#! \n", "echo", "\177ELF"})
        EXPECT_EQ(interpreter_of(none), "") << none;
}

std::string first_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(4096, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(file.gcount()));
    return bytes;
}

TEST(LoaderOf, is_what_a_program_of_this_machine_names) {
    const std::string program = first_bytes("/bin/sh");
    const std::string loader = loader_of(program);
    EXPECT_TRUE(std::filesystem::exists(loader)) << loader;
    for (size_t size = 0; size < 600; ++size)
        loader_of(program.substr(0, size));
    std::string other = program;
    other[18] = 0;  // e_machine
    EXPECT_EQ(loader_of(other), "");
    for (const char* none : {"", "\177ELF", "#!/bin/sh"})
        EXPECT_EQ(loader_of(none), "") << none;
}

class Programs : public testing::Test {
  protected:
    void SetUp() override { std::filesystem::create_directories(folder_ + "/second"); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& name, const std::string& text, mode_t mode = 0755) {
        const std::string path = folder_ + "/" + name;
        std::ofstream(path) << text;
        chmod(path.c_str(), mode);
    }

    /// Empty where nothing is wrong.
    std::string obstacle(const std::string& program, const std::string& path = "/bin") const {
        const auto found = find_obstacle({program, path, folder_});
        if (!found) return "";
        return found->detail.empty() ? to_string(found->status)
                                     : not_started_text(found->status.stage, found->detail);
    }

    std::string folder_ = testing::TempDir() + "programs";
};

TEST_F(Programs, what_can_be_started_is_left_alone) {
    write("script", "#!/bin/sh\n");
    write("text", "echo\n");
    for (const char* program : {"sh", "/bin/sh", "./script", "./text"})
        EXPECT_EQ(obstacle(program), "") << program;
}

TEST_F(Programs, what_cannot_be_started_is_told_by_its_reason) {
    const std::string cannot = "cannot execute: ";
    const std::string missing = "No such file or directory";
    write("plain", "#!/bin/sh\n", 0644);
    write("strange", "#!/no/such/one -x\n");
    write("dos", "#!/bin/sh\r\n");
    write("no-program", "#!/dev/null\n");
    EXPECT_EQ(obstacle("./none"), cannot + missing);
    EXPECT_EQ(obstacle("no-such-program"), cannot + missing);
    EXPECT_EQ(obstacle("./plain"), cannot + "Permission denied");
    EXPECT_EQ(obstacle("./second"), cannot + "Is a directory");
    EXPECT_EQ(obstacle("./plain/x"), cannot + missing);
    EXPECT_EQ(obstacle("./strange"), cannot + "its interpreter /no/such/one: " + missing);
    EXPECT_EQ(obstacle("./no-program"), cannot + "its interpreter /dev/null: Permission denied");
    std::string elf = first_bytes("/bin/sh");
    const std::string loader = loader_of(elf);
    elf[elf.find(loader) + 1] = '?';
    write("elf", elf);
    expect_told({cannot, "loader"}, obstacle("./elf"));
    expect_told({cannot, "#!/bin/sh", "CR LF", "dos2unix"}, obstacle("./dos"));
}

/// As execvp(3) does.
TEST_F(Programs, the_search_goes_on_after_what_cannot_be_executed) {
    const std::string path = folder_ + ":" + folder_ + "/second";
    write("both", "#!/no/such/one\n");
    EXPECT_EQ(obstacle("both", path),
              "cannot execute: its interpreter /no/such/one: No such file or directory");
    write("second/both", "#!/bin/sh\n");
    EXPECT_EQ(obstacle("both", path), "");
    write("both", "#!/bin/sh\n", 0644);
    EXPECT_EQ(obstacle("both", path), "");
    std::filesystem::remove(folder_ + "/second/both");
    EXPECT_EQ(obstacle("both", path), "cannot execute: Permission denied");
}

TEST_F(Programs, a_folder_that_is_not_there_comes_first) {
    const auto found = find_obstacle({"no-such-program", "", folder_ + "/none"});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->status, (ExitStatus{ExitStatus::Kind::not_started, ENOENT, Stage::chdir}));
}

TEST_F(Programs, a_start_that_failed_is_explained) {
    write("strange", "#!/no/such/one\n");
    SpawnRequest request;
    request.argv = {"./strange"};
    request.wdir = folder_;
    const NotStarted script = why_not_started(request, spawn_process(request));
    EXPECT_EQ(script.status,
              (ExitStatus{ExitStatus::Kind::not_started, ENOENT, Stage::interpreter}));
    EXPECT_EQ(script.detail, "its interpreter /no/such/one: No such file or directory");
    SpawnResult vain;
    vain.failure = {ExitStatus::Kind::not_started, ENOENT, Stage::exec};
    request.argv = {"/bin/sh"};  // as if it named a loader that is not here
    expect_told({"loader"}, why_not_started(request, vain).detail);
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    vain.failure = {ExitStatus::Kind::not_started, EMFILE, Stage::fork};
    EXPECT_EQ(why_not_started(request, vain).detail,
              "too many open files (ulimit -n " + std::to_string(limit.rlim_cur) + ")");
}

}  // namespace
}  // namespace launch
