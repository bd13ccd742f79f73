// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/core/harness/network.hpp"
#include "tests/unit/core/harness/played_head.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {

/// A job at the head of a tree: keeps what comes up.
class HeadJob : public TreeJob, public JobUpstream {
  public:
    explicit HeadJob(any_io_executor executor) : executor_(std::move(executor)) {}

    /// The reader of the job's output stands still for so long.
    void pause_reader(Clock::duration rest) {
        reads_again_ = std::max(reads_again_, Clock::now()) + rest;
    }

    std::vector<NodeIndex> up;
    std::vector<FailureMessage> failures;
    std::vector<StartsMessage> starts;
    std::map<NodeIndex, std::vector<std::string>> notices;  ///< by who says them
    std::map<uint32_t, std::string> outputs;                ///< by rank
    std::vector<JobReport> reports;
    std::vector<NodeIndex> nodes_ended;

    bool is_lost(NodeIndex node) const;

    void hosts_up(const std::vector<NodeIndex>& nodes) override {
        up.insert(up.end(), nodes.begin(), nodes.end());
    }
    void hosts_failed(const FailureMessage& failure) override { failures.push_back(failure); }
    void hosts_starting(const StartsMessage& message) override { starts.push_back(message); }
    void notice(const NoticeMessage& notice) override {
        if (!notice.verbose_only) notices[notice.node].push_back(notice.text);
    }
    void note(const std::string&) override {}
    void routes_changed() override {}
    void take(const JobReport& report) override { reports.push_back(report); }
    void take(const NodeStats&) override {}
    void report(const JobReport& report) override { take(report); }
    awaitable<void> ended(NodeIndex node) override {
        nodes_ended.push_back(node);
        co_return;
    }
    awaitable<bool> output(OutputMessage message) override {
        outputs[message.rank] += message.bytes;
        if (const auto rest = reads_again_ - Clock::now(); rest.count() > 0)
            co_await sleep_for(executor_, rest);
        co_return true;
    }
    awaitable<bool> output(NodeIndex, OutputMessage message) override { return output(message); }
    bool uses(NodeIndex) const override { return true; }

    void placed_late() override {}
    void failure(const FailureMessage&) override {}
    void stage_wanted(const WantedMessage&) override {}
    void modex(std::string) override {}
    void input_wanted(const InputGrant&) override {}
    void input_refused() override {}

  private:
    any_io_executor executor_;
    Clock::time_point reads_again_;
};

/// A job with a rank on each host, of which none ever starts.
JobMessage idle_job(const std::string& id, bool late = false);
AssignmentMessage idle_assignment(NodeIndex hosts);

struct WorldSettings {
    NodeIndex hosts = 1;
    std::string topology = "chain";
    milliseconds liveness{0};
    std::vector<std::string> jobs = {"job"};
    std::string routing = {};     ///< the routing tree; empty: none
    milliseconds start_limit{0};  ///< of a host's connection, and of its greeting; 0: as usual
    bool late = false;            ///< ranks are placed when all hosts are known
    SimulatedRun::Time time = SimulatedRun::Time::simulated;
};

/// A whole tree in one process: its head, its relays and a job on it, or more, whose
/// ranks never start.
class World {
  public:
    explicit World(WorldSettings settings, uint64_t seed = 1);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    SimulatedRun simulation;
    asio::io_context& io = simulation.io;
    Network network;
    HeadJob& job(const std::string& id = "job") { return *jobs_.at(id); }
    HeadTree& head() { return head_.tree; }
    Process& head_process() { return head_.process; }
    /// The job's part at a node that lives; null: there is none.
    FakeModex* part(NodeIndex node, const std::string& id = "job") const;

    void start();
    /// For ranks at the head itself, where no relay runs, which would reap them.
    void reap() { network.tasks.spawn(head_.reaper.run()); }
    /// One job more, with ranks on all hosts.
    void begin(const std::string& id, uint64_t output_window = 0);
    void end(const std::string& id) { head_.tree.end(numbers_.at(id)); }
    bool all_up() const;
    /// Where ranks are placed late: places them when that may be. True: they are.
    bool settle();
    template <class Done>
    bool until(const Done& done) {
        return simulation.until(done);
    }
    /// Ends it. False: something does not end, or a relay had to be cut off.
    bool finish();
    /// The same, beside others.
    awaitable<void> run_to_finish();
    const std::vector<std::string>& stuck() const { return stuck_; }
    /// It is being finished, or has been.
    bool ends() const { return finished_; }

  private:
    void place();
    void add(const std::string& id, bool late, uint64_t output_window = 0);

    std::map<std::string, std::unique_ptr<HeadJob>> jobs_;
    std::map<std::string, JobNumber> numbers_;
    std::vector<NodeJob*> unplaced_;
    PlayedHead head_;
    bool finished_ = false;
    std::vector<std::string> stuck_;
};

}  // namespace launch
