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
    require(code <= LAUNCH_MODEX_OK && code >= LAUNCH_MODEX_ENOMEMORY, "a code of the list");
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
