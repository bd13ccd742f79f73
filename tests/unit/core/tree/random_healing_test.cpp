// SPDX-License-Identifier: MIT
// Trees whose links break and stand still, whose relays die and which new nodes join at random:
// whatever happens, each node ends below one parent or lost, and what a node that lives says
// arrives once and in order.

#include <cstdlib>
#include <gtest/gtest.h>
#include <list>
#include <optional>
#include <random>
#include <sstream>

#include "tests/unit/core/harness/event_log.hpp"
#include "tests/unit/core/harness/world.hpp"

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
    int steps;
    uint32_t trees;
};
constexpr Size small{12, 80, 200};
constexpr Size large{240, 600, 5};
/// Until a tree has settled.
constexpr std::chrono::seconds settles{150};

/// One tree and what happens to it, all by the seed.
class RandomRun {
  public:
    RandomRun(const Size& size, uint32_t seed, const EventLog* log = nullptr)
        : random_(seed),
          size_(size),
          seed_(seed),
          event_log_(log),
          world_(settings_of(seed, size.hosts), seed),
          deaths_left_(seed % 4 * (size.hosts / 12)),
          begins_at_once_(seed % 3 == 0),
          may_grow_(seed % 4 != 1) {
        world_.network.quality = [this] { return some_quality(); };
        if (log == nullptr) return;
        world_.network.watch = [this](Cable& cable, Cable::Side from, FrameType type) {
            event_log_->add(world_.network, cable, from, type);
            return std::nullopt;
        };
    }

    /// To its end. Its fingerprint.
    uint64_t play() {
        if (!world_.simulation.run(run(), std::chrono::hours{1})) std::abort();
        return world_.simulation.fingerprint();
    }

  private:
    awaitable<void> run() {
        world_.start();
        if (!begins_at_once_) co_await wait([this] { return world_.all_up() && world_.settle(); });
        for (int i = 0; i < size_.steps; ++i) {
            step();
            co_await go_on();
            world_.settle();
        }
        let_go();
        for (const auto& cable : world_.network.cables())
            cable->mend();
        const bool settled =
            co_await wait([this] { return world_.settle() && complaint().empty(); });
        if (!settled) tell(complaint() + "\n" + picture());
        const std::string disorder = find_disorder();
        if (!disorder.empty()) tell(disorder);
        co_await world_.run_to_finish();
        if (world_.network.open_ends() > 0) tell("open streams are left");
    }
    static WorldSettings settings_of(uint32_t seed, NodeIndex hosts) {
        WorldSettings settings{hosts, topologies[seed % topologies.size()], liveness};
        settings.late = seed % 4 == 1;
        settings.start_limit = start_limit;
        if (seed % 4 == 2) settings.routing = topologies[seed / 5 % topologies.size()];
        return settings;
    }
    static const std::vector<std::string> topologies;

