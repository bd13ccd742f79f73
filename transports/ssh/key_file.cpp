// SPDX-License-Identifier: MIT
#include "transports/ssh/key_file.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "core/base/file_text.hpp"
#include "transports/ssh/base64.hpp"
#include "transports/ssh/secret_file.hpp"
#include "transports/ssh/wire_string.hpp"

namespace launch {
namespace {

/// More than any public half takes.
constexpr size_t most_key_text = size_t{64} * 1024;

constexpr std::string_view openssh_begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
constexpr std::string_view any_end = "-----END";

std::string_view take_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
    line.remove_prefix(word.size());
    return word;
}

/// "TYPE BASE64 COMMENT", as ssh-keygen writes it. Empty where the text is none of that.
std::string public_half(std::string_view text) {
    std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view type = take_word(line);
    std::string key = base64_decode(take_word(line));
    std::string_view rest = key;
    if (type.empty() || take_wire_string(rest) != type) return {};
    return key;
}

/// The readable part of OpenSSH's own format: how it is encrypted, and the public half.
struct Envelope {
    bool encrypted = false;
    std::string public_key;
};

std::optional<Envelope> open_envelope(std::string_view text) {
    const size_t begin = text.find(openssh_begin);
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin + openssh_begin.size());
    std::string packed(text.substr(0, text.find(any_end)));
    const Wipe packed_wipe(packed);
    std::erase_if(packed, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
    std::string bytes = base64_decode(packed);
    const Wipe bytes_wipe(bytes);
    std::string_view rest = bytes;
    constexpr std::string_view magic("openssh-key-v1\0", 15);
    if (!rest.starts_with(magic)) return std::nullopt;
    rest.remove_prefix(magic.size());
    const auto cipher = take_wire_string(rest);
    take_wire_string(rest);  // how the passphrase becomes a key, and its parameters
    take_wire_string(rest);
    take_wire_number(rest);  // how many keys: one
    const auto key = take_wire_string(rest);
    if (!cipher || !key) return std::nullopt;
    return Envelope{*cipher != "none", std::string(*key)};
}

bool mentions(std::string_view text, std::string_view what) {
    return text.find(what) != std::string_view::npos;
}

}  // namespace

KeyFile judge_key_file(std::string path, std::string_view text, std::string_view beside) {
    KeyFile file{std::move(path), KeyFile::State::none, public_half(text)};
    if (!file.public_key.empty()) {
        file.state = KeyFile::State::half;
        return file;
    }
    file.public_key = public_half(beside);
    if (const auto envelope = open_envelope(text)) {
        file.state = envelope->encrypted ? KeyFile::State::locked : KeyFile::State::open;
        if (file.public_key.empty()) file.public_key = envelope->public_key;
    } else if (mentions(text, "-----BEGIN ENCRYPTED PRIVATE KEY-----") ||
               mentions(text, "\nProc-Type: 4,ENCRYPTED")) {
        file.state = KeyFile::State::locked;
    } else if (mentions(text, "PRIVATE KEY-----")) {
        file.state = KeyFile::State::open;
    } else if (!file.public_key.empty()) {
        file.state = KeyFile::State::half;
    }
    return file;
}

bool ran_out_of_descriptors(int error) {
    return error == EMFILE || error == ENFILE;
}

KeyFile read_key_file(const std::string& path, int& no_descriptors) {
    const SecretFile file(path);
    const FileText beside = read_file(path + ".pub", most_key_text);
    for (const int error : {file.error(), beside.error})
        if (no_descriptors == 0 && ran_out_of_descriptors(error)) no_descriptors = error;
    KeyFile key = judge_key_file(path, file.text(), beside.text);
    const bool is_private =
        key.state == KeyFile::State::open || key.state == KeyFile::State::locked;
    if (is_private && file.exposed()) key.state = KeyFile::State::exposed;
    return key;
}

}  // namespace launch
