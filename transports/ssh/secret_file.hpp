// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// Zeroes a text that is a secret when it is done with; it must not have grown since it had any of
/// it.
class Wipe {
  public:
    explicit Wipe(std::string& text) : text_(text) {}
    ~Wipe();
    Wipe(const Wipe&) = delete;
    Wipe& operator=(const Wipe&) = delete;

  private:
    std::string& text_;
};

/// The beginning of a file that may hold a private key, more than any key takes. It is in one place
/// in memory, which is zeroed at the end.
class SecretFile {
  public:
    explicit SecretFile(const std::string& path);
    ~SecretFile();
    SecretFile(const SecretFile&) = delete;
    SecretFile& operator=(const SecretFile&) = delete;

    std::string_view text() const { return {bytes_.data(), size_}; }
    /// The text with a '\0' behind it.
    const char* c_str() const { return bytes_.data(); }
    /// errno with which it could not be read, and there is no text; 0: it could.
    int error() const { return error_; }
    /// It is the user's and others may read it: no key of such a file is used, as with ssh.
    bool exposed() const { return exposed_; }

  private:
    int read_all(int file);

    std::vector<char> bytes_;
    size_t size_ = 0;
    int error_ = 0;
    bool exposed_ = false;
};

}  // namespace launch
