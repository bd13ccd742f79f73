// SPDX-License-Identifier: MIT
#include "core/head/rank_output.hpp"

#include "core/job/program_index.hpp"

namespace launch {

RankOutput::RankOutput(any_io_executor executor, const Plan& plan, Console& console,
                       HeldOutput* held)
    : plan_(plan), choice_(plan.spec.policies.output), console_(console), held_(held) {
    const OutputFilesChoice& files = choice_.files;
    if (files.any() && !files.there) {
        OutputPattern::read(files.out, out_file_);  // a bad pattern was reported before
        OutputPattern::read(files.err, err_file_);
        files_.emplace(executor,
                       files.replace ? FileSet::Existing::replace : FileSet::Existing::refuse);
    }
}

awaitable<bool> RankOutput::take(const OutputMessage& message) {
    if (held_ != nullptr) {
        const bool taken = co_await held_->take(plan_.space, message);
        co_return taken;
    }
    if (files_) {
        const auto& pattern = message.stream == Stream::out ? choice_.files.out : choice_.files.err;
        if (!pattern.empty()) {
            const bool written = co_await write_to_file(message);
            if (!written || !choice_.files.copy) co_return written;
        }
    }
    co_return co_await console_.output(message, plan_.space);
}

void RankOutput::ended(uint32_t rank, const ExitStatus& status) {
    if (held_ != nullptr) held_->ended({plan_.space, rank}, status);
}

void RankOutput::look_at_placement() {
    if (hosts_by_rank_.empty()) hosts_by_rank_ = plan_.placement.nodes_by_rank();
}

OutputFields RankOutput::fields_of(uint32_t rank, Stream stream) {
    look_at_placement();
    OutputFields fields;
    fields.rank = rank;
    fields.space = plan_.space;
    fields.size = plan_.placement.ranks();
    fields.program = static_cast<uint32_t>(program_index(plan_.spec.programs, rank));
    fields.job = plan_.spec.job_id;
    fields.stream = stream == Stream::out ? "out" : "err";
    if (rank >= hosts_by_rank_.size()) return fields;  // a relay may speak of any rank
    const uint32_t host = hosts_by_rank_[rank];
    fields.host = plan_.hosts[host].name;
    for (uint32_t before = 0; before < host; ++before)
        if (!plan_.placement.node(before).empty()) ++fields.node;
    for_each_rank(plan_.placement.node(host), [&](uint32_t other) {
        if (other < rank) ++fields.local_rank;
    });
    return fields;
}

const std::string& RankOutput::path_of(uint32_t rank, Stream stream) {
    const auto found = paths_.find({rank, stream});
    if (found != paths_.end()) return found->second;
    const auto& pattern = stream == Stream::out ? out_file_ : err_file_;
    return paths_[{rank, stream}] = pattern.fill(fields_of(rank, stream));
}

awaitable<bool> RankOutput::write_to_file(OutputMessage message) {
    std::string path = path_of(message.rank, message.stream);
    std::string bytes(message.bytes);
    co_return co_await files_->write(std::move(path), std::move(bytes));
}

void RankOutput::tell_hosts() const {
    if (held_ == nullptr) return;
    std::vector<std::string> hosts;
    for (const uint32_t node : plan_.placement.nodes_by_rank())
        hosts.push_back(plan_.hosts[node].name);
    held_->placed(plan_.space, std::move(hosts));
}

awaitable<void> RankOutput::finish() {
    if (files_) co_await files_->drain();
}

}  // namespace launch
