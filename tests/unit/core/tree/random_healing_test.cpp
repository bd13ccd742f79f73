// SPDX-License-Identifier: MIT
// Trees whose links break and stand still, whose relays die and which new nodes join at random:
// whatever happens, each node ends below one parent or lost, none is lost without a reason, and
// what a node that lives says arrives once and in order.

#include <gtest/gtest.h>
#include <list>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "tests/unit/core/harness/env_number.hpp"
#include "tests/unit/core/harness/play_seeds.hpp"
#include "tests/unit/core/harness/settled.hpp"
#include "tests/unit/core/tree/tree_kind.hpp"

namespace launch {
namespace {

constexpr milliseconds liveness{400};
constexpr uint32_t grows_every = 25;
constexpr NodeIndex most_growth = 6;
/// Of a host, by its connection and by its greeting: who is lost before its parent has heard that
/// it is to start it is given up after twice the two.
constexpr std::chrono::seconds start_limit{10};
/// How large a tree is, and how many trees are run.
struct Size {
    NodeIndex hosts;
    uint32_t steps;
    uint32_t trees;
};
constexpr Size small{12, 80, 200};
constexpr Size large{240, 600, 5};
/// Until both sides know each other, even over a slow link.
constexpr milliseconds greets{100};
/// Until a tree has settled.
constexpr std::chrono::seconds settles{150};

/// One tree and what happens to it, all by the seed.
class RandomRun {
  public:
    RandomRun(const Size& size, uint32_t seed, const EventLog* log)
        : random_(seed),
          size_(size),
          seed_(seed),
          kind_(seed),
          event_log_(log),
          world_(settings_of(kind_, size.hosts), seed),
          deaths_left_(kind_.deaths * (size.hosts / 12)) {
        world_.network.quality = [this] { return some_quality(); };
        world_.network.login = [this](NodeIndex node) { return some_login(node); };
        if (log != nullptr) log->follow(world_.network);
    }

    /// Takes these steps, and no others.
    void only(Steps steps) { steps_ = std::move(steps); }
    PlayedRun play() {
        const bool ended = world_.simulation.run(run(), std::chrono::hours{1});
        if (!ended) fault_ = "does not end: " + picture(world_, nodes_) + "\n" + log_ + "\n";
        return {world_.simulation.fingerprint(), fault_, ended, size_.steps};
    }

  private:
    awaitable<void> run() {
        world_.start();
        const auto is_up = [this] { return world_.all_up() && world_.settle(); };
        if (!kind_.begins_at_once) {
            const bool came_up = co_await wait_until(world_, is_up, settles);
            if (!came_up) fault_ = "was not up in time\n";
        }
        for (uint32_t i = 0; i < size_.steps; ++i) {
            if (steps_ && !steps_->contains(i)) continue;
            random_.seed(seed_ + (i + 1) * 1'000'003);  // whatever came before
            step();
            co_await go_on();
            world_.settle();
        }
        let_go();
        for (const auto& cable : world_.network.cables())
            cable->mend();
        fault_ += co_await settle_and_finish(world_, talk_, nodes_, settles, losses_);
        if (!fault_.empty()) fault_ += log_ + "\n";
    }
    static WorldSettings settings_of(const TreeKind& kind, NodeIndex hosts) {
        WorldSettings settings{hosts, kind.topology, liveness};
        settings.late = kind.late;
        settings.start_limit = start_limit;
        settings.routing = kind.routing;
        return settings;
    }

