// SPDX-License-Identifier: MIT
// modex_check [abort CODE]: the client library under a launcher, or under none: cards of all kinds
// from every rank, read by every rank byte by byte, and what must not be there. Or rank 0 aborts
// the job while the others fence.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "modex/client/launch_modex.h"

namespace {

struct Card {
    std::string key;
    std::string value;
};

std::vector<Card> cards_of(int rank) {
    std::string bytes, large, text;
    for (int i = 0; i < 256; i++)
        bytes.push_back(static_cast<char>(i + rank));
    for (int i = 0; i < 60; i++)
        large += bytes;
    for (int i = 0; i < 300; i++)
        text += "tcp://10.0.0." + std::to_string(rank) + ":" + std::to_string(i) + ",";
    return {{"empty", ""},    {"a key=with%odd bytes\n", "value with = and % and\nlines"},
            {"bytes", bytes}, {"large", large},
            {"text", text},   {std::string(LAUNCH_MODEX_KEY_MAX, 'k'), std::to_string(rank)}};
}

[[noreturn]] void give_up(launch_modex* job, const std::string& what, int code = 0) {
    const std::string message =
        what + (code ? std::string(": ") + launch_modex_strerror(code) : "");
    std::fprintf(stderr, "modex_check, rank %d: %s\n", launch_modex_rank(job), message.c_str());
    launch_modex_abort(job, 1, message.c_str());
    std::abort();
}

void want(launch_modex* job, int got, int wanted, const std::string& what) {
    if (got != wanted) give_up(job, what, got);
}

void check_cards(launch_modex* job, int rank) {
    for (const auto& [key, value] : cards_of(rank)) {
        size_t length = 0;
        std::string found(value.size() + 10, '?');
        want(job, launch_modex_get(job, rank, key.c_str(), found.data(), found.size(), &length), 0,
             "get " + key);
        found.resize(length);
        if (found != value)
            give_up(job, "another value at " + key + " of rank " + std::to_string(rank));
    }
}

void check_refusals(launch_modex* job) {
    const int rank = launch_modex_rank(job);
    const std::string long_key(LAUNCH_MODEX_KEY_MAX + 1, 'k');
    char byte = '?';
    size_t length = 0;
    want(job, launch_modex_get(job, rank, "none", &byte, 1, &length), LAUNCH_MODEX_ENOTFOUND,
         "a missing key");
    want(job, launch_modex_get(job, rank, "large", &byte, 1, &length), LAUNCH_MODEX_ETOOSMALL,
         "a small buffer");
    if (length != 256 * 60 || byte != '?') give_up(job, "a small buffer: length or bytes");
    want(job, launch_modex_get(job, rank, "bytes", nullptr, 0, &length), LAUNCH_MODEX_ETOOSMALL,
         "no buffer");
    want(job, launch_modex_get(job, launch_modex_size(job), "bytes", &byte, 1, &length),
         LAUNCH_MODEX_EARGUMENT, "a rank too high");
    want(job, launch_modex_get(job, -1, "bytes", &byte, 1, &length), LAUNCH_MODEX_EARGUMENT,
         "a rank below 0");
    want(job, launch_modex_put(job, long_key.c_str(), "", 0), LAUNCH_MODEX_EARGUMENT, "a long key");
    want(job, launch_modex_put(job, "", "", 0), LAUNCH_MODEX_EARGUMENT, "no key");
    want(job, launch_modex_put(job, "k", nullptr, 1), LAUNCH_MODEX_EARGUMENT, "no value");
    want(job, launch_modex_put(nullptr, "k", "", 0), LAUNCH_MODEX_EARGUMENT, "no handle");
}

}  // namespace

int main(int argc, char** argv) {
    launch_modex* job = nullptr;
    const int failed = launch_modex_init(&job);
    if (failed) give_up(job, "init", failed);
    const int rank = launch_modex_rank(job), size = launch_modex_size(job);
    if (argc > 2 && rank == 0) launch_modex_abort(job, std::atoi(argv[2]), "the soup is cold");
    for (const auto& [key, value] : cards_of(rank))
        want(job, launch_modex_put(job, key.c_str(), value.data(), value.size()), 0, "put " + key);
    want(job, launch_modex_fence(job), 0, "fence");
    for (int i = 0; i < size; i++)
        check_cards(job, (rank + i) % size);
    check_refusals(job);
    const std::string more = "more of " + std::to_string(rank);
    want(job, launch_modex_put(job, "second", more.data(), more.size()), 0, "put after a fence");
    want(job, launch_modex_fence(job), 0, "second fence");
    char found[32];
    want(job, launch_modex_get(job, (rank + 1) % size, "second", found, sizeof found, nullptr), 0,
         "get after the second fence");
    if (rank == 0) std::printf("client library: %d ranks are right\n", size);
    return launch_modex_finalize(job) ? 1 : 0;
}
