#include "core/head/rank_output.hpp"

#include "core/job/program_index.hpp"

namespace launch {

RankOutput::RankOutput(any_io_executor executor, const Plan& plan, Console& console)
    : plan_(plan), choice_(plan.spec.policies.output), console_(console) {
    const OutputFilesChoice& files = choice_.files;
    if (files.any() && !files.there) {
        OutputPattern::read(files.out, out_file_);  // what is wrong with it was told before
        OutputPattern::read(files.err, err_file_);
        files_.emplace(executor,
                       files.replace ? FileSet::Existing::replace : FileSet::Existing::refuse);
    }
    if (choice_.gather != GatherChoice::none && plan.space == 0) gather_.emplace();
}

awaitable<bool> RankOutput::take(const OutputMessage& message) {
    if (gather_) {
        const bool taken = co_await gather(message);
        co_return taken;
    }
    if (files_) {
        const auto& pattern = message.stream == Stream::out ? choice_.files.out : choice_.files.err;
        if (!pattern.empty()) {
            const bool written = co_await write_to_file(message);
            if (!written || !choice_.files.copy) co_return written;
        }
    }
    co_return co_await console_.output(message);
}

void RankOutput::ended(uint32_t rank, const ExitStatus& status) {
    if (gather_) gather_->ended(rank, status);
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

awaitable<bool> RankOutput::gather(OutputMessage message) {
    if (spills_) {
        const bool shown = co_await show_labelled(message);
        co_return shown;
    }
    if (gather_->feed(message.rank, message.stream, message.bytes)) co_return true;
    co_return co_await spill();
}

/// Nothing that ranks wrote is lost: it comes with labels instead.
awaitable<bool> RankOutput::spill() {
    spills_ = true;
    console_.say("note: more than " + std::to_string(OutputGather::usual_limit >> 20) +
                 " MiB of output differ, which is too much for --gather: all of it comes as it is, "
                 "each line with its rank");
    const auto held = std::exchange(gather_, OutputGather());
    bool shown = true;
    for (uint32_t rank = 0; rank < plan_.placement.ranks() && shown; ++rank) {
        for (const Stream stream : {Stream::out, Stream::err}) {
            const std::string text = held->text_of(rank, stream);
            const OutputMessage message{rank, stream, text};
            if (!text.empty()) shown = co_await show_labelled(message);
        }
    }
    co_return shown;
}

awaitable<bool> RankOutput::show_labelled(OutputMessage message) {
    const Key key{message.rank, message.stream};
    const std::string label = "[" + std::to_string(message.rank) + "] ";
    auto& lines = spilled_.try_emplace(key, LineLabel(label), true).first->second;
    std::string text;
    lines.feed(message.bytes, text);
    const OutputMessage labelled{message.rank, message.stream, text};
    co_return co_await console_.output(labelled);
}

awaitable<void> RankOutput::finish() {
    for (auto& [key, lines] : spilled_) {
        std::string text;
        lines.finish(text);
        const OutputMessage rest{key.first, key.second, text};
        if (!text.empty()) co_await console_.output(rest);
    }
    if (files_) co_await files_->drain();
}

std::optional<GatheredOutput> RankOutput::gathered() const {
    if (!gather_ || spills_) return std::nullopt;
    const auto hosts = plan_.placement.nodes_by_rank();
    return gather_->groups(plan_.placement.ranks(),
                           [&](uint32_t rank) { return plan_.hosts[hosts[rank]].name; });
}

}  // namespace launch
