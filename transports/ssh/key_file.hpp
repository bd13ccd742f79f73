// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace launch {

/// The contents of a file that the user's config names as a key, as far as they can be read without
/// a passphrase.
struct KeyFile {
    enum class State : uint8_t {
        none,     ///< no file, or nothing of a key in it
        open,     ///< a private key that needs no passphrase
        locked,   ///< an encrypted one
        exposed,  ///< either, but others than its owner may read it
        half,     ///< only the public half, whose private half an agent may have
    };

    std::string path;
    State state = State::none;
    std::string public_key;  ///< as an agent lists it (RFC 4253, 6.6); empty: not known
};

/// Judges the file's text; `beside` is that of the file's public half, FILE.pub, if there is one.
/// Pure.
KeyFile judge_key_file(std::string path, std::string_view text, std::string_view beside);

/// The error says that this process, or the machine, has no descriptor left.
bool ran_out_of_descriptors(int error);

/// `no_descriptors` becomes the errno where none was left for the file or its public half; one that
/// it has stays.
KeyFile read_key_file(const std::string& path, int& no_descriptors);

}  // namespace launch
