// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "core/async/task_group.hpp"
#include "core/link/direct_links.hpp"
#include "core/link/framed_link.hpp"
#include "core/tree/route_table.hpp"

namespace launch {

/// A node's links to nodes that are no neighbours in the tree, for large data. A link is made when
/// this node has something to say to the other, or the other to this one. Messages to the same node
/// keep their order, and wait until its link is there. A link that breaks, or takes nothing for
/// long, is lost with what was on its way, and is not made again; what goes over the tree does not
/// depend on it.
class PeerLinks {
  public:
    struct Settings {
        std::chrono::milliseconds connect_timeout{};
        /// A message of a peer, by its position in the table. False: not what it may say.
        std::function<bool(RoutePosition at, std::string_view message)> received;
        std::function<void(RoutePosition at)> lost;
    };
    /// `links` and `table` outlive it.
    PeerLinks(any_io_executor executor, DirectLinks& links, const RouteTable& table,
              Settings settings);

    void send(RoutePosition at, std::string message);
    bool wants(NodeIndex from) const;
    void take(NodeIndex from, std::unique_ptr<ByteStream> stream);

    uint32_t count() const { return static_cast<uint32_t>(open_.size()); }
    LinkCounts counts() const;

    /// Nothing is received any more, and no loss told of.
    void close();
    awaitable<void> join();

  private:
    using Link = std::shared_ptr<FramedLink>;
    struct Peer {
        Link link;  ///< null: not there yet
        std::deque<std::string> waiting;
        bool lost = false;
    };

    awaitable<void> reach(RoutePosition at);
    Link open(RoutePosition at, std::unique_ptr<ByteStream> stream);
    void use(RoutePosition at, Link link);
    awaitable<void> listen(RoutePosition at, Link link);
    void lose(RoutePosition at);

    any_io_executor executor_;
    DirectLinks& links_;
    const RouteTable& table_;
    Settings settings_;
    std::map<RoutePosition, Peer> peers_;  ///< nodes to which something was to be said
    std::set<RoutePosition> incoming_;     ///< nodes that have made a link to this one, one each
    std::vector<Link> open_;
    std::stop_source stop_;
    TaskGroup tasks_;
};

}  // namespace launch
