// SPDX-License-Identifier: MIT
#include "transports/direct/libssl.hpp"

#include "core/base/library.hpp"

namespace launch {
namespace {

LibSsl load() {
    Library library("libssl.so." + std::to_string(OPENSSL_VERSION_MAJOR));
    LibSsl functions;
#define LAUNCH_LOAD(name) library.load(functions.name, #name);
    LAUNCH_LIBSSL_FUNCTIONS(LAUNCH_LOAD)
#undef LAUNCH_LOAD
    functions.why_not = library.why_not();
    return functions;
}

}  // namespace

const LibSsl& LibSsl::get() {
    static const LibSsl functions = load();
    return functions;
}

}  // namespace launch
