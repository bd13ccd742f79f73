// SPDX-License-Identifier: MIT
#include "tests/fuzz/allocation.hpp"

#include <string>

#include "tests/fuzz/targets.hpp"

extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             size_t),
                                                         void (*free_hook)(const volatile void*))
    __attribute__((weak));

namespace launch::fuzz {
namespace {

bool counting = false;
size_t asked_for = 0;

void count(const volatile void*, size_t size) {
    if (counting) asked_for += size;
}
void ignore(const volatile void*) {}

}  // namespace

AllocationLimit::AllocationLimit(size_t most) : most_(most) {
    static const bool hooked = __sanitizer_install_malloc_and_free_hooks != nullptr &&
                               __sanitizer_install_malloc_and_free_hooks(count, ignore) != 0;
    asked_for = 0;
    counting = hooked;
}

AllocationLimit::~AllocationLimit() {
    counting = false;
}

void AllocationLimit::check() const {
    counting = false;
    if (asked_for <= most_) return;
    const std::string what =
        "at most " + std::to_string(most_) + " bytes of memory, not " + std::to_string(asked_for);
    require(false, what.c_str());
}

}  // namespace launch::fuzz
