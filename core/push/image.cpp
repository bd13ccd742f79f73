// SPDX-License-Identifier: MIT
#include "core/push/image.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <vector>

#include "core/push/cksum.hpp"
#include "core/stage/read_at.hpp"

namespace launch {
namespace {

constexpr const char* reading = "read /proc/self/exe";
constexpr size_t summed_at_once = 64u << 10;

/// How far the segments of the first object reach, which is the executable.
int find_end(dl_phdr_info* info, size_t, void* result) {
    auto& end = *static_cast<uint64_t*>(result);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        end = std::max<uint64_t>(end, header.p_offset + header.p_filesz);
    }
    return 1;
}

}  // namespace

Result<Image> Image::open() {
    UniqueFd file(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    struct stat info {};
    if (!file || fstat(file.get(), &info) != 0) return os_error(reading, errno);
    uint64_t end = 0;
    dl_iterate_phdr(find_end, &end);
    const auto size = static_cast<uint64_t>(info.st_size);
    Image image(std::move(file), end == 0 ? size : std::min(end, size));
    auto summed = image.sum_up();
    if (!summed) return std::move(summed.error());
    return image;
}

Status Image::sum_up() {
    Cksum sum;
    std::vector<char> buffer(summed_at_once);
    for (uint64_t at = 0; at < size_; at += buffer.size()) {
        buffer.resize(std::min<uint64_t>(buffer.size(), size_ - at));
        auto done = read(buffer, at);
        if (!done) return done;
        sum.add(buffer);
    }
    checksum_ = sum.value();
    return Ok{};
}

Status Image::read(std::span<char> buffer, uint64_t offset) const {
    const ssize_t n = read_at(file_.get(), buffer, offset);
    if (n < 0) return os_error(reading, errno);
    if (static_cast<size_t>(n) < buffer.size()) return os_error(reading, EIO);
    return Ok{};
}

std::string own_machine() {
    utsname names{};
    return uname(&names) == 0 ? names.machine : "";
}

}  // namespace launch
