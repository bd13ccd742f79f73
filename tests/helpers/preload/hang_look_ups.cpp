// SPDX-License-Identifier: MIT
// Preloaded into a program: its look-ups of names that begin with "hang" never come back, as where
// a name service hangs.
#include <cstring>
#include <dlfcn.h>
#include <netdb.h>

#include "inside.hpp"

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                           addrinfo** found) {
    if (name != nullptr && std::strncmp(name, "hang", 4) == 0) preload::hang();
    static const auto real =
        reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(name, service, hints, found);
}
