// SPDX-License-Identifier: MIT
#include "core/base/file_text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {

FileText read_file(const std::string& path, size_t most) {
    const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return {{}, errno};
    return read_file(fd.get(), most);
}

FileText read_file(int fd, size_t most) {
    FileText file;
    std::array<char, 16384> piece;
    for (;;) {
        const size_t room = std::min(piece.size(), most - file.text.size());
        const ssize_t size = read(fd, piece.data(), room);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return {{}, errno};
        if (size == 0) return file;
        file.text.append(piece.data(), static_cast<size_t>(size));
    }
}

bool is_absent(int error) {
    return error == ENOENT || error == ENOTDIR;
}

}  // namespace launch
