// SPDX-License-Identifier: MIT
#include "core/base/random.hpp"

#include <cerrno>
#include <cstring>
#include <sys/random.h>
#include <system_error>

namespace launch {
namespace {

constinit thread_local SeededRandom* random_of_this_thread = nullptr;

}  // namespace

SeededRandom::SeededRandom(uint64_t seed) : state_(seed) {
    random_of_this_thread = this;
}

SeededRandom::~SeededRandom() {
    random_of_this_thread = nullptr;
}

uint64_t SeededRandom::next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
}

std::string random_bytes(size_t size) {
    std::string bytes(size, '\0');
    if (random_of_this_thread != nullptr) {
        for (char& byte : bytes)
            byte = static_cast<char>(random_of_this_thread->next());
        return bytes;
    }
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
