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

}  // namespace launch
