// SPDX-License-Identifier: MIT
// All trees of up to five nodes, which two more join, each with one fault at each frame that goes
// over any link, and with two: whatever happens where, each node ends below one parent or lost,
// none is lost without a reason, and what a node that lives says arrives once and in order.

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "tests/unit/core/harness/after.hpp"
#include "tests/unit/core/harness/env_number.hpp"
#include "tests/unit/core/harness/event_log.hpp"
#include "tests/unit/core/harness/keep_for_ever.hpp"
#include "tests/unit/core/harness/settled.hpp"
#include "tests/unit/core/harness/shape.hpp"

namespace launch {
namespace {

constexpr milliseconds liveness{400};
/// Longer than a neighbour is borne that says nothing.
constexpr milliseconds held_for{900};
/// Until all is settled after the last fault.
constexpr std::chrono::seconds settles{60};
constexpr int rounds = 3;
constexpr NodeIndex joining = 2;

enum class FaultKind : uint8_t {
    cut_within,       ///< the link breaks in the middle of the frame
    cut_behind,       ///< the link breaks behind it
    hold,             ///< nothing goes over the link for a while
    kill_sender,      ///< after it has sent the frame
    kill_receiver,    ///< before it has read it
    freeze_receiver,  ///< nothing goes over any of its links for a while
    last = freeze_receiver,
};
constexpr uint32_t kinds = static_cast<uint32_t>(FaultKind::last) + 1;

bool is_of_node(FaultKind kind) {
    return kind == FaultKind::kill_sender || kind == FaultKind::kill_receiver ||
           kind == FaultKind::freeze_receiver;
}

/// With the so-manieth frame of the world, from 1.
struct Fault {
    uint32_t frame = 0;
    FaultKind kind{};
};
using Faults = std::vector<Fault>;

struct Played {
    uint32_t frames = 0;  ///< that were sent until the world had ended
    size_t struck = 0;    ///< how many of its faults did anything
    bool ended = true;
    std::string wrong;  ///< empty: nothing
};

std::string text_of(const Faults& faults) {
    std::string text;
    for (const Fault& fault : faults)
        text +=
            " " + std::to_string(fault.frame) + " " + std::to_string(static_cast<int>(fault.kind));
    return text;
}

/// One tree, and what is done to it.
class SmallWorld {
  public:
    SmallWorld(const Shape& shape, Faults faults, const EventLog* log)
        : faults_(std::move(faults)),
          name_("LAUNCH_SMALL_WORLD='" + shape + text_of(faults_) + "'"),
          hosts_(static_cast<NodeIndex>(shape.size() / 2) - 1),
          world_({hosts_, shape, liveness}),
          talk_(world_, hosts_),
          log_(log) {
        world_.network.watch = [this](Cable& cable, Cable::Side from, FrameType type) {
            return pass(cable, from, type);
        };
    }

    Played play() {
        const bool ended = world_.simulation.run(run(), std::chrono::hours{1});
        if (!ended) wrong_ += "does not end: " + picture(world_, nodes_);
        return {frames_, struck_, ended, wrong_};
    }
    /// By which a developer has it replayed.
    const std::string& name() const { return name_; }

  private:
    awaitable<void> run() {
        world_.start();
        const auto is_up = [this] { return world_.all_up() && world_.settle(); };
        const bool came_up = co_await wait_until(world_, is_up, settles);
        for (int round = 0; round < rounds; ++round) {
            say_all();
            if (round == 0 && world_.settle()) grow();
            co_await sleep_for(executor(), milliseconds{20});
        }
        wrong_ = co_await settle_and_finish(world_, talk_, nodes_, settles, losses_);
        if (!came_up) wrong_ += "was not up in time\n";
    }

    std::optional<Break::At> pass(Cable& cable, Cable::Side from, FrameType type) {
        ++frames_;
        if (log_ != nullptr) log_->add(world_.network, cable, from, type);
        for (const Fault& fault : faults_)
            if (fault.frame == frames_) return disturb(cable, from, fault.kind);
        return std::nullopt;
    }

    /// The head stays as it is: there is nothing without it.
    std::optional<Break::At> disturb(Cable& cable, Cable::Side from, FaultKind kind) {
        const bool is_of_sender = kind == FaultKind::kill_sender;
        Process* const process =
            world_.network.user_of(cable, is_of_sender ? from : Cable::other(from));
        const bool may_fall = process != nullptr && process->node != 0 && process->lives();
        if (is_of_node(kind) && !may_fall) return std::nullopt;
        ++struck_;
        if (!is_of_node(kind)) losses_.strike();
        switch (kind) {
            case FaultKind::cut_within: return Break::At::middle;
            case FaultKind::cut_behind: return Break::At::end;
            case FaultKind::hold: hold(cable.shared_from_this()); break;
            case FaultKind::kill_sender:
            case FaultKind::kill_receiver: kill(*process); break;
            case FaultKind::freeze_receiver: freeze(*process); break;
        }
        return std::nullopt;
    }

    void hold(const std::shared_ptr<Cable>& cable) {
        cable->hold(true);
        in_a_while([cable] { cable->hold(false); });
    }

    /// The node can neither be called nor call, too.
    void freeze(const Process& process) {
        losses_.strike(process.node);
        auto& away = world_.network.out_of_reach;
        away.insert(process.node);
        for (const auto& [cable, side] : process.cables)
            hold(cable);
        in_a_while([&away, node = process.node] { away.erase(node); });
    }

    void in_a_while(std::function<void()> act) {
        after(world_.network.tasks, executor(), held_for, std::move(act));
    }

