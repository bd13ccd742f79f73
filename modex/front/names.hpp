// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace launch {

/// A value that is published under a name.
struct NamedValue {
    std::string name;
    std::string value;
};

/// The readers that may find a published name, and its lifetime: PMIx's range and persistence.
/// Names of different ranges are different names.
struct NameScope {
    enum class Range : uint8_t {
        session,  ///< all jobs of the tree
        job,
        host,  ///< ranks on the publisher's host, of all jobs
        process,
    };
    /// Until it is withdrawn, or ...
    enum class Life : uint8_t {
        process,  ///< ... the rank that published it exits
        job,      ///< ... its job ends
        session,  ///< ... the tree does
    };
    Range range = Range::session;
    Life life = Life::job;
    std::string host = {};  ///< of who asks, where it matters
};

/// Which names are looked up, and how long that may take.
struct NameLookup {
    std::vector<std::string> names;
    bool waits = false;                  ///< for names that are not published yet
    size_t wanted = 0;                   ///< where it waits: so many are enough; 0: all
    std::chrono::milliseconds limit{0};  ///< where it waits: how long; 0: as long as it takes
    NameScope scope = {};  ///< those that are found have this range, or a narrower one
};

/// The answer to a NameLookup.
struct NamesFound {
    std::vector<std::optional<std::string>> values;  ///< in the order of the names
    bool late = false;                               ///< time was up before there were enough
};

}  // namespace launch
