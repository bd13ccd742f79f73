// SPDX-License-Identifier: MIT
#include "core/base/random.hpp"

#include <cerrno>
#include <cstring>
#include <sys/random.h>
#include <system_error>

namespace launch {

std::string random_bytes(size_t size) {
    std::string bytes(size, '\0');
    for (size_t have = 0; have < size;) {
        const ssize_t n = getrandom(bytes.data() + have, size - have, 0);
        if (n > 0)
            have += static_cast<size_t>(n);
        else if (errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "get random numbers");
    }
    return bytes;
}

uint32_t random_number() {
    uint32_t number = 0;
    const std::string bytes = random_bytes(sizeof number);
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

}  // namespace launch