    void grow() {
        std::vector<Host> more;
        for (; nodes_ < hosts_ + joining; ++nodes_)
            more.push_back({"", Network::name_of(nodes_ + 1), 0, 1});
        growth_ = world_.head().grow(std::move(more));
        world_.network.tasks.spawn(world_.head().complete(growth_));
        losses_.joined();
    }

    /// Not in the midst of what it does.
    void kill(Process& process) {
        asio::post(executor(), [this, &process] {
            losses_.strike(process.node);
            if (process.lives()) world_.network.kill(process);
        });
    }

    void say_all() {
        for (NodeIndex node = 0; node <= nodes_; ++node) {
            for (const auto kind : {Talk::Kind::report, Talk::Kind::output, Talk::Kind::up})
                talk_.say(node, kind);
            const FakeModex* const part = world_.part(node);
            if (part == nullptr) continue;
            for (const NodeIndex child : std::vector<NodeIndex>(part->children))
                talk_.say_down(node, child);
        }
    }

    any_io_executor executor() { return world_.network.executor; }

    const Faults faults_;
    const std::string name_;
    const NodeIndex hosts_;
    World world_;
    Talk talk_;
    Losses losses_{world_};
    NodeIndex nodes_ = hosts_;  ///< with those that have joined
    HeadTree::Growth growth_;
    const EventLog* const log_;
    uint32_t frames_ = 0;
    size_t struck_ = 0;
    std::string wrong_;
};

/// As a shape again.
Shape drawn(const Topology& topology, NodeIndex nodes, NodeIndex node = 0) {
    std::vector<NodeIndex> children;
    topology.children(node, nodes, children);
    Shape shape = "(";
    for (const NodeIndex child : children) {
        EXPECT_EQ(topology.parent(child, nodes), node);
        shape += drawn(topology, nodes, child);
    }
    return shape + ")";
}

Played play(const Shape& shape, Faults faults, const EventLog* log = nullptr) {
    auto world = std::make_unique<SmallWorld>(shape, std::move(faults), log);
    Played played = world->play();
    EXPECT_TRUE(played.wrong.empty()) << world->name() << ": " << played.wrong;
    if (!played.ended) keep_for_ever(std::move(world));
    return played;
}

/// The one that the environment names, with a log of its events. False: it names none.
bool replay() {
    const char* const named = std::getenv("LAUNCH_SMALL_WORLD");
    if (named == nullptr) return false;
    std::istringstream in(named);
    Shape shape;
    in >> shape;
    Faults faults;
    for (int kind = 0, frame = 0; in >> frame >> kind;)
        faults.push_back({static_cast<uint32_t>(frame), static_cast<FaultKind>(kind)});
    const EventLog log;
    play(shape, std::move(faults), &log);
    return true;
}

std::vector<Shape> small_shapes() {
    std::vector<Shape> all;
    for (NodeIndex nodes = 2; nodes <= 5; ++nodes)
        for (Shape& shape : all_shapes(nodes))
            all.push_back(std::move(shape));
    return all;
}

/// Numbers all faults of a tree of that shape, and plays those of number `first`, `first` + `step`
/// ... Leaves in `first` the number to go on with in the next shape.
void play_each(const Shape& shape, uint32_t& first, uint32_t step) {
    const uint32_t all = play(shape, {}).frames * kinds;
    for (; first < all; first += step)
        play(shape, {{first / kinds + 1, static_cast<FaultKind>(first % kinds)}});
    first -= all;
}

TEST(SmallWorlds, are_all_trees_of_up_to_five_nodes) {
    EXPECT_EQ(all_shapes(3), (std::vector<Shape>{"(()())", "((()))"}));
    EXPECT_EQ(small_shapes().size(), 1U + 2 + 5 + 14);  // Catalan numbers
    for (const Shape& shape : small_shapes())
        EXPECT_EQ(drawn(**make_played_topology(shape, 0, 0, nullptr),
                        static_cast<NodeIndex>(shape.size() / 2)),
                  shape);
}

TEST(SmallWorlds, bear_a_fault_at_any_frame) {
    if (replay()) return;
    const uint32_t step = env_number("LAUNCH_ONE_SMALL_WORLD_OF").value_or(1);
    ASSERT_EQ(std::gcd(step, kinds), 1U) << "some kinds of faults would never be played";
    uint32_t first = 0;
    for (const Shape& shape : small_shapes())
        play_each(shape, first, step);
}

/// There are millions of pairs that both strike: some of them, others with another
/// LAUNCH_SMALL_WORLDS_SEED. Where the second can strike depends on the first, which is played
/// alone before.
TEST(SmallWorlds, bear_two_faults_at_any_frames) {
    if (replay()) return;
    const uint32_t pairs = env_number("LAUNCH_SMALL_WORLDS").value_or(3000);
    const uint32_t step = env_number("LAUNCH_ONE_SMALL_WORLD_OF").value_or(1);
    std::mt19937 random(env_number("LAUNCH_SMALL_WORLDS_SEED").value_or(1));
    const auto shapes = small_shapes();
    std::map<Shape, uint32_t> frames;  // without a fault
    const auto some_fault = [&random](uint32_t from, uint32_t count) {
        const auto frame = static_cast<uint32_t>(from + random() % count);
        return Fault{frame, static_cast<FaultKind>(random() % kinds)};
    };
    for (uint32_t i = step; i <= pairs;) {
        const Shape& shape = shapes[random() % shapes.size()];
        if (!frames.contains(shape)) frames[shape] = play(shape, {}).frames;
        const Fault one = some_fault(1, frames[shape]);
        const Played alone = play(shape, {one});
        if (alone.struck == 0 || alone.frames == one.frame) continue;
        const Fault other = some_fault(one.frame + 1, alone.frames - one.frame);
        if (play(shape, {one, other}).struck == 2) i += step;
    }
}

}  // namespace
}  // namespace launch
