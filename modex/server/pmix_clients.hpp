// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace launch {

/// The ranks of a node as clients of libpmix's server: how far each has come.
class PmixClients {
  public:
    enum class State : uint8_t {
        absent,     ///< it has never spoken PMIx, and is not about to
        expected,   ///< it may join
        joined,     ///< it takes part in fences
        finalized,  ///< it takes part in none, unless another program of the rank joins
        vanished,   ///< it exited when it had joined
    };

    State state(uint32_t rank) const;
    /// It has spoken PMIx.
    bool spoke(uint32_t rank) const { return state(rank) >= State::joined; }
    std::set<uint32_t> in(State state) const;

    void expect(uint32_t rank) { clients_[rank].state = State::expected; }
    /// Returns false if an earlier process of the rank has joined and not finalized.
    bool join(uint32_t rank);
    void finalize(uint32_t rank);
    /// All that have joined have entered a fence of all.
    void fence();
    /// It exited, or was not started. True: it had joined and not finalized.
    bool end(uint32_t rank);

    /// libpmix knows a client by a number that the next one to connect may get, and would take that
    /// one out in its place: only when none can have connected since the rank, which has ended, was
    /// last heard of, and none is to come. One that never connected has no number.
    bool can_be_taken_out(uint32_t rank) const;

  private:
    struct Client {
        State state = State::absent;
        uint64_t heard_at = 0;  ///< how many had joined when it was last heard of; 0: never
    };

    std::map<uint32_t, Client> clients_;
    uint64_t joins_ = 0;
};

}  // namespace launch
