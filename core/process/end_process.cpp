// SPDX-License-Identifier: MIT
#include "core/process/end_process.hpp"

#include <cstdio>
#include <iostream>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace launch {

void end_process(int code) {
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
#ifdef __SANITIZE_ADDRESS__
    __lsan_do_leak_check();  // else one of the handlers
#endif
    _exit(code);
}

}  // namespace launch
