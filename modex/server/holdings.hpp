// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace launch {

/// The data that others keep for each rank of a node, against the limits of one rank: values that
/// it has put and published, and its open questions. It shrinks again.
class Holdings {
  public:
    struct Load {
        uint64_t keys = 0;       ///< put and published
        uint64_t bytes = 0;      ///< of those
        uint64_t questions = 0;  ///< at a time
    };
    /// Each kind has its own keys.
    enum class Kind : char { card = 'c', attribute = 'a', name = 'n' };

    /// The most that one rank may hold before it counts as out of control.
    static constexpr Load most{100'000, 256u << 20, 10'000};

    explicit Holdings(Load limits) : limits_(limits) {}

    /// The rank holds this from now on, instead of what it held by that key. False: it would be too
    /// much, and nothing is changed.
    bool hold(uint32_t rank, Kind kind, const std::string& key, uint64_t bytes);
    /// Nobody holds it any more: it was withdrawn, or taken.
    void release(Kind kind, const std::string& key);
    /// The rank holds none of that kind any more whose key begins so.
    void release_all(uint32_t rank, Kind kind, const std::string& prefix);
    /// Adds load without a key. False: it would be too much, and nothing is changed.
    bool add(uint32_t rank, Load load);
    void remove(uint32_t rank, Load load);
    bool fits(uint32_t rank, Load load) const;
    /// Nothing is counted of that rank any more, now or later.
    void forget(uint32_t rank);
    bool forgotten(uint32_t rank) const { return gone_.contains(rank); }

  private:
    struct Held {
        Load all;
        std::unordered_map<std::string, uint64_t> by_key;  ///< bytes
    };

    const Load limits_;
    std::map<uint32_t, Held> ranks_;
    std::set<uint32_t> gone_;
};

}  // namespace launch
