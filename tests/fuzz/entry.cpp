// SPDX-License-Identifier: MIT
// What libFuzzer calls: TARGET of targets.hpp.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    launch::fuzz::TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
