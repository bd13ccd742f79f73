// SPDX-License-Identifier: MIT
#include "tests/fuzz/client_run.hpp"

#include <array>

#include "modex/client/launch_modex.h"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch::fuzz {
namespace {

/// The handle, with its line; a value's text, as it grows; what is put.
constexpr size_t most_memory = 16u << 20;

void known_code(int code) {
    require(code <= LAUNCH_MODEX_OK && code >= LAUNCH_MODEX_ETIMEOUT, "a code of the list");
}

/// What is asked of launch alone, and may be answered by anything.
void run_more(launch_modex* job) {
    std::array<char, 20> text{};
    launch_modex_event event{};
    const std::array<const char*, 2> argv{"app", nullptr};
    known_code(launch_modex_grow(job, "n1"));
    require(launch_modex_reason(job) != nullptr, "there is always a reason");
    known_code(launch_modex_parent(job, text.data(), text.size()));
    known_code(launch_modex_lookup(job, "name", 1, text.data(), text.size()));
    known_code(launch_modex_next_event(job, 0, &event));
    known_code(launch_modex_get_from(job, "s", 0, "card", text.data(), text.size(), nullptr));
    known_code(launch_modex_spawn(job, argv.data(), 1, nullptr, text.data(), text.size()));
}

void run(launch_modex* job, const std::string& value) {
    require(launch_modex_rank(job) == client_rank && launch_modex_size(job) == client_ranks,
            "the rank is what it was");
    known_code(launch_modex_put(job, "card", value.data(), value.size()));
    known_code(launch_modex_fence(job));
    for (const int rank : {0, 2, 1, 0, 2}) {
        std::array<char, 300> buffer{};
        size_t length = 0;
        const int code = launch_modex_get(job, rank, "card", buffer.data(), buffer.size(), &length);
        known_code(code);
        require(code != LAUNCH_MODEX_OK || length <= buffer.size(), "it fits");
        require(code != LAUNCH_MODEX_ETOOSMALL || length > buffer.size(), "it does not fit");
        require(length <= LAUNCH_MODEX_VALUE_MAX, "no longer than can be put");
    }
    run_more(job);
    known_code(launch_modex_finalize(job));
}

}  // namespace

void run_client(const std::string& value) {
    AllocationLimit limit(most_memory);
    launch_modex* job = nullptr;
    const int code = launch_modex_init(&job);
    known_code(code);
    require((code == LAUNCH_MODEX_OK) == (job != nullptr), "a handle where it succeeds");
    if (job != nullptr) run(job, value);
    limit.check();
}

}  // namespace launch::fuzz
