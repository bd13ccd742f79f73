#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// One entry of the job's key-value space: what a rank published about itself.
struct Card {
    uint32_t owner = 0;  ///< the rank that put it
    std::string key;
    std::string value;

    bool operator==(const Card&) const = default;
};

}  // namespace launch
