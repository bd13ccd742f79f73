// SPDX-License-Identifier: MIT
#include "core/push/bootstrap.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/shell_word.hpp"
#include "core/push/cksum.hpp"
#include "core/push/image.hpp"
#include "core/push/opening.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

/// Stands for the executable: a program that can be tested, and tells what it was started with.
const std::string program =
    "#!/bin/sh\n"
    "test \"$1\" != --version || exit 0\n"
    "echo \"started with $1; $(ls -ld \"$2\" | cut -c 1-10) $(ls \"$2\")\"\n"
    "rm -r \"$2\"\n";

/// A host: a folder for temporary files, and the shell that is its /bin/sh.
class Bootstraps : public testing::TestWithParam<const char*> {
  protected:
    Bootstraps() { fs::create_directories(temp()); }
    ~Bootstraps() override { fs::remove_all(base_); }

    fs::path temp() const { return base_ / "a b$x"; }

    Bootstrap good() const {
        Cksum sum;
        sum.add(program);
        return {program.size(), sum.value(), std::chrono::seconds(5)};
    }

    /// What the host says when it is sent this, and then nothing.
    std::string said(const std::string& sent, bool or_in_path = false,
                     const std::string& before = {}) const {
        std::ofstream(base_ / "in", std::ios::binary) << sent;
        auto command = bootstrap_command(or_in_path);
        const std::string line = before + GetParam() + " -c " + shell_word(command.at(2)) + " < " +
                                 shell_word((base_ / "in").string()) + " 2>&1";
        FILE* pipe = popen(line.c_str(), "r");
        std::string text;
        std::array<char, 4096> buffer;
        for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
            text.append(buffer.data(), n);
        pclose(pipe);
        return text;
    }

    bool nothing_left() const { return fs::is_empty(temp()); }

    const fs::path base_ = fs::temp_directory_path() / ("push-test-" + std::to_string(getpid()));
    const TemporaryFolder of_host_{temp().string()};
};

const std::string asks = std::string(push_mark) + " asks " + own_machine() + "\n";
std::string has(uint64_t size) {
    return std::string(push_mark) + " has " + std::to_string(size) + "\n";
}

const std::string fails = std::string(push_mark) + " fails ";

TEST_P(Bootstraps, ask_for_the_executable_and_become_it) {
    EXPECT_EQ(said(bootstrap_line(good()) + program),
              asks + has(program.size()) + "started with --relay; drwx------ launch\n");
    EXPECT_TRUE(nothing_left());
}

TEST_P(Bootstraps, tell_of_each_piece) {
    const std::string large = program + std::string(push_piece, '#');
    Cksum sum;
    sum.add(large);
    EXPECT_EQ(
        said(bootstrap_line({large.size(), sum.value(), std::chrono::seconds(5)}) + large),
        asks + has(push_piece) + has(large.size()) + "started with --relay; drwx------ launch\n");
}

TEST_P(Bootstraps, want_all_of_it_as_it_was_sent) {
    const std::string line = bootstrap_line(good());
    const auto size = std::to_string(program.size() - 1);
    const std::string begin = asks + has(program.size());
    EXPECT_EQ(said(line + program.substr(1)), begin + fails + "size " + size + "\n");
    EXPECT_EQ(said(line), begin + fails + "size 0\n");
    EXPECT_EQ(said(line + "X" + program.substr(1)), begin + fails + "sum\n");
    EXPECT_EQ(said(""), asks);
    EXPECT_TRUE(nothing_left());
}

TEST_P(Bootstraps, tell_why_it_does_not_run) {
    const std::string other = "#!/bin/sh\necho no such library; exit 3\n";
    Cksum sum;
    sum.add(other);
    EXPECT_EQ(said(bootstrap_line({other.size(), sum.value(), std::chrono::seconds(5)}) + other),
              asks + has(other.size()) + fails + "run no such library\n");
    EXPECT_TRUE(nothing_left());
}

TEST_P(Bootstraps, tell_which_folders_they_tried) {
    Bootstrap large = good();
    large.size = uint64_t{1} << 50;
    // Files may not be that large, so that no disk is filled to find out. A shell's `head` is
    // killed for it or told, as its surroundings have it.
    const std::string limited = said(bootstrap_line(large), false, "ulimit -f 100; HOME=/; ");
    const std::string begin = fails + "folder " + temp().string() + ": ";
    EXPECT_TRUE(limited.find(begin + "cannot be written, ") != limited.npos ||
                limited.find(begin + "File too large, ") != limited.npos)
        << limited;
    EXPECT_TRUE(nothing_left());
}

