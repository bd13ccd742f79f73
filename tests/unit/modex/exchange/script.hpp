// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/unit/modex/exchange/simulation.hpp"

namespace launch {

/// Ranks that put, get and fence at random, and the semantics held against what they are told:
/// after a fence each sees what was put before it, or something newer; a key that nobody has put
/// is not there; nobody waits for ever.
class Script : public SimulationEvents {
  public:
    struct Settings {
        uint32_t fences = 4;
        uint32_t steps = 6;             ///< puts and gets between two fences, at most
        uint32_t value_size = 40;       ///< about
        bool mixed = false;             ///< every other fence a hundred times that
        bool overwrite = true;          ///< keys are put again with other values
        bool literals = true;           ///< keys that do not tell their owner
        bool early = true;              ///< gets of what no fence has made visible yet
        bool get_across = true;         ///< a rank may join a fence while a get of its waits
        uint32_t exits_of_hundred = 0;  ///< ranks that exit on the way
        uint32_t losses = 0;            ///< nodes that are lost on the way, at most
    };

    Script(const Topology& topology, const NodeRanks& ranks, Simulation::Settings simulation,
           Settings settings);

    /// Until everything is quiet. Then nobody may be waiting.
    void run();
    const Simulation::Traffic& traffic() const { return simulation_.traffic(); }
    uint64_t gets() const { return gets_; }

    void fence_done(NodeIndex node, Channel channel, const std::string& blob) override;
    void answered(uint64_t ticket, bool found, const std::string& value) override;

  private:
    struct Rank {
        uint32_t number = 0;
        uint32_t fences = 0;  ///< that it has passed
        uint32_t joined = 0;  ///< that it has joined
        uint32_t left = 0;    ///< steps before the next one
        uint32_t waits = 0;   ///< for answers
        bool in_fence = false;
        bool gone = false;
    };
    /// Each value that a key has had, and how many fences its owner had passed when it put it.
    struct Value {
        std::string text;
        uint32_t fences = 0;
    };
    struct Get {
        uint32_t rank = 0;
        std::string key;
        uint32_t fences = 0;  ///< that the reader had passed
        size_t local = 0;     ///< values that the owner had put, if it is of the same node
    };

    void lose_nodes();
    void check_end() const;
    bool may_act(const Rank& rank) const;
    void act(Rank& rank);
    void put(Rank& rank);
    void get(Rank& rank);
    std::vector<Value> put_so_far(const std::string& key) const;
    std::string key_of(uint32_t rank, uint32_t number) const;
    std::string value(uint32_t size);
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

    const Settings settings_;
    std::mt19937 random_;
    Simulation simulation_;
    std::vector<Rank> ranks_;
    NodeRanks placed_;
    std::map<std::string, std::vector<Value>> values_;
    std::map<std::string, uint32_t> owners_;
    std::map<uint64_t, Get> open_;
    uint64_t gets_ = 0;
    uint32_t losses_ = 0;
};

}  // namespace launch
