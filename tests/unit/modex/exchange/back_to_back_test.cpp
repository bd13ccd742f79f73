// SPDX-License-Identifier: MIT
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/unit/modex/exchange/simulation.hpp"
#include "topologies/kary.hpp"

namespace launch {
namespace {

constexpr uint32_t fences = 1000;
constexpr ModexChoice asked[] = {ModexChoice::ring, ModexChoice::automatic, ModexChoice::bruck};

/// Both kinds of fence over and over, with nothing between: whoever is let out goes into the next
/// one, now or a little later.
class BackToBack : public SimulationEvents {
  public:
    BackToBack(const Topology& topology, const NodeRanks& placed, Simulation::Settings settings)
        : random_(settings.seed),
          nodes_(static_cast<NodeIndex>(placed.size())),
          simulation_(topology, placed, settings, *this) {
        for (NodeIndex node = 0; node < placed.size(); ++node)
            for (const uint32_t rank : placed[node])
                ranks_.push_back({rank, node});
        for (Rank& rank : ranks_)
            rank.blobs.speaks = rank.number == placed[rank.node].front();
    }

    void run() {
        bool moves = true;
        while (moves) {
            moves = false;
            if (peers_open_ < nodes_ && below(50) == 0) simulation_.open_peers(peers_open_++);
            for (uint32_t i = below(6); i > 0; --i)
                moves = simulation_.step() || moves;
            Rank& rank = ranks_[below(static_cast<uint32_t>(ranks_.size()))];
            moves = join(rank) || moves || simulation_.step() || anybody_may_join();
        }
        for (const Rank& rank : ranks_) {
            EXPECT_EQ(rank.cards.passed, fences);
            EXPECT_EQ(rank.blobs.passed, fences);
        }
        EXPECT_EQ(simulation_.traffic().refused, 0U);
    }

    void fence_done(NodeIndex node, Channel channel, const std::string& blob) override {
        uint32_t passed = 0;
        for (Rank& rank : ranks_)
            if (rank.node == node) passed = ++(rank.*of(channel)).passed;
        for (const Rank& rank : ranks_) {
            const Fence& fence = rank.*of(channel);
            EXPECT_TRUE(!fence.speaks || fence.joined >= passed)
                << "node " << node << " is let out of " << passed << " without " << rank.number;
        }
        if (channel == Channel::blobs && passed > 0) {
            EXPECT_EQ(blob, whole(passed));
        }
    }
    void answered(uint64_t, bool, const std::string&) override {}

  private:
    struct Fence {
        uint32_t joined = 0;
        uint32_t passed = 0;
        bool speaks = true;  ///< of a node's ranks the first one joins for all in that of blobs
    };
    struct Rank {
        uint32_t number = 0;
        NodeIndex node = 0;
        Fence cards = {};
        Fence blobs = {};
    };

    static Fence Rank::*of(Channel channel) {
        return channel == Channel::cards ? &Rank::cards : &Rank::blobs;
    }
    static bool may_join(const Fence& fence) {
        return fence.speaks && fence.joined == fence.passed && fence.joined < fences;
    }
    /// As long as what everybody says in that fence, and of nothing else.
    std::string whole(uint32_t fence) const {
        std::string all;
        for (const Rank& rank : ranks_)
            if (rank.blobs.speaks) all += part(fence);
        return all;
    }
    static std::string part(uint32_t fence) { return std::to_string(fence) + ";"; }
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
    bool anybody_may_join() const {
        return std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) {
            return may_join(rank.cards) || may_join(rank.blobs);
        });
    }
    bool join(Rank& rank) {
        Exchange& exchange = simulation_.at(rank.node);
        Fence& fence = rank.*of(below(2) == 0 ? Channel::cards : Channel::blobs);
        if (!may_join(fence)) return false;
        ++fence.joined;
        const bool in = &fence == &rank.cards ? exchange.join(rank.number)
                                              : exchange.join_all(part(fence.joined), true);
        EXPECT_TRUE(in) << "rank " << rank.number << " fence " << fence.joined;
        return true;
    }

    std::mt19937 random_;
    std::vector<Rank> ranks_;
    const NodeIndex nodes_;
    NodeIndex peers_open_ = 0;
    Simulation simulation_;
};

TEST(Exchange, back_to_back_fences_never_mix) {
    for (const uint32_t degree : {1U, 2U, 3U}) {
        for (const bool heals : {false, true}) {
            SCOPED_TRACE("degree " + std::to_string(degree) + (heals ? ", heals" : ""));
            Simulation::Settings settings;
            settings.algorithm = asked[degree - 1];
            settings.heals = heals;
            settings.absent_is_fatal = !heals;
            settings.seed = degree;
            BackToBack job(*make_kary(degree), block_placement({0, 1, 2, 1, 0, 2, 1, 1, 1}),
                           settings);
            job.run();
        }
    }
}

}  // namespace
}  // namespace launch