TEST_P(Bootstraps, tell_why_a_folder_cannot_be_filled) {
    std::ofstream(base_ / "head") << "#!/bin/sh\n"
                                     "echo head: error writing: No space left on device >&2\n"
                                     "exit 1\n";
    fs::permissions(base_ / "head", fs::perms::owner_all);
    const std::string path = "PATH=" + shell_word(base_.string()) + ":$PATH; HOME=/; ";
    const std::string text = said(bootstrap_line(good()), false, path);
    EXPECT_NE(text.find(fails + "folder " + temp().string() + ": No space left on device, "),
              text.npos)
        << text;
    EXPECT_TRUE(nothing_left());
}

/// Others could replace what is to be run, by writing to the folder or by renaming it.
TEST_P(Bootstraps, go_where_nobody_else_can_replace_them) {
    const std::string tells_where =
        "#!/bin/sh\n"
        "test \"$1\" != --version || exit 0\n"
        "echo \"in ${2%/*}\"\n"
        "rm -r \"$2\"\n";
    Cksum sum;
    sum.add(tells_where);
    const std::string sent =
        bootstrap_line({tells_where.size(), sum.value(), std::chrono::seconds(5)}) + tells_where;
    const auto above = base_ / "above";
    const auto given = above / "given";
    fs::create_directories(given);
    fs::create_directory_symlink(given, base_ / "link");
    struct Row {
        const char* what;
        mode_t above;
        mode_t given;
        uid_t owner;
        gid_t group;
        bool is_safe;
    };
    const uid_t self = geteuid();
    const Row rows[] = {
        {"the user's own", 0755, 0755, self, getegid(), true},
        {"sticky, as /tmp is", 01777, 01777, self, getegid(), true},
        {"others may write", 0755, 0777, self, getegid(), false},
        {"others may rename it", 0777, 0755, self, getegid(), false},
        {"a group may rename it", 0775, 0755, self, 12345, false},
        {"somebody else owns the one above", 0755, 0755, 12345, getegid(), false},
    };
    for (const Row& row : rows) {
        if (chown(above.c_str(), row.owner, row.group) != 0) continue;  // not root
        chmod(above.c_str(), row.above);
        chmod(given.c_str(), row.given);
        for (const auto& folder : {given, base_ / "link"}) {
            const std::string text = said(
                sent, false,
                "export XDG_RUNTIME_DIR=\"$TMPDIR\" TMPDIR=" + shell_word(folder.string()) + "; ");
            const auto& where = row.is_safe ? given : temp();
            EXPECT_TRUE(text.ends_with("in " + where.string() + "\n")) << row.what << ": " << text;
        }
        EXPECT_TRUE(fs::is_empty(given)) << row.what;
    }
    EXPECT_TRUE(nothing_left());
}

TEST_P(Bootstraps, prefer_one_that_is_in_path) {
    std::ofstream(base_ / "launch") << "#!/bin/sh\necho in path $1\n";
    fs::permissions(base_ / "launch", fs::perms::owner_all);
    const std::string path = "PATH=" + shell_word(base_.string()) + ":$PATH; ";
    EXPECT_EQ(said("", true, path), "in path --relay\n");
    EXPECT_EQ(said("", true), asks);
    EXPECT_EQ(said("", false, path), asks);
}

INSTANTIATE_TEST_SUITE_P(Shells, Bootstraps, testing::Values("sh", "bash --posix"));

TEST(Bootstrap, is_read_alike_by_all_shells) {
    for (const bool or_in_path : {false, true}) {
        const auto command = bootstrap_command(or_in_path);
        ASSERT_EQ(command.size(), 3u);
        // csh and fish read more into these, even in quotes.
        EXPECT_EQ(command[2].find_first_of("!\\\n'"), std::string::npos);
        EXPECT_EQ(command[2].find(push_mark), std::string::npos);
    }
    const std::string line = bootstrap_line({1, 2, std::chrono::seconds(3)});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_EQ(line.find(push_mark), std::string::npos);
    EXPECT_EQ(line.find('@'), std::string::npos);
}

}  // namespace
}  // namespace launch
