// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/async/detached_pool.hpp"
#include "core/base/message_source.hpp"
#include "core/bind/locality.hpp"
#include "core/process/spawn.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/survey.hpp"

namespace launch {

/// The functions of a node that its modex server calls.
class ModexHost {
  public:
    virtual ~ModexHost() = default;

    /// To the server of the parent node, or of a child. Small: never waits.
    virtual void modex_up(std::string message) = 0;
    virtual void modex_down(NodeIndex child, std::string message) = 0;
    /// Sends large messages: each is made when the child has room for it, and later messages follow
    /// the last.
    virtual void modex_down(NodeIndex child, MessageSource messages) = 0;
    /// To the server of any node, by a link between the two; see ModexServer::open_peers(). At most
    /// 256 KiB or little more; messages to the same one keep their order.
    virtual void modex_peer(uint32_t number, std::string message) = 0;
    /// At the root: large data wait for open_peers() at all nodes, or no_peers().
    virtual void modex_wants_peers() = 0;
    /// A rank aborted the job or broke the protocol: the job is to end.
    virtual void modex_fault(const FaultMessage& fault) = 0;
    /// A name of this process, unlike that of any other on the machine, if it may have more jobs
    /// than this one, now or later. Empty: it has no other job.
    virtual std::string modex_shared_name() const { return {}; }
    /// A folder that is to be gone at the end, whatever ends this process.
    virtual void modex_folder(const std::string& path) = 0;
    virtual void modex_notice(const std::string& text) = 0;
    /// The ranks here that run.
    virtual std::vector<RankState> modex_ranks() const { return {}; }
    /// A rank wants more processes; see ModexServer::spawned(). At most most_spawn_bytes.
    virtual void modex_spawn(SpawnMessage wanted) = 0;
    /// A line about what a rank said, for LAUNCH_LOG=pmi:trace.
    virtual void modex_trace(uint32_t rank, std::string line) = 0;
};

/// One node's part of the exchange of contact cards: serves the ranks of the node by whatever
/// protocol they speak, and talks to the servers of the neighbouring nodes. One thread.
class ModexServer {
  public:
    virtual ~ModexServer() = default;

    /// Before any rank is started, and before all below. `node` is this host's number among those
    /// of the job's node map, from 1; 0: no rank is here. The root has no parent.
    virtual void start(NodeIndex node, const std::vector<RankRun>& ranks, bool root) = 0;
    /// A subtree below: the ranks of each of its nodes. `child` is its first node.
    virtual void add_child(NodeIndex child, const std::vector<std::vector<RankRun>>& ranks) = 0;
    /// Removes a child that could not be started. Its replacement must have been added before.
    virtual void remove_child(NodeIndex child) = 0;
    /// `part`, which was below `whole`, is a child of this node now. With the ranks of the part's
    /// nodes, and of the others of `whole`.
    virtual void split_child(NodeIndex whole, NodeIndex part,
                             const std::vector<std::vector<RankRun>>& ranks,
                             const std::vector<std::vector<RankRun>>& others) = 0;
    /// These ranks of a child's subtree live on below another node; `others` stay.
    virtual void release_child(NodeIndex whole, const std::vector<std::vector<RankRun>>& ranks,
                               const std::vector<std::vector<RankRun>>& others) = 0;
    /// More ranks are in a child's subtree than were: these in all.
    virtual void widen_child(NodeIndex child, const std::vector<std::vector<RankRun>>& ranks) = 0;
    /// The child is lost, and with it these ranks.
    virtual void lose_child(NodeIndex child, const std::vector<uint32_t>& ranks) = 0;
    /// This node has another parent, which knows nothing of the messages to the old one.
    virtual void new_parent() = 0;
    /// False: not what that neighbour may send.
    virtual bool from_parent(std::string_view message) = 0;
    virtual bool from_child(NodeIndex child, std::string_view message) = 0;
    /// From now on messages may travel between any two of the job's `count` nodes; called once, at
    /// any time after start(). This node is `self`, the root 0. Large data goes that way as soon as
    /// all nodes can, until one is lost.
    virtual void open_peers(uint32_t self, uint32_t count) = 0;
    /// They are not to be had. At the root, when they were wanted.
    virtual void no_peers() = 0;
    /// False: not what that node may send.
    virtual bool from_peer(uint32_t number, std::string_view message) = 0;
    /// That one is not to be reached, or some of what was said may not have come.
    virtual void peer_lost(uint32_t number) = 0;
    /// The answer to a ModexHost::modex_spawn(), of the same ticket.
    virtual void spawned(const SpawnedMessage& answer) = 0;
    /// A rank of that subtree has exited.
    virtual void exited_below(NodeIndex child, uint32_t rank, const ExitStatus& status) = 0;

    /// After start() and before prepare(), if at all: which CPUs each rank here is bound to, by
    /// local rank.
    virtual void bound(std::vector<RankBinding> ranks) = 0;
    /// Before offer(), for one rank of each program: looks at the program's files, by `files`, and
    /// opens the service that it speaks, beside the executor's thread. Not waited for any more
    /// after `stop`. An Error: ranks of that program cannot run here, since that service is not to
    /// be had.
    virtual awaitable<Status> prepare(uint32_t rank, SpawnRequest request, DetachedPool& files,
                                      std::stop_token stop) = 0;
    /// Adds to the request what a local rank needs to find this server. The service is up when
    /// this returns. Then the rank is started(), or not_started(): after an Error, always.
    virtual Status offer(uint32_t rank, SpawnRequest& request) = 0;
    virtual void started(uint32_t rank) = 0;
    virtual void not_started(uint32_t rank) = 0;
    /// It has written to its standard output, or its standard error.
    virtual void wrote(const OutputMessage& output) = 0;
    /// A local rank's process is gone. A fault: it left the others in the lurch.
    virtual std::optional<FaultMessage> exited(uint32_t rank, const ExitStatus& status) = 0;

    /// Nothing of it is on this host that close() would have to take away: neither a folder nor an
    /// open port.
    virtual bool leaves_nothing() const = 0;
    /// Ends all sessions; nothing is called any more when it has returned.
    virtual awaitable<void> close() = 0;
};

/// The room modex/ is injected into core by cmd/.
using ModexFactory = std::function<std::unique_ptr<ModexServer>(
    any_io_executor executor, const JobMessage& job, ModexHost& host)>;

}  // namespace launch
