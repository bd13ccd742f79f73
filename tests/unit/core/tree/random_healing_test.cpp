// SPDX-License-Identifier: MIT
// Trees whose links break and stand still, whose relays die and which new nodes join at random:
// whatever happens, each node ends below one parent or lost, and what a node that lives says
// arrives once and in order.

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <iterator>
#include <list>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>

#include "tests/unit/core/harness/env_number.hpp"
#include "tests/unit/core/harness/event_log.hpp"
#include "tests/unit/core/harness/settled.hpp"

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
/// Until a tree has settled.
constexpr std::chrono::seconds settles{150};

/// Numbers of the steps that a tree takes, from 0.
using Steps = std::set<uint32_t>;

struct Played {
    uint64_t fingerprint = 0;
    std::string fault;  ///< empty: none was found
    bool ended = true;
};

/// One tree and what happens to it, all by the seed.
class RandomRun {
  public:
    RandomRun(const Size& size, uint32_t seed, std::optional<Steps> steps, const EventLog* log)
        : random_(seed),
          size_(size),
          seed_(seed),
          steps_(std::move(steps)),
          event_log_(log),
          world_(settings_of(seed, size.hosts), seed),
          deaths_left_(seed % 4 * (size.hosts / 12)),
          begins_at_once_(seed % 3 == 0),
          may_grow_(seed % 4 != 1) {
        world_.network.quality = [this] { return some_quality(); };
        world_.network.login = [this](NodeIndex node) { return some_login(node); };
        if (log == nullptr) return;
        world_.network.watch = [this](Cable& cable, Cable::Side from, FrameType type) {
            event_log_->add(world_.network, cable, from, type);
            return std::nullopt;
        };
    }

    Played play() {
        const bool ended = world_.simulation.run(run(), std::chrono::hours{1});
        if (!ended) fault_ = "does not end: " + picture(world_, nodes_) + "\n" + log_ + "\n";
        return {world_.simulation.fingerprint(), fault_, ended};
    }

  private:
    awaitable<void> run() {
        world_.start();
        const auto is_up = [this] { return world_.all_up() && world_.settle(); };
        if (!begins_at_once_) co_await wait_until(world_, is_up, settles);
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
        fault_ = co_await settle_and_finish(world_, talk_, nodes_, settles);
        if (!fault_.empty()) fault_ += log_ + "\n";
    }
    static WorldSettings settings_of(uint32_t seed, NodeIndex hosts) {
        WorldSettings settings{hosts, topologies[seed % topologies.size()], liveness};
        settings.late = seed % 4 == 1;
        settings.start_limit = start_limit;
        if (seed % 4 == 2) settings.routing = topologies[seed / 5 % topologies.size()];
        return settings;
    }
    static const std::vector<std::string> topologies;

    /// All cables of a tree are of one kind.
    LinkQuality some_quality() {
        LinkQuality quality;
        const uint32_t kind = seed_ / 5 % 4;
        if (kind == 1 || kind == 2)
            quality.latency = std::chrono::microseconds{draw(kind == 1 ? 1000 : 20'000)};
        if (kind == 2) quality.bytes_per_second = 1'000'000;
        if (kind == 3) quality.most_at_once = 1 + draw(12);
        return quality;
    }

    /// A host answers at once or slowly; in a third of the trees some do not let anybody in.
    Login some_login(NodeIndex node) {
        Login login;
        const uint32_t kind = seed_ / 20 % 3;
        if (kind > 0) login.takes = milliseconds{draw(300)};
        // The number of a host that joins and never runs is given to another, and the network here
        // knows hosts by their numbers.
        if (kind == 2 && node <= size_.hosts && draw(12) == 0)
            login.answer = draw(2) == 0 ? Login::Answer::refuses : Login::Answer::none;
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
        if (may_grow_ && draw(grows_every) == 0) return grow();
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
        act(*cables[at]);
    }
    void break_somewhere(Cable& cable) {
        const auto types = std::to_array({FrameType::notice, FrameType::output, FrameType::modex,
                                          FrameType::ping, FrameType::credit, FrameType::job,
                                          FrameType::attach, FrameType::attached});
        cable.break_at(draw(2) == 0 ? Cable::Side::a : Cable::Side::b,
                       {draw(2) == 0 ? Break::At::middle : Break::At::end,
                        types[draw(types.size())], static_cast<int>(draw(3))});
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
        world_.network.kill(*process);
    }

    /// Hosts join: several, as one alone may get the number of another that never ran, and the
    /// network here knows hosts by their numbers.
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
    }

    void note(const char* what, size_t at) {
        const std::string event = std::string(what) + " " + std::to_string(at);
        if (event_log_ != nullptr) event_log_->add(event);
        log_ += event + "; ";
    }

    std::mt19937 random_;
    const Size& size_;
    const uint32_t seed_;
    const std::optional<Steps> steps_;  ///< none: all
    const EventLog* const event_log_;
    World world_;
    Talk talk_{world_, size_.hosts};
    uint32_t deaths_left_;
    const bool begins_at_once_;      ///< while hosts are still being started
    const bool may_grow_;            ///< once its ranks are placed: those of others wait for hosts
    NodeIndex nodes_ = size_.hosts;  ///< with those that have joined
    std::list<HeadTree::Growth> growths_;
    std::vector<std::shared_ptr<Cable>> held_;
    std::string log_;
    std::string fault_;
};

const std::vector<std::string> RandomRun::topologies = {"chain", "kary:2", "kary:3", "binomial",
                                                        "flat"};

Played play(const Size& size, uint32_t seed, std::optional<Steps> steps = std::nullopt,
            const EventLog* log = nullptr) {
    auto run = std::make_unique<RandomRun>(size, seed, std::move(steps), log);
    Played played = run->play();
    if (!played.ended) keep_for_ever(std::move(run));
    return played;
}

std::string text_of(const Steps& steps) {
    std::string text;
    for (const uint32_t step : steps)
        text += " " + std::to_string(step);
    return text;
}

/// Leaves out steps for as long as some fault is still found: halves, then ever smaller parts (A.
/// Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002).
Steps shrink(const Size& size, uint32_t seed) {
    std::vector<uint32_t> kept(size.steps);
    std::iota(kept.begin(), kept.end(), 0U);
    for (size_t part = kept.size() / 2; part > 0; part /= 2)
        for (size_t at = 0; at < kept.size();) {
            std::vector<uint32_t> fewer = kept;
            const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
            fewer.erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, kept.size() - at)));
            if (play(size, seed, Steps(fewer.begin(), fewer.end())).fault.empty())
                at += part;
            else
                kept = std::move(fewer);
        }
    return {kept.begin(), kept.end()};
}

