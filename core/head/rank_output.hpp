// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/head/console.hpp"
#include "core/head/held_output.hpp"
#include "core/head/output_sink.hpp"
#include "core/io/output_files.hpp"
#include "core/job/output_pattern.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// Where the head puts what the ranks of a job, or of processes that they asked for, write: on the
/// screen, into files, or on the job's heap until its end.
class RankOutput final : public OutputSink {
  public:
    /// `held`: of the job; null where output is not held.
    RankOutput(any_io_executor executor, const Plan& plan, Console& console, HeldOutput* held);

    awaitable<bool> take(const OutputMessage& message) override;
    void ended(uint32_t rank, const ExitStatus& status) override;
    void tell_hosts() const override;
    awaitable<void> finish() override;
    const Error* file_error() const override {
        return files_ && files_->error() ? &*files_->error() : nullptr;
    }

  private:
    using Key = std::pair<uint32_t, Stream>;
    /// Ranks are placed when the first of them writes.
    void look_at_placement();
    OutputFields fields_of(uint32_t rank, Stream stream);
    const std::string& path_of(uint32_t rank, Stream stream);
    awaitable<bool> write_to_file(OutputMessage message);

    const Plan& plan_;
    const OutputChoice& choice_;
    Console& console_;
    OutputPattern out_file_;
    OutputPattern err_file_;
    std::optional<OutputFiles> files_;
    HeldOutput* held_;
    std::vector<uint32_t> hosts_by_rank_;
    std::map<Key, std::string> paths_;
};

}  // namespace launch
