// SPDX-License-Identifier: MIT
#include "core/head/guest_tree.hpp"

#include "core/async/wait_limit.hpp"
#include "core/link/patience.hpp"

namespace launch {

std::vector<FailureMessage> place_guest(NodeJob& job, const HeadTree& tree,
                                        AssignmentMessage placed) {
    std::vector<AssignmentMessage::Part> lost;
    for (const auto& part : placed.parts)
        if (!tree.hosts().is_up(part.node)) lost.push_back(part);
    job.deal(std::move(placed));
    job.lose(lost);
    std::vector<FailureMessage> failures;
    for (const auto& part : lost) {
        FailureMessage& failure = failures.emplace_back();
        failure.node = part.node;
        failure.was_up = true;
        failure.error = {ErrorKind::unreachable,
                         "run",
                         tree.hosts().name_of(part.node),
                         -1,
                         "the host was lost before the job began",
                         {}};
    }
    return failures;
}

GuestTree::GuestTree(any_io_executor executor, HeadTree& tree, JobNumber number,
                     std::function<void()> gone)
    : GuestJob(std::move(executor)), tree_(tree), number_(number), gone_(std::move(gone)) {}

const JobMessage& GuestTree::begin(JobMessage message, JobUpstream&, TreeJob& job) {
    job_ = &job;
    pending_.insert(tree_.self());
    node_job_ = &tree_.begin(number_, std::move(message), *this, *this);
    return node_job_->message();
}

void GuestTree::start(std::optional<AssignmentMessage> placed) {
    for (const auto& part : placed->parts)
        pending_.insert(part.node);
    for (const auto& failure : place_guest(*node_job_, tree_, *std::move(placed)))
        hosts_failed(failure);
}

void GuestTree::hosts_failed(const FailureMessage& failure) {
    drop_failed(failure);
    job_->hosts_failed(failure);
}

void GuestTree::take(const JobReport& report) {
    job_->take(report);
    if (const auto* unready = std::get_if<UnreadyMessage>(&report)) job_->hosts_up({unready->node});
}

awaitable<bool> GuestTree::output(OutputMessage message) {
    return job_->output(tree_.self(), message);
}

awaitable<std::vector<std::string>> GuestTree::finish() {
    const auto limit = patience::leave_head_within(node_job_->message().policies.kill_grace);
    node_job_ = nullptr;
    tree_.end(number_);
    WaitLimit wait(limit);
    while (!pending_.empty() && !wait.over()) {
        co_await wait.wait(changed_);
        // The last word of a host comes behind output, for which a reader may take its time.
        if (tree_.output_pending()) wait.restart();
    }
    tree_.forget(number_);
    std::vector<std::string> stuck;
    for (const NodeIndex node : pending_)
        stuck.push_back(node == 0 ? "the head" : tree_.hosts().name_of(node));
    co_return stuck;
}

}  // namespace launch
