// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/core/harness/event_log.hpp"
#include "tests/unit/core/harness/shrink.hpp"

namespace launch {

/// Accidents in a network, each of which strikes where chance has it.
class Accidents {
  public:
    /// Returns a number below its argument.
    using Draw = std::function<uint32_t(size_t)>;
    /// `log` gets a line for each accident; it may be null.
    Accidents(Network& network, Draw draw, const EventLog* log)
        : network_(network), draw_(std::move(draw)), event_log_(log) {}
    /// Tells whether all hosts are up, and know each other.
    std::function<bool()> all_up = [] { return false; };

    void cut();
    /// Within or behind a frame that comes later.
    void break_later();
    /// Nothing goes over a cable until let_go().
    void hold();
    /// The node stands still, or its network does, until let_go().
    void freeze(NodeIndex node);
    void let_go();
    void kill(NodeIndex node);
    /// One of these, by chance; if a host is to be struck, that one, or the head where it can stand
    /// still as well. Nothing stands still for longer than three seconds.
    void strike(NodeIndex node);

    /// A cable is cut once all hosts are up; or one cable, or a node, stands still for no longer
    /// than a second, and nothing does again for some seconds. That costs no host.
    void strike_briefly(NodeIndex node);
    /// The node stands still while its parent dies, for so long that others may give it up.
    void strand(NodeIndex node);
    /// So many accidents, one after the other, each where a message goes by of one of few types,
    /// which chance has chosen: they meet in the short times in which the tree changes, and fault
    /// after fault of the same few kinds shows more than a bit of everything (A. Groce, C. Zhang,
    /// E. Eide, Y. Chen, J. Regehr, "Swarm testing", ISSTA 2012). `also`: types beside those.
    void aim(uint32_t count, std::set<FrameType> also = {});
    /// Has users do something; aim() strikes with that, too.
    std::function<void()> act = [] {};

    /// An accident, or a deed of a user, at some time within so many milliseconds.
    void later(uint32_t within_ms, std::function<void()> what);
    /// later() and aim() leave out all accidents but those with these numbers, as they follow each
    /// other.
    void only(Steps steps) { steps_ = std::move(steps); }
    uint32_t count() const { return count_; }

    /// Nothing disturbs the network any more.
    void end();
    const std::set<NodeIndex>& killed() const { return killed_; }
    /// Nothing has happened but that relays were killed when all hosts were up.
    bool has_only_killed() const { return has_only_killed_; }
    /// Nothing has happened but by strike_briefly().
    bool were_brief() const { return were_brief_; }
    /// Nothing has happened that may cost a host: at most one link was cut, once all hosts were up.
    bool is_harmless() const { return is_harmless_; }
    /// All that has happened.
    const std::string& log() const { return log_; }
    void note(const char* what, size_t at);

  private:
    Cable* some_cable(const char* what);
    /// Another one is about to happen. False: it is to be left out.
    bool happens();
    void may_cost_hosts();
    void hold(Cable& cable);
    void let_go_after(milliseconds time);
    void aim_again();
    std::optional<Break::At> pass(const Cable& cable, Cable::Side from, FrameType type);
    std::optional<Break::At> strike_at(const Cable& cable, Cable::Side from);

    Network& network_;
    Draw draw_;
    const EventLog* const event_log_;
    std::vector<std::shared_ptr<Cable>> held_;
    std::set<NodeIndex> killed_;
    bool is_harmless_ = true;
    bool has_only_killed_ = true;
    bool were_brief_ = true;
    Clock::time_point rests_until_;  ///< see strike_briefly()
    uint32_t cuts_ = 0;
    uint32_t count_ = 0;           ///< of later() and aim(), so far
    std::optional<Steps> steps_;   ///< nothing: all
    std::set<FrameType> targets_;  ///< see aim()
    uint32_t aims_left_ = 0;
    uint32_t pass_ = 0;  ///< so many messages of these types are not disturbed, before one is
    std::string log_;
};

}  // namespace launch
