// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/async/task_group.hpp"
#include "core/factories.hpp"
#include "core/process/guard.hpp"
#include "core/relay/relay_run.hpp"
#include "core/run/rank_process.hpp"
#include "tests/unit/core/harness/cable.hpp"
#include "tests/unit/core/harness/cores.hpp"
#include "tests/unit/core/harness/fake_modex.hpp"

namespace launch {

class Network;
class MemoryLinks;

/// A process of the tree, head or relay, as far as others see it: what it can reach, by which
/// cables, and whether it lives. All of them are played by this one.
struct Process {
    /// `node`: the number in the name of its host. Its number in the tree is another where a host
    /// of a session has come back.
    Process(Network& network, NodeIndex node, int number);

    enum class Life : uint8_t { lives, killed, ended };

    Network& network;
    const NodeIndex node;
    const int number;  ///< of those that have run on that host, from 1
    Factories factories;
    std::shared_ptr<Cable> start;  ///< by which it was started
    MemoryLinks* links = nullptr;
    std::map<std::string, FakeModex*> modex;  ///< by the job's id
    std::vector<std::pair<std::shared_ptr<Cable>, Cable::Side>> cables;
    Life life = Life::lives;
    std::unique_ptr<RelayRun> relay;  ///< null: the head
    /// Of its node in the tree.
    std::function<std::vector<ChildView>()> children = [] { return std::vector<ChildView>(); };

    bool lives() const { return life == Life::lives; }
    /// The number of nodes whose public key it has.
    size_t keys_known() const;
    /// And its own node has no other parent.
    bool is_child(NodeIndex child) const;
    /// Its part of the job; null: it has not heard of it.
    FakeModex* part(const std::string& job) const {
        const auto at = modex.find(job);
        return at == modex.end() ? nullptr : at->second;
    }
};

/// A FakeModex, which its process knows.
std::unique_ptr<ModexServer> make_fake_modex(Process& process, any_io_executor executor,
                                             const JobMessage& job, ModexHost& host);

/// How a host answers whoever starts a relay there.
struct Login {
    enum class Answer : uint8_t {
        accepts,
        refuses,
        closes,  ///< the connection, at once: another try may help
        none
    } answer = Answer::accepts;
    Clock::duration takes{0};
    std::string noise = {};  ///< that the login shell prints
};

/// The hosts of a tree and what is between them. Node i runs on the host named "n<i>".
class Network {
  public:
    explicit Network(const any_io_executor& executor, const Bounds& bounds = {});

    using Stream = std::unique_ptr<ByteStream>;

    static std::string name_of(NodeIndex node) { return "n" + std::to_string(node); }
    static std::vector<Host> hosts(const std::vector<NodeIndex>& numbers, uint32_t slots = 1) {
        std::vector<Host> hosts;
        for (const NodeIndex number : numbers)
            hosts.push_back({"", name_of(number), 0, slots});
        return hosts;
    }
    static NodeIndex number_of(const std::string& name) {
        return static_cast<NodeIndex>(std::stoul(name.substr(1)));
    }

    Process& add(NodeIndex node);
    /// A relay on that host, started by `by`; null: by a test. Its streams.
    Stream start_relay(NodeIndex node, Process* by, const std::string& noise = {});
    std::shared_ptr<Cable> lay(Process* a, Process* b, bool greeted);
    /// As SIGKILL does to a relay and its guard.
    void kill(Process& process);
    /// The process that has that end of it; null: a test has it, or nobody any more.
    Process* user_of(const Cable& cable, Cable::Side side) const;
    /// The relay that runs on that host, the last one; null: none does.
    Process* running(NodeIndex node) const;
    /// Those that belong to both, start and direct ones.
    std::vector<std::shared_ptr<Cable>> between(NodeIndex a, NodeIndex b) const;
    const std::vector<std::shared_ptr<Cable>>& cables() const { return cables_; }
    /// Where the relay that runs on that host takes direct links; 0: nowhere.
    uint16_t port_of(NodeIndex node) const;
    int open_ends() const;
    /// How many relays run, on all hosts.
    size_t relays() const;
    /// Messages that relays have refused, and the first one of a relay that was refused, by the
    /// text that launch has shown. All of them are launch's own. Empty: all made sense.
    std::string nonsense(std::string_view said) const;

    /// Why relays have refused what came from above.
    std::string refused;
    /// Hosts that cannot be started.
    std::set<NodeIndex> unreachable;
    /// Tells how the others answer, each time that they are asked.
    std::function<Login(NodeIndex)> login = [](NodeIndex) { return Login(); };
    /// A node logs in to so many hosts at a time, the others wait.
    size_t logins_at_once = 256;
    /// Hosts whose relay a test plays: it gets the stream.
    std::map<NodeIndex, std::function<void(Stream)>> played;
    std::map<uint16_t, MemoryLinks*> ports;
    std::vector<NodeIndex> started;  ///< in order, also in vain
    /// Told of the cable to each relay, before anything goes over it.
    std::function<void(NodeIndex, Cable&)> laid;
    /// Sees each frame; none: nobody does.
    Cable::Watch watch;
    /// Gives the next cable its properties.
    std::function<LinkQuality()> quality = [] { return LinkQuality(); };
    /// How long a call takes by which a direct link is made.
    std::function<Clock::duration()> call_takes = [] { return Clock::duration(); };
    /// The cores of the hosts, for relays and ranks that begin from now on; nothing: all that they
    /// do takes no time.
    std::optional<CoresOfHosts> cores;
    /// The cores of that host; null: all that is done there takes no time.
    Cores* cores_of(NodeIndex node) { return cores ? &cores->of(node) : nullptr; }
    /// Whoever dials from or to these waits in vain.
    std::set<NodeIndex> out_of_reach;
    /// Only these two hosts do not reach each other: nothing goes over their cables, and who dials
    /// waits in vain. Or they do again.
    void part(NodeIndex a, NodeIndex b, bool apart = true);
    bool are_apart(NodeIndex a, NodeIndex b) const {
        return apart_.contains({std::min(a, b), std::max(a, b)});
    }

    /// Makes that process's part of an exchange.
    std::function<std::unique_ptr<ModexServer>(Process&, any_io_executor, const JobMessage&,
                                               ModexHost&)>
        make_modex = make_fake_modex;
    /// Makes the ranks of that process.
    std::function<std::unique_ptr<Rank>(Process&, const RankSurroundings&, Rank::Settings)>
        make_rank = [](Process&, const RankSurroundings& around, Rank::Settings settings) {
            return make_rank_process(around, std::move(settings));
        };

    any_io_executor executor;
    TaskGroup tasks;

  private:
    friend struct Process;
    awaitable<void> live(Process& process);

    const Bounds bounds_;
    const Guard guard_ = Guard::none();
    std::set<std::pair<NodeIndex, NodeIndex>> apart_;
    std::vector<std::unique_ptr<Process>> processes_;
    std::vector<std::shared_ptr<Cable>> cables_;
};

}  // namespace launch
