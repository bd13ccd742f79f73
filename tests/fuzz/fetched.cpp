// SPDX-License-Identifier: MIT
// The stream that a host sends for --fetch.
#include <algorithm>
#include <vector>

#include "core/fetch/records.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

struct Taken {
    std::vector<std::string> records;  ///< as they are sent
    bool malformed = false;

    bool operator==(const Taken&) const = default;
};

void require_safe(const FetchRecord& record) {
    const std::string* name = nullptr;
    uint32_t mode = 0;
    if (const auto* folder = std::get_if<FetchedFolder>(&record)) {
        name = &folder->name;
        mode = folder->mode;
    }
    if (const auto* file = std::get_if<FetchedFile>(&record)) {
        name = &file->name;
        mode = file->mode;
    }
    if (const auto* link = std::get_if<FetchedLink>(&record)) name = &link->name;
    if (const auto* other = std::get_if<FetchedOther>(&record)) name = &other->name;
    require(name == nullptr || is_single_name(*name), "a name stays in its folder");
    require((mode & ~fetch::permissions) == 0, "no set-user-id bit");
}

/// Cut into reads of `step` bytes.
Taken take_in(std::string_view bytes, size_t step) {
    FetchDecoder decoder;
    Taken taken;
    while (!bytes.empty()) {
        decoder.add(bytes.substr(0, step));
        bytes.remove_prefix(std::min(step, bytes.size()));
        while (const auto record = decoder.next()) {
            require_safe(*record);
            taken.records.push_back(encode_fetch(*record));
        }
    }
    taken.malformed = decoder.malformed();
    return taken;
}

}  // namespace

/// The first byte cuts the rest into reads.
void fuzz::fetched(std::string_view bytes) {
    if (bytes.empty()) return;
    const size_t step = 1 + static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    const Taken taken = take_in(bytes, step);
    AllocationLimit limit(in_proportion(bytes.size()));
    require(take_in(bytes, bytes.size() + 1) == taken, "however it is cut");
    limit.check();
    std::string again;
    for (const auto& record : taken.records)
        again += record;
    require(take_in(again, step) == Taken{taken.records, false}, "is read as it was sent");
}

}  // namespace launch
