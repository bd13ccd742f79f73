// SPDX-License-Identifier: MIT
#include "core/run/local_output.hpp"

namespace launch {

OutputChannel LocalOutput::channel(const RankIdentity& rank, size_t program, Stream stream) const {
    const OutputChoice& choice = job_.policies.output;
    OutputFields fields;
    fields.rank = rank.rank;
    fields.space = job_.origin.space;
    fields.local_rank = rank.local_rank;
    fields.size = rank.size;
    fields.node = index(rank.host_rank);
    fields.program = static_cast<uint32_t>(program);
    fields.host = rank.host;
    fields.job = rank.job_id;
    const bool is_out = stream == Stream::out;
    fields.stream = is_out ? "out" : "err";
    OutputChannel made;
    made.prompts = is_out ? choice.prompts_out : choice.prompts_err;
    OutputPattern pattern;
    // The head has checked both: a label or a path that is none is left out.
    if (OutputPattern::read(choice.label, pattern).empty())
        made.label = LineLabel(pattern, fields, is_out ? choice.color_out : choice.color_err);
    const std::string& file = is_out ? choice.files.out : choice.files.err;
    if (choice.files.there && OutputPattern::read(file, pattern).empty())
        made.file = pattern.fill(fields);
    return made;
}

awaitable<bool> LocalOutput::write(const OutputChannel& channel, OutputMessage message) {
    modex_.wrote(message);
    if (!channel.file.empty()) {
        const bool replace = job_.policies.output.files.replace;
        if (!files_)
            files_.emplace(executor_,
                           replace ? FileSet::Existing::replace : FileSet::Existing::refuse);
        last_rank_ = message.rank;
        std::string path = channel.file;
        std::string bytes(message.bytes);
        const bool written = co_await files_->write(std::move(path), std::move(bytes));
        if (!written) tell_fault(message.rank);
        if (!written || !job_.policies.output.files.copy) co_return written;
    }
    co_return co_await upstream_.output(message);
}

/// Reports the first write error of an output file, for all ranks here.
void LocalOutput::tell_fault(uint32_t rank) {
    if (std::exchange(fault_told_, true) || !files_->error()) return;
    const Error& error = *files_->error();
    upstream_.report(FaultMessage{rank, FaultMessage::Kind::no_file, 0,
                                  error.operation + ": " + error.cause, error.hint});
}

awaitable<void> LocalOutput::drain() {
    if (!files_) co_return;
    co_await files_->drain();
    if (files_->error()) tell_fault(last_rank_);
}

}  // namespace launch
