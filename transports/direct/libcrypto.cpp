// SPDX-License-Identifier: MIT
#include "transports/direct/libcrypto.hpp"

#include <openssl/opensslv.h>

#include "core/base/library.hpp"

namespace launch {
namespace {

LibCrypto load_libcrypto() {
    Library library("libcrypto.so." + std::to_string(OPENSSL_VERSION_MAJOR));
    LibCrypto functions;
#define LAUNCH_LOAD(name) library.load(functions.name, #name);
    LAUNCH_LIBCRYPTO_FUNCTIONS(LAUNCH_LOAD)
#undef LAUNCH_LOAD
    functions.why_not = library.why_not();
    return functions;
}

}  // namespace

const LibCrypto& LibCrypto::get() {
    static const LibCrypto functions = load_libcrypto();
    return functions;
}

}  // namespace launch
