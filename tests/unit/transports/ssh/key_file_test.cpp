// SPDX-License-Identifier: MIT
#include "transports/ssh/key_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "core/base/fd.hpp"
#include "transports/ssh/base64.hpp"
#include "transports/ssh/file_permissions.hpp"
#include "transports/ssh/wire_string.hpp"

namespace launch {
namespace {

using State = KeyFile::State;

std::string public_key(const std::string& words) {
    std::string key;
    put_wire_string(key, "ssh-ed25519");
    put_wire_string(key, words);
    return key;
}

std::string public_line(const std::string& words) {
    return "ssh-ed25519 " + base64_encode(public_key(words)) + " me@here\n";
}

/// OpenSSH's own format, with the lines that it breaks it into.
std::string private_text(const std::string& cipher, const std::string& words,
                         const std::string& secret = "secret") {
    std::string bytes("openssh-key-v1\0", 15);
    put_wire_string(bytes, cipher);
    put_wire_string(bytes, "bcrypt");
    put_wire_string(bytes, "salt");
    put_wire_number(bytes, 1);
    put_wire_string(bytes, public_key(words));
    put_wire_string(bytes, secret);
    std::string text = "-----BEGIN OPENSSH PRIVATE KEY-----\n";
    const std::string packed = base64_encode(bytes);
    for (size_t at = 0; at < packed.size(); at += 70)
        text += packed.substr(at, 70) + "\n";
    return text + "-----END OPENSSH PRIVATE KEY-----\n";
}

TEST(KeyFile, IsJudgedWithoutAPassphrase) {
    const std::string of_a = public_key("a");
    const struct {
        const char* name;
        std::string text;
        std::string beside;
        State state;
        std::string key;
    } rows[] = {
        {"nothing", "", "", State::none, ""},
        {"no key", "hello\nworld\n", "", State::none, ""},
        {"open", private_text("none", "a"), "", State::open, of_a},
        {"locked", private_text("aes256-ctr", "a"), "", State::locked, of_a},
        {"what is beside it comes first, as in OpenSSH", private_text("none", "b"),
         public_line("a"), State::open, of_a},
        {"PEM", "-----BEGIN RSA PRIVATE KEY-----\nMII\n", public_line("a"), State::open, of_a},
        {"PEM, locked",
         "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: "
         "AES-128-CBC,D8\n\nMII\n",
         public_line("a"), State::locked, of_a},
        {"PKCS8", "-----BEGIN PRIVATE KEY-----\nMII\n", "", State::open, ""},
        {"PKCS8, locked", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII\n", "", State::locked, ""},
        {"its public half", public_line("a"), "", State::half, of_a},
        {"only its public half is there", "", public_line("a"), State::half, of_a},
        {"a line that lies about its type", "ssh-rsa " + base64_encode(of_a) + "\n", "",
         State::none, ""},
        {"cut off", private_text("none", "a").substr(0, 60), "", State::open, ""},
    };
    for (const auto& row : rows) {
        const KeyFile file = judge_key_file("/k", row.text, row.beside);
        EXPECT_EQ(file.path, "/k") << row.name;
        EXPECT_EQ(file.state, row.state) << row.name;
        EXPECT_EQ(file.public_key, row.key) << row.name;
    }
}

/// As OpenSSH: an exposed private key is not used, but its public half names the agent's.
TEST(KeyFile, UsesNoPrivateKeyThatOthersMayRead) {
    struct Row {
        const char* name;
        std::string text;
        mode_t mode;
        State state;
    };
    const std::string open_key = private_text("none", "a");
    const Row rows[] = {
        {"the owner's", open_key, 0600, State::open},
        {"not to be written", open_key, 0400, State::open},
        {"a group's", open_key, 0640, State::exposed},
        {"everybody's", open_key, 0644, State::exposed},
        {"to be written by others", open_key, 0602, State::exposed},
        {"locked", private_text("aes256-ctr", "a"), 0644, State::exposed},
        {"a public half", public_line("a"), 0644, State::half},
        {"nothing", "hello", 0644, State::none},
    };
    const std::string path = testing::TempDir() + "key-file-of-all";
    for (const auto& row : rows) {
        std::ofstream(path) << row.text;
        ASSERT_EQ(chmod(path.c_str(), row.mode), 0);
        int no_descriptors = 0;
        EXPECT_EQ(read_key_file(path, no_descriptors).state, row.state) << row.name;
        unlink(path.c_str());
    }
    EXPECT_FALSE(is_exposed_key({0, 0644}, 1000)) << "root's key for all is the site's affair";
    EXPECT_TRUE(is_exposed_key({1000, 0644}, 1000));
}

TEST(KeyFile, TellsOfAFileThatNoDescriptorWasLeftFor) {
    const std::string path = testing::TempDir() + "key-file-test";
    std::ofstream(path) << private_text("none", "a");
    ASSERT_EQ(chmod(path.c_str(), 0600), 0);
    int no_descriptors = 0;
    read_key_file(path, no_descriptors);
    EXPECT_EQ(no_descriptors, 0);
    std::vector<UniqueFd> all;
    while (auto fd = UniqueFd(open("/", O_RDONLY | O_CLOEXEC)))
        all.push_back(std::move(fd));
    read_key_file(path, no_descriptors);
    EXPECT_EQ(no_descriptors, EMFILE);
    no_descriptors = 0;
    all.pop_back();
    const KeyFile file = read_key_file(path, no_descriptors);
    EXPECT_EQ(file.state, State::open);
    EXPECT_EQ(no_descriptors, 0) << "one does for both, one after the other";
    no_descriptors = ENFILE;
    all.clear();
    read_key_file("/", no_descriptors);  // which cannot be read, but for another reason
    EXPECT_EQ(no_descriptors, ENFILE);
    unlink(path.c_str());
}

/// Whether a text is somewhere on the heap of this process.
bool is_on_heap(std::string_view text) {
    std::ifstream maps("/proc/self/maps");
    std::string line;
    while (std::getline(maps, line)) {
        if (!line.ends_with("[heap]")) continue;
        char* end = nullptr;
        const auto from = std::strtoull(line.c_str(), &end, 16);
        const auto to = std::strtoull(end + 1, nullptr, 16);
        const std::string_view heap(reinterpret_cast<const char*>(from), to - from);  // NOLINT
        return heap.find(text) != std::string_view::npos;
    }
    return false;
}

TEST(KeyFile, LeavesNoSecretInMemory) {
    const std::string path = testing::TempDir() + "key-file-secret";
    const pid_t pid = fork();
    if (pid == 0) {  // here, so that the secret is not in this process already
        std::string secret;
        for (int i = 0; i < 1800; ++i)
            secret += static_cast<char>(i * i % 251);
        std::ofstream(path) << private_text("none", "a", secret) << std::flush;
        chmod(path.c_str(), 0600);
        _exit(0);
    }
    waitpid(pid, nullptr, 0);
    int no_descriptors = 0;
    EXPECT_EQ(read_key_file(path, no_descriptors).state, State::open);
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info {};
    ASSERT_EQ(fstat(file.get(), &info), 0);
    const auto size = static_cast<size_t>(info.st_size);
    void* const memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    ASSERT_NE(memory, MAP_FAILED);
    const std::string_view text(static_cast<const char*>(memory), size);
    for (size_t at = 36 + 6 * 71; at + 100 < size; at += 71)  // the middle of each line
        EXPECT_FALSE(is_on_heap(text.substr(at + 10, 40))) << at;
    munmap(memory, size);
    unlink(path.c_str());
}

}  // namespace
}  // namespace launch
