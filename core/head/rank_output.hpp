#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/head/console.hpp"
#include "core/head/output_gather.hpp"
#include "core/io/line_assembler.hpp"
#include "core/io/output_files.hpp"
#include "core/job/output_pattern.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// Where the head puts what ranks write: on the screen, into files, or on a heap until the end.
/// What processes write that ranks asked for is on no heap, since those come at any time.
class RankOutput {
  public:
    RankOutput(any_io_executor executor, const Plan& plan, Console& console);

    /// Suspends while a reader or a disk is slow. False: something cannot be written, which
    /// file_error() or the console knows.
    awaitable<bool> take(const OutputMessage& message);
    void ended(uint32_t rank, const ExitStatus& status);
    /// All ranks have ended: suspends until files are written, and what was held back is shown.
    awaitable<void> finish();
    /// Then: what was gathered; none: it was shown, or nobody wanted that.
    std::optional<GatheredOutput> gathered() const;

    /// A file here could not be written.
    const Error* file_error() const {
        return files_ && files_->error() ? &*files_->error() : nullptr;
    }

  private:
    using Key = std::pair<uint32_t, Stream>;
    /// Ranks are placed when the first of them writes.
    void look_at_placement();
    OutputFields fields_of(uint32_t rank, Stream stream);
    const std::string& path_of(uint32_t rank, Stream stream);
    awaitable<bool> write_to_file(OutputMessage message);
    awaitable<bool> gather(OutputMessage message);
    awaitable<bool> spill();
    awaitable<bool> show_labelled(OutputMessage message);

    const Plan& plan_;
    const OutputChoice& choice_;
    Console& console_;
    OutputPattern out_file_;
    OutputPattern err_file_;
    std::optional<OutputFiles> files_;
    std::optional<OutputGather> gather_;
    std::vector<uint32_t> hosts_by_rank_;
    std::map<Key, std::string> paths_;
    /// Of the lines that come after more was written than can be gathered.
    std::map<Key, LineAssembler> spilled_;
    bool spills_ = false;
};

}  // namespace launch
