#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace launch {

/// What is published by its name.
struct NamedValue {
    std::string name;
    std::string value;
};

/// Which names are looked up, and how long that may take.
struct NameLookup {
    std::vector<std::string> names;
    bool waits = false;             ///< for those that nobody has published yet
    size_t wanted = 0;              ///< where it waits: so many are enough; 0: all
    std::chrono::seconds limit{0};  ///< where it waits: how long; 0: as long as it takes
};

/// The answer to a NameLookup.
struct NamesFound {
    std::vector<std::optional<std::string>> values;  ///< in the order of the names
    bool late = false;                               ///< time was up before there were enough
};

}  // namespace launch