void expect_sound(uint32_t seed, const Played& played) {
    EXPECT_TRUE(played.fault.empty())
        << "LAUNCH_RANDOM_TREE=" << seed
        << " replays it, with LAUNCH_SHRINK=1 as few steps: " << played.fault;
}

/// Plays one tree with a log of its events: all of it, the steps that LAUNCH_RANDOM_STEPS names, or
/// with LAUNCH_SHRINK the fewest that show its fault.
void replay(const Size& size, uint32_t seed) {
    std::optional<Steps> steps;
    if (const char* const named = std::getenv("LAUNCH_RANDOM_STEPS")) {
        std::istringstream in(named);
        steps = Steps(std::istream_iterator<uint32_t>(in), {});
    }
    if (env_number("LAUNCH_SHRINK")) {
        steps = shrink(size, seed);
        std::cerr << "LAUNCH_RANDOM_STEPS='" << text_of(*steps) << "'\n";
    }
    const EventLog log;
    expect_sound(seed, play(size, seed, std::move(steps), &log));
}

/// LAUNCH_RANDOM_TREE names the one seed that is to be replayed. Otherwise LAUNCH_RANDOM_TREES says
/// how many trees there are, from seed LAUNCH_RANDOM_TREES_FROM; of them one in
/// LAUNCH_ONE_RANDOM_JOB_OF is played, and one of a hundred of these twice.
void run_trees(Size size) {
    if (const auto one = env_number("LAUNCH_RANDOM_TREE")) return replay(size, *one);
    const uint32_t share = env_number("LAUNCH_ONE_RANDOM_JOB_OF").value_or(1);
    const uint32_t trees = env_number("LAUNCH_RANDOM_TREES").value_or(size.trees);
    const uint32_t first = env_number("LAUNCH_RANDOM_TREES_FROM").value_or(1);
    for (uint32_t i = 0; i < trees; i += share) {
        const uint32_t seed = first + i;
        const Played played = play(size, seed);
        expect_sound(seed, played);
        if (i / share % 100 == 0) {
            EXPECT_EQ(play(size, seed).fingerprint, played.fingerprint) << "seed " << seed;
        }
    }
}

TEST(RandomHealing, each_node_ends_below_one_parent_or_lost_and_no_word_of_it_is_lost_or_doubled) {
    run_trees(small);
}

/// A relay is started anew below another one, and is in its place in the routing tree before those
/// above it hear of that.
TEST(RandomHealing, a_late_word_of_a_start_takes_nobody_from_its_parent) {
    expect_sound(13986, play(small, 13986, Steps{0, 2, 44}));
}

/// Some dozens of them die. LAUNCH_RANDOM_HOSTS says how many there are.
TEST(RandomHealing, so_do_some_hundred_nodes) {
    Size size = large;
    size.hosts = env_number("LAUNCH_RANDOM_HOSTS").value_or(large.hosts);
    run_trees(size);
}

}  // namespace
}  // namespace launch
