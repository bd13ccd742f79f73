// SPDX-License-Identifier: MIT
#include "core/head/own_tree.hpp"

namespace launch {

const JobMessage& OwnTree::begin(JobMessage message, JobUpstream& upstream, TreeJob& job) {
    job_ = &tree_.begin(first_job, std::move(message), upstream, job);
    return job_->message();
}

void OwnTree::start(std::optional<AssignmentMessage> placed) {
    tree_.open();
    if (placed) job_->deal(*std::move(placed));
    tree_.start();
}

void OwnTree::assign(AssignmentMessage message, const std::vector<AssignmentMessage::Part>& lost) {
    job_->deal(std::move(message));
    job_->lose(lost);
}

}  // namespace launch
