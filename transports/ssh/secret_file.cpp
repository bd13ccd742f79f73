// SPDX-License-Identifier: MIT
#include "transports/ssh/secret_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "transports/ssh/file_permissions.hpp"

namespace launch {
namespace {

constexpr size_t most_secret_text = size_t{64} * 1024;

}  // namespace

Wipe::~Wipe() {
    text_.resize(text_.capacity());  // also what was there before it shrank
    explicit_bzero(text_.data(), text_.size());
}

SecretFile::SecretFile(const std::string& path) : bytes_(most_secret_text + 1) {
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    error_ = file ? read_all(file.get()) : errno;
    exposed_ = file && is_exposed_key(permissions_of(file.get()), ::getuid());
    if (error_ != 0) size_ = 0;
    bytes_[size_] = '\0';
}

SecretFile::~SecretFile() {
    explicit_bzero(bytes_.data(), bytes_.size());
}

int SecretFile::read_all(int file) {
    while (size_ < most_secret_text) {
        const ssize_t size = read(file, &bytes_[size_], most_secret_text - size_);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return errno;
        if (size == 0) break;
        size_ += static_cast<size_t>(size);
    }
    return 0;
}

}  // namespace launch
