// SPDX-License-Identifier: MIT
// Preloaded into a program: libpmix never comes back from its end, as where it waits for a lock
// of a thread that is gone. libevent's function is called there, and by nothing else of launch.
#include "inside.hpp"

extern "C" void event_base_free(void*) {
    preload::hang();
}
