#include "transports/ssh/key_file.hpp"

#include <gtest/gtest.h>

#include "transports/ssh/base64.hpp"
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
std::string private_text(const std::string& cipher, const std::string& words) {
    std::string bytes("openssh-key-v1\0", 15);
    put_wire_string(bytes, cipher);
    put_wire_string(bytes, "bcrypt");
    put_wire_string(bytes, "salt");
    put_wire_number(bytes, 1);
    put_wire_string(bytes, public_key(words));
    put_wire_string(bytes, "secret");
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

}  // namespace
}  // namespace launch