    /// Of a cable: of the kind that this tree has.
    LinkQuality some_quality() {
        LinkQuality quality;
        const uint32_t kind = seed_ / 5 % 4;
        if (kind == 1 || kind == 2)
            quality.latency = std::chrono::microseconds{draw(kind == 1 ? 1000 : 20'000)};
        if (kind == 2) quality.bytes_per_second = 1'000'000;
        if (kind == 3) quality.most_at_once = 1 + draw(12);
        return quality;
    }

    uint32_t draw(size_t limit) { return static_cast<uint32_t>(random_() % limit); }

    template <class Done>
    awaitable<bool> wait(Done done) {
        const auto deadline = Clock::now() + settles;
        while (!done() && Clock::now() < deadline)
            co_await sleep_for(world_.network.executor, milliseconds{5});
        co_return done();
    }

    /// The tree does a little, or more.
    awaitable<void> go_on() {
        if (draw(50) == 0) co_return co_await sleep_for(world_.network.executor, milliseconds{200});
        if (draw(8) == 0) co_return co_await sleep_for(world_.network.executor, milliseconds{3});
        for (uint32_t i = draw(20); i > 0; --i)
            co_await asio::post(world_.network.executor, asio::use_awaitable);
    }

    void step() {
        if (may_grow_ && draw(grows_every) == 0) return grow();
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
        if (what == 3 && !part->children.empty())
            return say_down(node, *part, part->children[draw(part->children.size())]);
        if (node == 0) return;
        Said& said = said_[world_.network.running(node)];
        if (what == 0) part->host.modex_notice(word(life_of(node), said.reports++));
        // Output comes from ranks that are placed; a host that joined after that has none.
        if (what == 1 && part->started_here && node <= size_.hosts)
            part->host.modex_trace(rank_of(node), word(life_of(node), said.lines++));
        if (what == 2) {
            const auto key = std::make_pair(node, part->parents);
            part->host.modex_up(word(part->parents, ups_[key]++));
        }
    }
    void say_down(NodeIndex node, FakeModex& part, NodeIndex child) {
        const int way = static_cast<int>(node) * 1000 + part.came[child];
        part.host.modex_down(child, word(way, downs_[{child, way}]++));
    }
    /// Tells the relays apart that have run there one after another.
    int life_of(NodeIndex node) const { return world_.network.running(node)->number; }
    static std::string word(int way, int number) {
        return std::to_string(way) + " " + std::to_string(number);
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
        asio::co_spawn(world_.io, world_.head().complete(growths_.back()),
                       [](std::exception_ptr failure) {
                           if (failure) std::rethrow_exception(failure);
                       });
    }

    /// What is not as it is to be in the end; empty: all is.
    std::string complaint() {
        const Parents parents = all_parents();
        for (NodeIndex node = 1; node <= nodes_; ++node) {
            const auto at = parents.find(node);
            const std::string wrong =
                complaint_of(node, at == parents.end() ? std::vector<NodeIndex>() : at->second);
            if (!wrong.empty()) return "node " + std::to_string(node) + " " + wrong;
        }
        return {};
    }
    std::string complaint_of(NodeIndex node, const std::vector<NodeIndex>& parents) {
        const bool runs = world_.network.running(node) != nullptr;
        if (!runs && !world_.job().is_lost(node)) return "is gone and nobody says so";
        if (!runs) return parents.empty() ? "" : "is gone and has a parent";
        // It may be given up by who was above it, or was to be, after it has come to another, where
        // the word that it lives is lost or late. It lives there until the end, then, and has a
        // part in the job or not.
        const bool is_lost = world_.job().is_lost(node);
        if (parents.size() > 1 || (parents.empty() && !is_lost))
            return "has " + std::to_string(parents.size()) + " parents";
        if (world_.part(node) == nullptr) return "has not heard of the job";
        if (is_lost) return {};
        const int life = life_of(node);
        const Said& said = said_[world_.network.running(node)];
        const auto reports = of_life(world_.job().notices[node], life);
        if (reports != words(life, said.reports)) return lacks("reports", reports, said.reports);
        const auto lines = of_life(split(world_.job().outputs[rank_of(node)]), life);
        if (lines != words(life, said.lines)) return lacks("output", lines, said.lines);
        return complaint_of_words(node, parents.front());
    }
    static std::string lacks(const char* what, const std::vector<std::string>& arrived, int said) {
        std::string text = std::string("lacks ") + what + ": " + std::to_string(said) + " said, of";
        for (const std::string& each : arrived)
            text += " " + each + ",";
        return text + " arrived";
    }
    std::string complaint_of_words(NodeIndex node, NodeIndex parent) {
        const int epoch = world_.part(node)->parents;
        const int way = static_cast<int>(parent) * 1000 + world_.part(parent)->came[node];
        const int up = ups_[{node, epoch}];
        const int down = downs_[{node, way}];
        if (up > 0 && last_of(world_.part(parent)->from_below[node]) != word(epoch, up - 1))
            return "was not heard by its parent";
        if (down > 0 && last_of(world_.part(node)->from_above) != word(way, down - 1))
            return "has not heard its parent";
        return {};
    }
    static std::string last_of(const std::vector<std::string>& words) {
        return words.empty() ? "" : words.back();
    }
    using Parents = std::map<NodeIndex, std::vector<NodeIndex>>;
    /// Of each node that has any.
    Parents all_parents() const {
        Parents parents;
        for (NodeIndex node = 0; node <= nodes_; ++node)
            if (const FakeModex* part = world_.part(node))
                for (const NodeIndex child : part->children)
                    parents[child].push_back(node);
        return parents;
    }

    static std::vector<std::string> words(int way, int count) {
        std::vector<std::string> all;
        for (int i = 0; i < count; ++i)
            all.push_back(word(way, i));
        return all;
    }
    static std::vector<std::string> of_life(std::vector<std::string> words, int life) {
        const std::string begin = std::to_string(life) + " ";
        std::erase_if(words, [&](const std::string& each) { return !each.starts_with(begin); });
        return words;
    }
    static std::vector<std::string> split(const std::string& text) {
        std::istringstream in(text);
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    }

    static std::string describe(const std::vector<NodeRange>& ranges) {
        std::string text;
        for (const NodeRange& range : ranges)
            text += " " + std::to_string(range.first) + "+" + std::to_string(range.count);
        return text;
    }
    /// Each node that runs with its children, and who is lost; and by which reports.
    std::string picture() {
        std::string text = !world_.settle() ? "not placed; " : "";
        for (const FailureMessage& failure : world_.job().failures)
            text += "failure of " + std::to_string(failure.node) + ", below" +
                    describe(failure.below) + ", restarted" + describe(failure.restarted) + ": " +
                    failure.error.cause + "\n";
        for (NodeIndex node = 0; node <= nodes_; ++node) {
            if (world_.job().is_lost(node)) text += "lost " + std::to_string(node) + ", ";
            if (world_.network.running(node) == nullptr) continue;
            text += std::to_string(node) + ":";
            if (const FakeModex* part = world_.part(node))
                for (const NodeIndex child : part->children)
                    text += " " + std::to_string(child);
            text += "; ";
        }
        return text;
    }

    /// Something came twice, out of turn or without what came before it.
    std::string find_disorder() {
        for (NodeIndex node = 0; node <= nodes_; ++node) {
            if (!in_order(world_.job().notices[node])) return "reports in disorder";
            if (!in_order(split(world_.job().outputs[rank_of(node)]))) return "output in disorder";
            const FakeModex* part = world_.part(node);
            if (part == nullptr) continue;
            if (!in_order(part->from_above)) return "disorder from above";
            for (const auto& [child, words] : part->from_below)
                if (!in_order(words)) return "disorder from below";
        }
        return {};
    }
    static bool in_order(const std::vector<std::string>& words) {
        std::map<int, int> next;
        for (const std::string& each : words) {
            std::istringstream in(each);
            int way = 0;
            int number = 0;
            in >> way >> number;
            if (number != next[way]++) return false;
        }
        return true;
    }

    void note(const char* what, size_t at) {
        const std::string event = std::string(what) + " " + std::to_string(at);
        if (event_log_ != nullptr) event_log_->add(event);
        log_ += event + "; ";
    }
    void tell(const std::string& what) {
        ADD_FAILURE() << "LAUNCH_RANDOM_TREE=" << seed_ << ": " << what << "\n" << log_;
    }

    struct Said {
        int reports = 0;
        int lines = 0;
    };

    std::mt19937 random_;
    const Size& size_;
    const uint32_t seed_;
    const EventLog* const event_log_;
    World world_;
    uint32_t deaths_left_;
    const bool begins_at_once_;      ///< while hosts are still being started
    const bool may_grow_;            ///< once its ranks are placed: those of others wait for hosts
    NodeIndex nodes_ = size_.hosts;  ///< with those that have joined
    std::list<HeadTree::Growth> growths_;
    std::vector<std::shared_ptr<Cable>> held_;
    std::map<const Process*, Said> said_;
    std::map<std::pair<NodeIndex, int>, int> ups_;    ///< to its so-manieth parent
    std::map<std::pair<NodeIndex, int>, int> downs_;  ///< by which parent, as which child of it
    std::string log_;
};

const std::vector<std::string> RandomRun::topologies = {"chain", "kary:2", "kary:3", "binomial",
                                                        "flat"};

/// A number from the environment; nothing: there is none.
std::optional<uint32_t> number_of(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    return static_cast<uint32_t>(std::max(1, std::atoi(text)));
}

/// Its fingerprint.
uint64_t run_tree(const Size& size, uint32_t seed, const EventLog* log = nullptr) {
    RandomRun run(size, seed, log);
    return run.play();
}

/// LAUNCH_RANDOM_TREE names the one seed that is to be run, with a log of its events;
/// LAUNCH_RANDOM_TREES how many small trees are. One tree in a hundred is run twice.
void run_trees(const Size& size) {
    if (const auto one = number_of("LAUNCH_RANDOM_TREE")) {
        const EventLog log;
        run_tree(size, *one, &log);
        return;
    }
    const uint32_t share = number_of("LAUNCH_ONE_RANDOM_JOB_OF").value_or(1);
    const auto wanted = &size == &small ? number_of("LAUNCH_RANDOM_TREES") : std::nullopt;
    const uint32_t trees = wanted.value_or(std::max(1U, size.trees / share));
    for (uint32_t seed = 1; seed <= trees; ++seed) {
        const uint64_t fingerprint = run_tree(size, seed);
        if (seed % 100 == 1) EXPECT_EQ(run_tree(size, seed), fingerprint) << "seed " << seed;
    }
}

TEST(RandomHealing, each_node_ends_below_one_parent_or_lost_and_no_word_of_it_is_lost_or_doubled) {
    run_trees(small);
}

/// Of them some dozens die.
TEST(RandomHealing, so_do_some_hundred_nodes) {
    run_trees(large);
}

}  // namespace
}  // namespace launch
