// SPDX-License-Identifier: MIT
#include "transports/ssh/libssh.hpp"

#include <string>

#include "core/base/library.hpp"

namespace launch {
std::shared_ptr<const LibSsh> LibSsh::open(std::string& why) {
    Library library("libssh.so.4");
    auto functions = std::make_shared<LibSsh>();
#define LAUNCH_LOAD(name) library.load(functions->name, #name);
    LAUNCH_LIBSSH_FUNCTIONS(LAUNCH_LOAD)
#undef LAUNCH_LOAD
    why = library.why_not();
    if (!why.empty()) return nullptr;
    return functions;
}

}  // namespace launch