    LinkQuality some_quality() {
        using Cables = TreeKind::Cables;
        laid_.push_back(Clock::now());
        LinkQuality quality;
        if (kind_.cables == Cables::near) quality.latency = std::chrono::microseconds{draw(1000)};
        if (kind_.cables == Cables::far) {
            quality.latency = std::chrono::microseconds{draw(20'000)};
            quality.bytes_per_second = 1'000'000;
        }
        if (kind_.cables == Cables::in_pieces) quality.most_at_once = 1 + draw(12);
        return quality;
    }

    /// Where some fail, hosts let nobody in now and then.
    Login some_login(NodeIndex node) {
        using Logins = TreeKind::Logins;
        Login login;
        if (kind_.logins != Logins::at_once) login.takes = milliseconds{draw(300)};
        // The number of a host that joins and never runs is given to another, and the network here
        // knows hosts by their numbers.
        if (kind_.logins == Logins::some_fail && node <= size_.hosts && draw(12) == 0)
            login.answer = draw(2) == 0 ? Login::Answer::refuses : Login::Answer::none;
        if (login.answer != Login::Answer::accepts) losses_.allow(node);
        return login;
    }

    uint32_t draw(size_t limit) { return static_cast<uint32_t>(random_() % limit); }

    /// The tree does a little, or more.
    awaitable<void> go_on() {
        if (draw(50) == 0) co_return co_await sleep_for(world_.network.executor, milliseconds{200});
        if (draw(8) == 0) co_return co_await sleep_for(world_.network.executor, milliseconds{3});
        for (uint32_t i = draw(20); i > 0; --i)
            co_await asio::post(world_.network.executor, asio::use_awaitable);
    }

    void step() {
        if (kind_.grows && draw(grows_every) == 0) return grow();
        if (draw(100) == 0) return pause_reader();
        const uint32_t what = draw(100);
        if (what < 80)
            say(draw(nodes_ + 1));
        else if (what < 87)
            on_a_cable("cut", [](Cable& cable) { cable.cut(); });
        else if (what < 93)
            on_a_cable("break", [this](Cable& cable) { break_somewhere(cable); });
        else if (what < 96)
            on_a_cable("hold", [this](Cable& cable) { hold(cable); });
        else if (what < 97)
            freeze(1 + draw(nodes_));
        else if (what < 99)
            let_go();
        else
            kill(1 + draw(nodes_));
    }

    void say(NodeIndex node) {
        FakeModex* const part = world_.part(node);
        if (part == nullptr) return;
        const uint32_t what = draw(part->started_here ? 4 : 2);
        if (what < 3) return talk_.say(node, static_cast<Talk::Kind>(what));
        if (!part->children.empty())
            talk_.say_down(node, part->children[draw(part->children.size())]);
    }

    void pause_reader() {
        const milliseconds rest{draw(3000)};
        note("pause the reader", static_cast<size_t>(rest.count()));
        world_.job().pause_reader(rest);
    }

    template <class Act>
    void on_a_cable(const char* what, const Act& act) {
        const auto& cables = world_.network.cables();
        if (cables.empty()) return;
        const size_t at = draw(cables.size());
        if (cables[at]->open_ends() < 2 || cables[at]->is_broken()) return;
        note(what, at);
        losses_.strike();
        if (Clock::now() - laid_.at(at) < greets) break_early(*cables[at]);
        act(*cables[at]);
    }
    void break_somewhere(Cable& cable) {
        const auto types = std::to_array({FrameType::notice, FrameType::output, FrameType::modex,
                                          FrameType::ping, FrameType::credit, FrameType::job,
                                          FrameType::attach, FrameType::attached});
        const auto from = draw(2) == 0 ? Cable::Side::a : Cable::Side::b;
        const auto at = draw(2) == 0 ? Break::At::middle : Break::At::end;
        cable.break_at(from, {at, types[draw(types.size())], static_cast<int>(draw(3))});
    }
    void hold(Cable& cable) {
        cable.hold(true);
        held_.push_back(cable.shared_from_this());
    }
    /// It stands still, or its network does.
    void freeze(NodeIndex node) {
        const Process* process = world_.network.running(node);
        if (process == nullptr) return;
        note("freeze", node);
        losses_.strike(node);
        world_.network.out_of_reach.insert(node);
        for (const auto& [cable, side] : process->cables)
            hold(*cable);
    }
    void let_go() {
        world_.network.out_of_reach.clear();
        for (const auto& cable : std::exchange(held_, {}))
            cable->hold(false);
    }
    void kill(NodeIndex node) {
        Process* const process = world_.network.running(node);
        if (deaths_left_ == 0 || process == nullptr) return;
        --deaths_left_;
        note("kill", node);
        losses_.strike(node);
        world_.network.kill(*process);
    }

    /// A node calls each ancestor twice when it looks for a parent. If its link breaks each time
    /// before it is answered, the node is lost, with all nodes below it.
    void break_early(const Cable& cable) {
        const Process* const caller = world_.network.user_of(cable, Cable::Side::a);
        const Process* const callee = world_.network.user_of(cable, Cable::Side::b);
        if (callee != nullptr && callee->start.get() == &cable) return;  // a link of the start
        if (caller != nullptr && ++broken_early_[caller->node] > 1) losses_.allow_all();
    }

    /// Several hosts join at once.
    void grow() {
        if (nodes_ >= size_.hosts + most_growth || !world_.settle()) return;
        std::vector<Host> more;
        const uint32_t count = 2 + draw(2);
        for (uint32_t i = 1; i <= count; ++i)
            more.push_back({"", Network::name_of(nodes_ + i), 0, 1});
        note("grow", nodes_ + 1);
        nodes_ += count;
        growths_.push_back(world_.head().grow(std::move(more)));
        world_.network.tasks.spawn(world_.head().complete(growths_.back()));
        losses_.joined();
    }

    void note(const char* what, size_t at) {
        const std::string event = std::string(what) + " " + std::to_string(at);
        if (event_log_ != nullptr) event_log_->add(event);
        log_ += event + "; ";
    }

    std::mt19937 random_;
    const Size size_;
    const uint32_t seed_;
    const TreeKind kind_;
    std::optional<Steps> steps_;  ///< nothing: all
    const EventLog* const event_log_;
    World world_;
    Talk talk_{world_, size_.hosts};
    Losses losses_{world_};
    uint32_t deaths_left_;
    std::vector<Clock::time_point> laid_;    ///< when each cable was
    std::map<NodeIndex, int> broken_early_;  ///< links of each node that broke before it knew
    NodeIndex nodes_ = size_.hosts;          ///< with those that have joined
    std::list<HeadTree::Growth> growths_;
    std::vector<std::shared_ptr<Cable>> held_;
    std::string log_;
    std::string fault_;
};

struct SmallTree : RandomRun {
    SmallTree(uint32_t seed, const EventLog* log) : RandomRun(small, seed, log) {}
};

/// LAUNCH_RANDOM_HOSTS says how many there are.
struct LargeTree : RandomRun {
    LargeTree(uint32_t seed, const EventLog* log) : RandomRun(size(), seed, log) {}
    static Size size() {
        Size size = large;
        size.hosts = env_number("LAUNCH_RANDOM_HOSTS").value_or(large.hosts);
        return size;
    }
};

std::set<std::string> all_words(const std::vector<uint32_t>& seeds) {
    std::set<std::string> all;
    for (const uint32_t seed : seeds)
        for (const std::string& word : TreeKind(seed).words())
            all.insert(word);
    return all;
}

TEST(RandomHealing, has_trees_of_all_kinds_in_the_share_that_is_played) {
    std::vector<uint32_t> many(1000);
    std::iota(many.begin(), many.end(), 1U);
    std::vector<uint32_t> played;
    for (uint32_t i = 0; i < small.trees; i += share_of_seeds())
        played.push_back(1 + i);
    EXPECT_EQ(all_words(played), all_words(many));
}

/// LAUNCH_RANDOM_TREE names the one seed that is to be replayed. Otherwise LAUNCH_RANDOM_TREES says
/// how many trees there are, from seed LAUNCH_RANDOM_TREES_FROM; a share of them is played, and one
/// of a hundred of these twice, if they are small.
TEST(RandomHealing, each_node_ends_below_one_parent_or_lost_and_no_word_of_it_is_lost_or_doubled) {
    Seeds{"LAUNCH_RANDOM_TREE", small.trees, share_of_seeds(), 100}.play<SmallTree>();
}

/// Each of these seeds has found a fault that is mended now.
TEST(RandomHealing, trees_that_went_wrong_once_end_well_now) {
    for (const uint32_t seed : {3911U, 4331U})
        EXPECT_EQ(fault_of<SmallTree>(seed, nullptr), "") << seed;
}

/// Some dozens of them die.
TEST(RandomHealing, so_do_some_hundred_nodes) {
    Seeds{"LAUNCH_RANDOM_TREE", large.trees, share_of_seeds(), 0}.play<LargeTree>();
}

}  // namespace
}  // namespace launch
