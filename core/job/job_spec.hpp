// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/job/bind_choice.hpp"
#include "core/job/link_choice.hpp"
#include "core/job/modex_choice.hpp"
#include "core/job/output_choice.hpp"
#include "core/job/placement.hpp"
#include "core/job/push_choice.hpp"
#include "core/job/rank_limits.hpp"
#include "core/job/rendezvous.hpp"
#include "core/job/stage_spec.hpp"

namespace launch {

using std::chrono::milliseconds;

/// One program of the job: the words between two `:` of the command line.
struct Program {
    std::vector<std::string> argv;
    uint32_t ranks = 0;              ///< 0: what the slots leave (at most one program may say so)
    std::vector<std::string> env;    ///< "NAME=VALUE" on top of the job's
    std::string wdir;                ///< must exist; empty: the job's
    std::optional<uint32_t> staged;  ///< which of the staged files it is; it is run from there

    bool operator==(const Program&) const = default;
};

/// Which ranks read the head's standard input.
struct StdinTarget {
    enum class Kind : uint8_t { none, all, rank } kind = Kind::rank;
    uint32_t rank = 0;

    bool operator==(const StdinTarget&) const = default;
};

/// The effect on the job when a host is lost while it runs.
enum class HostLoss : uint8_t {
    abort,  ///< it is ended
    go_on,  ///< its ranks are lost, the others run on
};

constexpr auto host_loss_names = std::to_array<std::string_view>({"abort", "continue"});

/// When launch itself shows in which functions ranks are.
enum class StacksWhen : uint8_t {
    kill,     ///< before it kills ranks because of a time limit, or as the user insists
    failure,  ///< also before it ends the others of a rank that has failed
    never,
};

constexpr auto stacks_when_names = std::to_array<std::string_view>({"kill", "failure", "never"});

inline constexpr milliseconds usual_liveness{4000};

/// Policies of the tree of relays, whatever runs on it.
struct TreePolicies {
    bool verbose = false;
    bool stats = false;                     ///< every node tells what it has cost
    bool starts = false;                    ///< and when each start of another came how far
    milliseconds connect_timeout{10'000};   ///< until a host's address answers
    milliseconds start_timeout{60'000};     ///< until a host that answers runs its relay
    milliseconds liveness{usual_liveness};  ///< silence after which a peer is dead; 0: never
    LinkPolicy links;
    PushChoice push = PushChoice::automatic;

    bool operator==(const TreePolicies&) const = default;
};

/// Where ranks stop, for a debugger.
enum class Hold : uint8_t {
    none,
    at_exec,  ///< before their first instruction
    in_init,  ///< in PMIx_Init(), if they call it
    last = in_init,
};

/// Policies of every host and rank of a job, and those of its tree.
struct Policies : TreePolicies {
    bool keep_going = false;  ///< a failing rank does not end the job
    PmiChoice pmi = PmiChoice::automatic;
    ModexChoice modex = ModexChoice::automatic;
    StdinTarget stdin_target;
    OutputChoice output;
    milliseconds kill_grace{5000};  ///< between SIGTERM and SIGKILL
    HostLoss host_loss = HostLoss::abort;
    bool start_early = false;  ///< ranks do not wait for other hosts than their own
    PlaceChoice place;
    RendezvousChoice rendezvous = RendezvousChoice::none;
    bool rendezvous_interface = false;  ///< ranks learn by which interface hosts are reached
    std::string debugger;  ///< under which each rank runs (core/debug/debugger.hpp); empty: none
    Hold hold = Hold::none;
    bool tools = false;    ///< debuggers and other tools may attach themselves to the ranks
    bool costs = false;    ///< ranks that have ended tell what they have cost
    std::string core_dir;  ///< for core files of ranks, absolute; empty: nowhere

    bool survives_host_loss() const { return host_loss == HostLoss::go_on; }

    bool operator==(const Policies&) const = default;
};

/// How a transport is to behave; each uses what applies to it.
struct TransportOptions {
    std::string name;                  ///< "local", "ssh", "openssh"
    std::string ssh_config;            ///< another ssh config file; empty: the user's
    bool accept_unknown_keys = false;  ///< trust a host whose key is in no known_hosts file
    bool forward_agent = false;
    bool verbose = false;
    /// A relay starts hosts, which may have other keys and know other names than the head. Set by
    /// the relay itself.
    bool at_relay = false;
    /// Processes that it starts here outlive the reader of this process's standard error, and must
    /// not hold it open.
    bool outlives_reader = false;
    /// Hosts by these names are the head's own machine, beside others that are reached as `name`
    /// says: the head, and no other node, starts them, without a login. See names_of_machine().
    std::vector<std::string> own_names;
    /// A folder that all hosts see, for a start whose relays get no standard input; empty: the
    /// user's home. Only the head uses it, because no other node starts hosts in that way.
    std::string call_folder;

    bool operator==(const TransportOptions&) const = default;
};

/// Which of a job's hosts a program may run on, by their places among them, in the program's own
/// order; none: all of them.
using HostChoice = std::optional<std::vector<uint32_t>>;

/// The validated request, before anything is opened.
struct JobSpec {
    std::string job_id;
    std::vector<Program> programs;
    std::vector<Host> hosts;  ///< empty: this machine, no relay
    /// Of each program; empty: none has hosts of its own. Where one has, `hosts` has each host
    /// once.
    std::vector<HostChoice> choices;
    /// The batch job whose hosts are used, or why no batch job's hosts are used; for --explain.
    std::string allocation;
    uint32_t local_slots = 1;  ///< of this machine, where no hosts are given
    Mapping mapping = Mapping::block;
    bool keeps_to_slots = false;  ///< more ranks than slots are an error, not a notice
    uint32_t ppn = 0;             ///< ranks per host; 0: by slots
    bool allow_missing = false;   ///< goes on without hosts that cannot be started
    uint32_t spares = 0;          ///< the last hosts stand in for those
    std::string topology;         ///< empty: the best for the number of hosts, or k-ary with degree
    uint32_t degree = 0;          ///< 0: the topology's own
    std::string routing;          ///< of the tree that runs the job; empty: as it was started
    TransportOptions transport;
    Policies policies;
    std::vector<std::string> env;  ///< the job's environment, "NAME=VALUE"
    RankLimits limits;
    std::string wdir;         ///< where ranks start; a host that lacks it uses the home folder
    milliseconds timeout{0};  ///< for the whole job; 0: none
    std::string timeout_name = "--timeout";  ///< what the user set it by, for messages
    milliseconds hang{0};                    ///< without any progress of the job; 0: no limit
    StacksWhen stacks = StacksWhen::kill;
    std::optional<milliseconds> start_limit;  ///< until all hosts are up; 0: none. See Plan
    StageSpec stage;
    std::string launch_path;  ///< the executable of the head, looked for first on every host
};

}  // namespace launch
