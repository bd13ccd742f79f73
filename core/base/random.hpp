// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// From the kernel, fit for keys. Not std::random_device: by it the executable would need glibc
/// 2.36. Throws std::system_error where the kernel gives none: nothing could be kept secret.
std::string random_bytes(size_t size);

/// Random bits as a number.
uint32_t random_number();

/// Both from a seed, in this thread and as long as this lives: for a simulation. No secret.
class SeededRandom {
  public:
    explicit SeededRandom(uint64_t seed);
    SeededRandom(const SeededRandom&) = delete;
    SeededRandom& operator=(const SeededRandom&) = delete;
    ~SeededRandom();

    /// The next number (G. Steele, D. Lea, C. Flood: "Fast Splittable Pseudorandom Number
    /// Generators", OOPSLA 2014).
    uint64_t next();

  private:
    uint64_t state_;
};

}  // namespace launch
