// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/run/node_job.hpp"
#include "core/run/spare_memory.hpp"

namespace launch {

/// The jobs at one node of a tree, by their numbers: a message of the tree goes to its job, or to
/// all. A message for a job that is not here, because it has ended or has not begun, is dropped;
/// when a job begins, it gets the head's broadcasts for it. A job is over when the head says so
/// (FrameType::end_job), or when the tree ends.
class NodeJobs : public TreeUser {
  public:
    struct Settings {
        NodeJob::Surroundings surroundings;
        /// On a relay: makes the upstream for the reports of a job that the parent announces.
        std::function<std::unique_ptr<JobUpstream>(JobNumber job, const JobMessage& message)>
            upstream;
    };
    NodeJobs(any_io_executor executor, Settings settings, Reaper& reaper, Node& tree);

    /// Then the node's place in the tree is known.
    void open(NodeJob::Here here);
    /// A job begins here and at all nodes below, now or when this is open. `upstream` outlives it.
    NodeJob& begin(JobNumber number, JobMessage job, JobUpstream& upstream);
    /// The job that the tree is started for is here, and its ranks are placed, or are to be placed
    /// late: its nodes may be started, and asked what they need.
    bool first_is_ready() const;
    /// See NodeJob::check(); of that job. There must be one.
    awaitable<void> check_first();
    bool first_looks() const { return jobs_.begin()->second.job->looks_first(); }
    /// Starts the relays below.
    void start_tree();
    /// Files that this node is about to get from its parent.
    uint64_t bytes_to_stage() const;
    /// Ranks are placed.
    bool placed() const { return nodes() > 0; }
    /// The rank was placed on that node, this one or one below; or nothing is known here any more
    /// of where the job's ranks were.
    bool may_run(JobNumber number, NodeIndex node, uint32_t rank) const {
        const NodeJob* const job = find(number);
        return job == nullptr || job->runs(node, rank);
    }

    /// A link above broke: what was on its way here may be lost.
    void ask_again();
    /// This node has another parent, which knows nothing of the messages to the old one.
    void new_parent();
    /// The parent believed this node elsewhere, and has forgotten what it said.
    void say_again();
    /// The longest that one of them gives its ranks to end.
    milliseconds kill_grace() const;
    /// All are over: waits until ranks and relays have ended and nothing of them is left. Relays
    /// that have not left after `limit` are cut off; the result names their hosts.
    awaitable<std::vector<std::string>> finish(milliseconds limit);

    bool from_parent(FrameType type, std::string_view body) override;
    bool from_child(NodeIndex child, FrameType type, std::string_view body) override;
    bool from_peer(RoutePosition from, std::string_view message) override;
    bool report_passes(NodeIndex child, FrameType type, std::string_view body) override;
    bool ordered(FrameType type, std::string_view body) override;
    bool waits_for_hosts() const override;
    NodeIndex nodes() const override;
    void child_added(const ChildView& child) override;
    void child_not_started(NodeIndex child) override;
    void child_came(const ChildView& child, NodeIndex above,
                    const std::vector<NodeRange>& others) override;
    void nodes_came(const ChildView& child, const std::vector<NodeRange>& came) override;
    void nodes_left(NodeRange nodes, NodeIndex above,
                    const std::vector<NodeRange>& others) override;
    void child_lost(const ChildView& child) override;
    void nodes_gone() override;
    void child_ended(NodeIndex child) override;
    void peers_open(RoutePosition own, uint32_t count) override;
    void no_peers() override;
    void peer_lost(RoutePosition peer) override;

  private:
    struct Running {
        std::unique_ptr<JobUpstream> own_upstream;  ///< null at the head, which has its own
        JobUpstream* upstream = nullptr;
        std::unique_ptr<NodeJob> job;
        bool ends = false;  ///< end_one() sees to it
    };

    NodeJob& add(JobNumber number, JobMessage job, std::string text, JobUpstream& upstream);
    bool begin(JobNumber number, std::string_view body);
    void catch_up(NodeJob& job, JobNumber number) const;
    void end(JobNumber number);
    bool spawned(const JobText& text);
    static bool give_order(NodeJob& job, FrameType type, std::string_view body);
    awaitable<void> end_left_by(NodeJob& job);
    awaitable<void> end_one(JobNumber number);
    awaitable<void> tell_end(JobNumber number);
    NodeJob* find(JobNumber number) const;
    bool has_ended(JobNumber number) const;
    template <class Call>
    bool with_job(std::string_view payload, Call call) const;
    template <class Call>
    void with_all(Call call) const;

    any_io_executor executor_;
    Settings settings_;
    Reaper& reaper_;
    Node& tree_;
    /// Where the tree is, as a new job finds it.
    enum class TreePhase : uint8_t { unknown, open, started, ends } phase_ = TreePhase::unknown;
    NodeJob::Here here_;
    NodeShare share_;
    SpareMemory spare_memory_;
    std::map<JobNumber, Running> jobs_;
    std::optional<JobNumber> first_;  ///< that began here
    std::deque<JobNumber> ended_;     ///< a word of their beginning may still be on its way here
    TaskGroup tasks_;
};

}  // namespace launch
