// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace launch {

/// One entry of the job's key-value space: what a rank published about itself.
struct Card {
    uint32_t owner = 0;  ///< the rank that put it
    std::string key;
    std::string value;

    bool operator==(const Card&) const = default;
};

/// The cards that a node knows, its own ranks' and others': each has a number that stays its own.
class CardStore {
  public:
    using Id = uint32_t;
    struct Stored {
        Id id = 0;
        bool fresh = false;    ///< the key was not known
        bool changed = false;  ///< it was known with another value
    };

    /// `fence`: which makes it visible to others, if the key is fresh.
    Stored put(Card card, bool own, uint64_t fence = 0);
    /// Null: not known.
    const Card* find(std::string_view key) const;
    /// The number of a card that find() gave.
    Id id_of(std::string_view key) const { return ids_.at(key); }
    /// Forgets what other nodes' ranks put: it may be out of date.
    void forget_others();

    /// Calls f(id, card) for every card known that `fences` fences have made visible.
    template <class F>
    void for_each_visible(uint64_t fences, F f) const {
        for (Id id = 0; id < entries_.size(); ++id) {
            const Entry& entry = entries_[id];
            if (entry.known && entry.fence <= fences) f(id, entry.card);
        }
    }
    const Card& card(Id id) const { return entries_[id].card; }

  private:
    struct Entry {
        Card card;
        bool own = false;
        bool known = false;
        uint64_t fence = 0;
    };

    std::deque<Entry> entries_;  ///< never moves: ids_ points into the keys
    std::unordered_map<std::string_view, Id> ids_;
};

/// A set of card numbers.
class CardSet {
  public:
    bool contains(CardStore::Id id) const { return id < bits_.size() && bits_[id]; }
    void insert(CardStore::Id id) {
        if (id >= bits_.size()) bits_.resize(id + 1);
        bits_[id] = true;
    }
    /// False: it was not in it.
    bool erase(CardStore::Id id) {
        const bool was = contains(id);
        if (was) bits_[id] = false;
        return was;
    }
    void clear() { bits_.clear(); }

  private:
    std::vector<bool> bits_;
};

}  // namespace launch
